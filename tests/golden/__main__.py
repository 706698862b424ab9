"""Write the golden playthroughs anew: make golden."""

from tests.golden import GOLDEN, HERE


def main() -> None:
    """Write every file and say which changed."""
    for golden in GOLDEN:
        text = golden.text()
        golden.path.parent.mkdir(exist_ok=True)
        old = golden.path.read_text("utf-8") if golden.path.exists() else None
        golden.path.write_text(text, "utf-8")
        print(f"{golden.path.relative_to(HERE)}: {'unchanged' if text == old else 'written'}")
    for path in HERE.glob("*/*.txt"):
        if path not in [golden.path for golden in GOLDEN]:
            print(f"{path.relative_to(HERE)}: nobody's, delete it")


if __name__ == "__main__":
    main()
