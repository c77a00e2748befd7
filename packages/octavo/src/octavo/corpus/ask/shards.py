"""The passages of a corpus in shards that others hold: all are asked at once, and what they find becomes one ranking.

The ranking is that of one index over the whole: first all shards say how often the words of the question occur, then
each ranks its documents by the sums. A shard has copies; another copy is asked when the first fails or is late. Knows
nothing of how a copy is reached.
"""

from __future__ import annotations

import math
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeAlias, TypeVar

from octavo.corpus.ask.passage_index import PassageIndex, Ranked, Scope, Statistics, first, joined, keys_of
from octavo.corpus.ask.segments import Integers
from octavo.corpus.store.catalogue import Catalogue, Stamp
from octavo.errors import CorpusError
from octavo.evidence import Unsearched
from octavo.models.question_vectors import QuestionVectors

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

HEDGE_SECONDS = 0.2
"""After which another copy of a shard is asked too, or after twice what nearly all answers took lately."""
_LATEST_HEDGE_SECONDS = 5.0
_RECENT = 64
"""Answers of a shard whose times are remembered."""
_NEARLY_ALL = 0.95
_DOUBT_SECONDS = 10.0
"""For which a copy that failed, or was late, is asked after the others."""
PATIENCE_SECONDS = 30.0
"""After which a shard that has not answered is given up; it may be putting many new documents into its index."""


class ShardQuestion(Protocol[_T_co]):
    """What a shard is asked."""

    def put_to(self, index: PassageIndex) -> _T_co:
        """Return what the passages of the shard have to say."""
        ...


@dataclass(frozen=True)
class Summary:
    """What is in a shard: `examples` has, by embedding model, a document whose vectors it made."""

    passages: int
    segments: tuple[str, ...]
    examples: dict[str, str]
    has_other_languages: bool = False


@dataclass(frozen=True)
class ShardHolding:
    """Asks what is there."""

    def put_to(self, index: PassageIndex) -> Summary:
        """Return what is there."""
        names = tuple(part.segment.name for part in index.segments)
        return Summary(
            index.passages,
            names,
            {model: index.example(model) for model in index.embeddings},
            index.has_other_languages,
        )


@dataclass(frozen=True)
class Counting:
    """Asks what BM25 has to know of terms."""

    keys: Integers

    def put_to(self, index: PassageIndex) -> Statistics:
        """Return the statistics of the shard."""
        return index.statistics(self.keys)


@dataclass(frozen=True)
class CountingDocuments:
    """Asks how many documents have each of some terms."""

    keys: Integers

    def put_to(self, index: PassageIndex) -> Integers:
        """Return the (n,) counts of the shard."""
        return index.documents_with_keys(self.keys)


@dataclass(frozen=True)
class ByWords:
    """Asks for the documents that fit terms best, by the statistics of all shards."""

    keys: Integers
    statistics: Statistics
    scope: Scope
    limit: int

    def put_to(self, index: PassageIndex) -> Ranked:
        """Return the best documents of the shard."""
        return index.by_words(self.keys, self.statistics, self.scope, self.limit)


@dataclass(frozen=True)
class ByVector:
    """Asks for the documents that are nearest to a question."""

    query: QuestionVectors
    scope: Scope
    limit: int

    def put_to(self, index: PassageIndex) -> Ranked:
        """Return the best documents of the shard."""
        return index.by_vector(self.query, self.scope, self.limit)


@dataclass(frozen=True)
class Refusal:
    """Why a copy could not answer."""

    why: str


Copy: TypeAlias = Callable[[Stamp, ShardQuestion[Any]], "Future[Any]"]
"""Puts a question to a copy of a shard that is as new as a state of the store, or newer; it may answer a `Refusal`.

A question whose future is cancelled is dropped if the copy has not begun with it. Copies found again are equal.
"""


