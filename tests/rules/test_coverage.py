"""Every numbered sentence and every ruling of a rules page has a test, and no test names another.

The test files are read as text, not run: it does not matter which tests were selected.
"""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = {page.stem: page for page in sorted((ROOT / "docs" / "rules").glob("*.md"))}


def sentences(page: str) -> set[str]:
    """The numbers that open a sentence: "5.4 And the top …"."""
    return set(re.findall(r"^(\d+\.\d+) ", page, re.MULTILINE))


def rulings(page: str) -> set[str]:
    """The numbers of the table of rulings: "| J10, J28 | 3 players | …"."""
    rows = re.findall(r"^\| *(J\d+(?:, *J\d+)*) *\|", page, re.MULTILINE)
    return {number for row in rows for number in re.findall(r"J\d+", row)}


def is_rule(node: ast.AST) -> bool:
    """`rule(…)`, or `pytest.mark.rule(…)`."""
    if not isinstance(node, ast.Call):
        return False
    name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
    return name == "rule"


def marks(source: str) -> dict[str, set[str]]:
    """By number, the tests of a file that are marked with it. A mark on a class counts for all."""
    found: dict[str, set[str]] = {}

    def visit(body: list[ast.stmt], outer: list[str]) -> None:
        for node in body:
            if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                continue
            rules = [mark for mark in node.decorator_list if is_rule(mark)]
            numbers = outer + [number.value for mark in rules for number in mark.args]
            if isinstance(node, ast.ClassDef):
                visit(node.body, numbers)
            elif node.name.startswith("test_"):
                for number in numbers:
                    found.setdefault(number, set()).add(node.name)

    visit(ast.parse(source).body, [])
    return found


def marks_of(game: str) -> dict[str, set[str]]:
    """By number, the tests of a game that are marked with it."""
    found: dict[str, set[str]] = {}
    for file in sorted((ROOT / "tests" / "rules" / game).glob("**/test_*.py")):
        for number, tests in marks(file.read_text("utf-8")).items():
            found.setdefault(number, set()).update(tests)
    return found


def in_order(numbers: set[str]) -> str:
    return ", ".join(sorted(numbers, key=lambda n: [int(part) for part in re.findall(r"\d+", n)]))


def test_there_is_a_page():
    assert PAGES


@pytest.mark.parametrize("game", PAGES)
def test_a_page_has_numbered_sentences_and_rulings(game):
    page = PAGES[game].read_text("utf-8")
    assert sentences(page)
    assert rulings(page)


@pytest.mark.parametrize("game", PAGES)
def test_every_sentence_of_the_rules_is_named_by_a_test(game):
    missing = sentences(PAGES[game].read_text("utf-8")) - marks_of(game).keys()
    assert not missing, f"{game}: no test is marked with {in_order(missing)}"


@pytest.mark.parametrize("game", PAGES)
def test_every_ruling_is_named_by_a_test(game):
    missing = rulings(PAGES[game].read_text("utf-8")) - marks_of(game).keys()
    assert not missing, f"{game}: no test is marked with {in_order(missing)}"


@pytest.mark.parametrize("game", PAGES)
def test_every_mark_names_a_sentence_or_a_ruling(game):
    page = PAGES[game].read_text("utf-8")
    unknown = marks_of(game).keys() - sentences(page) - rulings(page)
    tests = {f"{number} ({', '.join(sorted(marks_of(game)[number]))})" for number in unknown}
    assert not tests, f"{game}: the rules page has no {in_order(tests)}"


def test_marks_are_found_on_functions_and_classes_only_on_tests():
    source = """
@pytest.mark.rule("1.1", "J2")
@pytest.mark.parametrize("x", [1])
def test_one(x): ...

@rule("1.2")
class TestTwo:
    @rule("1.3")
    def test_three(self): ...

@rule("1.4")
def not_a_test(): ...

# @rule("1.5")
"""
    assert marks(source) == {
        "1.1": {"test_one"},
        "J2": {"test_one"},
        "1.2": {"test_three"},
        "1.3": {"test_three"},
    }
