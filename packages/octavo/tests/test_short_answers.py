"""Short answers: the values, names and cells that are cut from units, and how sure one of them is."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from indexed import searched
from octavo.evidence import AnswerFormat, Outcome
from octavo.operators.extractive import extractive_reader, sure_answers
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.extractive.joined_names import is_joined
from octavo.operators.extractive.short_answers import ShortAnswer, short_answers, typed
from octavo.operators.extractive.sure_answers import leading, signs_of, surest
from octavo.operators.extractive.table_answers import either
from octavo.operators.extractive.unit_scores import scored_units
from octavo.question import Expects, understand
from octavo_documents.document import Document, Kind
from octavo_documents.document.grid import Grid
from synthetic import Row, document, with_tables

STATEMENT = [
    ["", "2014", "2015"],
    ["Net income", "$ 961", "1,020"],
    ["Earnings per share", "$ 2.10", "$ 2.31"],
    ["Margin", "12%", "13%"],
    ["Vessels", "17", "19"],
]


def told(*texts: str) -> Document:
    return document([(Kind.PARAGRAPH, text, 1, 0) for text in texts])


def statement(
    *over: Row, rows: Sequence[Sequence[str]] = STATEMENT, captions: dict[int, int] | None = None
) -> Document:
    return with_tables(document([*over, (Kind.TABLE, "", over[-1][2] if over else 1, 0)]), {len(over): rows}, captions)


def found(question: str, source: Document) -> list[ShortAnswer]:
    run, evidence = searched(question, source)
    read = understand(question)
    return short_answers(read, run.view, scored_units(read, evidence, run))


def texts(question: str, source: Document) -> set[str]:
    return {one.text for one in found(question, source)}


def best(question: str, source: Document) -> tuple[str, float]:
    """Return the leading short answer and the chance that it is right."""
    found = sure(question, source)
    assert found is not None
    return found


def sure(question: str, source: Document) -> tuple[str, float] | None:
    """Return the same, None where nothing leads."""
    run, evidence = searched(question, source)
    read = understand(question)
    units = scored_units(read, evidence, run)
    found = surest(read, run.view, short_answers(read, run.view, units), units[0].score)
    return (found.answer.text, found.chance) if found is not None and found.is_clear else None


@pytest.mark.parametrize(
    ("question", "text", "answer"),
    [
        ("How many people does the company employ?", "The company employs 1,420 people.", "1,420"),
        ("How many people does the company employ?", "The company employs twelve people.", "twelve"),
        ("How much did the pier cost?", "The pier cost $3.1 million in 2015.", "$3.1 million"),
        ("What percentage of the staff work at night?", "About 38% of the staff work at night.", "38%"),
        ("What percentage of the staff work at night?", "12.5 per cent of the staff work at night.", "12.5 per cent"),
        ("How long does a cylinder last?", "A cylinder of 50 litres will last 94 days.", "94 days"),
        ("How far does the beam reach?", "With 12 volts the beam will reach 30 metres.", "30 metres"),
        ("When was the harbour founded?", "The harbour was founded on 6 May 1871 at noon.", "6 May 1871"),
        ("In which year was the harbour founded?", "The harbour was founded in 1871.", "1871"),
        ("Who founded the harbour?", "The harbour was founded in 1871 by Clara Weiss.", "Clara Weiss"),
        ("Where does the harbour lie?", "The harbour lies near Port Callan.", "Port Callan"),
    ],
)
def test_a_value_is_cut_whole_with_its_sign_separators_and_unit(question: str, text: str, answer: str) -> None:
    assert best(question, told(text))[0] == answer
    assert all(one.quote in text for one in found(question, told(text)))


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How many boats are there?", "The A4 boats are as in section 401(k) of v2.18b."),
        ("How many boats are there?", "The COVID-19 boats and the F-16 boats are old."),
        ("How many boats are there?", "Since 9/11 boats are there 24/7, and boats are red."),
        ("How many boats are there?", "In 2015 boats were built, and in 1998 boats sank."),
        ("How many boats are there?", "See Figure 12 boats and Table 3 boats."),
        ("How many boats are there?", "2. Boats are there."),
        ("How many boats are there?", "The 12 men have all they ever need at sea in winter, and boats are there."),
        ("How many boats are there?", "Each has 2.5 boats."),
        ("How many of the 236 boats are there?", "Of the 236 boats some are there."),
        ("How far does the beam reach?", "The beam reaches as many as 12 volts."),
        ("What percentage of boats are there?", "In 2015 boats sank."),
        ("When did boats sink?", "There sank 12 boats."),
        ("How many lanes would be needed?", "Without the ferry cars would fill all Highway 101 lanes each morning."),
        ("What is the age of the riders?", "Riders of the ferry earn $117,000 a year."),
        ("How many cases of Glen were sold?", "Glen sold nine-litre cases."),
        ("How much hire was paid?", "The hire was off from 4 to 9 December 2021."),
        ("How many gauges are there?", "Gauges of list 2.0 gauges are there."),
        ("Who supervised Okonjo's thesis?", "The thesis was submitted by Michael Okonjo in Lindmar."),
        ("Who audited Corvane?", "Corvane was audited in the city by Inc. at noon."),
        ("Who found the fault?", "The fault was found by OpenID in 2021."),
        ("Where is the Avikro factory?", "The factory is in Avikro’s South African region."),
        ("When was the rule that replaced rule 7 published?", "In 1981 rule 7 was published."),
    ],
)
def test_what_is_no_such_value_is_no_short_answer(question: str, text: str) -> None:
    assert texts(question, told(text)) == set()


def test_the_number_of_a_section_is_no_short_answer() -> None:
    rows: list[Row] = [(Kind.HEADING, "3 Boats", 1, 1), (Kind.HEADING, "3.1 Boats of oak", 1, 2)]
    rows += [(Kind.PARAGRAPH, "3.2 Boats of ash", 1, 0), (Kind.LIST_ITEM, "(4) Boats of elm", 1, 0)]
    assert texts("How many boats are there?", document(rows)) == set()
    assert texts("How high are the boats?", document(rows)) == set()


def test_a_number_that_opens_a_sentence_is_a_value() -> None:
    assert texts("How many boats are there?", told("12 boats are there.")) == {"12"}
    assert texts("How high are the boats?", told("2.5 metres high are the boats.")) == {"2.5 metres"}
    heading = document([(Kind.HEADING, "12 boats are there", 1, 1)])
    assert texts("How many boats are there?", heading) == {"12"}


def test_a_count_stands_beside_what_is_counted() -> None:
    text = "With 12 men and 94 litres on board 3 fishing boats sank in 2015."
    assert texts("How many boats sank?", told(text)) == {"3"}


@pytest.mark.parametrize(
    "question",
    [
        "Is smoking allowed on the pier?",
        "Do 3 boats sink on Monday?",
        "How do I reset the pump?",
        "How are the boats repaired?",
        "Why did the boats sink?",
        "Explain the boats of the pier.",
        "What should I do when the boats sink?",
        "What happens when the boats sink?",
        "Can I bring boats?",
        "What does the pump mean?",
        "List the boats of the pier.",
    ],
)
def test_how_why_and_whether_have_no_short_answer(question: str) -> None:
    source = told(
        "Smoking on the pier costs $ 3 since May 1998.", "Reset the pump: 7 boats sink on Monday, says Ann Lee."
    )
    assert found(question, source) == []


MILLIONS: Row = (Kind.PARAGRAPH, "Statement of income (in millions)", 1, 0)


def test_a_cell_is_told_with_the_scale_of_its_table() -> None:
    source = statement(MILLIONS)
    assert best("What was net income in 2014?", source)[0] == "$961 million"
    (one,) = [one for one in found("What was net income in 2014?", source) if one.text == "$961 million"]
    assert one.quote == "$ 961"


def test_the_currency_of_the_scale_is_told_with_a_bare_number() -> None:
    scale: Row = (Kind.PARAGRAPH, "Statement of income (€ in thousands)", 1, 0)
    assert best("What was net income in 2015?", statement(scale))[0] == "€1,020 thousand"


@pytest.mark.parametrize(
    "over",
    [
        [(Kind.CAPTION, "Table 1: Income, in millions", 1, 0), (Kind.PARAGRAPH, "Restated.", 1, 0)],
        [(Kind.CAPTION, "In millions", 1, 0), (Kind.PAGE_HEADER, "Accounts", 2, 0)],
        [(Kind.PARAGRAPH, "It rose again, as shown below in billions:", 1, 0)],
    ],
)
def test_the_scale_is_read_in_the_caption_and_right_before_the_table(over: list[Row]) -> None:
    captions = {len(over): 0} if over[-1][1] == "Restated." else None
    answer = best("What was net income in 2014?", statement(*over, captions=captions))[0]
    assert answer in ("$961 million", "$961 billion")


def test_amounts_for_one_share_and_shares_of_a_hundred_take_no_scale() -> None:
    source = statement(MILLIONS)
    assert best("What were earnings per share in 2015?", source)[0] == "$ 2.31"
    assert best("What was the margin in 2015?", source)[0] == "13%"
    assert "961 million" not in texts("What was net income in 2014?", statement())


def test_a_cell_counts_only_under_what_is_counted() -> None:
    assert texts("How many vessels were there in 2015?", statement(MILLIONS)) == {"19 million"}
    assert texts("How many people were there in 2015?", statement(MILLIONS)) == set()


def test_a_bare_number_is_no_money_where_no_currency_is_printed() -> None:
    rows = [["", "2014"], ["Income", "961"], ["Cost", "$ 12"]]
    assert texts("What was income in 2014?", statement(rows=rows)) == {"$ 12"}


def test_the_sign_of_the_first_amount_of_a_column_is_that_of_all() -> None:
    rows = [["", "2014", "Crew"], ["Tolls", "$ 961", "4"], ["Rent", "12", "3"]]
    assert "12" in texts("How much was paid for rent in 2014?", statement(rows=rows))


def test_an_amount_may_be_one_of_money_where_no_other_unit_is_asked_for() -> None:
    rows = [["", "2014"], ["Land", "$ 961"], ["Hulls", "12"]]
    assert "$ 961" in texts("What was the amount for land in 2014?", statement(rows=rows))
    assert "$ 961" not in texts("How many metres of land were there in 2014?", statement(rows=rows))


def test_the_cell_under_the_head_that_is_asked_for_leads() -> None:
    for year, answer in (("2014", "12%"), ("2015", "13%")):
        assert best(f"What was the margin in {year}?", statement())[0] == answer


def test_a_month_glued_to_its_day_heads_a_column() -> None:
    def bound(question: str, source: Document) -> set[str]:
        return {one.text for one in found(question, source) if one.is_bound}

    dated = statement(rows=[["", "December31, 2019", "December31, 2018"], ["Derivative liabilities", "93.8", "120.5"]])
    asked = "How much were the derivative liabilities as at December 31,"
    assert (bound(f"{asked} 2018?", dated), bound(f"{asked} 2017?", dated)) == ({"120.5"}, set())


def test_a_section_called_like_a_column_does_not_speak_for_the_others() -> None:
    heading: Row = (Kind.HEADING, "North pier", 1, 1)
    rows = [["Limit", "South pier", "North pier"], ["Swell height", "0.8", "1.2"], ["Surge", "0.5", "0.7"]]
    assert best("What is the swell height at the north pier?", statement(heading, rows=rows))[0] == "1.2"
    assert best("What is the swell height at the south pier?", statement(heading, rows=rows))[0] == "0.8"


FLAGS = [["Flag", "Colour", "Use"], ["Q1", "Green", "Passed all tests"], ["Q4", "Red", "Written anew by a watchman"]]


def test_the_label_of_a_row_answers_what_its_other_cells_say() -> None:
    assert best("Which flag means written anew by a watchman?", statement(rows=FLAGS))[0] == "Q4"
    assert best("Which colour is flag Q4?", statement(rows=FLAGS))[0] == "Red"
    assert "Vessels" not in texts("How many were there in 2015?", statement())


def test_a_broken_grid_gives_no_cells() -> None:
    empty = with_tables(told("Boats and vessels."), {0: Grid(0, 0, ())})
    assert texts("How many vessels were there?", empty) == set()


def test_candidates_that_disagree_leave_no_sure_answer() -> None:
    question = "How many people does the company employ?"
    assert best(question, told("The company employs 420 people.", "The pier is old."))[0] == "420"
    assert sure(question, told("The company employs 420 people.", "The company employs 380 people.")) is None


TWO = ("The company employs 420 people.", "The company employs 380 people.")
HOW_MANY = "How many people does the company employ?"


def test_two_answers_between_which_nothing_decides_are_both_told_and_none_is_stated() -> None:
    run, evidence = searched(HOW_MANY, told(*TWO))
    answer = ExtractiveReader(least=0.1)(evidence, run)
    assert (answer.outcome, sorted(answer.rivals)) == (Outcome.PASSAGES, ["380", "420"])
    assert answer.lead == f"It may be {either(answer.rivals)}: no short answer is sure"
    shown = "\n".join(passage.text for passage in answer.passages)
    assert all(one in shown for one in answer.rivals)


def test_a_rival_that_is_near_is_told_beside_what_is_stated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sure_answers, "LEAST_LEAD", 0.0)
    run, evidence = searched(HOW_MANY, told(*TWO))
    answer = ExtractiveReader(least=0.1)(evidence, run)
    (rival,) = answer.rivals
    assert answer.outcome is Outcome.ANSWER
    assert {answer.text, rival} == {"380", "420"}
    assert answer.lead.endswith(f"; it may also be “{rival}”")


def test_rivals_are_told_where_one_of_them_is_likely_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(extractive_reader, "_LIKELY", 1.0)
    run, evidence = searched(HOW_MANY, told(*TWO))
    assert ExtractiveReader(least=1.0)(evidence, run).rivals == ()


def test_cells_that_nothing_tells_apart_are_no_answers() -> None:
    one, four = ([["Vessels", *map(str, range(17, 17 + count))], ["Crews", "3"]] for count in (1, 4))
    question = "How many vessels are there?"
    assert best(question, statement(rows=[["", "Now"], *one]))[0] == "17"
    assert texts(question, statement(rows=[["", "A", "B", "C", "D"], *four])) == set()


def test_two_questions_in_one_get_no_short_answer() -> None:
    source = told("The company employs 420 people since 1990.")
    assert texts("How many people does it employ?", source) == {"420"}
    assert texts("How many people does it employ and since when?", source) == set()


def test_what_something_is_asks_for_no_name() -> None:
    source = told("An ombudsman is called Olaf Lindqvist at Port Callan.")
    assert texts("What is an ombudsman?", source) == set()
    assert "Olaf Lindqvist" in texts("Which ombudsman is at Port Callan?", source)


@pytest.mark.parametrize("text", ["* Update to NTP version 4 (RFC 5905)", "• Sort NTP version 4 by RFC 5905."])
def test_the_first_word_of_an_item_is_no_name(text: str) -> None:
    assert texts("What RFC defines NTP version 4?", told(text)).isdisjoint({"Update", "Sort"})


@pytest.mark.parametrize(
    ("question", "expects"),
    [
        ("What velocity of sound did they get?", Expects.NUMBER),
        ("What temperature was measured?", Expects.NUMBER),
        ("What temperature sensor is used?", Expects.NAME),
        ("What size of paper is used?", Expects.NAME),
    ],
)
def test_what_before_a_quantity_asks_for_a_number(question: str, expects: Expects) -> None:
    assert understand(question).expects is expects


def test_the_same_answer_elsewhere_is_no_rival() -> None:
    question = "How many people does the company employ?"
    answers = found(question, told("The company employs 420 people.", "In May the company employs 420 people."))
    assert leading(answers, signs_of(answers, 0.0, ["margin"])[:, 0]) == (0, 3.0)


def test_a_lead_is_counted_up_to_three() -> None:
    answers = found("How many people are there?", told("There are 420 people and 380 people."))
    assert [one.text for one in answers] == ["420", "380"]
    for scores, leads in (([5.0, 4.5], (0, 0.5)), ([4.5, 9.5], (1, 3.0))):
        assert leading(answers, signs_of(answers, 0.0, ["margin"])[:, 0] * 0 + scores) == leads


def test_no_short_answer_is_sure_where_there_is_none() -> None:
    run, evidence = searched("Why is it so?", told("It is so."))
    assert len(evidence)
    assert surest(understand("Why is it so?"), run.view, [], 0.0) is None


@pytest.mark.parametrize(
    ("question", "text", "value", "form"),
    [
        ("How many people does the company employ?", "The company employs 1,420 people.", 1420, AnswerFormat.INT),
        ("What percentage work at night?", "About 38% work at night.", 38.0, AnswerFormat.FLOAT),
        ("When was it founded?", "It was founded on 6 May 1871.", "6 May 1871", AnswerFormat.STR),
        ("In which year was it founded?", "It was founded in 1871.", 1871, AnswerFormat.INT),
        ("Who founded it?", "It was founded by Clara Weiss.", "Clara Weiss", AnswerFormat.STR),
        ("How high is it?", "It is 5.5 metres high.", 5.5, AnswerFormat.FLOAT),
    ],
)
def test_a_short_answer_has_a_typed_value(question: str, text: str, value: object, form: AnswerFormat) -> None:
    (one,) = found(question, told(text))
    assert typed(understand(question), one) == (value, form)
    assert type(typed(understand(question), one)[0]) is type(value)


@pytest.mark.parametrize(
    ("question", "text", "name", "is_stated"),
    [
        (
            "Where does the name Mabel come from?",
            "It comes from the builder, Ann Lee, and his wife, May.",
            "Ann Lee",
            False,
        ),
        (
            "Which port does the logger use?",
            "It shows the logger server, logger port, and Station Type.",
            "Station Type",
            False,
        ),
        ("Who built the mill?", "The mill was built by Ada Lee and restored in 1990.", "Ada Lee", True),
        ("Who built the mill?", "The mill was built by Ada Lee and John Ro restored it.", "Ada Lee", True),
        ("Who opened the bridge?", "The mayor, Ada Lee, opened the bridge and the road.", "Ada Lee", True),
        ("Who was in the crew?", "The crew were Ada Lee, John Ro, and Mary Po.", "John Ro", False),
    ],
)
def test_a_name_that_is_one_part_of_what_and_joins_is_not_stated(
    question: str, text: str, name: str, *, is_stated: bool
) -> None:
    start = text.index(name)
    assert is_joined(text, start, start + len(name)) is not is_stated
    assert is_stated or not any(one.is_bound for one in found(question, told(text)) if one.text == name)


def test_a_year_alone_is_not_answered_from_a_pair_of_years() -> None:
    attendances = [["", "2022/23", "2023/24"], ["Emergency attendances", "39,716", "41,028"], ["Beds", "190", "196"]]
    over = (Kind.PARAGRAPH, "What the hospital did in its years.", 1, 0)
    source = statement(over, rows=attendances)

    def bound(question: str) -> set[str]:
        return {one.text for one in found(question, source) if one.is_bound}

    assert bound("How many emergency attendances were there in 2023/24?") == {"41,028"}
    assert bound("How many emergency attendances were there in the year ending March 2023?") == set()
    sentence = told("In 2023/24 there were 41,028 emergency attendances at the hospital.")
    assert not any(one.is_bound for one in found("How many emergency attendances were there in 2023?", sentence))
