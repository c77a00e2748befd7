"""What a tool of the agent is, how blocks are shown to it, and the search by meaning (LAD-RAG section 2.2, tool 1).

A block is a line with a number that the agent can name.
"""

from __future__ import annotations

import dataclasses
import re
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Collection, Container, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from octavo.decisions.agent_tools import ToolName
from octavo.evidence import Evidence, Query, TraceStep, View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE
from octavo.evidence.layer_tables import LINKS_TABLE
from octavo.operators.columns import Columns
from octavo.operators.core import Operator, Run
from octavo.operators.read.packing import depicted, place_of
from octavo.operators.score.fuse import FUSED
from octavo_documents.document import PICTURED, Kind, LinkOrigin, LinkTable
from octavo_documents.document.columns import Rows
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

if TYPE_CHECKING:
    from octavo.decisions.investigate import ToolCall

MOST_LINES = 12
"""Blocks of one result that are shown where nobody says how many."""
_LONGEST, _LONGER, _SHORTER, _LONGEST_TITLE = 200, 400, 120, 120
_ID = re.compile(r"\s*\[?([br])\s*(\d{1,9})\]?\s*", re.IGNORECASE)
_EACH_PAGE = 2
"""Blocks of one page that are shown: more would all be of the best passage."""
_LOOKED_AT = 300
"""Blocks, best first, whose own words are compared with what is searched for."""


class Refused(ValueError):
    """A call that cannot be carried out; the message says why, in words the agent can act on."""


@dataclasses.dataclass(frozen=True)
class Called:
    """What a call found: evidence with the tool's score column, and the rows to show, best or nearest first.

    `note` is told above the rows, `asked` is what the trace shows of the call, `steps` what ran inside. `rows` are the
    whole result where not all of it is shown.
    """

    evidence: Evidence
    shown: Rows
    note: str = ""
    asked: Any = ""
    steps: tuple[TraceStep, ...] = ()
    rows: Rows | None = None

    @property
    def result(self) -> Rows:
        """All rows that the number of the result stands for."""
        return self.shown if self.rows is None else self.rows


