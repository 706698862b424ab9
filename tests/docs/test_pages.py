"""What the pages show is what happens: sessions are run, links lead somewhere, tables are true."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import islebots

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]
OWN_TEST = {"adding_a_game.md"}  # builds a package before its session is run
SESSION = re.compile(r"^```pycon\n(.*?)^```", re.MULTILINE | re.DOTALL)
FENCE = re.compile(r"^(`{3,}).*?^\1$", re.MULTILINE | re.DOTALL)


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def sessions(page: Path) -> list[str]:
    """The Python sessions of a page."""
    return SESSION.findall(page.read_text("utf-8"))


TOLD = [page for page in PAGES if page.name not in OWN_TEST and sessions(page)]


def test_there_are_sessions() -> None:
    assert {"README.md", "docs/records.md"} <= {name_of(page) for page in TOLD}


@pytest.mark.parametrize("page", TOLD, ids=name_of)
def test_a_session_prints_what_the_page_shows(page: Path) -> None:
    names: dict[str, object] = {}  # later sessions of a page go on from earlier ones
    runner = doctest.DocTestRunner()
    for text in sessions(page):
        test = doctest.DocTestParser().get_doctest(text, names, name_of(page), None, None)
        said: list[str] = []
        runner.run(test, out=said.append, clear_globs=False)
        names = test.globs
        assert not said, "".join(said)


def anchors(page: Path) -> set[str]:
    """What a link into a page may name: its headings as GitHub writes them."""
    heads = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text("utf-8")), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text("utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        path, _, anchor = link.partition("#")
        to = (page.parent / path).resolve() if path else page
        assert to.exists(), link
        assert not anchor or anchor in anchors(to), link


def test_every_page_stands_in_the_index() -> None:
    index = (ROOT / "docs" / "README.md").read_text("utf-8")
    for page in (ROOT / "docs").rglob("*.md"):
        link = page.relative_to(ROOT / "docs").as_posix()
        assert link == "README.md" or f"({link})" in index, link


def table_of_games() -> str:
    """The games as the registry has them."""
    lines = ["| game | boxes and their players | options |", "|---|---|---|"]
    for name in islebots.games():
        loaded = [islebots.load(name, box) for box in islebots.boxes(name)]
        boxes = [f"{game.box_name}: {', '.join(map(str, game.players))}" for game in loaded]
        options = ", ".join(f"`{option}`" for option in loaded[0].options) or "none"
        lines.append(f"| `{name}` | {'; '.join(boxes)} | {options} |")
    return "\n".join(lines)


def test_the_table_of_games_is_up_to_date() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    begin, end = "<!-- games -->\n", "\n<!-- end of games -->"
    table = table_of_games()
    assert text.split(begin)[1].split(end)[0] == table, f"put this into README.md:\n{table}"


def test_the_question_of_the_readme_is_the_one_asked_at_the_prompt() -> None:
    text = (ROOT / "README.md").read_text("utf-8")
    asked = text.split("```\n")[1]
    assert asked.startswith("round 1 of 2")
    assert f">>> print(view)\n{asked}" in text
