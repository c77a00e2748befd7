"""Document routing: a router answers, expands or refuses in every retrieved document until nothing is left to open.

The content that it chose is given to a reader, whose confidence it lowers where nobody chose it.
"""

from __future__ import annotations

import dataclasses
from typing import ClassVar

import numpy as np

from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, TraceStep
from octavo.operators.columns import Columns
from octavo.operators.core import Operator, Run, Step
from octavo.operators.keep import RELEVANCE, ROUTED, on_pages, ranked_pages
from octavo.operators.read.image_evidence import can_look
from octavo.operators.score.fuse import FUSED, MENTIONED
from octavo.operators.sentence_forms import Sentence, kept, places, silent
from octavo_documents.document import Rows, number_of
from octavo_methods.rdr2.decisions.route_document import ROUTE_DOCUMENT
from octavo_methods.rdr2.trees import CONTENT_TOKENS, RETRIEVED, VISIBLE, StructureTree, node_scores, retrieved_rows
from octavo_methods.rdr2.walk import DocumentRouting, RoutingContext, documents_in_order, route, routed

_MOST_HEADINGS = 120
"""Headings that are shown at most: those over visible content, then the highest, then the first. Chosen by hand."""
_OPENED_AT_ONCE = 3
"""Headings that are opened in one round, where a model that is told what was found asks for several."""


def _route_sentence(step: TraceStep) -> str:
    rounds = sum(one.step == "Round" for one in step.steps)
    walked = f", {number_of(rounds, 'level')} deep" if rounds else ""
    return f"Went down the headings{walked}, and opened {places(step.rows_out)} under them"


@dataclasses.dataclass(frozen=True)
class Route(Operator[Evidence, Evidence]):
    """Let the router answer, expand or refuse in each document, and expand at most `iterations` headings in each.

    Content in the column `visible` is seen with all headings; without that column the retrieved content alone is. The
    rule goes by the column `by` and, with headings, by `titles` times what these promise. An expanded heading shows
    about `tokens` of its content. What is not legal is dropped; where nothing is left the document is decided by the
    rule. `refuses` says whether the router may give a document up. Each round is a step of the trace.

    A model is told in later rounds what was marked so far, in all documents, and how many headings can still be opened;
    what was opened stays visible, the rest of a heading that is shown in part can be opened too, and up to three
    headings are opened at once. The router sees no pictures; it is told where whoever answers does. Where it says that
    what was found settles the question no further round begins. A model of its own for this decision is not told:
    routers are trained without.
    """

    sentence: ClassVar[Sentence] = _route_sentence

    by: str = FUSED
    iterations: int = 5
    titles: float = 0.7
    tokens: int = CONTENT_TOKENS
    refuses: bool = True

    def __post_init__(self) -> None:
        if self.iterations < 0 or self.tokens < 1:
            raise UsageError("Route takes 0 iterations or more, and 1 token or more")

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(uses={self.by, MENTIONED, RETRIEVED, VISIBLE}, writes={ROUTED})

    def __call__(self, value: Evidence, using: Run) -> Evidence:
        """Return the same rows with the column `routed`."""
        timer = using.timer()
        context, documents = self._context(value, using), documents_in_order(value)
        visible = value.rows[~np.isnan(value.scores[VISIBLE])] if VISIBLE in value.scores else retrieved_rows(value)
        visible = visible[context.tree.is_content[visible]]
        owner = value.view.document[visible]
        walks = [DocumentRouting(context, document, visible[owner == document]) for document in documents]
        rounds = route(walks, context, using)
        found = routed(value, walks)
        rows = (len(value), int(np.isfinite(found.scores[ROUTED]).sum()))
        using.note(timer.step("Route", {"documents": len(walks), **dataclasses.asdict(self)}, rows, rounds))
        return found

    def _context(self, value: Evidence, using: Run) -> RoutingContext:
        documents, has_headings = documents_in_order(value), VISIBLE in value.scores
        tells = using.judge.has_model(ROUTE_DOCUMENT.name) and ROUTE_DOCUMENT.name not in using.judge.models
        return RoutingContext(
            StructureTree.of(value.view),
            node_scores(value, self.by, documents, using, titles=self.titles if has_headings else 0.0),
            self.iterations,
            tokens=self.tokens,
            most_headings=_MOST_HEADINGS,
            opens=_OPENED_AT_ONCE if tells else 1,
            has_headings=has_headings,
            can_refuse=self.refuses,
            rule_mends=True,
            tells=tells,
            looks=tells and _is_looked_at(using),
        )


def _is_looked_at(using: Run) -> bool:
    return can_look(using)


UNSURE = "unsure"
"""The source of rows that nobody chose: they are read because every document was refused."""


@dataclasses.dataclass(frozen=True)
class RoutedPassages(Step[Evidence, Evidence]):
    """Keep the routed content with the headings over it on its page, on the question's limit of pages.

    Documents come in the order of retrieval: the column `relevance` sets those first that have the better passage, and
    in each the content that scores best by the column `by`. Where every document was refused the retrieved content is
    kept, its source `unsure`; with `strict`, nothing is. Without a router the retrieved content is what there is.
    """

    sentence: ClassVar[Sentence] = kept("Kept the passages under the headings that were opened")

    by: str = FUSED
    strict: bool = False

    def declared(self) -> Columns:
        """Return what is read and written."""
        return Columns(uses={self.by, RETRIEVED, ROUTED}, writes={RELEVANCE})

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

    def details(self, result: Evidence, using: Run) -> dict[str, bool]:
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

    declares: ClassVar[Columns] = Columns()
    sentence: ClassVar[Sentence] = silent

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
