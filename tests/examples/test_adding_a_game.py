"""The tutorial docs/adding_a_game.md makes the very package in examples/kuhn_poker."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "adding_a_game.md").read_text("utf-8")
PACKAGE = ROOT / "examples" / "kuhn_poker"
# A fence with a language and perhaps a file's name, what stands in it, the same fence again.
BLOCKS = re.findall(r"^(`{3,})(\w+)(?: (\S+))?\n(.*?)^\1$", PAGE, re.MULTILINE | re.DOTALL)
BUILT = re.compile(r"^build/|\.egg-info/|__pycache__/|\.(so|c|pyc)$")


def test_the_blocks_put_together_are_the_files_of_the_package() -> None:
    pieces: dict[str, list[str]] = {}
    for _, _, name, text in BLOCKS:
        if name:
            pieces.setdefault(name, []).append(text)
    names = [path.relative_to(PACKAGE).as_posix() for path in PACKAGE.rglob("*") if path.is_file()]
    assert sorted(pieces) == sorted(name for name in names if not BUILT.search(name))
    for name, texts in pieces.items():
        assert "\n".join(texts) == (PACKAGE / name).read_text("utf-8"), name


def test_the_session_prints_what_the_page_shows() -> None:
    sessions = [text for _, language, _, text in BLOCKS if language == "pycon"]
    assert sessions
    names: dict[str, object] = {}
    runner = doctest.DocTestRunner()
    for text in sessions:
        test = doctest.DocTestParser().get_doctest(text, names, "adding_a_game.md", None, None)
        said: list[str] = []
        runner.run(test, out=said.append, clear_globs=False)
        assert not said, "".join(said)
