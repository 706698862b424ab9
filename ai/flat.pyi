from islebots.core.game import View

REWARDS: tuple[str, ...]

def values(
    view: View, playouts_per_move: int = 100, seed: int = 0, reward: str = "win"
) -> list[tuple[int, float, float]]: ...
def choose(view: View, playouts_per_move: int = 100, seed: int = 0, reward: str = "win") -> int: ...
