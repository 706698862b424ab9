"""docs/kit.md lists the laws as they stand in the code."""

from pathlib import Path

from islebots.core.kit import LAWS

PAGE = Path(__file__).resolve().parents[2] / "docs" / "kit.md"


def table() -> str:
    """The laws, one a line."""
    lines = ["| law | what it says | asked |", "|---|---|---|"]
    lines += [f"| `{law.name}` | {law.says} | {law.where} |" for law in LAWS]
    return "\n".join(lines)


def test_the_table_of_laws_is_up_to_date() -> None:
    text = PAGE.read_text("utf-8")
    begin, end = "<!-- laws -->\n", "\n<!-- end of laws -->"
    assert text.split(begin)[1].split(end)[0] == table(), f"put this into {PAGE}:\n{table()}"
