"""A question is understood in one place: no module beside that floor matches a pattern on a question."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from octavo import question as questions
from octavo.question import understand

SOURCE = Path(octavo.__file__).parent
OWN = ("question", "text")
"""The floors whose business the wording of questions, and of any text, is."""
MATCHING = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
OF_TEXT = {
    "octavo.question.names": "capitalised names are looked for in sentences of documents too",
    "octavo.question.finance": "titles of statements are looked up in documents",
    "octavo.question.words": "nouns for what a question's adjectives ask are looked for in documents",
}
"""Modules of the floor that others may import from beside what the floor itself gives, and why."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(SOURCE.rglob("*.py")):
        name = path.relative_to(SOURCE).as_posix()
        if name.split("/")[0] not in OWN:
            yield name, ast.parse(path.read_text(encoding="utf-8"))


def patterns_on_questions(tree: ast.AST) -> list[str]:
    """Return the calls that match a pattern on a question, by the name of what is matched on."""
    told = {"question"} | {
        target.id
        for node in ast.walk(tree)
        if isinstance(node, ast.Assign) and is_question(node.value, {"question"})
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    return [
        ast.unparse(node)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr in MATCHING
        and is_pattern(node.func.value)
        and any(is_question(given, told) for given in node.args)
    ]


def is_pattern(node: ast.expr) -> bool:
    """Tell `re`, a constant of the module and a variable from an object of another sort, such as a corpus."""
    return isinstance(node, ast.Name) and (node.id == "re" or "pattern" in node.id or node.id.isupper())


def is_question(node: ast.expr, told: set[str]) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == "question" or (node.attr == "text" and is_question(node.value, told))
    if isinstance(node, ast.Call):  # question.lower(), " ".join((question, ...))
        inside = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
        return any(is_question(one, told) for one in inside)
    if isinstance(node, (ast.Tuple, ast.List)):
        return any(is_question(one, told) for one in node.elts)
    return isinstance(node, ast.Name) and node.id in told


def test_no_pattern_is_matched_on_a_question_elsewhere() -> None:
    found = {name: calls for name, tree in modules() if (calls := patterns_on_questions(tree))}
    assert not found


@pytest.mark.parametrize(
    "code",
    [
        "_CUES.search(question)",
        "re.findall('a', value.question)",
        "_CUES.match(using.query.question.lower())",
        "asked = ' '.join((value.question, 'b'))\n_CUES.search(asked)",
        "pattern.sub('', question.text)",
    ],
)
def test_a_pattern_on_a_question_is_noticed(code: str) -> None:
    assert patterns_on_questions(ast.parse(code))


def test_others_take_what_is_understood_not_how() -> None:
    for name, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("octavo.question"):
                given = {one.name for one in node.names}
                assert node.module in OF_TEXT or given <= set(questions.__all__), name


def test_the_same_words_are_understood_once() -> None:
    question = "How many charts are on page 5?"
    assert understand(question) is understand(question)
    assert understand(question).references is understand(question).references
