"""Faithfulness measured on models and readers that cite wrongly: nothing they claim is taken for granted."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any

import pytest

import evaluating
from evaluating import HERON, NOTHING, OWL, benchmark
from octavo import systems
from octavo.evidence import Answer, Citation, Evidence, Outcome
from octavo.models.language import LanguageModel, Request
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Run, Step
from octavo.operators.keep import RELEVANCE
from octavo.systems import System
from octavo_lab.runner import evaluate
from octavo_lab.summary import summarize

GULLS = "The herring gull nests on cliffs and roofs."


def measured(folder: Path, *questions: Any, system: str = "hybrid", models: LanguageModel | None = None) -> Any:
    with evaluating.corpus(folder, models=models) as corpus:
        found = evaluate(corpus, benchmark(folder, *questions), [system], folder / "out")
    return summarize(found)["systems"][0]


def cites(words: str, quote: str, answer: str = "1,500 grams") -> ScriptedModel:
    """Return a model that answers from the passage with these words and says that it reads `quote`."""

    def reply(request: Request) -> str:
        passage = re.search(rf"<passage id=(\d+)>\n[^<]*{re.escape(words)}", request.turns[0].text)
        assert passage is not None
        evidence = [{"id": int(passage[1]), "quote": quote}]
        return json.dumps({"evidence": evidence, "answerable": True, "answer": answer})

    return ScriptedModel(reply)


def test_a_true_quote_from_the_gold_page_is_faithful(tmp_path: Path) -> None:
    metrics = measured(tmp_path, HERON, models=cites("1,500 grams", "weighs 1,500 grams"))["metrics"]
    assert (metrics["citations_verbatim"], metrics["cited_pages_gold"]) == (1.0, 1.0)


def test_a_true_quote_from_another_page_is_verbatim_and_not_gold(tmp_path: Path) -> None:
    metrics = measured(tmp_path, HERON, models=cites("herring gull", GULLS, "the herring gull"))["metrics"]
    assert (metrics["citations_verbatim"], metrics["cited_pages_gold"]) == (1.0, 0.0)


def test_an_invented_quote_never_stands_in_the_report(tmp_path: Path) -> None:
    made = measured(tmp_path, HERON, models=cites("herring gull", "The gull weighs 1,500 grams."))
    (row,) = made["rows"]
    assert all(cited["quote"] in evaluating.BIRDS for cited in row["citations"])
    assert row["answerable"] == bool(row["citations"])
    assert made["metrics"]["refused_answerable"] == float(not row["answerable"])


@dataclasses.dataclass(frozen=True)
class Careless(Step[Evidence, Answer]):
    """A reader that checks nothing: one quote is true, one is of another block, one of no document."""

    def apply(self, value: Evidence, using: Run) -> Answer:
        view, (row, other) = value.view, value.rows[:2]
        text = view.blocks.text[int(row)]
        quotes = ((row, text), (other, text), (row, "as everybody knows"))
        is_known = not any(word in using.query.question for word in ("zeppelin", "owl"))
        return Answer(
            question=using.query.question,
            system="",
            text="so it is",
            outcome=Outcome.ANSWER if is_known else Outcome.NOTHING,
            evidence=value,
            by=RELEVANCE,
            citations=tuple(cited(value, int(at), quote) for at, quote in quotes),
        )


def cited(evidence: Evidence, row: int, quote: str) -> Citation:
    view = evidence.view
    document = view.documents[int(view.document[row])]
    fields: dict[str, Any] = {field.name: None for field in dataclasses.fields(Citation)}
    known = {"document": document.name, "document_id": document.id, "block": view.block_id(row), "quote": quote}
    return Citation(**{**fields, **known, "page": int(view.blocks.page[row])})


def test_quotes_are_checked_against_the_blocks_whatever_the_reader_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    retrieve = systems.SYSTEMS["hybrid"].retrieve
    monkeypatch.setitem(systems.SYSTEMS, "careless", System("careless", retrieve, retrieve >> Careless()))
    made = measured(tmp_path, HERON, OWL, NOTHING, system="careless")
    assert [one["is_verbatim"] for one in made["rows"][0]["citations"]] == [True, False, False]
    assert made["metrics"]["citations_verbatim"] == pytest.approx(1 / 3, abs=1e-4)
    assert made["metrics"]["refused_unanswerable"] == 1.0
    assert made["metrics"]["refused_answerable"] == 0.5
