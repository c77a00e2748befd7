"""A first look tells what there is, and asks only what the document answers in its first place."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from octavo.about.first_look import proposed
from octavo.corpus import Corpus
from octavo.corpus.first_look import first_look
from octavo.evidence import Outcome
from octavo.models.gateway import Caps

STATION = """# The station

A bubbler is a pipe that blows air under the ice to keep the slip open all winter.

The bubbler is lit in October, and a bubbler is a thing of pipes. It is a noisy place to work in.

## Who may land here?

Only the crew and its guests may land, and both need a pass from the warden.

## Stores

The store by the pier holds 48 barrels of oil in winter. QUESTIONS is a name of a file.

| Item | Barrels | Crates |
|---|---|---|
| Lamp oil | 48 | 3 |
| Flour | 12 | 7 |
"""


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Corpus]:
    folder: Path = tmp_path_factory.mktemp("look")
    (folder / "station.md").write_text(STATION, "utf-8")
    (folder / "bare.txt").write_text("Nothing much.\n", "utf-8")
    with Corpus(folder / "corpus") as opened:
        opened.add([folder / "station.md", folder / "bare.txt"])
        yield opened


def test_what_there_is_is_told(corpus: Corpus) -> None:
    look = first_look(corpus, "station.md", asks=False)
    assert [one.title for one in look.sections] == ["Who may land here?", "Stores"]
    assert [(one.kind, one.called) for one in look.elements] == [("table", "Stores")]
    assert look.questions == ()


def test_questions_are_made_of_what_says_what_it_is(corpus: Corpus) -> None:
    asked = {one.question for one in proposed(corpus.document("station.md"))}
    assert {"What is a bubbler?", "Who may land here?"} <= asked
    assert not any("QUESTIONS" in one or "It" in one.split() for one in asked)
    assert proposed(corpus.document("bare.txt")) == []


def test_each_question_is_answered_where_it_was_made_from(corpus: Corpus) -> None:
    look = first_look(corpus, "station.md")
    assert 1 <= len(look.questions) <= 3
    made = {one.question: one for one in proposed(corpus.document("station.md"))}
    for one in look.questions:
        answer = corpus.ask(one.question, documents=["station.md"], caps=Caps(calls=0))
        assert answer.outcome is not Outcome.NOTHING
        assert one.place.page == made[one.question].page
    assert first_look(corpus, "bare.txt").questions == ()


def test_what_is_found_elsewhere_is_not_asked(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    from octavo.about.first_look import Proposed
    from octavo.corpus import first_look as module

    invented = [Proposed("What is a bubbler?", "A bubbler is a whale.", 1), Proposed("Who is the king?", "Nobody.", 1)]
    monkeypatch.setattr(module, "proposed", lambda _: invented)
    assert first_look(corpus, "station.md").questions == ()
