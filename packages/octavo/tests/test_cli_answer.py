"""What a person sees of an answer, of passages and of nothing, and that none is taken for another."""

from __future__ import annotations

import dataclasses
import io
import re
from pathlib import Path

import pytest
from rich.console import Console

import octavo
from octavo.cli import terminal
from octavo.cli.show.answer import show_answer, show_result
from octavo.cli.show.corpus import show_added
from octavo.evidence import Answer, Citation, Evidence, Outcome, Passage, Result, View
from octavo_documents.document import Kind
from synthetic import document

SENTENCES = "Nitrogen is let out slowly. A cylinder lasts 94 days at the normal rate."
TABLE = "Condition | South Slip | North Gut\nSwell height, m | 0.8 | 1.2\nMean wind, m/s | 10 | 12"
LIST = (
    "The kit holds:\n• a line of 30 metres\n• two flares that are changed every third year by the duty lead\n• a torch"
)
ROWS = [
    (Kind.HEADING, "2 Instruments", 1, 1),
    (Kind.PARAGRAPH, SENTENCES, 1, 0),
    (Kind.TABLE, TABLE, 2, 0),
    (Kind.LIST_ITEM, "• a torch", 3, 1),
    (Kind.PARAGRAPH, "Something else stands here.", 3, 0),
]
VIEW = View([document(ROWS, name="handbook.pdf")])
EVIDENCE = Evidence.of(VIEW, [1, 2, 3, 4], relevance=[0.9, 0.5, 0.4, 0.1])


def passage(row: int, text: str, *words: str) -> Passage:
    emphasis = tuple(sorted((text.index(word), text.index(word) + len(word)) for word in words))
    return Passage.at(VIEW, row, text, emphasis=emphasis)


SENTENCE = passage(1, SENTENCES, "A cylinder lasts 94 days")
ROW = passage(2, "\n".join(TABLE.split("\n")[:2]), "Swell height", "1.2")
ITEMS = passage(3, LIST)


def cited(row: int, quote: str) -> Citation:
    citation = Citation.of(VIEW, row, quote)
    assert citation is not None
    return citation


def answer(outcome: Outcome, text: str = "", *passages: Passage, citations: tuple[Citation, ...] = ()) -> Answer:
    return Answer(
        question="How long does a cylinder last?",
        system="auto",
        text=text,
        outcome=outcome,
        evidence=EVIDENCE,
        by="relevance",
        citations=citations,
        passages=passages,
    )


def piped(shown: Answer | Result) -> str:
    out = io.StringIO()
    screen = terminal.console(out)
    show_answer(screen, shown) if isinstance(shown, Answer) else show_result(screen, shown)
    return out.getvalue()


def on_terminal(shown: Answer | Result, width: int, *, colour: bool = True) -> str:
    out = io.StringIO()
    screen = Console(
        file=out, force_terminal=True, width=width, highlight=False, no_color=not colour, legacy_windows=False
    )
    show_answer(screen, shown) if isinstance(shown, Answer) else show_result(screen, shown)
    return out.getvalue()


def without_codes(text: str) -> str:
    return re.sub(r"\x1b\[[\d;]*m", "", text)


ANSWER = answer(Outcome.ANSWER, "94 days", SENTENCE, citations=(cited(1, "A cylinder lasts 94 days"),))
PASSAGES = answer(Outcome.PASSAGES, "", SENTENCE, ROW, ITEMS)
NOTHING = answer(Outcome.NOTHING, "Nothing in handbook.pdf speaks of Vienna.", SENTENCE)


def test_where_an_answer_was_found_comes_first_then_it_in_bold_and_the_passages_it_stands_on() -> None:
    assert piped(ANSWER).splitlines() == [
        "Found in 2 Instruments, page 1:",
        "94 days",
        "",
        "[1] handbook.pdf, page 1",
        "    2 Instruments",
        f"    {SENTENCES}",
    ]
    assert "\n\x1b[1m94 days\x1b[0m\n" in on_terminal(ANSWER, 80)


def test_passages_say_first_where_the_closest_is_and_last_and_small_that_no_answer_is_sure() -> None:
    lines = on_terminal(PASSAGES, 80).splitlines()
    assert lines[0] == "Three passages may fit; the closest is in 2 Instruments, page 1."
    assert lines[-1] == "\x1b[2mNo short answer is sure: read the passages.\x1b[0m"
    assert [line for line in piped(PASSAGES).splitlines() if line.startswith("[")] == [
        "[1] handbook.pdf, page 1",
        "[2] handbook.pdf, page 2, table",
        "[3] handbook.pdf, page 3, list item",
    ]


