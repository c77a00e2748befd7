"""What a document is about, as a model that read its first pages says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

import octavo
from octavo.about.profile import DocumentProfile
from octavo.corpus import Corpus
from octavo.decisions.describe_document import DESCRIBE_DOCUMENT, DocumentDescribed, DocumentToDescribe
from octavo.decisions.engine.judge import Judge
from octavo.layers.about import build as by_rule
from octavo.layers.about_read import ABOUT_READ, build
from octavo.layers.base import LayerInputs
from octavo.models.gateway import Gateway, Limits, MemoryJournal
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document, Kind
from synthetic import Row, document

ROWS: list[Row] = [
    (Kind.TITLE, "Tide tables", 1, 0),
    (
        Kind.PARAGRAPH,
        "For Lindwick Sound, issued by the harbour master's people in Lindwick, who print them as HOL.",
        1,
        0,
    ),
    (Kind.PARAGRAPH, "High water at noon.", 2, 0),
]
SAID = {
    "title": "Tide tables",
    "issuer": "Harbour master's people",
    "kind": "catalogue",
    "period": "2024",
    "date": "2023-11",
    "version": "revision B",
    "names": ["Lindwick Sound", "Atlantis"],
    "short_forms": [{"short": "HOL", "stands_for": "harbour master's people"}],
}


def tides() -> Document:
    return document(ROWS, name="scan7.pdf")


def inputs(reply: str | None, of: Document | None = None) -> LayerInputs:
    """Return inputs with the layer by rule, and a model that gives one reply; None for no model."""
    given = of or tides()
    stored = {"about": by_rule(LayerInputs(given))}
    if reply is None:
        return LayerInputs(given, stored)
    gateway = Gateway(MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    return LayerInputs(given, stored, judge=Judge({"language": ScriptedModel(lambda _call: reply)}, gateway=gateway))


def test_what_a_model_says_goes_before_the_rule() -> None:
    profile = DocumentProfile.from_bytes(build(inputs(json.dumps(SAID))))
    assert (profile.title, profile.issuer) == ("Tide tables", "Harbour master's people")
    assert (profile.period, profile.date, profile.version) == ("2024", "2023-11", "revision b")
    assert profile.kinds == ("catalogue",)
    assert profile.short_forms["HOL"] == "harbour master's people"
    assert {"lindwick", "sound", "hol", "master"} <= profile.words.keys()
    assert profile.years["2024"] == 1.0
    assert {"title", "issuer", "kind", "names"} <= {*profile.by_model}


def test_a_name_that_does_not_stand_there_is_dropped() -> None:
    profile = DocumentProfile.from_bytes(build(inputs(json.dumps({**SAID, "issuer": "Poseidon Ltd"}))))
    assert "atlantis" not in profile.words
    assert "poseidon" not in profile.words
    assert profile.issuer == DocumentProfile.from_bytes(by_rule(LayerInputs(tides()))).issuer


def test_a_value_that_no_field_takes_is_dropped() -> None:
    profile = DocumentProfile.from_bytes(build(inputs(json.dumps({**SAID, "date": "last May", "period": "always"}))))
    assert (profile.date, profile.period) == ("", "")
    assert profile.version == "revision b"


@pytest.mark.parametrize("reply", ["", "no JSON", '{"title": 7}', '{"names": "x"}', "[]", '{"title": null}'])
def test_a_bad_reply_leaves_what_the_rules_found(reply: str) -> None:
    assert build(inputs(reply)) == inputs(None).stored["about"]


def test_without_a_model_it_is_what_the_rules_found() -> None:
    assert build(inputs(None)) == inputs(None).stored["about"]
    empty = document([], name="nothing.pdf")
    assert DocumentProfile.from_bytes(build(inputs(None, empty))).words.keys() <= {"nothing"}


def test_what_it_would_cost_is_one_call() -> None:
    assert ABOUT_READ.estimate is not None
    (call,) = ABOUT_READ.estimate(inputs(json.dumps(SAID)))
    assert call[0] == "describe_document"
    assert call[1] > 300


def test_the_rule_gives_what_the_profile_has() -> None:
    assert DESCRIBE_DOCUMENT.rule is not None
    found = DESCRIBE_DOCUMENT.rule(
        DocumentToDescribe("a.pdf", "", by_rule=DocumentProfile(title="A", kinds=("manual",), short_forms={"X": "Xy"}))
    )
    assert isinstance(found, DocumentDescribed)
    assert (found.title, found.kind, found.short_forms[0].short) == ("A", "manual", "X")


class TestInACorpus:
    def opened(self, folder: Path, replies: Mapping[str, Any] = SAID) -> Corpus:
        model = ScriptedModel(lambda _call: json.dumps(replies))
        return octavo.open(folder / "corpus", models=model)

    def test_a_model_reads_each_document_once_and_a_person_says_last(self, tmp_path: Path) -> None:
        (tmp_path / "scan7.md").write_text(
            "# Tide tables\n\nFor Lindwick Sound, by the harbour master's people (HOL).\n"
        )
        (tmp_path / "other.md").write_text("# Ferries\n\nThey run at noon, when the water is high.\n")
        with self.opened(tmp_path) as corpus:
            plan = corpus.plan(tmp_path / "scan7.md", systems="about")
            assert plan.calls == 1
            first = corpus.add(tmp_path / "scan7.md", systems="about")
            corpus.add(tmp_path / "other.md")
            again = corpus.add(tmp_path / "scan7.md", systems="about")
            assert (first.usage.calls, again.usage.calls) == (1, 0)
            about = corpus.about("scan7.md")
            assert (about.issuer, about.by["issuer"]) == ("Harbour master's people", "model")
            assert about.kind == "catalogue"
            assert {"Lindwick Sound", "HOL"} <= {*about.names}
            assert "model" not in corpus.about("other.md").by.values()
            found = corpus.search("What does HOL say of high water?").meant
            assert found is not None
            assert [one["document"] for one in found["documents"]] == ["scan7.md"]
            set_by_hand = corpus.describe("scan7.md", issuer="Lindwick Council")
            assert (set_by_hand.issuer, set_by_hand.by["issuer"]) == ("Lindwick Council", "hand")
            assert set_by_hand.by["kind"] == "model"

    def test_a_plain_add_asks_no_model(self, tmp_path: Path) -> None:
        (tmp_path / "scan7.md").write_text("# Tide tables\n\nFor Lindwick Sound.\n")
        with self.opened(tmp_path) as corpus:
            assert corpus.add(tmp_path / "scan7.md").usage.calls == 0
            assert "model" not in corpus.about("scan7.md").by.values()
