"""Doubtful headings put to a model."""

from __future__ import annotations

import dataclasses
import json
import re

import numpy as np

from octavo.corpus.index.heading_review import BATCH, doubtful, judge_headings
from octavo.decisions.engine.judge import Judge
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document, Kind
from synthetic import Row, document

BODY = "The harbour is seven metres deep and holds forty boats in summer, fewer in winter when the ice comes."


def made(rows: list[Row], bold: set[str], large: set[str]) -> Document:
    plain = document(rows)
    texts = list(plain.blocks.text)
    blocks = dataclasses.replace(
        plain.blocks,
        bold=np.array([text in bold for text in texts]),
        size=np.array([16.0 if text in large else 10.0 for text in texts], np.float32),
    )
    return dataclasses.replace(plain, blocks=blocks)


REPORT = made(
    [
        (Kind.HEADING, "Harbour", 1, 1),
        (Kind.PARAGRAPH, BODY, 1, 0),
        (Kind.HEADING, "Length in metres", 1, 2),
        (Kind.PARAGRAPH, BODY, 1, 0),
        (Kind.PARAGRAPH, "Mooring fees", 2, 0),
        (Kind.PARAGRAPH, BODY, 2, 0),
        (Kind.HEADING, "2.1 Ferries", 2, 2),
        (Kind.PARAGRAPH, "This bold line is a sentence.", 2, 0),
    ],
    bold={"Mooring fees", "This bold line is a sentence."},
    large={"Harbour"},
)


def titles(of: Document) -> list[tuple[str, int]]:
    return [(of.blocks.text[row], int(of.blocks.level[row])) for row in of.blocks.headings().tolist()]


def saying(levels: dict[str, int]) -> ScriptedModel:
    def reply(request: Request) -> str:
        lines = re.findall(r"<item id=(\d+)>\n(.*?)\n</item>", request.turns[0].text)
        items = [{"id": int(number), "level": levels[text.rsplit(": ", 1)[1]]} for number, text in lines]
        return json.dumps({"items": items})

    return ScriptedModel(reply)


def test_only_what_neither_number_nor_size_settles_is_doubtful() -> None:
    assert REPORT.blocks.text.take(doubtful(REPORT.blocks)) == ["Length in metres", "Mooring fees"]


def test_a_model_makes_and_unmakes_headings() -> None:
    model = saying({"Length in metres": 0, "Mooring fees": 2})
    judged = judge_headings(REPORT, Judge({"language": model}))
    judged.blocks.check()
    assert titles(judged) == [("Harbour", 1), ("Mooring fees", 2), ("2.1 Ferries", 2)]
    assert judged.blocks.section_path(5) == ("Harbour", "Mooring fees")
    assert "<open_headings>\nHarbour\n</open_headings>" in model.requests[0].turns[0].text


def test_levels_have_no_gaps() -> None:
    judged = judge_headings(REPORT, Judge({"language": saying({"Length in metres": 5, "Mooring fees": 6})}))
    assert titles(judged) == [("Harbour", 1), ("Length in metres", 2), ("Mooring fees", 3), ("2.1 Ferries", 2)]


def test_without_a_model_or_with_one_that_fails_the_rules_stand() -> None:
    assert judge_headings(REPORT, Judge()) is REPORT
    failing = ScriptedModel(lambda _request: ModelFault(FaultKind.CONTEXT, "too long"))
    assert titles(judge_headings(REPORT, Judge({"language": failing}))) == titles(REPORT)


def test_a_document_with_bookmarks_is_asked_about_too() -> None:
    outlined = dataclasses.replace(REPORT, metadata=dataclasses.replace(REPORT.metadata, has_outline=True))
    judged = judge_headings(outlined, Judge({"language": saying({"Length in metres": 0, "Mooring fees": 2})}))
    assert titles(judged) == [("Harbour", 1), ("Mooring fees", 2), ("2.1 Ferries", 2)]


def test_many_lines_are_asked_in_batches_that_see_what_was_decided_before() -> None:
    rows: list[Row] = [(Kind.PARAGRAPH, BODY, 1, 0)]
    names = [f"Line {chr(97 + number % 26)}{number}" for number in range(BATCH + 5)]
    rows += [(Kind.PARAGRAPH, name, 1, 0) for name in names]
    model = saying(dict.fromkeys(names, 1))
    judged = judge_headings(made(rows, set(names), set()), Judge({"language": model}))
    assert len(titles(judged)) == len(names)
    assert model.calls == 2
    assert f"<open_headings>\n{names[BATCH - 1]}\n" in model.requests[1].turns[0].text
