"""A query over the document graph answered: conditions as masks over blocks, links followed, counted and grouped.

LAD-RAG section 2.2, tool 2.
"""

from __future__ import annotations

import dataclasses
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import reduce

import numpy as np
import numpy.typing as npt

from octavo.evidence import View
from octavo.evidence.document_graph import DOCUMENT_GRAPH_TABLE, SeenTable, position_of
from octavo.evidence.layer_tables import ENTITIES_TABLE, LINKS_TABLE
from octavo.evidence.word_looks import blocks_with_looks
from octavo.operators.read.packing import lines_above, page_told
from octavo.operators.score.refer import Label, rows_with, spellings
from octavo.operators.search_agent.links_followed import reached
from octavo.operators.search_agent.symbolic_query import (
    LONGEST_TEXT,
    InvalidQuery,
    Pattern,
    Style,
    SymbolicQuery,
)
from octavo.operators.search_agent.tools import seen_in
from octavo.question import understand
from octavo_documents.document import Kind, LinkOrigin, LinkTable, TextColumn
from octavo_documents.document.columns import Mask, Rows
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.names import caseless
from octavo_documents.text.things import canonical

SECONDS = 0.6
"""Seconds a query may take, chosen by hand; a longer one is given up."""
Deadline = Callable[[], None]
"""Raises InvalidQuery when the time is up."""
_TEXTS_PER_CHECK = 16
"""Texts between two looks at the clock."""
_SHORTEST_PLURAL = 4
"""Letters of a word that is looked for in either number."""
_HISSING = ("sses", "shes", "ches", "xes", "zes", "oes")
"""Ends of plurals that have two letters more than the word."""
_NUMBERED = ("section", "chapter", "appendix")
_NUMBER = re.compile(r"[A-Za-z]?\d+(?:\.\d+)*|[A-Za-z]")
_MOST_GROUPS = 30


@dataclasses.dataclass(frozen=True)
class FoundBlocks:
    """The blocks of a query: `rows` in reading order, at most its limit; `count` of them without the limit.

    `groups` are pairs of a page or section and how many blocks it has, in reading order. `seen` are both for the things
    that a model which looked at the pages tells there; None where it is not known or nothing else.
    """

    rows: Rows
    count: int
    groups: tuple[tuple[str, int], ...] = ()
    seen: tuple[int, tuple[tuple[str, int], ...]] | None = None


class BlockAttributes:
    """What conditions ask of the blocks of a view, as parsing has it.

    Who reads pages otherwise, and finds other things on them than blocks, overrides it: a row is then one of these
    things, and `at_rows` and `row` tell where they stand.
    """

    def __init__(self, view: View) -> None:
        self.view = view

    def rows(self) -> Mask:
        """Return (n_rows,) bool, true for what may be found at all: all but page furniture."""
        return self.view.is_content

    def of_kind(self, kinds: tuple[Kind, ...]) -> Mask:
        """Return (n_rows,) bool, true for rows of these kinds."""
        return self.view.of_kind(*kinds)

    def positions(self) -> npt.NDArray[np.uint8]:
        """Return (n_rows,) where each row stands on its page: an index of `POSITIONS`."""
        return self.view.derived(_positions)

    def in_sections(self, names: list[str]) -> Mask:
        """Return (n_rows,) bool, true for what is in a section with one of these titles, words of titles or labels."""
        return in_sections(self.view, names)

    def at_rows(self, blocks: Mask) -> Mask:
        """Return (n_rows,) bool, true for what stands at one of these blocks of the view."""
        return blocks

    def row(self, at: int) -> int:
        """Return the row of the block that something stands at."""
        return at

    def short(self, characters: int) -> Mask:
        """Return (n_rows,) bool, true for texts of at most so many characters."""
        return short_texts(self.view.blocks.text, characters)

    def texts(self, row: int) -> Iterator[str]:
        """Yield the words of a row, of its captions, and of a table's title that stands right above it."""
        yield self.view.blocks.text[row]
        for at in self.view.captions.get(row, ()):
            yield self.view.blocks.text[at]
        if self.view.blocks.kind_of(row) == Kind.TABLE:
            for at in lines_above(self.view, row):
                yield self.view.blocks.text[at]

    def seen(self, rows: Rows, kinds: tuple[Kind, ...]) -> Rows | None:
        """Return the rows once for each thing of some kinds that was seen there; None where nobody looked."""
        del rows, kinds
        return None


