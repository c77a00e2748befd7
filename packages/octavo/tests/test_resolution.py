"""Gradient entity resolution: what falling scores mean, in worked sequences, and that merging loses nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES, Adjudication, EntityCard, NewName
from octavo.decisions.engine.judge import Judge
from octavo.layers.entities.extraction import EXACT, NAME, PERSON, TERM, EntityExtraction
from octavo.layers.entities.merging import Gradient, MergeOutcome, Resolution, keys_of, resolution_of, resolve
from octavo.models.embedders import embedder
from octavo_documents.text.names import is_short_for, likeness, name_words, normal_form

GRADIENT = Gradient()


@pytest.mark.parametrize(
    ("scores", "outcome", "leading"),
    [
        ([0.9, 0.3, 0.28, 0.1], MergeOutcome.MERGE, 1),  # a sharp fall after one
        ([0.9, 0.53, 0.5], MergeOutcome.MERGE, 1),  # 0.53 is less than 0.6 * 0.9
        ([0.9, 0.54, 0.2], MergeOutcome.ADJUDICATE, 2),  # 0.54 is exactly what 0.6 leaves of 0.9
        ([0.45, 0.4, 0.38, 0.3], MergeOutcome.NEW, 0),  # flat and low
        ([0.49, 0.1], MergeOutcome.NEW, 0),  # low, whatever comes after it
        ([0.9, 0.85, 0.8], MergeOutcome.ADJUDICATE, 3),  # flat and high
        ([0.9, 0.85, 0.2, 0.19], MergeOutcome.ADJUDICATE, 2),  # a sharp fall after several
        ([0.5, 0.29], MergeOutcome.MERGE, 1),  # 0.5 is not low
        ([0.95], MergeOutcome.ADJUDICATE, 1),  # one candidate shows no fall
        ([], MergeOutcome.NEW, 0),
        ([0.8, 0.0], MergeOutcome.MERGE, 1),
        ([0.7, 0.7, 0.7], MergeOutcome.ADJUDICATE, 3),  # ties
    ],
)
def test_a_row_of_scores_is_read_as_specified(scores: list[float], outcome: MergeOutcome, leading: int) -> None:
    assert GRADIENT.outcome(scores) == (outcome, leading)


@given(st.lists(st.floats(0.001, 1), min_size=1, max_size=12), st.floats(0.1, 0.99))
def test_the_leading_run_ends_at_the_first_sharp_fall(scores: list[float], g: float) -> None:
    ordered = sorted(scores, reverse=True)
    kept = Gradient(g=g).leading(ordered)
    assert all(ordered[at] >= g * ordered[at - 1] for at in range(1, kept))
    assert kept == len(ordered) or ordered[kept] < g * ordered[kept - 1]


class Worked:
    """Names whose scores against each other are written down; every name is searched among those before it."""

    def __init__(self, scores: dict[tuple[int, int], float], size: int, verdicts: dict[int, int] | None = None) -> None:
        self.scores = scores
        self.size = size
        self.verdicts = verdicts or {}
        self.asked: list[tuple[int, tuple[int, ...]]] = []
        self.rounds = 0

    def rerank(self, name: int, candidates: Sequence[int]) -> list[float]:
        return [self.scores.get((name, other), 0.01) for other in candidates]

    def adjudicate(self, pending: Sequence[tuple[int, tuple[int, ...]]]) -> list[int]:
        self.rounds += 1
        self.asked += pending
        return [self.verdicts.get(name, -1) for name, _ in pending]

    def run(self) -> Resolution:
        vectors = np.tile(np.array([[1.0, 0.0]], np.float32), (self.size, 1))
        keys = [[f"name {at}"] for at in range(self.size)]
        return resolve(keys, vectors, np.ones(self.size, np.bool_), self.rerank, self.adjudicate)


def test_a_sharp_fall_merges_and_flat_low_scores_make_new_entities() -> None:
    worked = Worked({(2, 0): 0.9, (2, 1): 0.2, (3, 0): 0.3, (3, 1): 0.28}, 4)
    assert worked.run().entity.tolist() == [0, 1, 0, 2]
    assert worked.asked == []


def test_flat_high_scores_are_adjudicated_once_for_all_names_and_the_default_is_no_match() -> None:
    worked = Worked({(2, 0): 0.8, (2, 1): 0.75, (3, 0): 0.7, (3, 1): 0.6}, 4)
    resolution = worked.run()
    assert worked.rounds == 1
    assert worked.asked == [(2, (0, 1)), (3, (0, 1))]
    assert resolution.entity.tolist() == [0, 1, 2, 3]
    assert (resolution.adjudicated, resolution.matched) == (2, 0)


def test_a_verdict_unites_a_name_with_the_candidate_it_was_shown_and_with_no_other() -> None:
    scores = {(2, 0): 0.8, (2, 1): 0.75}
    assert Worked(scores, 3, {2: 1}).run().entity.tolist() == [0, 1, 1]
    assert Worked(scores, 3, {2: 7}).run().entity.tolist() == [0, 1, 2]


def test_what_waits_for_a_verdict_can_be_found_by_later_names_and_chains_become_one() -> None:
    scores = {(2, 0): 0.8, (2, 1): 0.75, (3, 2): 0.95, (3, 0): 0.3, (3, 1): 0.3}
    assert Worked(scores, 4, {2: 0}).run().entity.tolist() == [0, 1, 0, 0]


def test_ties_go_to_the_name_that_came_first() -> None:
    worked = Worked({(2, 0): 0.7, (2, 1): 0.7}, 3, {2: 0})
    worked.run()
    assert worked.asked == [(2, (0, 1))]


def test_only_the_nearest_ten_are_scored() -> None:
    seen: list[int] = []

    def rerank(_name: int, candidates: Sequence[int]) -> list[float]:
        seen.append(len(candidates))
        return [0.0] * len(candidates)

    size = 600
    vectors = np.random.default_rng(1).normal(size=(size, 8)).astype(np.float32)
    resolve([[at] for at in range(size)], vectors, np.ones(size, np.bool_), rerank, lambda _: [])
    assert max(seen) == 10
    assert sum(seen) <= 10 * size


@given(st.integers(0, 6), st.integers(2, 40))
def test_the_search_finds_what_a_search_of_all_rows_finds(seed: int, size: int) -> None:
    vectors = np.random.default_rng(seed).normal(size=(size, 4)).astype(np.float32)
    given_to: dict[int, list[int]] = {}

    def rerank(name: int, candidates: Sequence[int]) -> list[float]:
        given_to[name] = list(candidates)
        return [0.0] * len(candidates)

    resolve([[at] for at in range(size)], vectors, np.ones(size, np.bool_), rerank, lambda _: [])
    for name, candidates in given_to.items():
        best = np.sort(vectors[:name] @ vectors[name])[::-1][:10]
        assert np.allclose(sorted((vectors[candidates] @ vectors[name]).tolist(), reverse=True), best, atol=1e-5)


# Names that are one by rule, and names that are not


def entities(names: Sequence[str], acronyms: Sequence[tuple[str, str]] = (), type_: str = NAME) -> list[int]:
    extraction = EntityExtraction(acronyms=list(acronyms))
    numbers = [extraction.name(name, type_) for name in names]
    entity = resolution_of(extraction, Judge(), embedder).entity
    return [int(entity[number]) for number in numbers]


def test_an_introduced_acronym_is_its_expansion_whichever_comes_first() -> None:
    pair = [("TWI", "tidal warning index")]
    assert entities(["tidal warning index", "wind rose", "TWI"], pair) == [0, 1, 0]
    assert entities(["TWI", "wind rose", "Tidal Warning Indices", "tidal warning index"], pair)[3] == 0


def test_an_acronym_that_two_names_could_have_is_neither() -> None:
    names = ["Northern Ferry Company", "National Fishing Council", "NFC"]
    assert len(set(entities(names))) == 3
    assert entities([names[0], "Grey Heron", "NFC"]) == [0, 1, 0]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Grey Heron", "grey herons"),
        ("multi-hop reasoning", "multihop reasoning"),
        ("Harwick Salt, Inc.", "The Harwick Salt"),
        ("U.S.", "US"),
        ("Émile Novak’s", "Emile Novak"),
        ("COVID-19", "Covid 19"),
    ],
)
def test_names_with_equal_normal_forms_are_one(left: str, right: str) -> None:
    assert normal_form(left) == normal_form(right)
    assert entities([left, right]) == [0, 0]


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("Pier 2", "Pier 3"),
        ("Class A share", "Class B share"),
        ("Phase II", "Phase III"),
        ("2019 plan", "2020 plan"),
        ("berth fee", "total berth fee"),
        ("TACREV", "TACRED"),
        ("C++", "C"),
        ("$4 million", "$5 million"),
        ("tide reduction", "tide production"),
        ("1.5 km", "15 km"),
    ],
)
def test_names_that_only_look_alike_stay_apart(left: str, right: str) -> None:
    assert likeness(left, right) < GRADIENT.low
    assert entities([left, right, "lantern", "weather station"])[:2] == [0, 1]


def test_a_misspelt_name_is_found_where_nothing_else_is_like_it() -> None:
    assert entities(["Transformer network", "salt harvest", "Transfomer network"]) == [0, 1, 0]


def test_a_surname_is_the_one_person_who_has_it() -> None:
    extraction = EntityExtraction()
    for name, type_ in (("Anna Brandt", PERSON), ("Brandt", NAME), ("Dr. Anna Brandt", PERSON), ("Novak", NAME)):
        extraction.name(name, type_)
    assert resolution_of(extraction, Judge(), embedder).entity.tolist() == [0, 0, 0, 1]
    extraction.name("Peter Brandt", PERSON)
    entity = resolution_of(extraction, Judge(), embedder).entity.tolist()
    assert entity[1] not in (entity[0], entity[4])


def test_values_and_elements_are_never_compared_for_likeness() -> None:
    extraction = EntityExtraction()
    for type_ in sorted(EXACT):
        extraction.name(f"Table 1: Lengths of {type_}", type_, element=len(extraction.names))
        extraction.name(f"Table 1: Lengths of {type_}s", type_, element=len(extraction.names))
    assert len(set(resolution_of(extraction, Judge(), embedder).entity.tolist())) == 2 * len(EXACT)


@pytest.mark.parametrize(
    ("short", "long", "is_short"),
    [
        ("RAG", "Retrieval-Augmented Generation", True),
        ("LLMs", "large language model", True),
        ("UNSC", "UN Security Council", True),
        ("SEC", "Securities and Exchange Commission", True),
        ("RAG", "Rainfall Gauge", False),
        ("A", "Anchor", False),
    ],
)
def test_acronyms_are_initials(short: str, long: str, is_short: bool) -> None:
    assert is_short_for(short, long) is is_short


@given(st.text(max_size=30), st.text(max_size=30))
def test_likeness_is_symmetric_and_between_0_and_1(left: str, right: str) -> None:
    assert likeness(left, right) == pytest.approx(likeness(right, left))
    assert 0.0 <= likeness(left, right) <= 1.0
    assert isinstance(name_words(left), tuple)


def test_the_rule_of_adjudication_matches_a_candidate_without_rivals_or_one_of_a_family() -> None:
    def ask(name: str, *candidates: str) -> int:
        item = NewName(EntityCard(name), tuple(map(EntityCard, candidates)))
        return Judge().decide_items(ADJUDICATE_ENTITIES, Adjudication(), [item])[0].output.match

    assert ask("Tidal Warning Index", "Wind Index", "Tidal Warnning Index") == 2
    assert ask("Harbour", "Harbour Board", "Harbour Group") == 0
    assert ask("Anchorage lines", "Anchorege line", "Anchorge line") == 1


def test_keys_of_a_term_do_not_take_a_surname() -> None:
    extraction = EntityExtraction()
    extraction.name("Anna Salt", PERSON)
    extraction.name("salt", TERM)
    first, second = keys_of(extraction.names, ())
    assert set(first).isdisjoint(second)