class Copies:
    """The copies of a shard, and what is known of how they do. Threads may share it."""

    def __init__(self, copies: Iterable[Copy], seconds: deque[float], doubted: dict[Copy, float]) -> None:
        """Take the copies and what is known, which is kept up: times of answers, and until when copies are in doubt."""
        self._copies, self._seconds, self._doubted = [*copies], seconds, doubted

    def __len__(self) -> int:
        return len(self._copies)

    def in_turn(self, turn: float) -> list[Copy]:
        """Return them as they are to be asked, beginning at a share of 0..1 of them, and with those in doubt last."""
        first, now = int(turn * len(self._copies)), time.monotonic()
        turned = self._copies[first:] + self._copies[:first]
        return sorted(turned, key=lambda copy: self._doubted.get(copy, 0.0) > now)

    @property
    def hedge(self) -> float:
        """After how many seconds another copy is to be asked: later where all are slow, else load would double load."""
        recent = sorted(self._seconds)
        usual = recent[int(_NEARLY_ALL * len(recent))] if recent else 0.0
        return min(max(HEDGE_SECONDS, 2 * usual), _LATEST_HEDGE_SECONDS)

    def answered(self, seconds: float) -> None:
        """Note how long an answer took."""
        self._seconds.append(seconds)

    def doubt(self, copy: Copy) -> None:
        """Note that a copy failed, or was late."""
        self._doubted[copy] = time.monotonic() + _DOUBT_SECONDS


class ShardedIndex:
    """The first stage over shards. Thread-safe."""

    def __init__(
        self,
        catalogue: Catalogue,
        find: Callable[[], Sequence[Sequence[Copy]]],
        *,
        count: Callable[[Sequence[int], int], int],
        forget: Callable[[Iterable[int]], None] = lambda _: None,
        partial: bool = False,
    ) -> None:
        """Search in the shards whose copies `find` returns.

        `count` tells how many documents some shards hold, given their positions and how many shards there are;
        `forget` has all copies leave nothing of some documents. With `partial` what no copy answers for is left out,
        and told in `unsearched`.
        """
        self._catalogue, self._find, self._count, self._forget = catalogue, find, count, forget
        self._partial = partial
        self._lock = threading.Lock()
        self._copies: list[Copies] = []
        self._seconds: dict[int, deque[float]] = {}
        """What answers of each shard took lately."""
        self._doubted: dict[Copy, float] = {}
        self._known: tuple[Stamp, list[Summary]] | None = None

    def current(self) -> ShardedRanking:
        """Return the ranking of all visible documents. Raises CorpusError (`unreachable`)."""
        stamp = self._catalogue.stamp()
        with self._lock:
            if not self._copies:
                self._copies = [
                    Copies(copies, self._seconds.setdefault(at, deque(maxlen=_RECENT)), self._doubted)
                    for at, copies in enumerate(self._find())
                ]
            ranking = ShardedRanking(self, stamp, self._copies, is_partial=self._partial)
            known = self._known
        if known is None or known[0] != stamp:
            ranking.summaries = ranking.asked(ShardHolding())
            with self._lock:
                self._known = None if ranking.unsearched else (stamp, ranking.summaries)
        else:
            ranking.summaries = known[1]
        return ranking

    def look_again(self) -> None:
        """Have the copies looked for when the next question comes: one has failed, and there may be new ones."""
        with self._lock:
            self._copies, self._known = [], None

    def held(self, shards: Sequence[int], of: int) -> tuple[int, int]:
        """Return how many documents some shards hold, and how many there are."""
        return self._count(shards, of), self._catalogue.count()

    def prepare(self) -> None:
        """Do nothing: shards get in step when they are asked."""

    def forget(self, numbers: Iterable[int]) -> None:
        """Have all copies leave nothing of these documents."""
        self._forget(numbers)

    def damage(self) -> list[Path]:
        """Always empty: no files are on this machine."""
        return []

    def close(self) -> None:
        """Let go of the copies."""
        self.look_again()


