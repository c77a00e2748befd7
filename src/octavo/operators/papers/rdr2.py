"""Document routing: a router answers, expands or refuses in every retrieved document until nothing is left to open.

RDR2 equations 2 to 5, over the trees of `rdr2_trees`. All documents are decided at once in each round;
`DocumentRouting` is the state of one of them. The content that was chosen is given to a reader, whose confidence it
lowers (equations 5 and 6).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine import Decided
from octavo.decisions.route_document import ROUTE_DOCUMENT, Actions, Legal, RouteLine, Routing, legal, route_by_scores
from octavo.document import Answer, Evidence, Kind, Mask, Rows, TraceStep, View
from octavo.errors import UsageError
from octavo.operators.core import Operator, Run, Step, decisions_of
from octavo.operators.keep import RELEVANCE, ROUTED, on_pages, ranked_pages
from octavo.operators.papers.rdr2_trees import (
    CONTENT_TOKENS,
    INTRODUCTION,
    RETRIEVED,
    VISIBLE,
    StructureTree,
    node_scores,
    retrieved_rows,
    sized,
)
from octavo.operators.score.fuse import FUSED

Floats = npt.NDArray[np.float64]

_MOST_HEADINGS = 120
"""Headings that are shown at most: those over visible content, then the highest, then the first. Chosen by hand."""


@dataclasses.dataclass(frozen=True)
class Route(Operator[Evidence, Evidence]):
    """Let the router answer, expand or refuse in each document, and expand at most `iterations` headings in each.

    Content in the column `visible` is seen with all headings; without that column the retrieved content alone is. The
    rule goes by the column `by` and, with headings, by `titles` times what these promise. An expanded heading shows
    about `tokens` of its content. What is not legal is dropped; where nothing is left the document is decided by the
    rule. `refuses` says whether the router may give a document up. Each round is a step of the trace.

    A model is told in later rounds what was marked so far, in all documents; where it says that this settles the
    question no further round begins. A model of its own for this decision is not told: routers are trained without.
    """

    by: str = FUSED
    iterations: int = 5
    titles: float = 0.7
    tokens: int = CONTENT_TOKENS
    refuses: bool = True

    def __post_init__(self) -> None:
        if self.iterations < 0 or self.tokens < 1:
            raise UsageError("Route takes 0 iterations or more, and 1 token or more")

    def __call__(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `routed`."""
        timer = using.timer()
        walks, rounds = self._walks(value, using), list[TraceStep]()
        tells = using.judge.has_model(ROUTE_DOCUMENT.name) and ROUTE_DOCUMENT.name not in using.judge.models
        for number in range(self.iterations + 1):
            active = [walk for walk in walks if walk.is_open and (number == 0 or walk.expand())]
            if not active:
                break
            rounds.append(self._round(number, active, _marked(walks) if tells else (), using))
            if any(walk.settles for walk in active):
                break
        routed = _routed(value, walks)
        rows = (len(value), int(np.isfinite(routed.scores[ROUTED]).sum()))
        using.note(timer.step("Route", {"documents": len(walks), **dataclasses.asdict(self)}, rows, rounds))
        return routed

    def _walks(self, value: Evidence, using: Run) -> list[DocumentRouting]:
        """Return a walk for each document, the one with the best passage first."""
        tree, documents = StructureTree.of(value.view), documents_in_order(value)
        has_headings = VISIBLE in value.scores
        visible = value.rows[~np.isnan(value.scores[VISIBLE])] if has_headings else retrieved_rows(value)
        visible = visible[tree.is_content[visible]]
        scores = node_scores(value, self.by, documents, using, titles=self.titles if has_headings else 0.0)
        context = RoutingContext(tree, scores, self.tokens, has_headings, self.refuses)
        owner = value.view.document[visible]
        return [DocumentRouting(context, document, visible[owner == document]) for document in documents]

    def _round(self, number: int, walks: Sequence[DocumentRouting], found: tuple[str, ...], using: Run) -> TraceStep:
        """Decide about all documents at once, and return the step."""
        timer = using.timer()
        routings = [walk.routing(using.query.question, found) for walk in walks]
        decided = using.judge.decide_many(ROUTE_DOCUMENT, routings)
        done = [_act(*one) for one in zip(walks, routings, decided, strict=True)]
        told = {"iteration": number, "documents": len(walks), **_counted(done)}
        rows = (sum(len(one.lines) for one in routings), sum(len(one.answer) for one in done))
        return timer.step("Round", told, rows, decisions_of(using.judge.records[timer.before :]))


def documents_in_order(evidence: Evidence) -> list[int]:
    """Return the documents of retrieved rows, the one with the best passage first; ties go by place in the view."""
    view, rows = evidence.view, retrieved_rows(evidence)
    best = np.full(len(view.documents), -np.inf)
    scores = np.nan_to_num(evidence.scores[RETRIEVED]) if RETRIEVED in evidence.scores else np.zeros(len(evidence))
    np.maximum.at(best, view.document[rows], scores[np.isin(evidence.rows, rows)])
    order = np.argsort(-best, kind="stable")
    return order[np.isfinite(best[order])].tolist()


