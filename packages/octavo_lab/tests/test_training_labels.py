"""Labels from gold evidence, and what routers do for answers: what is not known is not taught, and nothing is lost."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, cast

import pytest

from indexed import run_over
from octavo.corpus import Corpus
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Evidence, View
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Kind
from octavo_lab.question import NOT_ANSWERABLE, Gold, Question
from octavo_lab.training import scoring
from octavo_lab.training.example import Curation, GoldLabels, ModelLabels, by_gold
from octavo_methods.rdr2.decisions.route_document import ROUTE_DOCUMENT, Actions, RouteLine, Routing, route_by_scores
from octavo_methods.rdr2.subtrees import RouteSubtrees
from octavo_methods.rdr2.trees import RetrievalSubtree
from parks import PARK, QUESTION, number_of, retrieved
from synthetic import document

QUAY = document([(Kind.PARAGRAPH, "The quay has nine moorings.", 1, 0)], name="quay.pdf")
PIER = document([(Kind.PARAGRAPH, "The pier has a lamp and a winch.", 1, 0)], name="pier.pdf")
VIEW = View([QUAY, PIER])


def asked(answer: object = "nine", **more: Any) -> Question:
    return Question("q1", "How many moorings?", answer, **more)


def routing(name: str, text: str) -> Routing:
    return Routing("How many moorings?", name, (RouteLine(1, 1, is_heading=False, text=text, can_expand=False),))


def labelled(gold: Gold, question: Question) -> tuple[dict[str, Actions], int]:
    """Return what is taught of each document, by name, and how many steps became no example."""
    labels = GoldLabels(VIEW, gold, question)
    for one in (QUAY, PIER):
        labels.decide(ROUTE_DOCUMENT, routing(one.name, one.blocks.text[0]))
    return {one.routing.document: one.actions for one in labels.examples}, labels.unreachable


def test_gold_that_stands_in_a_document_answers_and_the_others_are_refused() -> None:
    gold = Gold((frozenset({(QUAY.id, "b0")}),), (frozenset({"quay.pdf"}),))
    assert labelled(gold, asked()) == ({"quay.pdf": Actions(answer=[1]), "pier.pdf": Actions(refuse=True)}, 0)


def test_evidence_that_was_found_nowhere_teaches_no_refusal() -> None:
    assert labelled(Gold(), asked()) == ({}, 2)
    assert labelled(Gold((frozenset(),), (frozenset({"quay.pdf"}),)), asked()) == ({}, 2)


def test_a_document_that_is_said_to_hold_evidence_is_not_refused_because_none_was_found_in_it() -> None:
    gold = Gold((frozenset({(QUAY.id, "b0")}), frozenset()), (frozenset({"quay.pdf"}), frozenset({"pier.pdf"})))
    assert labelled(gold, asked()) == ({"quay.pdf": Actions(answer=[1])}, 1)


def test_a_question_without_an_answer_refuses_every_document() -> None:
    refused = Actions(refuse=True)
    assert labelled(Gold(), asked(NOT_ANSWERABLE)) == ({"quay.pdf": refused, "pier.pdf": refused}, 0)


SLIP = document(
    [
        (Kind.HEADING, "Moorings", 1, 1),
        (Kind.PARAGRAPH, "Moorings are let by the season.", 1, 0),
        (Kind.HEADING, "Size", 1, 1),
        (Kind.PARAGRAPH, "There are nine.", 1, 0),
    ],
    name="slip.pdf",
)


def test_following_the_rule_shows_what_to_do_after_a_heading_that_hid_nothing() -> None:
    gold = Gold((frozenset({(SLIP.id, "b3")}),), (frozenset({"slip.pdf"}),))
    labels = GoldLabels(View([SLIP]), gold, asked(), follows_rule=True)
    opened = [
        RouteLine(1, 1, is_heading=True, text="Moorings", can_expand=False),
        RouteLine(2, 0, is_heading=False, text="Moorings are let by the season.", can_expand=False, score=0.9),
        RouteLine(3, 1, is_heading=True, text="Size", can_expand=True, score=0.1),
    ]
    wrong = Routing("How many moorings?", "slip.pdf", tuple(opened))
    taken = labels.decide(ROUTE_DOCUMENT, wrong).output
    assert [one.actions for one in labels.examples] == [Actions(expand=[3])]
    assert taken == route_by_scores(wrong) != Actions(expand=[3])


def test_a_document_whose_gold_was_chosen_teaches_nothing_more() -> None:
    gold = Gold((frozenset({(QUAY.id, "b0")}),), (frozenset({"quay.pdf"}),))
    labels = GoldLabels(VIEW, gold, asked())
    for _ in range(2):
        labels.decide(ROUTE_DOCUMENT, routing("quay.pdf", QUAY.blocks.text[0]))
    assert ([one.actions for one in labels.examples], labels.unreachable) == ([Actions(answer=[1])], 1)


class Shelf:
    """A corpus that finds the same rows for every question; None: it finds none."""

    def __init__(self, *texts: str) -> None:
        self.asked: list[Sequence[str] | None] = []
        rows = [(Kind.PARAGRAPH, text, 1, 0) for text in texts]
        self._view = View([document(rows)] if rows else [])

    def search(self, _question: str, *, documents: Sequence[str] | None, **_rest: object) -> Any:
        self.asked.append(documents)
        return SimpleNamespace(
            evidence=Evidence.of(self._view, range(len(self._view))), decided_by={"model": 2, "rule": 1}
        )


def answered(shelf: Shelf, *questions: Question, scope: Sequence[str] | None = None) -> scoring.Outcome:
    return scoring.run_system(cast(Corpus, shelf), questions, lambda _question: scope, "rdr2")


def test_an_answer_counts_wherever_it_stands_in_the_passages_read() -> None:
    shelf = Shelf("The pier has a lamp.", "A winch stands there too.", "The quay has nine moorings.")
    found = answered(shelf, asked("nine"), asked([["winch"], ["lamp"]]), asked([["lamp"], ["crane"]]))
    assert found.passage_em == (1 + 1 + 0.5) / 3
    assert found.passage_hit == 2 / 3
    assert found.routed_by_model == 2


def test_a_question_whose_documents_are_not_there_finds_nothing_and_ends_nothing() -> None:
    shelf = Shelf("The quay has nine moorings.")
    assert answered(shelf, asked(), scope=[]).passage_em == 0
    assert shelf.asked == []


def test_a_question_that_nothing_is_found_for_is_skipped() -> None:
    curation = Curation(cast(Corpus, Shelf()), by_gold(lambda _question: Gold()), cast(Any, None))
    assert list(curation.examples(asked(), [])) == []
    assert list(curation.examples(asked(), None)) == []
    assert curation.skipped == 2


# Labels of a model


@pytest.mark.parametrize("is_single_turn", [True, False])
def test_in_a_single_turn_each_subtree_that_was_retrieved_is_an_example_and_nothing_follows(
    is_single_turn: bool,
) -> None:
    ride, records = number_of(PARK, "In 2001"), number_of(PARK, "Records")
    said = f"[ANSWER] {ride}: In 2001\n[EXPAND] {records}: Records"
    run = run_over(PARK, question=QUESTION)
    model = ScriptedModel(lambda request: said if "In 2001" in request.turns[0].text else "[REFUSE]")
    judge = ModelLabels(Judge({"route_subtree": model}), run.view, "q", is_single_turn=is_single_turn)
    run.judge = judge
    found = retrieved(run.view, "In 2001", "The decade")
    (RetrievalSubtree(tokens=None) >> RouteSubtrees())(found, run)
    assert [one.kind for one in judge.examples] == ["refuse", "answer", *(["refuse"] if not is_single_turn else [])]
    assert (judge.examples[1].actions.answer, judge.examples[1].actions.expand) == ([ride], [records])
    assert {(one.decision, one.source) for one in judge.examples} == {("route_subtree", model.id)}


def test_a_step_of_which_anything_cannot_be_done_is_no_example() -> None:
    ride = number_of(PARK, "In 2001")
    run = run_over(PARK, question=QUESTION)
    model = ScriptedModel(lambda _request: f"[ANSWER] {ride}, 999: In 2001")
    run.judge = judge = ModelLabels(Judge({"route_subtree": model}), run.view, "q", is_single_turn=True)
    (RetrievalSubtree(tokens=None) >> RouteSubtrees())(retrieved(run.view, "In 2001"), run)
    assert (judge.examples, judge.unreachable) == ([], 1)