class ShardedRanking:
    """All passages in shards at one moment, for one question. A shard that failed once is not asked again."""

    def __init__(self, index: ShardedIndex, stamp: Stamp, copies: list[Copies], *, is_partial: bool) -> None:
        self._index, self._stamp, self._copies, self._is_partial = index, stamp, copies, is_partial
        self._failed: dict[int, str] = {}
        self._turn = random.random()  # noqa: S311 - no secret is made
        """Which copy of a shard is asked all of the question, so that it is answered in one state."""
        self.summaries: list[Summary] = []

    @property
    def passages(self) -> int:
        """Return how many passages there are."""
        return sum(one.passages for one in self.summaries)

    @property
    def segments(self) -> Sequence[str]:
        """Return what they lie in."""
        return [name for one in self.summaries for name in one.segments]

    @property
    def has_other_languages(self) -> bool:
        """Whether a model of many languages read any passage."""
        return any(one.has_other_languages for one in self.summaries)

    @property
    def embeddings(self) -> frozenset[str]:
        """Return which models made the vectors."""
        return frozenset(model for one in self.summaries for model in one.examples)

    def example(self, embedding: str) -> str:
        """Return the id of a document whose vectors a model of `embeddings` made."""
        return next(one.examples[embedding] for one in self.summaries if embedding in one.examples)

    @property
    def unsearched(self) -> Unsearched | None:
        """Return what was left out."""
        if not self._failed:
            return None
        documents, among = self._index.held([*self._failed], len(self._copies))
        shards = tuple(shard + 1 for shard in sorted(self._failed))
        return Unsearched(documents, among, shards, len(self._copies), next(iter(self._failed.values())))

    def documents_with(self, terms: Sequence[str]) -> list[int]:
        """Return for each term, each once, how many documents have it."""
        first, *others = self.asked(CountingDocuments(keys_of(terms)))
        return sum(others, start=first).tolist()

    def lexical(self, terms: Sequence[str], scope: Scope, limit: int) -> list[int]:
        """Return the numbers of documents by how well terms fit them (BM25 over the whole corpus), best first."""
        keys = keys_of(terms)
        none, *counted = self.asked(Counting(keys))
        statistics = sum(counted, start=none)
        return self._merged(ByWords(keys, statistics, scope, limit), limit)

    def dense(self, query: QuestionVectors, scope: Scope, limit: int) -> list[int]:
        """Return the numbers of documents by how near they are to a question, best first."""
        return self._merged(ByVector(query, scope, limit), limit)

    def _merged(self, question: ShardQuestion[Ranked], limit: int) -> list[int]:
        return first(joined(self.asked(question)), limit).numbers.tolist()

    def asked(self, question: ShardQuestion[_T]) -> list[_T]:
        """Return what the shards say, one reply or more. Raises CorpusError (`unreachable`)."""
        among = {at: copies for at, copies in enumerate(self._copies) if at not in self._failed}
        found, why = ask_all(among, self._stamp, question, turn=self._turn)
        if why:
            self._index.look_again()
        failed = {at: reason for at, reason in why.items() if at not in found}
        if failed:
            self._failed |= failed
            if not self._is_partial or len(self._failed) == len(self._copies):
                raise CorpusError("unreachable", self._refused())
        return [found[at] for at in sorted(found)]

    def _refused(self) -> str:
        shards = [str(at + 1) for at in sorted(self._failed)]
        count = f"shard {shards[0]}" if len(shards) == 1 else f"shards {', '.join(shards)}"
        advice = "'octavo cluster search' starts searchers again"
        if not self._is_partial:
            advice += ", and with --partial the others are asked alone"
        return f"No searcher of {count} of {len(self._copies)} answers ({next(iter(self._failed.values()))}): {advice}"


