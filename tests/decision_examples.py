"""An example for each decision: an input, a reply that fits it, and a reply that does not.

A new decision needs its line in `EXAMPLES`; the tests over all decisions and the snapshots of their prompts use it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any

from described_tides import TIDES
from octavo.decisions.adjudicate_entities import Adjudication, EntityCard, NewName
from octavo.decisions.answer_from_evidence import Reading, Seen, Shown
from octavo.decisions.answer_from_passage import PassageRead
from octavo.decisions.answer_from_pictures import Looking
from octavo.decisions.choose_pictures import Overview
from octavo.decisions.combine_answers import CombineInput, PartAnswer
from octavo.decisions.complete_question import FollowUp, PastTurn
from octavo.decisions.connect_page import KnownRelation, PageElements, PageNode, RunningMemory, Tracked
from octavo.decisions.describe_element import Element
from octavo.decisions.extract_graph import GraphWindow, WindowBlock
from octavo.decisions.extract_nodes import PagePicture, SeenBlock
from octavo.decisions.extract_picture_graph import ElementPicture
from octavo.decisions.interpret_links import Memory, PageWindow, PlacedBlock
from octavo.decisions.investigate import InvestigateInput
from octavo.decisions.judge_page_relevance import PageItem, PagesQuestion
from octavo.decisions.level_headings import HeadingCandidate, OpenHeadings
from octavo.decisions.query_table import TableAsked
from octavo.decisions.select_sections import OutlineLine, SectionsInput
from octavo.decisions.summarize import SummaryContext, SummaryPart
from octavo.decisions.update_sections import SectionName, SectionsRead
from octavo.evidence.whole_table import WholeTable
from octavo.models.language import Picture
from octavo_lab.decisions.extract_answer_value import AnswerInput
from octavo_lab.decisions.judge_answer import AnswerToJudge
from octavo_lab.decisions.judge_claims import Claims
from octavo_methods.bookrag.decisions.analyze_block import BlockInput
from octavo_methods.bookrag.decisions.classify_question import ClassifyInput
from octavo_methods.bookrag.decisions.decompose_question import DecomposeInput
from octavo_methods.bookrag.decisions.extract_question_entities import EntitiesInput
from octavo_methods.bookrag.decisions.plan_filters import FiltersInput
from octavo_methods.bookrag.decisions.plan_question import PlanInput
from octavo_methods.bookrag.decisions.review_items import FoundItem, ReviewInput
from octavo_methods.bookrag.decisions.satisfies_topic import TopicItem, TopicQuestion
from octavo_methods.dmap.decisions.locate_on_map import MapQuestion, PageLine
from octavo_methods.dmap.decisions.locate_references import LocateInput
from octavo_methods.dmap.decisions.map_page import PageBlock, PageShown, PageToMap
from octavo_methods.dmap.decisions.reflect import ReflectInput
from octavo_methods.dmap.decisions.reflect_on_answer import GivenAnswer
from octavo_methods.dmap.grown_map import MapSection
from octavo_methods.ladrag.decisions.retrieve_nodes import Retrieval
from octavo_methods.mmrag.decisions.answer_with_reasoning import ReasoningInput
from octavo_methods.mmrag.decisions.note_picture import PictureQuestion
from octavo_methods.mmrag.decisions.predict_answer_type import TypeQuestion
from octavo_methods.mmrag.decisions.rate_page import PageRated
from octavo_methods.mmrag.decisions.summarize_cluster import ClusterText
from octavo_methods.mmrag.decisions.typed_reply import TypedQuestion
from octavo_methods.rdr2.decisions.answer_at_length import LongReading
from octavo_methods.rdr2.decisions.answer_unaided import Unaided
from octavo_methods.rdr2.decisions.route_document import RouteLine, Routing


@dataclasses.dataclass(frozen=True)
class Example:
    """`value` is the input, or the context where there are `items`; `invalid` is read as JSON but must not be taken."""

    value: Any
    valid: str
    invalid: str
    items: Sequence[Any] = ()


OUTLINE = (
    OutlineLine(1, "1 Harbour", 1, 1, 4),
    OutlineLine(4, "1.1 Tides and currents", 2, 2, 3),
    OutlineLine(9, "1.2 Mooring fees", 2, 4, 4),
    OutlineLine(12, "2 Winter crew", 1, 5, 9),
)
COMPARE = "Which ferry is longer, the Storm Petrel or the Grey Heron?"

DEPTH = TypedQuestion(
    "How deep is the harbour?",
    (Shown(2, "page 2", "The harbour is 7 metres deep."), Shown(1, "page 1", "The harbour was dug in 1901.")),
    notes=("(page 2; figure; Figure 1: Cross-section) 7 m is printed at the deepest point",),
    summaries=("(pages 1, 2) Tides and depths of the harbour.",),
    numbers=(2, 1),
)


def typed(final: str) -> str:
    """Return a reply of the four parts with a final answer, as JSON."""
    steps = '["1. The depth is asked.", "2. Page 2 has it."], "reasoning_summary": "Page 2."'
    return f'{{"step_by_step_analysis": {steps}, "relevant_pages": [2, 9], "final_answer": {final}}}'


EXAMPLES: dict[str, Example] = {
    "answer_from_evidence": Example(
        Reading(
            "How deep is the harbour?",
            (
                Shown(3, "page 2; Tides", "The harbour is 7 metres deep."),
                Shown(4, "page 2; Tides", "At low tide it is 5 metres deep."),
            ),
            about="“Harbour guide”: 9 pages; passages below are from pages 2.",
        ),
        '{"evidence": [{"id": 3, "quote": "7 metres deep"}], "answerable": true, "answer": "7 metres", "value": 7,'
        ' "missing": null}',
        '{"evidence": [{"id": 8}], "answerable": true, "answer": "12 fathoms"}',
    ),
    "answer_at_length": Example(
        LongReading(
            "Why is the harbour deep?", (Shown(3, "Harbour guide", "The harbour was dredged to 7 metres."),), words=65
        ),
        '{"evidence": [{"id": 3, "quote": "dredged to 7 metres"}], "answerable": true, "answer": "It was dredged."}',
        '{"evidence": [{"id": 8}], "answerable": true, "answer": "Twelve fathoms of rock were blown up"}',
    ),
    "answer_unaided": Example(Unaided("How deep is the harbour?"), "7 metres", " "),
    "answer_from_passage": Example(
        PassageRead("How deep is the harbour?", "At low tide the harbour is 5 metres deep.", "1 Harbour > 1.1 Tides"),
        "5 metres",
        "The harbour, as the text says, is one of many along this coast, " * 5,
    ),
    "answer_with_reasoning": Example(
        ReasoningInput(
            "How deep is the harbour?",
            (Shown(3, "page 2; Tides", "The harbour is 7 metres deep."),),
            about="“Harbour guide”: 9 pages; passages below are from pages 2.",
            notes=("page 2: a cross-section of the harbour, 7 m at its deepest",),
            overviews=("(pages 1, 2) Tides and depths of the harbour.",),
            pages=(2,),
        ),
        '{"analysis": "Passage 3 gives the depth.", "pages": [2], "evidence": [{"id": 3, "quote": "7 metres deep"}], '
        '"format": "Int", "answer": "7 metres"}',
        '{"analysis": "", "pages": [9], "evidence": [], "format": "Int", "answer": "12 fathoms"}',
    ),
    "rate_page": Example(
        PageRated("How deep is the harbour?", "The harbour is 7 metres deep.", 0.62),
        '{"reasoning": "It gives the depth.", "relevance": 0.94}',
        '{"reasoning": "It gives the depth.", "relevance": 7}',
    ),
    "note_picture": Example(
        PictureQuestion("How many people stand on the quay?", Seen("page 7; photo", Picture(b"png"))),
        '{"evidence": "Four people stand on the quay."}',
        '{"evidence": {"people": 4}}',
    ),
    "predict_answer_type": Example(
        TypeQuestion("How many people stand on the quay?"), '{"type": "Integer"}', '{"type": "count"}'
    ),
    "answer_string": Example(DEPTH, typed('"7 metres"'), typed('""')),
    "answer_integer": Example(DEPTH, typed('"7 metres"'), typed('"deep"')),
    "answer_float": Example(DEPTH, typed("7.0"), typed('"between 7 and 9"')),
    "answer_list": Example(DEPTH, typed('["7 metres", 5]'), typed('[" "]')),
    "complete_question": Example(
        FollowUp(
            "and in 2021?",
            (
                PastTurn("Who wrote the handbook?"),
                PastTurn("How deep was the harbour in 2019?", "7 metres", ("guide.pdf, 1.1 Tides",), ("guide.pdf",)),
            ),
            ("guide.pdf", "fleet.pdf"),
        ),
        '{"stands_alone": false, "question": "How deep was the harbour in 2021?", "documents": ["other.pdf"]}',
        '{"stands_alone": false, "question": "How deep was the harbour in 1987?", "documents": []}',
    ),
    "plan_question": Example(
        PlanInput(COMPARE, ("Fleet", "Crew")),
        '{"category": "multi-hop", "retrieval_questions": ["How long is the Storm Petrel?",'
        ' "How long is the Grey Heron?"], "entities": ["Storm Petrel", "Grey Heron"], "operation": "NONE"}',
        '{"category": "difficult", "retrieval_questions": []}',
    ),
    "classify_question": Example(
        ClassifyInput(COMPARE), '{"category": "Multi_Hop"}', '{"category": "difficult", "reason": "long"}'
    ),
    "plan_filters": Example(
        FiltersInput("How many tables are on pages 3 to 10 of the section on dues?"),
        '{"filters": [{"filter_type": "page", "filter_value": "3-10"}, {"filter_type": "section", "filter_value": '
        '"dues"}, {"filter_type": "table", "filter_value": null}], "operation": "COUNT"}',
        '{"filters": [{"filter_type": "font"}], "operation": "GUESS"}',
    ),
    "decompose_question": Example(
        DecomposeInput(COMPARE),
        '{"retrieval_questions": ["How long is the Storm Petrel?", "How long is the Grey Heron?"],'
        ' "synthesis_questions": ["Which of the two is longer?"]}',
        '{"retrieval_questions": ["Who baked the bread?", "Who ate it?"]}',
    ),
    "decompose_complex": Example(
        DecomposeInput(COMPARE),
        '{"sub_questions": [{"question": "How long is the Storm Petrel?", "type": "Retrieval"},'
        ' {"question": "How long is the Grey Heron?", "type": "retrieval"},'
        ' {"question": "Which of the two is longer?", "type": "synthesis"}]}',
        '{"sub_questions": [{"question": "Which of the two is longer?", "type": "synthesis"}]}',
    ),
    "extract_question_entities": Example(
        EntitiesInput("When did the Grey Heron join the NFC?"),
        '{"names": ["Grey Heron"], "acronyms": ["NFC"]}',
        '{"names": ["Black Swan"], "acronyms": []}',
    ),
    "locate_references": Example(
        LocateInput("What is in the lower half of the page that faces Table 2?"),
        '{"references": [{"words": "the page that faces", "what": "page", "anchor": "Table 2",'
        ' "relation": "next page"}]}',
        '{"references": [{"words": "page", "what": "corner"}]}',
    ),
    "locate_on_map": Example(
        MapQuestion(
            "What does mooring cost?",
            ("1: Harbour <-> 1, 2", "1.1: Mooring fees <-> 2", "2: Winter crew <-> 3"),
            (
                PageLine(1, "The harbour is 7 metres deep."),
                PageLine(2, "Berths are paid by the night.", ("Table 1: Mooring fees: twelve crowns a night",)),
                PageLine(3, "Two keepers stay in winter."),
            ),
            3,
        ),
        '{"location": ["Table 1", "page 2", "Page 77"]}',
        '{"location": ["Section 1.1"]}',
    ),
    "select_sections": Example(
        SectionsInput("What does mooring cost?", OUTLINE, 2), '{"sections": [9, 1, 77]}', '{"sections": [77]}'
    ),
    "route_subtree": Example(
        Routing(
            "How deep is the harbour?",
            "Harbour guide",
            (
                RouteLine(0, 0, is_heading=True, text="Introduction", can_expand=True, score=0.3),
                RouteLine(3, 0, is_heading=True, text="Tides", can_expand=False),
                RouteLine(4, 1, is_heading=False, text="The harbour is 7 metres deep.", can_expand=False, score=1.0),
                RouteLine(6, 1, is_heading=True, text="Soundings", can_expand=True, score=0.4),
            ),
        ),
        "[ANSWER] 4: The harbour is\n[EXPAND] 6: Soundings",
        "The fourth line answers.",
    ),
    "route_document": Example(
        Routing(
            "How deep is the harbour?",
            "Harbour guide",
            (
                RouteLine(0, 0, is_heading=True, text="Introduction", can_expand=True, score=0.3),
                RouteLine(3, 0, is_heading=True, text="Tides", can_expand=False),
                RouteLine(4, 1, is_heading=False, text="The harbour is 7 metres deep.", can_expand=False, score=1.0),
                RouteLine(5, 1, is_heading=False, text="The crew bakes bread.", can_expand=False, score=0.1),
                RouteLine(6, 1, is_heading=True, text="Soundings", can_expand=True, score=0.4),
            ),
        ),
        '{"answer": [4], "expand": [6, 99], "refuse": false}',
        '{"answer": "the fourth", "expand": [], "refuse": false}',
    ),
    "extract_nodes": Example(
        PagePicture(
            3,
            9,
            "Harbour guide",
            (
                SeenBlock(7, "heading", "Mooring fees", path=("Harbour", "Mooring fees"), position="top", level=2),
                SeenBlock(8, "chart", "", "Figure 2: Fees by length", ("Harbour", "Mooring fees"), look="9 pt"),
            ),
            Picture(b"\x89PNG page"),
        ),
        '{"nodes": [{"kind": "Bar chart", "title": "Fees by length", "position": "upper left", "layout": "below the'
        ' heading", "content": "6 m: 4 crowns; 12 m: 9 crowns", "summary": "Fees of the harbour rise with a boat\'s'
        ' length, from 4 to 9 crowns.", "look": "blue bars"}]}',
        '{"nodes": [{"kind": "chart", "content": "", "summary": null}]}',
    ),
    "update_sections": Example(
        SectionsRead(
            (SectionName("p1-1", "Harbour guide", 0), SectionName("p2-1", "1 Tides", 1)),
            (SectionName("p3-1", "2 Mooring fees", 1), SectionName("p3-4", "2.1 Winter", 2)),
        ),
        '{"sections": ["p1-1", "p3-1", "p3-4", "p8-8"]}',
        '{"sections": ["p3-1", "p1-1"]}',
    ),
    "connect_page": Example(
        PageElements(
            3,
            (
                PageNode("p3-1", "heading", "2 Mooring fees", "2 Mooring fees"),
                PageNode("p3-2", "chart", "Fees by length", "6 m: 4 crowns", "Fees rise with length.", "below p3-1"),
                PageNode("p3-3", "paragraph", "", "The bars explain what Table 1 lists for North Quay."),
            ),
            RunningMemory(
                (SectionName("p1-1", "Harbour guide", 0), SectionName("p3-1", "2 Mooring fees", 1)),
                (Tracked("Table 1", ("p2-4",)), Tracked("North Quay", ("p2-2",))),
                ("fees",),
                (Tracked("Table 7", ("p2-2",)),),
                PageNode("p2-5", "paragraph", "", "Fees are due on arrival."),
            ),
            (KnownRelation("p3-3", "p3-2", "refers_to"),),
            (SectionName("p1-1", "Harbour guide", 0),),
            "Harbour guide",
            Picture(b"\x89PNG page"),
        ),
        '{"relations": [{"source": "[p3-3]", "target": "p2-4", "type": "explains"}, {"source": "p3-3", "target":'
        ' "p9-9", "type": "references"}], "entities": [{"text": "North Quay", "ids": ["p2-2", "p3-3"]}],'
        ' "topics": ["fees"], "unresolved": [{"text": "Table 7", "ids": ["p2-2"]}]}',
        '{"relations": [{"source": "p8-1", "target": "p9-1", "type": "explains"}]}',
    ),
    "retrieve_nodes": Example(
        Retrieval(
            "How many charts show mooring fees?",
            ("neuro_semantic_search", "symbolic_graph_query"),
            ("You: 1. all charts", '[r1] symbolic_graph_query {"query": {"kinds": ["chart"]}}: 1 nodes\n[b9] Fees'),
            document="Handbook, 9 pages",
        ),
        '{"plan": "all charts were found", "call": null, "nodes": ["r1", "b9"]}',
        '{"plan": "look around", "call": {"tool": "contextualize", "ids": ["b9"]}, "nodes": []}',
    ),
    "investigate": Example(
        InvestigateInput(
            "How many charts show mooring fees?",
            (
                '[r1] neuro_semantic_search {"query": "mooring fees"}: the 1 best\n[b9] (page 4, chart) Fees by length',
                'symbolic_graph_query {"query": {"kind": "chart"}}: refused: kind: Extra inputs are not permitted',
            ),
            ("1 Harbour (page 1)", "2 Winter crew (page 5)"),
            "Handbook, 9 pages",
            best=("b9",),
            is_first=False,
            wanted=("mooring fees of yachts",),
        ),
        '{"plan": "charts", "calls": [{"tool": "SymbolicGraphQuery", "query": {"kinds": ["chart"]}}], "blocks": []}',
        '{"plan": "", "calls": [{"tool": "run_python", "query": "open()"}], "blocks": []}',
    ),
    "judge_claims": Example(
        Claims(
            "Why is the harbour deep?", ("Boats of 7 metres moor there.", "The tide is strong."), "A strong tide digs."
        ),
        '{"claims": [2]}',
        '{"claims": "the second"}',
    ),
    "judge_answer": Example(
        AnswerToJudge("How deep is the harbour?", ("7 metres",), "It is seven metres deep."),
        '{"reason": "the same depth in words", "correct": true}',
        '{"reason": "unsure", "correct": "partly"}',
    ),
    "judge_page_relevance": Example(
        PagesQuestion("How deep is the harbour?"),
        '{"items": [{"id": 1, "relevance": 0.94}, {"id": 2, "relevance": 0}]}',
        '{"items": [{"id": 1, "relevance": 7}, {"id": 2, "relevance": "high"}]}',
        (PageItem("The harbour is 7 metres deep.", "page 2"), PageItem("The crew bakes bread.", "page 3")),
    ),
    "analyze_block": Example(
        BlockInput("How many tables list fees?", "table", "Table 2: Mooring fees\nBerth | Crowns", "1 Harbour", 4),
        '{"relevant": true, "finding": "Mooring fees by berth"}',
        '{"relevant": true, "finding": " "}',
    ),
    "review_items": Example(
        ReviewInput(
            "How many charts are there?",
            (
                FoundItem("Passengers", "chart", 3),
                FoundItem("Tides", "figure", 4, Picture(b"png")),
            ),
        ),
        '{"reason": "both are charts", "counted": [1, 2], "several": [{"id": 2, "times": 4}]}',
        '{"reason": "", "counted": [7]}',
    ),
    "satisfies_topic": Example(
        TopicQuestion("How many tables are about fees?", "fees"),
        '{"items": [{"id": 1, "satisfies": true}, {"id": 2, "satisfies": false}]}',
        '{"items": [{"id": 1, "satisfies": "perhaps"}]}',
        (
            TopicItem("Mooring fees by length", "table", "1.2 Mooring fees"),
            TopicItem("Crew by season", "table", "2 Winter crew"),
        ),
    ),
    "answer_from_pictures": Example(
        Looking("How many people stand on the quay?", (Seen("page 2; Figure 1: The quay", Picture(b"png")),)),
        '{"used": [1, 9], "answerable": true, "answer": "4"}',
        '{"used": [1], "answerable": true, "answer": " "}',
    ),
    "choose_pictures": Example(
        Overview(
            "Which charts show fees?",
            ("page 2; chart; Figure 1: Mooring fees", "page 5; chart; Figure 2: Crew by season"),
            (Picture(b"png"),),
            left_out=3,
        ),
        '{"numbers": [1, 9, 1], "seen": "One chart has an axis of fees."}',
        '{"numbers": [7], "seen": ""}',
    ),
    "combine_answers": Example(
        CombineInput(
            COMPARE,
            (PartAnswer("How long is the Storm Petrel?", "40 m"), PartAnswer("How long is the Grey Heron?", "38 m")),
            (COMPARE,),
        ),
        '{"used": [1, 2], "answerable": true, "answer": "the Storm Petrel"}',
        '{"used": [1], "answerable": true, "answer": ""}',
    ),
    "reflect": Example(
        ReflectInput(COMPARE, "The Storm Petrel.", ("The Storm Petrel is 40 m long.",), ("Fleet", "Crew")),
        '{"missing": "the length of the Grey Heron", "is_complete": false, "look_for": ["Grey Heron length"],'
        ' "look_in": ["Fleet", "Kitchen"]}',
        '{"missing": "", "is_complete": "unclear"}',
    ),
    "reflect_on_answer": Example(
        GivenAnswer(COMPARE, "The Storm Petrel."), '{"answered": true}', '{"answered": "perhaps"}'
    ),
    "extract_answer_value": Example(
        AnswerInput("How many people crew the ferry?", "The ferry is crewed by 12 people in summer."),
        '{"format": "Int", "answer": "12"}',
        '{"format": "Int", "answer": "15"}',
    ),
    "extract_picture_graph": Example(
        ElementPicture(
            "chart",
            "Figure 1: Passengers",
            "Heron 39 Petrel 68",
            "2 Fleet",
            "Guide",
            Picture(b"png"),
        ),
        '{"entities": [{"name": "Heron", "type": "product", "description": "39"}, {"name": "Petrel"}],'
        ' "relations": [{"source": "Heron", "target": "Petrel", "type": "carried fewer than", "weight": 0.5}]}',
        '{"entities": [{"name": " - "}], "relations": []}',
    ),
    "extract_graph": Example(
        GraphWindow(
            (
                WindowBlock(1, "text", "The Northern Ferry Company (NFC) runs the Grey Heron from Harwick."),
                WindowBlock(2, "table", "Ferry: Grey Heron; Length: 38 m"),
            ),
            "2 Fleet",
            "Handbook",
        ),
        '{"entities": [{"block": 1, "name": "Northern Ferry Company", "type": "organization"},'
        ' {"block": 1, "name": "Grey Heron", "type": "product", "description": "a ferry"}],'
        ' "relations": [{"source": "Northern Ferry Company", "target": "Grey Heron", "type": "runs", "weight": 0.9}]}',
        '{"entities": [{"block": 1, "name": "Black Swan", "type": "product"}], "relations": []}',
    ),
    "adjudicate_entities": Example(
        Adjudication("Handbook"),
        '{"items": [{"id": 1, "reason": "acronym", "match": 1}, {"id": 2, "match": 0}]}',
        '{"items": [{"id": 1, "match": -3}, {"id": 2, "match": "perhaps"}]}',
        (
            NewName(EntityCard("NFC", "name"), (EntityCard("Northern Ferry Company", "organisation", "runs ferries"),)),
            NewName(EntityCard("Pier 2", "place"), (EntityCard("Pier 3", "place"), EntityCard("Pier 4", "place"))),
        ),
    ),
    "level_headings": Example(
        OpenHeadings(("2 Fleet",)),
        '{"items": [{"id": 1, "level": 2}, {"id": 2, "level": 0}]}',
        '{"items": [{"id": 1, "level": 9}, {"id": 2, "level": "deep"}]}',
        (HeadingCandidate("2.1 Ferries", 5, 13.0, True, 2), HeadingCandidate("Length in metres", 5, 9.0, True, 3)),
    ),
    "query_table": Example(
        TableAsked(
            "How many orders from Oslo are late?",
            WholeTable.of(
                ["Order", "City", "State"],
                [["10231", "Oslo", "late"], ["10232", "Bergen", "open"]],
                [(1, 1), (1, 2)],
                "orders.xlsx",
            ),
        ),
        '{"fits": true, "operation": "count", "column": "", "shown": "", "where": ['
        '{"column": "city", "comparison": "is", "values": ["Oslo"]},'
        '{"column": "State", "comparison": "is", "values": ["late"]}]}',
        '{"fits": true, "operation": "sum", "column": "Amount", "shown": "", "where": []}',
    ),
    "interpret_links": Example(
        PageWindow(
            (
                PlacedBlock(4, "table", 2, "Table 1: Tides. January | 5.1 m | July | 4.2 m"),
                PlacedBlock(
                    5, "paragraph", 2, "The table shows that tides are highest in January, when the moon is near."
                ),
            ),
            Memory(("1 Harbour",), ("tides",), ("Figure 9",), (PlacedBlock(1, "heading", 1, "1 Harbour"),)),
            "Handbook",
        ),
        '{"links": [{"source": 5, "target": 4, "relation": "explains", "evidence": "tides are highest in January"}]}',
        '{"links": [{"source": 5, "target": 77, "relation": "explains", "evidence": "tides"}]}',
    ),
    "describe_element": Example(
        Element("chart", "Figure 2: Passengers", "2019 2020 2021", ("Figure 2 shows how passengers fell.",)),
        '{"sort": "chart", "description": "Passengers from 2019 to 2021; they fell.", "text": "2019 2020 2021"}',
        '{"sort": "chart", "description": ""}',
    ),
    "describe_document": Example(*TIDES),
    "summarize": Example(
        SummaryContext("Handbook"),
        '{"items": [{"id": 1, "summary": "Fees for mooring."}, {"id": 2, "summary": "The crew in winter."}]}',
        '{"items": [{"id": 1, "summary": ""}, {"id": 2}]}',
        (
            SummaryPart("section", "1.2 Mooring fees", "A berth costs 12 crowns a night. Boats over 20 m pay twice."),
            SummaryPart("page", "page 6", "Two keepers stay in winter."),
        ),
    ),
    "map_page": Example(
        PageToMap(
            (MapSection("1", "Harbour", (1,)), MapSection("1.1", "Tides", (1,))),
            PageShown(
                2,
                (
                    PageBlock(4, "paragraph", "Spring tides are the highest."),
                    PageBlock(5, "heading", "Winter crew", 1),
                    PageBlock(6, "table", "Season: winter; Keepers: 2", is_element=True),
                ),
                Picture(b"png"),
            ),
            PageShown(1, (PageBlock(1, "heading", "Harbour", 1), PageBlock(2, "heading", "Tides", 2))),
        ),
        '{"outline": ["1: Harbour <-> 1", "1.1: Tides <-> 1, 2", "2: Winter crew <-> 2, 9"], "summary": "It.",'
        ' "elements": [{"id": 6, "summary": "Keepers by season."}, {"id": 77, "summary": "Another."}]}',
        '{"outline": ["Harbour, pages 1 and 2"], "summary": "Tides.", "elements": []}',
    ),
    "summarize_cluster": Example(
        ClusterText(("A berth costs 12 crowns a night.", "Boats over 20 m pay twice.")),
        '{"summary": "A berth costs 12 crowns a night, twice as much for boats over 20 m."}',
        '{"summary": " "}',
    ),
}
