"""Questions are understood in one place, by their words: what is asked for, how far it reaches, what is behind it."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from octavo import question as questions
from octavo.question import Expects, understand
from octavo_documents.text.statements import Statement

SOURCE = Path(octavo.__file__).parent
OWN = ("question", "text")
"""The floors whose business the wording of questions, and of any text, is."""
MATCHING = {"search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split"}
OF_TEXT = {
    "octavo.question.names": "capitalised names are looked for in sentences of documents too",
    "octavo.question.table_forms": "a question over a table has as many forms as its words may mean",
    "octavo.question.table_readings": "which columns and cells such a question means is told with the table",
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


# What a question says


def test_the_same_words_are_understood_once() -> None:
    question = "How many charts are on page 5?"
    assert understand(question) is understand(question)
    assert understand(question).references is understand(question).references


@pytest.mark.parametrize(
    ("question", "expects"),
    [
        ("How many people does the company employ?", Expects.COUNT),
        ("What percentage of adults own a car?", Expects.PERCENT),
        ("What share of the load do pumps take?", Expects.PERCENT),
        ("What was net income in 2015?", Expects.MONEY),
        ("What does a helicopter flight cost?", Expects.MONEY),
        ("What is the debt to equity ratio?", Expects.NUMBER),
        ("How long is the bridge?", Expects.NUMBER),
        ("At what speed in degrees an hour does it run?", Expects.NUMBER),
        ("In which year was it founded?", Expects.YEAR),
        ("When was it founded?", Expects.DATE),
        ("At what time does the boat leave?", Expects.DATE),
        ("Who is the author?", Expects.PERSON),
        ("Where is the plant?", Expects.PLACE),
        ("Which country exports most?", Expects.PLACE),
        ("List all the segments.", Expects.LIST),
        ("What are the three principles?", Expects.LIST),
        ("Which segments does the company have?", Expects.LIST),
        ("What does NARL stand for?", Expects.DEFINITION),
        ("Is the report audited?", Expects.YES_NO),
        ("How do I reset the watch?", Expects.PASSAGE),
        ("Why did sales fall?", Expects.PASSAGE),
        ("What is the main purpose of the refuge?", Expects.PASSAGE),
        ("Which channel sells most?", Expects.NAME),
        ("Which step takes the longest?", Expects.NAME),
        ("What happens when the charge is below 59 per cent?", Expects.PASSAGE),
        ("", Expects.PASSAGE),
    ],
)
def test_a_question_tells_the_type_of_its_answer(question: str, expects: Expects) -> None:
    assert understand(question).expects is expects


def test_words_about_the_document_are_no_search_terms_unless_there_are_no_others() -> None:
    assert understand("According to the report, how many cars are shown in the chart?").terms == ("car",)
    assert understand("How many pages?").terms


@pytest.mark.parametrize(
    ("question", "is_seen"),
    [
        ("Who is the captain?", False),
        ("What colour is the logo on page 3?", True),
        ("According to Table 2, what is the fare?", False),
        ("How many charts are in the report?", True),
        ("Which ferries run in winter?", False),
    ],
)
def test_a_question_tells_whether_its_answer_is_seen(question: str, is_seen: bool) -> None:
    assert understand(question).asks_to_see == is_seen


ASKED: list[tuple[str, set[Statement]]] = [
    ("What is the return on average total assets for 2019?", {Statement.INCOME, Statement.POSITION}),
    ("What was ROE in FY21?", {Statement.INCOME, Statement.POSITION}),
    ("How did inventory turnover change?", {Statement.INCOME, Statement.POSITION}),
    ("What is EBITDA less capex?", {Statement.INCOME, Statement.CASH_FLOW}),
    ("Compute the quick ratio.", {Statement.POSITION}),
    ("What is the debt-to-equity ratio?", {Statement.POSITION}),
    ("By how much did PP&E grow?", {Statement.POSITION}),
    ("What were the dividends paid in 2020?", {Statement.CASH_FLOW}),
    ("How large is the free cash flow conversion?", {Statement.CASH_FLOW, Statement.INCOME}),
    ("What was the gross profit margin?", {Statement.INCOME}),
    ("Using the cash flow statement, what was spent on aircraft?", {Statement.CASH_FLOW}),
    ("How many people attended?", set()),
    ("What is the employee turnover?", set()),
    ("Which ferry is longer, the Storm Petrel or the Grey Heron?", set()),
    ("What is the aspect ratio of the screen?", set()),
    ("Who is the roadie?", set()),
]


@pytest.mark.parametrize(("question", "statements"), ASKED)
def test_a_measure_needs_the_statements_it_is_worked_out_of(question: str, statements: set[Statement]) -> None:
    assert understand(question).statements == statements


@pytest.mark.parametrize(
    ("text", "units", "dimensions"),
    [
        ("How many crowns does a ticket cost?", {"crown"}, {"money"}),
        ("How many Danish crowns is it in total?", {"crown"}, {"money"}),
        ("How many metres high is the tower?", {"metr"}, {"length"}),
        ("How many boats are in the harbour?", set(), set()),
        ("How many in the crew are cooks?", set(), set()),
        ("How often are the filters cleaned?", set(), {"time"}),
        ("How long is the pier?", set(), {"length", "time"}),
        ("What is the price in crowns?", set(), {"money"}),
    ],
)
def test_one_place_tells_what_units_an_answer_has(text: str, units: set[str], dimensions: set[str]) -> None:
    question = understand(text)
    assert (question.units, question.dimensions) == (units, dimensions)


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Give (a) the year in which the mill opened and (b) the name of its miller.",
            ["the year in which the mill opened and", "the name of its miller"],
        ),
        ("1) Who paints the tower? 2) When was it built?", ["Who paints the tower", "When was it built"]),
        (
            "Name i) the oldest barge, ii) its port and iii) the cargo. And for i): how long is it?",
            ["the oldest barge", "its port and", "the cargo. And for i): how long is it"],
        ),
        ("Which panels (a) and (b) of the poster are blue?", []),
        ("Is red used in Table 3 (a) or rather in Table 4 (b) of the report?", []),
        ("In Figure 2, what stands (a) on the left and (b) on the right?", []),
        ("What does rule 401(k) say of (b) barges and (c) mills?", []),
        ("Who paints the tower?", []),
    ],
)
def test_parts_that_a_question_enumerates_are_told_in_order(question: str, parts: list[str]) -> None:
    assert understand(question).enumerated == tuple(parts)