class SeenAttributes(BlockAttributes):
    """The same, and what a model that looked at the pages tells: kinds of blocks, and among their words what it saw."""

    @property
    def _nodes(self) -> SeenTable:
        return self.view.layer(DOCUMENT_GRAPH_TABLE).nodes

    def of_kind(self, kinds: tuple[Kind, ...]) -> Mask:
        """Return (n_rows,) bool, true for rows of these kinds, by parsing or by who looked."""
        mask, nodes = super().of_kind(kinds), self._nodes
        mask[nodes.row[(nodes.origin == LinkOrigin.MODEL) & np.isin(nodes.kind, kinds)]] = True
        return mask

    def texts(self, row: int) -> Iterator[str]:
        """Yield the words of a row and of its captions, and what was seen in it."""
        yield from super().texts(row)
        if (seen := seen_in(self.view).get(row)) is not None:
            yield seen.said

    def seen(self, rows: Rows, kinds: tuple[Kind, ...]) -> Rows | None:
        """Return the rows once for each thing of some kinds that was seen there; of pages that nobody saw once each."""
        nodes, page = self._nodes, self.view.page_index
        by_model = nodes.origin == LinkOrigin.MODEL
        if not by_model.any():
            return None
        things = nodes.row[by_model & np.isin(nodes.kind, kinds) & np.isin(nodes.row, rows)]
        unseen = rows[~np.isin(page[rows], page[nodes.row[by_model]])]
        return np.sort(np.concatenate([things, unseen]).astype(np.int64))


def _positions(view: View) -> npt.NDArray[np.uint8]:
    widths = np.concatenate([document.pages.width for document in view.documents] or [np.zeros(0)])
    heights = np.concatenate([document.pages.height for document in view.documents] or [np.zeros(0)])
    page, boxes = view.page_index, view.blocks.box.tolist()
    sizes = zip(widths[page].tolist(), heights[page].tolist(), strict=True)
    return np.array([position_of(box, *size) for box, size in zip(boxes, sizes, strict=True)], np.uint8)


def execute(
    view: View,
    query: SymbolicQuery,
    *,
    links: LinkTable | None = None,
    attributes: BlockAttributes | None = None,
    seconds: float = SECONDS,
    clock: Callable[[], float] = time.perf_counter,
) -> FoundBlocks:
    """Return what a query finds; raise InvalidQuery for a pattern that is none and when it takes too long.

    `links` are those that are followed: those of layer `links` where none are given. `attributes` say what rows are.
    """
    check = deadline(seconds, clock)
    known = attributes or BlockAttributes(view)
    mask = matching(view, query, check, known)
    check()
    if query.hops:
        followed = view.layer(LINKS_TABLE) if links is None else links
        mask = reached(followed, mask, query.links, hops=query.hops, direction=query.direction) & known.rows()
        mask &= known.of_kind(query.reached_kinds)
    rows = np.flatnonzero(mask)
    groups = _groups(view, map(known.row, rows.tolist()), query.group_by)
    kinds = query.kinds_found
    things = known.seen(rows, kinds) if kinds else None
    seen = None if things is None else (len(things), _groups(view, things.tolist(), query.group_by))
    return FoundBlocks(rows[: query.limit], len(rows), groups, None if seen == (len(rows), groups) else seen)


def deadline(seconds: float, clock: Callable[[], float]) -> Deadline:
    """Return what raises InvalidQuery once `seconds` have gone by."""
    ends = clock() + seconds

    def check() -> None:
        if clock() > ends:
            raise InvalidQuery(f"the query takes longer than {seconds} s: ask for fewer pages, sections or words")

    return check


def _groups(view: View, rows: Iterable[int], by: str) -> tuple[tuple[str, int], ...]:
    if not by:
        return ()
    name = _page_of if by == "page" else _section_of
    return tuple(Counter(name(view, row) for row in rows).items())