def _act(walk: DocumentRouting, routing: Routing, decided: Decided[Actions]) -> Legal:
    """Return what was legal of what was decided about a document; the rule acts where nothing was."""
    found = walk.take(decided.output)
    walk.settles = decided.output.done and bool(found.answer or routing.found)
    if walk.settles:
        return dataclasses.replace(found, collapsed=False)
    if found.collapsed:
        acted = walk.take(route_by_scores(routing))
        return dataclasses.replace(acted, dropped=found.dropped, collapsed=True)
    return found


def _marked(walks: Sequence[DocumentRouting]) -> tuple[str, ...]:
    """Return the content that was chosen so far, a line each after the name of its document."""
    return tuple(line for walk in walks for line in walk.marked())


def _counted(done: Sequence[Legal]) -> dict[str, int]:
    return {
        "routed": sum(len(one.answer) for one in done),
        "expanded": sum(len(one.expand) for one in done),
        "refused": sum(one.refuse for one in done),
        "dropped": sum(one.dropped for one in done),
        "collapsed": sum(one.collapsed for one in done),
    }


def _routed(evidence: Evidence, walks: Sequence[DocumentRouting]) -> Evidence:
    """Return the evidence with the content each walk chose, 1 for its first and less for each later one."""
    column = np.full(len(evidence.view), np.nan)
    for walk in walks:
        chosen = list(dict.fromkeys(walk.chosen))
        column[chosen] = 1.0 - np.arange(len(chosen)) / max(len(chosen), 1)
    return evidence.with_score(ROUTED, column[evidence.rows])


# One document being routed


@dataclasses.dataclass(frozen=True)
class RoutingContext:
    """What all documents of a question are routed on.

    `scores` is (n_rows,) how good each row is, 1.0 for the best of all.
    `has_headings` is false where the router sees content alone.
    """

    tree: StructureTree
    scores: Floats
    tokens: int
    has_headings: bool = True
    can_refuse: bool = True


def _on_one_line(view: View, node: int) -> str:
    """Return the text of a node in one line; the rows of a table stay apart."""
    text = view.blocks.text[node]
    return " / ".join(text.splitlines()) if view.blocks.kind[node] == Kind.TABLE else text


class DocumentRouting:
    """The way of a router through one document."""

    def __init__(self, context: RoutingContext, document: int, visible: Rows) -> None:
        """Begin with some visible content."""
        self._context = context
        self.document = document
        self.visible = visible
        self.seen: Mask = np.zeros(len(context.tree.view), np.bool_)
        self.seen[visible] = True
        self.chosen: list[int] = []
        self.pending: list[int] = []
        self.is_open = True
        self.settles = False
        """Whether the router said of the last step that the question is settled."""

    def routing(self, question: str, found: tuple[str, ...] = ()) -> Routing:
        """Return what the router is asked at this point."""
        return Routing(question, self._name, self._lines(), self._context.can_refuse, found)

    def marked(self) -> list[str]:
        """Return the content that was chosen so far, each after the name of the document."""
        view = self._context.tree.view
        return [f"{self._name}: {_on_one_line(view, row)}" for row in dict.fromkeys(self.chosen)]

    @property
    def _name(self) -> str:
        return self._context.tree.view.documents[self.document].name

    # What the router sees

    def _lines(self) -> tuple[RouteLine, ...]:
        """Return the visible nodes in document order; the Introduction comes first."""
        headings = self._headings() if self._context.has_headings else []
        nodes = sorted([*headings, *self.visible.tolist()])
        return tuple(self._line(node) for node in nodes)

    def _line(self, node: int) -> RouteLine:
        tree = self._context.tree
        is_heading = node < 0 or not tree.is_content[node]
        hidden = self._hidden(node) if is_heading else np.zeros(0, np.int64)
        scored = hidden if is_heading else np.array([node])
        return RouteLine(
            id=self._id(node),
            depth=int(tree.depth[node]) if node >= 0 and self._context.has_headings else 0,
            is_heading=is_heading,
            text=_on_one_line(tree.view, node) if node >= 0 else INTRODUCTION,
            can_expand=len(hidden) > 0,
            score=self._score(scored) if len(scored) else None,
        )

    def _score(self, rows: Rows) -> float:
        return round(float(self._context.scores[rows].max()), 4)

    def _hidden(self, section: int) -> Rows:
        """Return what expanding a heading would show: what was not seen of its content, none while any is visible."""
        own = self._context.tree.own(section)
        if np.isin(own, self.visible).any():
            return own[:0]
        return own[~self.seen[own]]

    def _headings(self) -> list[int]:
        """Return the sections that are shown."""
        tree = self._context.tree
        found = tree.sections_of(self.document)
        if len(found) <= _MOST_HEADINGS:
            return found
        needed = {
            one for row in self.visible.tolist() for one in (*tree.view.blocks.ancestors(row), int(tree.section[row]))
        }
        order = sorted(found, key=lambda one: (one not in needed, int(tree.depth[one]) if one >= 0 else 0))
        return order[:_MOST_HEADINGS]

    # Numbers of nodes: those of rows in the document, from 1; the Introduction has 0

    def _id(self, node: int) -> int:
        return 0 if node < 0 else node - int(self._context.tree.view.row_starts[self.document]) + 1

    def _node(self, number: int) -> int:
        return (
            -1 - self.document if number == 0 else number + int(self._context.tree.view.row_starts[self.document]) - 1
        )

    # What the router does

    def take(self, actions: Actions) -> Legal:
        """Choose what answers, and note what is to be opened; return what of the actions was legal."""
        found = legal(actions, self._lines())
        self.chosen += [self._node(one) for one in found.answer]
        opened = [self._node(one) for one in found.expand]
        self.pending = [] if found.refuse else [*opened, *(one for one in self.pending if one not in opened)]
        return found

    def expand(self) -> bool:
        """Show the content of the most promising heading in the place of what is visible; False where there is none."""
        while self.pending:
            section = self.pending.pop(0)
            hidden = self._hidden(section)
            if len(hidden):
                self.visible = sized(self._context.tree.view, hidden, hidden[:1], self._context.tokens)
                self.seen[self.visible] = True
                return True
        self.is_open = False
        return False