def test_passages_that_are_told_of_in_other_words_come_after_these() -> None:
    told = answer(Outcome.PASSAGES, "How the document begins, on page 1.", SENTENCE)
    told = dataclasses.replace(told, opening="How the document begins, on page 1")
    assert piped(told).splitlines()[:3] == ["How the document begins, on page 1.", "", "[1] handbook.pdf, page 1"]
    known = answer(Outcome.PASSAGES, "Only a part is known: 94 days", SENTENCE)
    where = "One passage may fit, in 2 Instruments, page 1."
    assert piped(known).splitlines()[:2] == [where, "Only a part is known: 94 days"]
    usual = answer(Outcome.PASSAGES, "The closest passages are on page 1; no short answer is sure.", SENTENCE)
    assert piped(usual).splitlines()[:2] == [where, ""]


def test_passages_are_shown_whole_with_the_lines_of_tables_and_lists() -> None:
    lines = piped(PASSAGES).splitlines()
    for text in (SENTENCES, ROW.text, LIST):
        shown = [f"    {line}" for line in text.split("\n")]
        at = lines.index(shown[0])
        assert lines[at : at + len(shown)] == shown


def test_nothing_is_said_in_the_words_of_the_answer_with_the_nearest_passage_small() -> None:
    assert piped(NOTHING).splitlines() == [
        "Nothing in handbook.pdf speaks of Vienna.",
        "",
        "Nearest: handbook.pdf, page 1",
        "    2 Instruments",
        f"    {SENTENCES}",
    ]
    long = dataclasses.replace(NOTHING, passages=(dataclasses.replace(SENTENCE, text="word " * 200),))
    assert len(piped(long).splitlines()[-1]) < 300
    assert "\x1b[1m" not in on_terminal(NOTHING, 80)


def test_nothing_without_a_passage_names_the_nearest_pages() -> None:
    shown = dataclasses.replace(NOTHING, passages=())
    assert piped(shown).splitlines()[-1] == "Nearest pages: handbook.pdf 1, 2, 3"


def test_the_words_that_matter_are_marked_on_a_terminal_and_not_in_a_pipe() -> None:
    assert "\x1b[1;4mA cylinder lasts 94 days\x1b[0m at" in on_terminal(ANSWER, 100)
    assert "\x1b[1;4m1.2\x1b[0m" in on_terminal(PASSAGES, 100)
    assert "\x1b[1;4m1.2\x1b[0m" in on_terminal(PASSAGES, 100, colour=False)
    assert "\x1b" not in piped(ANSWER) + piped(PASSAGES)


@pytest.mark.parametrize("width", [60, 80, 120, 200])
def test_no_line_is_wider_than_the_terminal_or_than_prose(width: int) -> None:
    for shown in (ANSWER, PASSAGES, NOTHING):
        lines = without_codes(on_terminal(shown, width)).splitlines()
        assert max(map(len, lines)) <= min(width, 100)
        assert all(line == line.rstrip() for line in lines)


def test_the_rest_of_a_long_line_of_a_list_stands_further_in() -> None:
    lines = without_codes(on_terminal(PASSAGES, 60)).splitlines()
    at = lines.index("    • two flares that are changed every third year by the")
    assert lines[at + 1] == "      duty lead"


def test_a_quote_that_a_passage_shows_is_not_shown_again() -> None:
    out = piped(answer(Outcome.ANSWER, "1.2", ROW, citations=(cited(2, "Swell height, m | 0.8 | 1.2"),)))
    assert out.count("Swell height") == 1
    assert "[2]" not in out
    joined = passage(2, "Swell height, m: South Slip 0.8, North Gut 1.2")
    out = piped(answer(Outcome.ANSWER, "1.2", joined, citations=(cited(2, "Swell height, m"),)))
    assert "“" not in out


def test_a_quote_that_no_passage_shows_is_listed_after_them() -> None:
    elsewhere = cited(4, "Something else stands here.")
    lines = piped(answer(Outcome.ANSWER, "94", SENTENCE, citations=(*ANSWER.citations, elsewhere))).splitlines()
    assert lines[-3:] == ["[2] handbook.pdf, page 3", "    2 Instruments", "    “Something else stands here.”"]


def test_an_answer_does_not_claim_to_stand_on_a_passage_it_does_not_quote() -> None:
    out = piped(answer(Outcome.ANSWER, "94", SENTENCE, ROW, citations=ANSWER.citations))
    assert "Swell" not in out


