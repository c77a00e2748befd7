"""The columns of evidence that a plan reads and writes: one that nothing writes is an error when the plan is made."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import ClassVar

import pytest

from octavo.errors import UsageError
from octavo.evidence import Evidence, Query
from octavo.operators.columns import Columns
from octavo.operators.core import ByReach, FirstFound, ForEach, Run, Step
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.keep import BestPassages, KeepByScoreGap, RankPages
from octavo.operators.plan_columns import columns_by_step
from octavo.operators.plan_parser import read_back, read_plan
from octavo.operators.read.direct_reader import DirectReader, OverPictures
from octavo.operators.score.fuse import AddPageBonuses, BoostMentionedDocuments, Fuse, Part
from octavo.operators.score.refer import Refer
from octavo.operators.score.search import LateSearch, Search
from octavo.operators.search_agent.investigate import Investigate, SearchFurther
from octavo.operators.search_agent.tools import NeuroSemanticSearch
from octavo.systems import SYSTEMS, System, from_plan

BM25 = Search("bm25")


@dataclasses.dataclass(frozen=True)
class Strange(Step[Query, Evidence]):
    """An operator that declares nothing."""

    def apply(self, value: Query, using: Run) -> Evidence:
        return Evidence.of(using.view, [0], strange=[1.0])


@dataclasses.dataclass(frozen=True)
class Forget(Step[Evidence, Evidence]):
    """Keep one column."""

    declares: ClassVar[Columns] = Columns(keeps={"dense"})

    def apply(self, value: Evidence, using: Run) -> Evidence:
        return dataclasses.replace(value, scores={"dense": value.scores["dense"]})


def test_a_column_that_nothing_writes_is_an_error_that_names_step_column_and_what_writes_it() -> None:
    with pytest.raises(UsageError) as wrong:
        (BM25 | Refer()) >> RankPages("dense")
    assert str(wrong.value) == (
        "RankPages reads the column 'dense', and no step before it writes that; "
        "there are: bm25 (by Search), named (by Refer), read_first (by Refer); what writes it: Search('dense')"
    )


def test_what_writes_a_column_whatever_it_is_made_with_is_named_too() -> None:
    with pytest.raises(UsageError, match=r"there are: bm25 \(by Search\); what writes it: Fuse$"):
        BM25 >> RankPages("fused")


@pytest.mark.parametrize(
    "made",
    [
        lambda: BM25 >> Fuse((Part("bm25", 1.0), Part("dense", 1.0))),
        lambda: BM25 >> Fuse((Part("bm25", 1.0, doubt=0.5, by="coverage"),)),
        lambda: BM25 >> (RankPages("dense") | RankPages("bm25")),
        lambda: FirstFound((BM25, Refer())) >> RankPages("bm25"),
        lambda: ByReach(BM25, BM25, Refer()) >> BestPassages("bm25"),
        lambda: BM25 >> KeepByScoreGap(),
        lambda: BM25 >> ExtractiveReader(),
        lambda: LateSearch() >> RankPages("dense"),
        lambda: (BM25 | Search("dense")) >> Forget() >> RankPages("bm25"),
        lambda: BM25 >> BoostMentionedDocuments("bm25", 0.8) >> RankPages("mentioned"),
        lambda: System("late", ForEach(BM25 >> RankPages("bm25")), DirectReader()),  # type: ignore[arg-type]
        lambda: System("unranked", BM25, BM25 >> RankPages("bm25") >> DirectReader()),
        lambda: System("by", BM25 >> RankPages("bm25"), BM25 >> RankPages("bm25") >> DirectReader(), by="fused"),
        lambda: System("rest", *[SYSTEMS["bm25"].retrieve, SYSTEMS["bm25"].answer], rest=BM25),  # type: ignore[arg-type]
        lambda: System("look", SYSTEMS["bm25"].retrieve, OverPictures(SYSTEMS["bm25"].answer, BM25 >> DirectReader())),
        lambda: System("agent", Investigate((NeuroSemanticSearch(BM25),)) >> RankPages("fused"), DirectReader()),  # type: ignore[arg-type]
        lambda: BM25 >> RankPages("bm25") >> SearchFurther(DirectReader(), (NeuroSemanticSearch(BM25),)),
    ],
)
def test_every_composition_is_followed(made: Callable[[], object]) -> None:
    with pytest.raises(UsageError, match="reads the column"):
        made()


def test_a_column_that_is_only_used_may_lack_and_one_that_may_be_written_is_no_promise() -> None:
    plan = BM25 >> AddPageBonuses("bm25", bonuses=(("statement", 0.5),)) >> KeepByScoreGap()
    assert plan.after({}) == {"bm25": "Search", "relevance": "AddPageBonuses"}
    found = (BM25 >> BoostMentionedDocuments("bm25", 0.8)).after({})
    assert found == {"bm25": "Search"}


def test_a_plan_that_is_read_back_is_followed_from_the_question_on() -> None:
    assert read_back("RankPages('anything')") == RankPages("anything")
    for text in ("Search('bm25') >> RankPages('dense')", "FirstFound((Search('bm25'),)) >> RankPages('named')"):
        with pytest.raises(UsageError, match="reads the column"):
            read_plan(text)
    with pytest.raises(UsageError, match="reads the column 'relevance'"):
        from_plan("Search('bm25')")


def test_what_declares_nothing_may_stand_anywhere_and_write_anything() -> None:
    plan = (Strange() | BM25) >> RankPages("strange")
    assert System("strange", plan, plan >> DirectReader()).retrieve == plan
    assert Strange().after({}) is None


def test_a_plan_lists_its_steps_with_their_columns() -> None:
    plan = FirstFound((BM25 >> RankPages("bm25"), Refer() >> RankPages("named"))) >> KeepByScoreGap()
    lines = columns_by_step(plan).splitlines()
    assert lines[:3] == [
        "FirstFound",
        "  Search(kind='bm25'): writes bm25",
        "  RankPages(by='bm25', most=None): reads bm25; may read thing; writes relevance",
    ]
    assert lines[-1].endswith(": reads relevance; may read listed, same_unit")
    assert columns_by_step(Strange()) == "Strange(): not declared"