UNSURE = "unsure"
"""The source of rows that nobody chose: they are read because every document was refused."""


@dataclasses.dataclass(frozen=True)
class RoutedPassages(Step[Evidence, Evidence]):
    """Keep the routed content with the headings over it on its page, on the question's limit of pages.

    Documents come in the order of retrieval: the column `relevance` sets those first that have the better passage, and
    in each the content that scores best by the column `by`. Where every document was refused the retrieved content is
    kept, its source `unsure`; with `strict`, nothing is. Without a router the retrieved content is what there is.
    """

    by: str = FUSED
    strict: bool = False

    def apply(self, value: Evidence, using: Run) -> Evidence:
        """Return these rows with the column `relevance`."""
        chosen = value.rows[np.isfinite(value.scores[ROUTED])] if ROUTED in value.scores else retrieved_rows(value)
        is_unsure = not len(chosen)
        if is_unsure and not self.strict:
            chosen = retrieved_rows(value)
        ranked = self._ranked(value, chosen)
        kept = on_pages(ranked, ranked_pages(ranked)[1][: max(using.query.limit, 0)])
        sources = {**kept.sources, **({UNSURE: np.ones(len(kept), np.bool_)} if is_unsure else {})}
        return dataclasses.replace(kept, sources=sources)

    def told(self, result: Evidence, using: Run) -> dict[str, bool]:
        """Return whether every document was refused."""
        return {UNSURE: UNSURE in result.sources}

    def _ranked(self, value: Evidence, chosen: Rows) -> Evidence:
        """Return the chosen rows and their headings, ranked by document and score."""
        view = value.view
        place = np.zeros(len(view.documents))
        order = documents_in_order(value)
        place[order] = np.arange(len(order), 0, -1)
        relevance = np.full(len(view), -np.inf)
        relevance[chosen] = place[view.document[chosen]] + 0.5 * _within(value, chosen, self.by)
        for row in chosen.tolist():
            above = [one for one in view.blocks.ancestors(row) if view.page_index[one] == view.page_index[row]]
            relevance[above] = np.maximum(relevance[above], relevance[row])
        kept = value | Evidence.of(view, chosen)
        return kept.with_score(RELEVANCE, relevance[kept.rows]).keep(np.isfinite(relevance[kept.rows]))


def _within(evidence: Evidence, rows: Rows, by: str) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return (n,) how good rows are beside others of their document, 0..1."""
    column = next((one for one in (by, ROUTED, RETRIEVED) if one in evidence.scores), None)
    if column is None or not len(rows):
        return np.ones(len(rows))
    scores = np.maximum(0.0, np.nan_to_num(evidence.scores[column][np.isin(evidence.rows, rows)]))
    return scores / max(float(scores.max()), 1e-9)


@dataclasses.dataclass(frozen=True)
class LowerConfidence(Step[Answer, Answer]):
    """Take a `share` (0..1) of an answer's confidence where any of its evidence has the source `source`."""

    source: str = UNSURE
    share: float = 0.5

    def __post_init__(self) -> None:
        if not 0.0 <= self.share <= 1.0:
            raise UsageError("LowerConfidence takes a share between 0 and 1")

    def apply(self, value: Answer, using: Run) -> Answer:
        """Return the answer with its confidence."""
        marked = value.evidence.sources.get(self.source)
        if marked is None or not marked.any():
            return value
        return dataclasses.replace(value, confidence=round(value.confidence * self.share, 3))