def _page_of(view: View, row: int) -> str:
    return page_told(view, row)


def _section_of(view: View, row: int) -> str:
    return " > ".join(view.blocks.section_path(row)) or "(no section)"


# Conditions


def matching(view: View, query: SymbolicQuery, check: Deadline, attributes: BlockAttributes | None = None) -> Mask:
    """Return (n_rows,) bool, true for content blocks, or what else `attributes` are of, that meet every condition."""
    known = attributes or BlockAttributes(view)
    at = known.at_rows
    given: list[Mask] = [known.rows()]
    tests: tuple[tuple[bool, Callable[[], Mask]], ...] = (
        (bool(query.kinds), lambda: known.of_kind(query.of_kinds)),
        (bool(query.positions), lambda: np.isin(known.positions(), query.fields_of_page)),
        (bool(query.pages), lambda: at(_on_pages(view, query.pages))),
        (bool(query.sections), lambda: known.in_sections(query.sections)),
        (bool(query.style.model_dump(exclude_none=True)), lambda: at(_styled(view, query.style))),
        (query.max_characters is not None, lambda: known.short(query.max_characters or 0)),
        (bool(query.entities), lambda: at(_mentioning(view, query.entities))),
    )
    given += [mask() for is_given, mask in tests if is_given]
    left = reduce(np.logical_and, given)
    for test in _text_tests(query):
        check()
        left = _having(known, left, test, check)
    return left


def _on_pages(view: View, ranges: list[tuple[int, int]]) -> Mask:
    page = view.blocks.page
    return reduce(np.logical_or, [(page >= first) & (page <= last) for first, last in ranges])


def in_sections(view: View, names: list[str]) -> Mask:
    """Return (n_rows,) bool, true for blocks inside a section with one of these titles, words of titles or labels."""
    return view.within(row for name in names for row in section_rows(view, name))


def section_rows(view: View, name: str) -> list[int]:
    """Return the headings a name means: by its label, else by its words; those that say no more where there are any."""
    blocks, labels = view.blocks, set(_labels(name))
    labelled = [row for row in rows_with(blocks, labels) if blocks.kind_of(row) == Kind.HEADING] if labels else []
    if labelled:
        return labelled
    wanted = set(analyze(name))
    found = {int(row): set(analyze(blocks.text[int(row)])) for row in blocks.headings()}
    rows = [row for row, terms in found.items() if wanted and wanted <= terms]
    return [row for row in rows if found[row] == wanted] or rows


def _labels(name: str) -> Iterator[Label]:
    """Yield the labels that a name may be: "Appendix B" says which, "3.1" may be any of three."""
    for one in understand(name).references:
        if one.what in _NUMBERED and one.number and not one.relation:
            yield from spellings(one.what, one.number)
    if _NUMBER.fullmatch(name.strip()):
        for what in _NUMBERED:
            yield from spellings(what, canonical(name))


def _styled(view: View, style: Style) -> Mask:
    """Compare with each block's document: a look stands out from what is common there."""
    blocks, having = view.blocks, view.derived(blocks_with_looks)
    written = (blocks.size > 0) | reduce(np.logical_or, having.values())
    common_size, common_color = (_commonest(view, column) for column in (blocks.size.round(1), blocks.color))
    tests = {
        **having,
        "colored": blocks.color != common_color,
        "larger": blocks.size > common_size * 1.05,
    }
    mask = written
    for name, column in tests.items():
        wanted: bool | None = getattr(style, name)
        mask = mask if wanted is None else mask & (column == wanted)
    low, high = style.min_size or 0.0, np.inf if style.max_size is None else style.max_size
    return mask & (blocks.size >= low) & (blocks.size <= high)


def _commonest(view: View, column: np.ndarray) -> np.ndarray:
    """Return (n_rows,) the value that most characters of each row's document have."""
    lengths = view.blocks.text.lengths()
    common = np.zeros(len(column), column.dtype)
    for document in range(len(view.documents)):
        rows = view.rows_of(document)
        values, inverse = np.unique(column[rows], return_inverse=True)
        if len(values):
            common[rows] = values[np.argmax(np.bincount(inverse, weights=lengths[rows]))]
    return common


