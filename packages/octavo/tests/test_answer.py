"""Citations quote their block or do not exist, and results have the shapes others rely on."""

from __future__ import annotations

import dataclasses
from typing import get_type_hints

from closed_schemas import check
from octavo.evidence import (
    UNSEARCHED,
    WORDS_ALONE,
    Answer,
    AnswerFormat,
    Citation,
    Evidence,
    Outcome,
    PageRead,
    Passage,
    Result,
    Substitute,
    TraceStep,
    View,
)
from octavo.evidence.answer_shapes import AnswerShape, ResultShape
from octavo.evidence.meant_documents import MEANT
from octavo_documents.document import Kind
from synthetic import document

VIEW = View(
    [
        document(
            [
                (Kind.HEADING, "1 Results", 1, 1),
                (Kind.HEADING, "1.1 Revenue", 1, 2),
                (Kind.PARAGRAPH, "Revenue rose to\n$12.5 million (2015).", 2, 0),
            ]
        )
    ]
)


def test_a_citation_names_block_page_section_and_the_words() -> None:
    citation = Citation.of(VIEW, 2, "$12.5 million (2015)")
    assert citation is not None
    assert (citation.block, citation.page, citation.page_label, citation.kind) == ("b2", 2, "2", "paragraph")
    assert citation.section == ("1 Results", "1.1 Revenue")
    assert citation.quote in VIEW.blocks.text[2]


def test_a_quote_keeps_the_white_space_of_its_block() -> None:
    citation = Citation.of(VIEW, 2, "rose to $12.5")
    assert citation is not None
    assert citation.quote == "rose to\n$12.5"


def test_words_that_are_not_in_the_block_cannot_be_cited() -> None:
    assert Citation.of(VIEW, 2, "$12.6 million") is None
    assert Citation.of(VIEW, 2, "  ") is None


def test_the_answer_object_has_every_key_of_the_contract() -> None:
    citation = Citation.of(VIEW, 2, "$12.5 million")
    assert citation is not None
    found = Evidence.of(VIEW, [2], text=[0.5])
    answer = Answer(
        "What was revenue?",
        "hybrid",
        "$12.5 million",
        Outcome.ANSWER,
        found,
        "text",
        12.5,
        AnswerFormat.FLOAT,
        (citation,),
    )
    shown = answer.to_json()
    assert {
        "question",
        "system",
        "answerable",
        "answer",
        "value",
        "format",
        "citations",
        "pages",
        "usage",
        "decided_by",
        "stopped",
        "trace",
    } <= set(shown)
    assert set(shown["citations"][0]) == {
        "document",
        "document_title",
        "document_id",
        "block",
        "page",
        "page_label",
        "box",
        "section",
        "kind",
        "quote",
        "id",
    }
    assert shown["pages"] == [{"document": "test.pdf", "document_id": VIEW.documents[0].id, "page": 2, "score": 0.5}]
    assert set(shown["usage"]) == {
        "calls",
        "input_tokens",
        "output_tokens",
        "cached_calls",
        "seconds",
        "cost",
        "pictures",
    }


def test_all_that_an_answer_may_say_stands_in_its_type() -> None:
    found = Evidence.of(VIEW, [2], text=[0.5])
    citation = Citation.of(VIEW, 2, "$12.5 million")
    assert citation is not None
    left_out = {"documents": 1, "of_documents": 2, "shards": (2,), "of_shards": 2, "why": "away"}
    step = TraceStep("FirstStage", {UNSEARCHED: left_out}, 2, 1, 0.1, steps=(TraceStep("Search", {}, 2, 1, 0.1),))
    told = {"documents": [{"document": "test.pdf", "document_id": VIEW.documents[0].id}], "named": ["Norwick"]}
    meant = TraceStep(
        MEANT, {**told, "periods": ["2016"], "kinds": ["manual"], "versions": ["b"], "strangers": ["X"]}, 2, 1, 0
    )
    by_words = TraceStep("FindByWords", {WORDS_ALONE: "the model is missing"}, 1, 1, 0)
    place = dataclasses.replace(citation, cells="B4:D9")
    passage = Passage.at(VIEW, 2, "Revenue rose", emphasis=((0, 7),), score=0.5)
    answer = Answer(
        "And then?",
        "auto",
        "$12.5 million",
        Outcome.ANSWER,
        found,
        "text",
        ["$12.5 million"],
        AnswerFormat.LIST,
        (citation, place),
        understood="What was revenue then?",
        missing=("2016",),
        passages=(passage,),
        pages_read=(PageRead("test.pdf", VIEW.documents[0].id, 2),),
        substitutes=(Substitute("model", "GPT-4o", "none, by rule"),),
        is_seen=True,
        trace=(step, by_words, meant),
        rivals=("$12.5 million", "$13 million"),
    )
    check(answer.to_json(), AnswerShape)
    of_a_model = {"claims"}
    assert answer.to_json().keys() | of_a_model == get_type_hints(AnswerShape).keys()
    result = Result("What?", "auto", found, "text", trace=(step, by_words, meant), passages=(passage,))
    check(result.to_json(), ResultShape)
    assert result.to_json().keys() == get_type_hints(ResultShape).keys()


def test_the_search_object_lists_blocks_best_first_without_missing_scores() -> None:
    found = Evidence.of(VIEW, [0, 2], text=[0.1, 0.9]) | Evidence.of(VIEW, [0], graph=[0.3])
    shown = Result("q", "bm25", found, "text").to_json()
    assert [block["block"] for block in shown["blocks"]] == ["b2", "b0"]
    assert shown["blocks"][0]["scores"] == {"text": 0.9}
    assert shown["blocks"][1]["scores"] == {"graph": 0.3, "text": 0.1}


def test_what_is_shown_of_an_object_is_one_short_line() -> None:
    found = Evidence.of(VIEW, [0, 2], text=[0.1, 0.9])
    citation = Citation.of(VIEW, 2, "$12.5 million")
    assert citation is not None
    answer = Answer("q", "bm25", "word " * 900, Outcome.ANSWER, found, "text", citations=(citation,) * 9)
    passages = (Passage.at(VIEW, 2, "Revenue rose to\n\x1b[2J$12.5 million"),)
    near = Answer("q", "bm25", "", Outcome.PASSAGES, found, "text", passages=passages)
    assert [repr(one) for one in (answer, near, Result("What was\n it?", "bm25", found, "text"), found, VIEW)] == [
        f"Answer(answer, '{('word ' * 10)}…', 'test.pdf' page 2 and 8 more)",
        "Answer(passages, 'Revenue rose to \\x1b[2J$12.5 million', 'test.pdf' page 2)",
        "Result('What was it?', 2 blocks on 2 pages of 1 documents, best 'test.pdf' page 2)",
        "Evidence(2 blocks on 2 pages of 1 documents, scores: text)",
        "View(1 documents, 2 pages, 3 blocks)",
    ]
    assert repr(VIEW.documents[0]) == "Document('test.pdf', 2 pages, 3 blocks)"


def test_an_object_without_anything_in_it_can_be_shown() -> None:
    nothing = Evidence.of(VIEW, [])
    assert repr(Result("q", "bm25", nothing, "text")) == "Result('q', 0 blocks on 0 pages of 0 documents)"
    assert repr(Answer("q", "bm25", "", Outcome.NOTHING, nothing, "text")) == "Answer(nothing, '')"
    assert repr(View([])) == "View(0 documents, 0 pages, 0 blocks)"
