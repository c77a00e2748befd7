"""Conversations over a real corpus: by rule, with a scripted model, and when something goes wrong."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import octavo
from octavo.corpus import Corpus
from octavo.corpus.conversation import Conversation
from octavo.errors import CorpusError, ModelError, UsageError
from octavo.evidence import Answer, TraceStep
from octavo.models.gateway import Caps
from octavo.models.language import FaultKind, ModelFault, Request
from octavo.models.scripted import Line, ScriptedModel

GUIDE = """# Harbour guide

## Depths

The harbour at Harwick is 7 metres deep. The harbour at Low Bay is 4 metres deep.

## Ferries

The Storm Petrel carried 18,400 passengers in 2019. The Storm Petrel carried 9,200 passengers in 2021.
"""
FLEET = """# Fleet report

The Grey Heron carried 5,100 passengers in 2019. The Grey Heron was built in 1978.
"""
PASSENGERS = "How many passengers did the Storm Petrel carry in 2019?"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("talk")
    (place / "guide.md").write_text(GUIDE)
    (place / "fleet.md").write_text(FLEET)
    with octavo.open(place / "corpus") as made:
        made.add([place / "guide.md", place / "fleet.md"])
    return place / "corpus"


@pytest.fixture
def corpus(folder: Path) -> Iterator[Corpus]:
    with octavo.open(folder) as opened:
        yield opened


def completing(reply: Line) -> ScriptedModel:
    """Return a model that makes questions whole as it is told, and leaves all else to the rules."""

    def say(request: Request) -> Line:
        return reply if request.decision == "complete_question" else ModelFault(FaultKind.REFUSED, "not this one")

    return ScriptedModel(say)


def whole(question: str, *, stands_alone: bool = False, documents: tuple[str, ...] = ()) -> str:
    return json.dumps({"stands_alone": stands_alone, "question": question, "documents": documents})


# By rule


def test_a_follow_up_is_asked_whole_and_its_citations_are_those_of_the_whole_question(corpus: Corpus) -> None:
    talk = corpus.conversation("guide.md")
    first = talk.ask(PASSENGERS)
    assert (first.question, first.understood) == (PASSENGERS, "")
    assert "understood" not in first.to_json()
    assert [step.step for step in first.trace].count("CompleteQuestion") == 0
    second = talk.ask("and in 2021?")
    expected = "How many passengers did the Storm Petrel carry in 2021?"
    assert (second.question, second.understood) == ("and in 2021?", expected)
    assert second.to_json()["understood"] == expected
    assert second.trace[0].parameters["understood"] == expected
    alone = corpus.ask(expected, documents="guide.md")
    assert (second.text, second.citations, second.passages) == (alone.text, alone.citations, alone.passages)
    assert second.decided_by["rule"] == alone.decided_by["rule"] + 1
    assert [turn.understood for turn in talk.turns] == [PASSENGERS, expected]


def test_a_question_that_stands_alone_is_asked_as_it_is(corpus: Corpus) -> None:
    talk = corpus.conversation()
    talk.ask(PASSENGERS)
    answer = talk.ask("When was the Grey Heron built?")
    assert answer.understood == ""
    assert "understood" not in answer.to_json()
    assert answer.text == corpus.ask("When was the Grey Heron built?").text


def test_documents_carry_over_and_those_named_later_hold_from_then_on(corpus: Corpus) -> None:
    talk = corpus.conversation("guide.md")
    talk.ask(PASSENGERS)
    assert {one.name for one in talk.ask("and in 2021?").evidence.view.documents} == {"guide.md"}
    talk.ask("When was the Grey Heron built?", documents=["fleet.md"])
    assert talk.documents == ("fleet.md",)
    assert {one.name for one in talk.ask("Why?").evidence.view.documents} == {"fleet.md"}
    talk.look_in(None)
    assert {one.name for one in talk.ask("Why?").evidence.view.documents} == {"guide.md", "fleet.md"}


def test_a_fragment_may_turn_to_one_document_and_what_follows_stays_there(corpus: Corpus) -> None:
    talk = corpus.conversation()
    talk.ask("How many passengers were carried in 2019?")
    there = talk.ask("what about fleet.md?")
    assert there.understood == "How many passengers were carried in 2019?"
    assert {one.name for one in there.evidence.view.documents} == {"fleet.md"}
    assert {one.name for one in talk.ask("and in 2021?").evidence.view.documents} == {"fleet.md"}
    back = talk.ask("How deep is the harbour at Harwick?")
    assert {one.name for one in back.evidence.view.documents} == {"guide.md", "fleet.md"}


def test_of_documents_of_one_name_the_other_can_be_turned_to(tmp_path: Path) -> None:
    for place, ferries in (("north", "nine"), ("south", "four")):
        (tmp_path / place).mkdir()
        (tmp_path / place / "report.md").write_text(f"# Harbour report\n\nThe {place} harbour has {ferries} ferries.\n")
    with octavo.open(tmp_path / "corpus") as corpus:
        corpus.add([tmp_path / "north", tmp_path / "south"])
        talk = corpus.conversation()
        talk.ask("How many ferries has the north harbour?")
        assert talk.turns[0].cited[0].document == "north/report.md"
        there = talk.ask("and in the other document?")
        assert [one.document for one in there.passages] == ["south/report.md"]
        named = talk.ask("what about north/report.md?")
        assert {one.document for one in named.passages} == {"north/report.md"}


def test_a_conversation_can_be_kept_and_taken_up_again(corpus: Corpus) -> None:
    talk = corpus.conversation(["guide.md"])
    talk.ask(PASSENGERS)
    talk.ask("and in 2021?")
    kept = json.loads(json.dumps(talk.to_json()))
    assert [turn.get("understood") for turn in kept["turns"]] == [None, talk.turns[1].understood]
    again = Conversation.from_json(corpus, kept)
    assert (again.turns, again.documents) == (talk.turns, talk.documents)
    assert again.to_json() == kept
    assert again.ask("and in 2019?").understood == PASSENGERS


@pytest.mark.parametrize(
    "value",
    [
        None,
        [],
        {},
        {"version": 2, "documents": None, "turns": []},
        {"version": 1, "documents": None},
        {"version": 1, "documents": "guide.md", "turns": []},
        {"version": 1, "documents": None, "turns": [None]},
        {"version": 1, "documents": None, "turns": [{"question": "x"}]},
        {
            "version": 1,
            "documents": None,
            "turns": [
                {"question": 1, "outcome": "answer", "answer": "", "cited": [], "about": [], "scope": None},
            ],
        },
        {
            "version": 1,
            "documents": None,
            "turns": [
                {"question": "x", "outcome": "sure", "answer": "", "cited": [], "about": [], "scope": None},
            ],
        },
    ],
)
def test_what_is_no_conversation_is_refused(corpus: Corpus, value: object) -> None:
    with pytest.raises(UsageError):
        Conversation.from_json(corpus, value)


def test_a_conversation_can_be_cleared(corpus: Corpus) -> None:
    talk = corpus.conversation()
    talk.ask(PASSENGERS)
    talk.clear()
    assert talk.turns == ()
    assert talk.ask("and in 2021?").understood == ""


# Streams


def test_a_stream_says_what_was_understood_first_and_ends_with_the_answer(corpus: Corpus) -> None:
    talk = corpus.conversation("guide.md")
    assert not any(isinstance(one, TraceStep) and "understood" in one.parameters for one in talk.stream(PASSENGERS))
    events = list(talk.stream("and in 2021?"))
    assert isinstance(events[0], TraceStep)
    assert events[0].parameters["understood"] == "How many passengers did the Storm Petrel carry in 2021?"
    last = events[-1]
    assert isinstance(last, Answer)
    assert last.understood == events[0].parameters["understood"]
    assert len(talk.turns) == 2


def test_a_stream_that_is_left_leaves_no_turn(corpus: Corpus) -> None:
    talk = corpus.conversation()
    talk.ask(PASSENGERS)
    events = talk.stream("and in 2021?")
    next(events)
    events.close()
    other = talk.stream("and in 2021?")
    next(other), next(other)
    other.close()
    assert len(talk.turns) == 1


# Errors


def test_an_error_leaves_the_conversation_as_it_was(corpus: Corpus) -> None:
    talk = corpus.conversation("guide.md")
    talk.ask(PASSENGERS)
    for call, wrong in (
        ({"question": "  "}, UsageError),
        ({"question": "why?", "system": "nosuch"}, UsageError),
        ({"question": "why?", "limit": 0}, UsageError),
        ({"question": "why?", "documents": "nosuch.pdf"}, CorpusError),
    ):
        with pytest.raises(wrong):
            talk.ask(**call)  # type: ignore[arg-type]
        with pytest.raises(wrong):
            list(talk.stream(**call))  # type: ignore[arg-type]
    assert len(talk.turns) == 1
    assert talk.documents == ("guide.md",)
    assert talk.ask("and in 2021?").understood


def test_threads_share_a_conversation(corpus: Corpus) -> None:
    talk = corpus.conversation("guide.md")
    talk.ask(PASSENGERS)
    threads = [threading.Thread(target=talk.ask, args=("and in 2021?",)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(talk.turns) == 5
    assert {turn.understood[-5:] for turn in talk.turns[1:]} == {"2021?"}


# With a model


def test_a_model_makes_a_question_whole_within_the_budget_of_the_turn(folder: Path) -> None:
    question = "How deep is the harbour at Low Bay?"
    model = completing(whole(question))
    with octavo.open(folder, models=model) as corpus:
        talk = corpus.conversation("guide.md")
        talk.ask("How deep is the harbour at Harwick?")
        assert "complete_question" not in {request.decision for request in model.requests}
        answer = talk.ask("the other place, please")
        assert answer.understood == question
        assert answer.decided_by["model"] == 1
        assert answer.usage.calls >= 1
        assert answer.trace[0].calls == 1
        asked = next(request for request in model.requests if request.decision == "complete_question")
        assert "How deep is the harbour at Harwick?" in asked.turns[0].text
        assert "guide.md" in asked.turns[0].text
        spent = talk.ask("and in 2021?", caps=Caps(calls=0))
        assert spent.stopped == "max_calls"


def test_a_model_cannot_change_what_it_says_stands_alone(folder: Path) -> None:
    with octavo.open(folder, models=completing(whole("Something else?", stands_alone=True))) as corpus:
        talk = corpus.conversation()
        talk.ask(PASSENGERS)
        assert talk.ask("When was the Grey Heron built?").understood == ""


def test_a_model_may_turn_to_one_document(folder: Path) -> None:
    question = "How many passengers were carried in 2019?"
    with octavo.open(folder, models=completing(whole(question, documents=("fleet.md", "other.md")))) as corpus:
        talk = corpus.conversation()
        talk.ask(PASSENGERS)
        answer = talk.ask("what does the one on ships say?")
        assert {one.name for one in answer.evidence.view.documents} == {"fleet.md"}


@pytest.mark.parametrize("reply", ["no JSON", whole("Who baked bread in 1987?"), ModelFault(FaultKind.SERVER, "down")])
def test_when_the_model_fails_the_rule_completes_and_the_record_says_why(folder: Path, reply: Line) -> None:
    names = {"complete_question": completing(reply), "language": "none"}
    with octavo.open(folder, models=names) as corpus:
        talk = corpus.conversation("guide.md")
        talk.ask(PASSENGERS)
        answer = talk.ask("and in 2021?")
        assert answer.understood == "How many passengers did the Storm Petrel carry in 2021?"
        assert answer.trace[0].steps[0].parameters["decided_by"] == "rule"
        assert answer.trace[0].steps[0].parameters["why"]


def test_a_refused_key_is_an_error_and_the_conversation_goes_on(folder: Path) -> None:
    replies: list[Line] = [ModelFault(FaultKind.AUTH, "wrong key")]

    def say(request: Request) -> Line:
        return replies.pop() if replies else whole("How many passengers did the Storm Petrel carry in 2021?")

    model = ScriptedModel(say, "scripted:guarded")  # a name of its own: replies to others are kept in the corpus
    with octavo.open(folder, models={"complete_question": model, "language": "none"}) as corpus:
        talk = corpus.conversation("guide.md")
        talk.ask(PASSENGERS)
        with pytest.raises(ModelError):
            talk.ask("and in 2021?")
        assert len(talk.turns) == 1
        assert talk.ask("and in 2021?").understood