def ask_all(
    shards: dict[int, Copies],
    stamp: Stamp,
    question: ShardQuestion[_T],
    *,
    turn: float = 0.0,
    patience: float = PATIENCE_SECONDS,
) -> tuple[dict[int, _T], dict[int, str]]:
    """Put a question to all shards at once; return what each says, and of each why a copy failed, or all did.

    Of a shard's copies, beginning at a share of 0..1 of them, the next one is asked as soon as one fails, or is late;
    the first reply counts. What is not
    waited for any more, in the end all, is dropped by a copy that has not begun with it.
    """
    asking = _Asking[_T](shards, stamp, question, turn)
    ends = time.monotonic() + patience
    try:
        while (awaited := asking.awaited()) and time.monotonic() < ends:
            until = min([ends, *asking.hedges()])
            done, _ = wait(awaited, max(0.0, until - time.monotonic()), FIRST_COMPLETED)
            for future in done:
                asking.take(future)
            asking.ask_the_late()
    finally:
        asking.drop(shards)
    late = f"it said nothing in {patience:g} seconds"
    silent = {at: late if copies else "there is none" for at, copies in shards.items() if at not in asking.found}
    return asking.found, silent | asking.why


class _Asking(Generic[_T]):
    """One question on its way to all shards."""

    def __init__(self, shards: dict[int, Copies], stamp: Stamp, question: ShardQuestion[_T], turn: float) -> None:
        self._shards, self._stamp, self._question = shards, stamp, question
        self._left = {shard: copies.in_turn(turn) for shard, copies in shards.items()}
        self._hedge = {shard: copies.hedge for shard, copies in shards.items()}
        self._asked: dict[int, float] = {}
        self._waiting: dict[Future[Any], tuple[int, Copy, float]] = {}
        self.found: dict[int, _T] = {}
        self.why: dict[int, str] = {}
        for shard in shards:
            self._ask_next(shard)

    def awaited(self) -> list[Future[Any]]:
        """Return what is to come, of shards that have not answered."""
        return [future for future, (shard, *_) in self._waiting.items() if shard not in self.found]

    def hedges(self) -> Iterator[float]:
        """Yield when another copy of a shard is to be asked."""
        for shard, asked in self._asked.items():
            if self._left[shard] and shard not in self.found:
                yield asked + self._hedge[shard]

    def ask_the_late(self) -> None:
        """Ask another copy where the last one that was asked is late."""
        for shard, asked in [*self._asked.items()]:
            if shard not in self.found and time.monotonic() >= asked + self._hedge[shard]:
                self._ask_next(shard)

    def take(self, future: Future[Any]) -> None:
        """Take a reply; where it is a failure the next copy is asked, else who was asked before is late."""
        if future not in self._waiting:  # another copy was as quick
            return
        shard, copy, asked = self._waiting.pop(future)
        error = future.exception()
        reply = Refusal(first_line(error)) if error else future.result()
        if isinstance(reply, Refusal):
            self.why[shard] = reply.why
            self._shards[shard].doubt(copy)
            self._ask_next(shard)
        elif shard not in self.found:
            self.found[shard] = reply
            self._shards[shard].answered(time.monotonic() - asked)
            self.drop([shard], before=asked)

    def drop(self, among: Iterable[int], before: float = math.inf) -> None:
        """Let go of what some shards were asked and have not answered; copies that were asked `before` are late."""
        wanted = {*among}
        for future, (shard, copy, asked) in [*self._waiting.items()]:
            if shard in wanted:
                if asked < before and not future.done():
                    self._shards[shard].doubt(copy)
                future.cancel()
                del self._waiting[future]

    def _ask_next(self, shard: int) -> None:
        if self._left[shard] and shard not in self.found:
            copy = self._left[shard].pop(0)
            asked = self._asked[shard] = time.monotonic()
            self._waiting[copy(self._stamp, self._question)] = shard, copy, asked


def first_line(error: BaseException) -> str:
    """Return the first line of what an error says, else its type."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)