def short_texts(texts: TextColumn, characters: int) -> Mask:
    """Return (n_texts,) bool, true for those of at most so many characters.

    They are measured in bytes first: only those that may be too long are decoded.
    """
    lengths = texts.lengths()
    mask = lengths <= 4 * characters
    for row in np.flatnonzero(mask & (lengths > characters)).tolist():
        mask[row] = len(texts[row]) <= characters
    return mask


def _mentioning(view: View, names: list[str]) -> Mask:
    """Find entities by name or alias; one that the graph does not know is met by none."""
    graph, wanted = view.layer(ENTITIES_TABLE), {caseless(name) for name in names}
    known = zip(graph.entities.name, graph.entities.aliases, strict=True)
    meant = [at for at, (name, aliases) in enumerate(known) if wanted & {*map(caseless, [name, *aliases.splitlines()])}]
    mask = np.zeros(len(view), np.bool_)
    mask[graph.mentions.block[np.isin(graph.mentions.entity, meant)]] = True
    return mask


# Conditions on the text


def _text_tests(query: SymbolicQuery) -> Iterator[Callable[[str], bool]]:
    if query.contains:
        words = re.compile("|".join(filter(None, map(_literal, query.contains))), re.IGNORECASE)
        yield lambda text: words.search(text, 0, LONGEST_TEXT) is not None
    if query.matches:
        yield Pattern(query.matches).is_in


def _literal(words: str) -> str:
    """Return the pattern of whole words, the last in either number; a number is no part of another ("5" of 0.5)."""
    *before, last = words.split() or [""]
    if not last:
        return ""
    plain = r"\s+".join([*map(re.escape, before), _in_either_number(last)])
    start = r"(?<!\w)(?<!\d[.,])" if words.lstrip()[0].isdigit() else r"(?<!\w)"
    end = r"(?!\d|[.,]\d)" if words.rstrip()[-1].isdigit() else r"(?!\w)" if words.rstrip()[-1].isalnum() else ""
    return rf"{start}{plain}{end}"


def _in_either_number(word: str) -> str:
    """Return the pattern of a word: "country" and "countries" are one, and so are "crew" and "crews".

    "press" is no plural, and a name such as "Times" has no singular.
    """
    lowered = word.lower()
    if len(word) < _SHORTEST_PLURAL or not word.isalpha():
        return re.escape(word)
    if lowered.endswith(("y", "ies")):
        return rf"{word[: -1 if lowered.endswith('y') else -3]}(?:y|ies|ys)"
    if lowered.endswith(_HISSING):
        return rf"{word[:-2]}(?:es)?"
    if lowered.endswith("s") and not lowered.endswith("ss"):
        return word if word.istitle() else rf"{word[:-1]}s?"
    return rf"{word}(?:e?s)?"


def _having(known: BlockAttributes, left: Mask, test: Callable[[str], bool], check: Deadline) -> Mask:
    """Keep the rows of which a text passes."""
    rows = np.flatnonzero(left)
    kept = np.zeros(len(left), np.bool_)
    for count, row in enumerate(rows.tolist()):
        if count % _TEXTS_PER_CHECK == 0:
            check()
        kept[row] = any(map(test, known.texts(row)))
    return kept


def count_in_words(found: FoundBlocks, what: str = "blocks") -> str:
    """Return how many there are, and where by page or section when that was asked; what was seen there too."""
    said = f"{found.count} {what}{_groups_in_words(found.groups)}"
    if found.seen is None:
        return said
    count, groups = found.seen
    return f"{said}; who looked at the pages saw {count}{_groups_in_words(groups)}"


def _groups_in_words(groups: Sequence[tuple[str, int]]) -> str:
    told = ", ".join(f"{name}: {count}" for name, count in groups[:_MOST_GROUPS])
    more = f", and {len(groups) - _MOST_GROUPS} more" if len(groups) > _MOST_GROUPS else ""
    return f" ({told}{more})" if groups else ""
