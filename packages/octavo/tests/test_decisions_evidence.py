"""What is decided about evidence: sections, pages, topics, completeness, short values; by rule and from replies."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.decisions.answer_from_evidence import Shown
from octavo.decisions.answer_with_reasoning import ANSWER_WITH_REASONING, Reasoned, ReasoningInput
from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_answer_value import EXTRACT_ANSWER_VALUE, AnswerInput, ExtractedAnswer
from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion
from octavo.decisions.reflect import REFLECT, ReflectInput, Reflection
from octavo.decisions.satisfies_topic import SATISFIES_TOPIC, TopicItem, TopicQuestion
from octavo.decisions.select_sections import SELECT_SECTIONS, OutlineLine, SectionsInput, titles_above
from octavo.models.scripted import ScriptedModel
from octavo_documents.text.analyzer import coverages

OUTLINE = (
    OutlineLine(1, "1 Harbour", 1, 1, 4),
    OutlineLine(4, "1.1 Tides and currents", 2, 2, 3),
    OutlineLine(9, "1.2 Mooring fees", 2, 4, 4),
    OutlineLine(12, "2 Winter crew", 1, 5, 9),
    OutlineLine(20, "2.1 Tides", 2, 6, 6),
)


def judge(*replies: object) -> Judge:
    if not replies:
        return Judge()
    return Judge({"language": ScriptedModel([json.dumps(reply) for reply in replies])})


def sections(question: str, *replies: object, outline: tuple[OutlineLine, ...] = OUTLINE, limit: int = 3) -> list[int]:
    return judge(*replies).decide(SELECT_SECTIONS, SectionsInput(question, outline, limit)).output.sections


# Reasoning


def reasoned(**reply: object) -> Reasoned:
    tides = Shown(1, "page 2; Tides", "The harbour is 7 metres deep.")
    fees = Shown(2, "page 4; Fees", "Mooring costs 7 crowns.")
    full = {"analysis": "", "pages": [], "evidence": [], "format": "Int", "answer": "", **reply}
    value = ReasoningInput("How deep is the harbour?", (tides, fees), pages=(2, 4))
    nothing = Reasoned(format="None", analysis="by rule")
    return judge(full, full).decide(ANSWER_WITH_REASONING, value, rule=lambda _: nothing).output


def test_a_reply_that_names_the_page_alone_rests_on_the_passage_there_that_says_the_answer() -> None:
    assert [support.id for support in reasoned(pages=[4], answer="7 crowns").evidence] == [2]
    assert [support.id for support in reasoned(pages=[4, 9], answer="7").evidence] == [2]


@pytest.mark.parametrize("pages", [[9], []])
def test_a_reply_that_names_no_page_shown_rests_on_the_passage_that_says_the_answer(pages: list[int]) -> None:
    assert [support.id for support in reasoned(pages=pages, answer="7 crowns").evidence] == [2]


@pytest.mark.parametrize(("pages", "answer"), [([2], "7 crowns"), ([4], "12 crowns"), ([], "7")])
def test_an_answer_that_no_passage_on_its_pages_says_is_not_taken(pages: list[int], answer: str) -> None:
    assert reasoned(pages=pages, answer=answer).analysis == "by rule"


def test_an_answer_that_is_none_is_none_whatever_its_format() -> None:
    reply = reasoned(answer="None", pages=[2], evidence=[{"id": 1}])
    assert (reply.answerable, reply.answer, reply.analysis) == (False, "", "")


# Sections


def test_a_section_is_chosen_by_its_title_and_then_by_those_above() -> None:
    assert sections("What does mooring cost?")[0] == 9
    assert sections("How strong are the tides of the harbour?")[:2] == [4, 1]
    assert sections("Which tides does the winter crew meet?") == [12, 20, 4]


def test_a_section_named_by_number_or_title_comes_first() -> None:
    assert sections("What do tides do in Section 2?")[0] == 12
    assert sections('What does the section "Mooring fees" say of winter?')[0] == 9


def test_scores_count_where_titles_say_nothing() -> None:
    scored = tuple(OutlineLine(line.id, line.title, line.depth, score=0.1 * line.id) for line in OUTLINE)
    assert sections("Who is the baker?", outline=scored) == [20, 12, 9]


def test_without_any_sign_the_highest_sections_are_chosen() -> None:
    assert sections("Who is the baker?") == [1, 12]
    assert sections("Who is the baker?", outline=()) == []


def test_sections_that_were_not_shown_are_dropped_and_none_left_is_sent_back() -> None:
    assert sections("Tides?", {"sections": [99, 20, 20, 4, 1, 9]}) == [20, 4, 1]
    assert sections("Tides?", {"sections": [99]}, {"sections": [4]}) == [4]


def test_an_outline_that_does_not_fit_loses_its_deepest_level_first() -> None:
    deep = tuple(OutlineLine(row, f"Heading {row} of the harbour log", 1 + row % 3, row, row) for row in range(300))
    filled = SELECT_SECTIONS.render(SectionsInput("Tides?", deep), 2000)
    shown = filled.values["outline"].splitlines()
    assert len(shown) + filled.left_out == 300
    assert all("  " not in line for line in shown)
    assert SELECT_SECTIONS.render(SectionsInput("Tides?", OUTLINE), 2000).left_out == 0


def test_the_titles_above_a_line_are_those_of_the_headings_it_stands_under() -> None:
    assert titles_above([(1, "1 Harbour", True), (2, "Tides", True), (2, "It is deep.", False), (1, "2", True)]) == [
        "", "1 Harbour", "1 Harbour", ""
    ]  # fmt: skip


# Pages and topics


def relevances(items: list[PageItem], *replies: object) -> list[float]:
    decided = judge(*replies).decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion("How deep is the harbour?"), items)
    return [one.output.relevance for one in decided]


def test_a_page_counts_by_its_score_or_else_by_the_words_of_the_question() -> None:
    texts = ["The harbour is 7 m deep.", "The harbour is old.", "Bread."]
    by_words = relevances([PageItem(text) for text in texts])
    assert by_words[0] == 1.0
    assert by_words[0] > by_words[1] > by_words[2] == 0.0
    assert relevances([PageItem(texts[0], score=0.234), PageItem(texts[2], score=7.0)]) == [0.2, 1.0]


def test_relevance_comes_in_steps_of_a_tenth_and_what_does_not_fit_is_asked_about_again() -> None:
    first = {"items": [{"id": 1, "relevance": 0.77}, {"id": 2, "relevance": 7}]}
    again = {"items": [{"id": 1, "relevance": 0.1}]}
    assert relevances([PageItem("a"), PageItem("b")], first, again) == [0.8, 0.1]


def test_many_pages_are_judged_eight_to_a_call() -> None:
    every = {"items": [{"id": number, "relevance": 0.5} for number in range(1, 9)]}
    model = ScriptedModel(lambda _request: json.dumps(every))
    items = [PageItem(f"page {number}") for number in range(20)]
    Judge({"language": model}).decide_items(JUDGE_PAGE_RELEVANCE, PagesQuestion("?"), items)
    assert model.calls == 3


def test_eight_long_pages_fit_a_context_of_8192_tokens() -> None:
    every = {"items": [{"id": number, "relevance": 0.5} for number in range(1, 9)]}
    model = ScriptedModel(lambda _request: json.dumps(every), context_tokens=8192)
    items = [PageItem("many words " * 900, f"page {number}") for number in range(16)]
    asked = PagesQuestion("Which of the many words on these pages is the one that the others are about?")
    Judge({"language": model}).decide_items(JUDGE_PAGE_RELEVANCE, asked, items)
    assert model.calls == 2


def test_an_item_is_about_a_topic_when_it_has_most_of_its_words() -> None:
    items = [
        TopicItem("Mooring fees by length", "table"),
        TopicItem("Crew by season", "table", "Mooring fees"),
        TopicItem("Crew", "table"),
    ]
    decided = judge().decide_items(SATISFIES_TOPIC, TopicQuestion("How many tables list mooring fees?"), items)
    assert [one.output.satisfies for one in decided] == [True, True, False]
    scored = [TopicItem("Crew", score=0.9), TopicItem("Crew", score=0.1)]
    decided = judge().decide_items(SATISFIES_TOPIC, TopicQuestion("?", "fees"), scored)
    assert [one.output.satisfies for one in decided] == [True, False]


@given(st.lists(st.text(max_size=40), max_size=6), st.lists(st.text(max_size=10), max_size=4))
def test_coverage_is_a_share(texts: list[str], wanted: list[str]) -> None:
    assert all(0.0 <= share <= 1.0 + 1e-9 for share in coverages(wanted, texts))


# Reflection


def reflection(value: ReflectInput, *replies: object) -> Reflection:
    return judge(*replies).decide(REFLECT, value).output


@pytest.mark.parametrize(
    ("value", "look_for"),
    [
        (ReflectInput("How deep is it?", "7 metres", ("It is 7 metres deep.",)), []),
        (ReflectInput("How deep is it?", "", ()), ["How deep is it?"]),
        (ReflectInput("How deep is it?", "It is not said.", is_answerable=False), ["How deep is it?"]),
        (ReflectInput("How long is the Grey Heron?", "40 m", ("The Storm Petrel is 40 m.",)), ["Grey Heron"]),
        (ReflectInput("What are the three fees?", "Mooring; towing", ("Mooring and towing.",)), ["3 items"]),
    ],
)
def test_a_draft_is_complete_when_it_covers_what_is_asked(value: ReflectInput, look_for: list[str]) -> None:
    found = reflection(value)
    assert found.is_complete == (not look_for)
    assert found.look_for == look_for


def test_a_comparison_with_one_side_found_is_not_complete() -> None:
    question = "Which ferry is longer, the Storm Petrel or the Grey Heron?"
    found = reflection(
        ReflectInput(question, "The Storm Petrel", ("The Storm Petrel is 40 m long.",), ("Heron", "Crew"))
    )
    assert not found.is_complete
    assert "Grey Heron" in found.look_for
    assert found.look_in == ["Heron"]


def test_a_draft_of_which_nothing_is_said_to_be_missing_is_complete() -> None:
    value = ReflectInput("How deep is it?", "7 m", ("It is 7 m deep.",))
    assert reflection(value, {"missing": " ", "is_complete": False, "look_for": [""]}).is_complete
    assert not reflection(value, {"missing": "the date", "is_complete": False, "look_for": []}).is_complete


def test_a_reflection_names_places_that_were_shown_only() -> None:
    value = ReflectInput("How deep is it?", "7 m", titles=("Tides", "Crew"))
    reply = {"missing": "depth", "is_complete": False, "look_for": [], "look_in": ["crew", "Kitchen"]}
    found = reflection(value, reply)
    assert (found.look_for, found.look_in) == (["How deep is it?"], ["Crew"])


def test_a_draft_without_an_answer_is_never_complete() -> None:
    value = ReflectInput("How deep is it?", "", is_answerable=False)
    assert not reflection(value, {"missing": "", "is_complete": True}).is_complete
    complete = reflection(ReflectInput("How deep is it?", "7 m"), {"is_complete": True, "look_for": ["depth"]})
    assert complete == Reflection(is_complete=True)


# Short values


def value_of(question: str, answer: str, *replies: object) -> ExtractedAnswer:
    return judge(*replies).decide(EXTRACT_ANSWER_VALUE, AnswerInput(question, answer)).output


def test_the_rule_reads_the_value_that_the_question_wants() -> None:
    assert value_of("How many people crew it?", "It is crewed by 12 people.").answer == "12"
    assert value_of("Who crews it?", "The document does not mention it.").format == "None"
    assert value_of("Who crews it?", "").format == "None"


def test_a_value_that_the_answer_does_not_say_is_sent_back() -> None:
    question, answer = "How many people crew it?", "It is crewed by 12 people."
    assert (
        value_of(question, answer, {"format": "Int", "answer": "15"}, {"format": "Int", "answer": "12"}).answer == "12"
    )
    wrong = {"format": "Str", "answer": "fifteen sailors"}
    assert value_of(question, answer, wrong, {"format": "Str", "answer": "12 people"}).answer == "12 people"


@pytest.mark.parametrize(
    ("answer", "value"),
    [
        ("Sales rose by 1,577.5 million.", {"format": "Float", "answer": "1577.5"}),
        ("About three of them.", {"format": "Int", "answer": "3"}),
        ("It is one ferry.", {"format": "Int", "answer": "1"}),
        ("It fell by 3%.", {"format": "Float", "answer": "-3%"}),
    ],
)
def test_a_value_may_be_written_plainer_than_in_the_answer(answer: str, value: dict[str, str]) -> None:
    assert value_of("What is it?", answer, value).model_dump() == value


@pytest.mark.parametrize("written", ["red; dark blue", '["red", "dark blue"]', "['red', 'dark blue']"])
def test_the_items_of_a_list_come_in_one_form(written: str) -> None:
    found = value_of("Which colours?", "They are red and dark blue.", {"format": "List", "answer": written})
    assert found.answer == "['red', 'dark blue']"


def test_signs_without_words_are_no_value() -> None:
    bare = {"format": "List", "answer": "["}
    assert value_of("Which colours?", "They are red and blue.", bare, bare).answer == "['They are red', 'blue']"


def test_that_there_is_no_answer_is_said_in_one_way() -> None:
    assert value_of("Who?", "It is not said.", {"format": "None", "answer": "nobody"}).answer == "Not answerable"
