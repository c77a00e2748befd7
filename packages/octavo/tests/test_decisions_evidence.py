"""What is decided about evidence: sections and pages; by rule and from replies."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from octavo.decisions.engine.judge import Judge
from octavo.decisions.judge_page_relevance import JUDGE_PAGE_RELEVANCE, PageItem, PagesQuestion
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


# Pages


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


@given(st.lists(st.text(max_size=40), max_size=6), st.lists(st.text(max_size=10), max_size=4))
def test_coverage_is_a_share(texts: list[str], wanted: list[str]) -> None:
    assert all(0.0 <= share <= 1.0 + 1e-9 for share in coverages(wanted, texts))