class Tool(ABC):
    """A tool. `column` is the score column its evidence has; the rows of a call may be any of the view."""

    name: ClassVar[ToolName]
    column: ClassVar[str]

    @abstractmethod
    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return what one call finds; `rows` are the blocks it names. Raises Refused."""

    def needs(self) -> frozenset[str]:
        """Return the names of the layers it reads."""
        return frozenset()

    def columns(self) -> Set[str]:
        """Return the columns that its evidence may have; raise UsageError where one is read that is not there."""
        return {self.column}


def layers_of(*, seen: bool) -> frozenset[str]:
    """Return the layers that `links_of` reads beside those of links."""
    return frozenset({"document_graph"}) if seen else frozenset()


def links_of(view: View, *, layers: bool, seen: bool) -> LinkTable:
    """Return the links that tools follow: those of parsing, or with `layers` those of layer `links`.

    With `seen` those come on top that a model which looked at the pages found (LAD-RAG section 2.1); rules find in the
    document graph what is known already.
    """
    return view.derived(_with_seen, layers=layers) if seen else _of_rules(view, layers=layers)


def _of_rules(view: View, *, layers: bool) -> LinkTable:
    return view.layer(LINKS_TABLE) if layers else view.links


def _with_seen(view: View, *, layers: bool) -> LinkTable:
    """Return links with those of the graph, between the blocks that its nodes stand at."""
    links = _of_rules(view, layers=layers)
    graph = view.layer(DOCUMENT_GRAPH_TABLE)
    found, row = graph.links, graph.nodes.row
    source, target = row[found.source], row[found.target]
    at = np.flatnonzero((found.origin == LinkOrigin.MODEL) & (source != target))
    if not len(at):
        return links
    seen = dataclasses.replace(found.take(at), source=source[at], target=target[at])
    return LinkTable.join([links, seen])


@dataclasses.dataclass(frozen=True, slots=True)
class SeenElement:
    """What a model that looked at the pages takes the elements at a block for, each kind once, and says of them."""

    kinds: tuple[Kind, ...]
    said: str


def seen_in(view: View) -> Mapping[int, SeenElement]:
    """Return by row what a model that looked at the pages says of figures, charts, tables and formulas."""
    return view.derived(_seen_in)


def _seen_in(view: View) -> Mapping[int, SeenElement]:
    from octavo.layers.descriptions import ELEMENTS

    nodes = view.layer(DOCUMENT_GRAPH_TABLE).nodes
    at = np.flatnonzero((nodes.origin == LinkOrigin.MODEL) & np.isin(nodes.kind, ELEMENTS))
    found: defaultdict[int, list[int]] = defaultdict(list)
    for one in at.tolist():
        found[int(nodes.row[one])].append(one)
    return {
        row: SeenElement(
            tuple(dict.fromkeys(nodes.kind_of(one) for one in some)),
            " ".join(nodes.summary[one] for one in some),
        )
        for row, some in found.items()
    }


def number(row: int) -> str:
    """Return the number of a block: "b" and its row in the view."""
    return f"b{row}"


def read_number(text: str) -> tuple[str, int] | None:
    """Return ("b", row) or ("r", result) for a number as a model writes it; None for anything else."""
    found = _ID.fullmatch(text)
    return (found[1].lower(), int(found[2])) if found else None


def lines_of(
    view: View,
    rows: Rows,
    *,
    terms: Collection[str] = (),
    told: Container[int] = (),
    longer: int = 0,
    seen: Mapping[int, SeenElement] | None = None,
) -> list[str]:
    """Return a line for each row; those in `told` were shown before and are named together in the last line.

    Of a long text that line or stretch is shown which has most of the `terms` that are looked for: more of the first
    `longer` rows, and then less of the others. What somebody has `seen` in a row comes before its words, and the
    kind it was taken for stands in the place of another one.
    """
    new = [row for row in rows.tolist() if row not in told]
    again = [row for row in rows.tolist() if row in told]
    rest = _SHORTER if longer else _LONGEST
    most = [_LONGER if at < longer else rest for at in range(len(new))]
    said = seen or {}
    lines = [_line(view, row, frozenset(terms), size, said.get(row)) for row, size in zip(new, most, strict=True)]
    return lines + ([f"and, shown above: {', '.join(map(number, again))}"] if again else [])


def titles_of(view: View, rows: Sequence[int]) -> list[str]:
    """Return the headings at some rows with their numbers and pages, for an outline."""
    texts = [on_one_line(view.blocks.text[row])[:_LONGEST_TITLE] for row in rows]
    return [f"[{number(row)}] {text} ({_page(view, row)})" for row, text in zip(rows, texts, strict=True)]


def _kind_told(view: View, row: int, seen: SeenElement | None) -> str:
    """Return what a block is: by who looked at it, where parsing says otherwise."""
    kind = view.blocks.kind_of(row)
    if seen is not None and kind not in seen.kinds:
        return " and ".join(one.label for one in seen.kinds)
    return depicted(view, row) if kind in PICTURED else kind.label


def _line(view: View, row: int, terms: frozenset[str], most: int, seen: SeenElement | None) -> str:
    """Return a block's line; an element says its caption first, for it may have no words of its own."""
    blocks, kind = view.blocks, _kind_told(view, row, seen)
    section = view.blocks.section_path(row)
    where = f"{_page(view, row)}, {kind}" + (f", in: {section[-1][:50]}" if section and kind != "heading" else "")
    caption = on_one_line(" ".join(blocks.text[at] for at in view.captions.get(row, ())))
    is_table = blocks.kind_of(row) == Kind.TABLE
    text = rows_with_terms(blocks.text[row], terms) if is_table else excerpt(blocks.text[row], terms, most)
    told = "" if seen is None else seen.said[:_LONGER]
    said = " ".join(part for part in (caption[:_LONGEST], told, text) if part) or "(no words)"
    return f"[{number(row)}] ({where}) {said}"