def test_of_many_citations_five_are_shown_and_the_rest_is_counted() -> None:
    many = tuple(dataclasses.replace(cited(1, "Nitrogen"), quote=f"words {at}") for at in range(22))
    shown = answer(Outcome.ANSWER, "94", citations=many)
    lines = piped(shown).splitlines()
    assert sum(line.startswith("[") for line in lines) == 5
    assert lines[-1] == "and 17 more; --json has all of them"
    assert len(shown.to_json()["citations"]) == 22


def test_a_passage_cannot_steer_the_terminal_and_its_marks_stay_in_place() -> None:
    text = "The \x1b[2Jcylinder\u202e lasts 94 days"
    shown = on_terminal(answer(Outcome.PASSAGES, "", passage(1, text, "94 days")), 80)
    assert "\x1b[2J" not in shown
    assert "\u202e" not in shown
    assert "\x1b[1;4m94 days\x1b[0m" in shown


def test_a_search_shows_the_passages_on_a_page_and_the_best_blocks_of_a_page_without_any() -> None:
    found = Result("cylinder", "auto", EVIDENCE, "relevance", passages=(SENTENCE, ROW))
    lines = piped(found).splitlines()
    assert lines[:3] == [" 1. handbook.pdf, page 1   0.9", "    2 Instruments", f"    {SENTENCES}"]
    assert lines[4:8] == [
        " 2. handbook.pdf, page 2   0.5",
        "    2 Instruments, table",
        "    Condition | South Slip | North Gut",
        "    Swell height, m | 0.8 | 1.2",
    ]
    assert lines[9:] == [
        " 3. handbook.pdf, page 3   0.4",
        "    2 Instruments",
        "    list item: • a torch",
        "    paragraph: Something else stands here.",
    ]
    assert "\x1b[1;4mA cylinder lasts" in on_terminal(found, 80)


def test_documents_of_one_name_are_told_apart_by_their_paths(tmp_path: Path) -> None:
    texts = {
        "2023/north/report.txt": "The quay has nine moorings.",
        "2024/north/report.txt": "The pier has ten cranes.",
        "log.txt": "The lighthouse has four lamps.",
    }
    for path, text in texts.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    with octavo.open(tmp_path / "corpus") as corpus:
        added = corpus.add([tmp_path / path for path in texts])
        answered = corpus.ask("How many moorings has the quay?")
        found = piped(answered)
        alone = corpus.ask("How many moorings has the quay?", documents=str(tmp_path / "2023"))
        nothing = piped(corpus.ask("zxqv"))
        result = corpus.search("How many lamps, cranes and moorings?")
        lamps = piped(corpus.ask("How many lamps has the lighthouse?"))
        verified = corpus.verify("The pier has ten cranes.")
    assert {page["document"] for page in result.to_json()["pages"]} >= {"2023/north/report.txt", "log.txt"}
    assert answered.to_json()["citations"][0]["document"] == answered.citations[0].document == "2023/north/report.txt"
    assert answered.evidence.view.documents[0].name == "report.txt", "its own name stays, by which titles are found"
    assert alone.passages[0].document == "2023/north/report.txt"
    assert [place.citation.document for place in verified.places] == ["2024/north/report.txt"]
    searched, alone = piped(result), piped(alone)
    assert "[1] 2023/north/report.txt" in found
    assert found.startswith("Found in 2023/north/report.txt")
    assert "[1] 2023/north/report.txt" in alone
    assert "2023/north/report.txt, 2024/north/report.txt, log.txt" in nothing
    assert {". 2023/north/report.txt,", ". 2024/north/report.txt,", ". log.txt,"} <= {*re.findall(r"\. \S+,", searched)}
    assert "[1] log.txt" in lamps
    out = io.StringIO()
    show_added(terminal.console(out), added, 1.0)
    assert [line.split()[1] for line in out.getvalue().splitlines()[:3]] == [*texts]


def test_sentences_of_a_model_without_a_quote_are_told() -> None:
    said = "A cylinder lasts 94 days. Otters sleep beside it."
    quoted = answer(Outcome.ANSWER, said, SENTENCE, citations=(cited(1, "A cylinder lasts 94 days"),))
    written = dataclasses.replace(quoted, decided_by={"cache": 1})
    assert written.unquoted == ("Otters sleep beside it.",)
    assert "No quote stands behind: “Otters sleep beside it.”" in piped(written)
    assert [one["citations"] for one in written.to_json().get("claims", [])] == [[1], []]
    assert "No quote stands behind" not in piped(dataclasses.replace(written, text="A cylinder lasts 94 days."))
    assert "No quote stands behind" not in piped(quoted)