def rows_with_terms(text: str, terms: frozenset[str]) -> str:
    """Return the first row of a table and those that have most of the terms, in their order, in 400 characters."""
    rows = [on_one_line(line) for line in text.splitlines() if line.strip()]
    if len(" ".join(rows)) <= _LONGER:
        return " / ".join(rows)
    shared = [len(terms & set(analyze(row))) for row in rows]
    order = sorted(range(1, len(rows)), key=lambda at: (-shared[at], at))
    kept, left = [0], _LONGER - len(rows[0])
    for at in order:
        if len(rows[at]) <= left and (shared[at] or not any(shared[1:])):
            kept.append(at)
            left -= len(rows[at]) + 3
    pieces = [
        rows[at][:_LONGER] if at == before + 1 else f"... {rows[at][:_LONGER]}"
        for before, at in zip([-1, *sorted(kept)], sorted(kept), strict=False)
    ]
    return " / ".join(pieces) + (" ..." if max(kept) < len(rows) - 1 else "")


def excerpt(text: str, terms: frozenset[str], most: int) -> str:
    """Return a text in one line, cut; where it begins elsewhere than at its start follows from the terms it has."""
    plain = on_one_line(text)
    if len(plain) <= most:
        return plain
    lines = [line for line in text.splitlines() if line.strip()]
    best = max(range(len(lines)), key=lambda at: (len(terms & set(analyze(lines[at]))), -at))
    if best and terms & set(analyze(lines[best])):
        head = on_one_line(lines[0])[: most // 3]
        return f"{head} ... {on_one_line(lines[best])[:most]}..."
    words = plain.split(" ")
    return f"{_stretch(words, terms, most)}..."


def _stretch(words: Sequence[str], terms: frozenset[str], most: int) -> str:
    """Return the stretch of words, from the first or from near a term, that has most of the terms."""
    starts = [0, *(max(0, at - 4) for at, word in enumerate(words) if terms and terms & set(analyze(word)))]
    pieces = {start: " ".join(words[start : start + most // 5])[:most] for start in starts[:40]}
    best = max(pieces, key=lambda start: (len(terms & set(analyze(pieces[start]))), -start))
    return f"{'... ' if best else ''}{pieces[best]}"


def _page(view: View, row: int) -> str:
    return " ".join(place_of(view, int(view.page_index[row])))


@dataclasses.dataclass(frozen=True)
class NeuroSemanticSearch(Tool):
    """Score all blocks by words of the agent's own; the evidence keeps every score, `count` of the best are shown.

    The paper searches an index over summaries of elements. Vectors of summaries made by rule find about as many gold
    pages as those of passages, fewer than words and vectors of passages together, and add nothing to these: `search`
    is therefore the operator that scores passages.
    """

    search: Operator[Query, Evidence]
    count: int = 10
    name: ClassVar[ToolName] = "neuro_semantic_search"
    column: ClassVar[str] = FUSED

    def needs(self) -> frozenset[str]:
        """Return what the search needs."""
        return self.search.needs()

    def columns(self) -> Set[str]:
        """Return those of the search, which has to give the one that ranks."""
        return {*(Columns(reads={FUSED}).after(type(self).__name__, self.search.after({})) or ()), FUSED}

    def call(self, call: ToolCall, rows: Rows, using: Run) -> Called:
        """Return all scored blocks, the best to be shown; raise Refused without words."""
        words = call.query if isinstance(call.query, str) else ""
        if not words.strip():
            raise Refused("query: give the words to search for")
        branch = using.branch(dataclasses.replace(using.query, question=words))
        found = self.search(branch.query, branch)
        using.join(branch)
        best = spread_out(found, call.k or self.count, frozenset(analyze(words)))
        return Called(found, best, note=f"the {len(best)} best", asked=words, steps=tuple(branch.trace))


def spread_out(found: Evidence, count: int, terms: frozenset[str] = frozenset()) -> Rows:
    """Return the best rows, at most two of a page, best first.

    All blocks of a passage score alike: those come first that have most of the terms themselves.
    """
    taken: Counter[int] = Counter()
    rows: list[int] = []
    ranked = found.ranked(FUSED)[:_LOOKED_AT]
    scores = found.scores[FUSED][found.ranking(FUSED)[:_LOOKED_AT]]
    own = np.array([len(terms.intersection(analyze(found.view.blocks.text[row]))) for row in ranked.tolist()])
    for row in ranked[np.lexsort((ranked, -own, -np.nan_to_num(scores, nan=-np.inf)))].tolist():
        page = int(found.view.page_index[row])
        if len(rows) < count and taken[page] < _EACH_PAGE:
            taken[page] += 1
            rows.append(row)
    return np.array(rows, np.int64)
