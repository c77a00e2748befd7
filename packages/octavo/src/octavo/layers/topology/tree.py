"""The tree while it is made: its leaves, levels of nodes, what is said of clusters, and its packing with vectors.

Leaves are runs of whole sentences of about 100 tokens, each inside one passage. A leaf never begins or ends inside a
sentence that fits, a word, a number or a short form. A table is said row by row with its headers.

What a model writes of a cluster is embedded. Where the rule copies sentences a cluster has the mean of its members,
which is not scaled to length 1, so that its product with a question is the mean of theirs: measured, a search over all
levels then finds more, as no cluster stands before the best of its members.
"""

from __future__ import annotations

import dataclasses
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from octavo.decisions.engine import first_that_fit
from octavo.decisions.summarize import SUMMARIZE, SummaryContext, SummaryPart
from octavo.evidence import PassageTable
from octavo.evidence.layer_tables import MembershipTable, NodeTable, PlaceTable, Topology
from octavo.evidence.view import vectors_of_bytes
from octavo.layers.base import LayerInputs
from octavo.layers.passages import group, without_leaders
from octavo.models.bert import count_tokens
from octavo.models.language import estimate_tokens
from octavo_documents.document import FURNITURE, BlockTable, Document, Kind, TextColumn
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import Span, line_spans, sentence_spans

LEAF_TOKENS = 100
"""The most tokens of a leaf, except for a single word or number that is longer."""
_WORD = re.compile(r"(?:[$€£¥]\s?)?(?:\d{1,3}(?:[ \u00a0\u202f]\d{3})+(?!\d)|\S+)\s*")
"""A word with the white space after it; "$ 5" and "12 000" are one."""
_ATOM = re.compile(r"[$€£¥+-]?\d+(?:[.,:/'’-]\d+)*%?\s*|(?:[^\W\d_]\.){2,}\s*|[^\W\d_]|.", re.DOTALL)
"""What even text without spaces is not cut inside of: a number with its sign and unit, a short form, a letter."""


@dataclasses.dataclass(frozen=True, slots=True)
class Leaf:
    """A text, the rows of the blocks it is of in order, and the passage its middle lies in."""

    text: str
    blocks: tuple[int, ...]
    passage: int


@dataclasses.dataclass(frozen=True, slots=True)
class TreeUnit:
    """A piece of a block's text, which ends where a leaf may end."""

    row: int
    text: str


def leaves_of(document: Document, passages: PassageTable) -> list[Leaf]:
    """Return the leaves in reading order; those of one passage cover its text, or that of a block it is a part of."""
    starts: list[int] = [*np.flatnonzero(passages.char_start == 0).tolist(), len(passages)]
    return [
        leaf
        for first, stop in pairwise(starts)
        for leaf in _placed(list(_leaves(_units(document.blocks, passages, first), first)), passages, stop)
    ]


def sentence_units(text: str, tokens: int = LEAF_TOKENS) -> list[Span]:
    """Return spans that cover a text: its sentences, those of more than `tokens` tokens cut between words."""
    return _fitting(text, sentence_spans(text), tokens)


def row_units(text: str, tokens: int = LEAF_TOKENS) -> list[Span]:
    """Return spans that cover the text of a table: its lines, those of more than `tokens` tokens cut between words."""
    return _fitting(text, line_spans(text), tokens)


def _placed(found: list[Leaf], passages: PassageTable, stop: int) -> list[Leaf]:
    """Return leaves of a block that was split, from the first passage of its parts on, with the part each is of.

    Parts are told by the share of the text before, since the leaves of a table say more than the table.
    """
    first = found[0].passage if found else stop
    if stop - first < 2:
        return found
    total, before = sum(len(leaf.text) for leaf in found), 0
    ends: list[int] = passages.char_stop[first:stop].tolist()
    placed: list[Leaf] = []
    for leaf in found:
        middle = (before + len(leaf.text) / 2) / total * ends[-1]
        placed.append(dataclasses.replace(leaf, passage=first + bisect_left(ends, middle)))
        before += len(leaf.text)
    return placed


def _units(blocks: BlockTable, passages: PassageTable, at: int) -> list[TreeUnit]:
    """Return the units of a passage; the first part of a block that was split stands for all of it."""
    rows = range(int(passages.start[at]), int(passages.stop[at]))
    return [
        TreeUnit(row, text)
        for row in rows
        if blocks.kind_of(row) not in FURNITURE and blocks.text[row].strip()
        for text in _pieces(blocks, row)
    ]


def _pieces(blocks: BlockTable, row: int) -> Iterator[str]:
    text = blocks.text[row]
    is_table = blocks.kind_of(row) == Kind.TABLE
    if is_table and (lines := list(filter(None, Grid.from_json(blocks.grid[row]).linearised()))):
        text = "\n".join(lines)
    text = without_leaders(text)
    spans = row_units(text) if is_table else sentence_units(text)
    for start, stop in spans:
        yield text[start:stop]


def _leaves(units: Sequence[TreeUnit], passage: int) -> Iterator[Leaf]:
    for first, last in group(count_tokens([unit.text for unit in units]), LEAF_TOKENS):
        members = units[first : last + 1]
        text = joined_text(members).strip()
        if text:
            yield Leaf(text, tuple(dict.fromkeys(unit.row for unit in members)), passage)


def joined_text(units: Iterable[TreeUnit]) -> str:
    """Return the text of units; blocks begin on a line of their own."""
    text, row = "", -1
    for unit in units:
        text = f"{text.rstrip()}\n{unit.text}" if text and unit.row != row else text + unit.text
        row = unit.row
    return text


def _fitting(text: str, spans: Sequence[Span], tokens: int) -> list[Span]:
    """Return the spans, those that are too long cut between words; words too long between numbers and letters."""
    sizes = count_tokens([text[start:stop] for start, stop in spans])
    return [
        part
        for span, size in zip(spans, sizes, strict=True)
        for part in ([span] if size <= tokens else _cut(text, span, tokens))
    ]


def _cut(text: str, span: Span, tokens: int) -> Iterator[Span]:
    for start, stop in _runs(text, span, tokens, _WORD):
        is_short = count_tokens([text[start:stop]])[0] <= tokens
        yield from [(start, stop)] if is_short else _runs(text, (start, stop), tokens, _ATOM)


def _runs(text: str, span: Span, tokens: int, unit: re.Pattern[str]) -> Iterator[Span]:
    """Yield runs of units of at most `tokens` tokens, which cover the span; a longer unit is alone."""
    start, stop = span
    cuts = [start, *(found.end() for found in unit.finditer(text, start, stop))]
    pieces = [(left, right) for left, right in pairwise([*cuts, stop]) if left < right]
    lengths = count_tokens([text[left:right] for left, right in pieces])
    for first, last in group(lengths, tokens):
        yield pieces[first][0], pieces[last][1]


Vector = npt.NDArray[np.float32]
_HEADINGS = 2
"""Most frequent headings by which a cluster is named."""
ROOM = SUMMARIZE.item_tokens - 80
"""Estimated tokens of the members that one summary is made from; the rest is for the headings."""
KIND = "group of passages"
_LONGEST_WHERE = 120


@dataclasses.dataclass(frozen=True, slots=True, eq=False)
class TreeNode:
    """A leaf or a cluster; `members` are positions in the level below with their probabilities, empty for a leaf.

    A vector is of length 1, or shorter where it is the mean of others.
    """

    text: str
    vector: Vector
    members: Mapping[int, float]
    blocks: frozenset[int]
    headings: Counter[str]
    """How many of its leaves stand under each heading."""

    @property
    def heading(self) -> str:
        """Return its most frequent headings; of two as frequent the one that came first."""
        return "; ".join(heading for heading, _ in self.headings.most_common(_HEADINGS))


Levels = list[list[TreeNode]]
"""Nodes by level, leaves first."""


def leaf(text: str, vector: Vector, blocks: Iterable[int], heading: str) -> TreeNode:
    """Return a leaf."""
    return TreeNode(text, vector, {}, frozenset(map(int, blocks)), Counter([heading] if heading else []))


def cluster(text: str, vector: Vector, below: Sequence[TreeNode], members: Mapping[int, float]) -> TreeNode:
    """Return a cluster with the blocks and headings of its members."""
    ordered = dict(sorted(members.items()))
    blocks = frozenset[int]().union(*(below[at].blocks for at in ordered))
    headings = Counter[str]()
    for at in ordered:
        headings.update(below[at].headings)
    return TreeNode(text, vector, ordered, blocks, headings)


def to_bytes(levels: Levels) -> bytes:
    """Pack levels as a `Topology` with the vectors of its nodes (float16)."""
    nodes = [node for level in levels for node in level]
    starts = np.cumsum([0, *(len(level) for level in levels)]).tolist()
    edges = [
        (starts[depth] + at, starts[depth - 1] + member, weight)
        for depth, level in enumerate(levels)
        for at, node in enumerate(level)
        for member, weight in node.members.items()
    ]
    places = [(at, block) for at, node in enumerate(nodes) for block in sorted(node.blocks)]
    table = NodeTable(
        text=TextColumn.of(node.text for node in nodes),
        heading=TextColumn.of(node.heading for node in nodes),
        level=np.repeat(np.arange(len(levels), dtype=np.int32), [len(level) for level in levels]),
    )
    owners, members, weights = _columns(edges, 3)
    memberships = MembershipTable(owners.astype(np.int32), members.astype(np.int32), weights.astype(np.float32))
    standing, blocks = (column.astype(np.int32) for column in _columns(places, 2))
    vectors = np.stack([node.vector for node in nodes]) if nodes else np.zeros((0, 0))
    return Topology(table, memberships, PlaceTable(standing, blocks)).to_bytes(vectors.astype(np.float16))


def of_bytes(data: bytes) -> Levels:
    """Unpack what `to_bytes` wrote; raise CorpusError (`damaged`) when the bytes are not a tree with vectors."""
    tree, vectors = Topology.from_bytes(data), vectors_of_bytes(data)
    nodes = tree.nodes
    first: list[int] = np.searchsorted(nodes.level, np.arange(int(nodes.level.max(initial=-1)) + 2)).tolist()
    members = _members(tree, first)
    levels: Levels = []
    for depth, (start, stop) in enumerate(pairwise(first)):
        rows = range(start, stop)
        if depth:
            levels.append([cluster(nodes.text[at], vectors[at], levels[-1], members[at]) for at in rows])
        else:
            levels.append([leaf(nodes.text[at], vectors[at], tree.blocks_of(at), nodes.heading[at]) for at in rows])
    return levels


def _members(tree: Topology, first: Sequence[int]) -> list[dict[int, float]]:
    """Return the members of each node by their position in their level; `first` are the first nodes of the levels."""
    members: list[dict[int, float]] = [{} for _ in range(len(tree))]
    edges = tree.memberships
    below = np.asarray([*first, 0])[tree.nodes.level[edges.member]]
    positions = (edges.member - below).tolist()
    for owner, position, weight in zip(edges.cluster.tolist(), positions, edges.weight.tolist(), strict=True):
        members[owner][position] = weight
    return members


def _columns(rows: Sequence[tuple[float, ...]], width: int) -> list[npt.NDArray[np.float64]]:
    return list(np.array(rows, np.float64).reshape(len(rows), width).T)


def summed_up(
    inputs: LayerInputs, below: Sequence[TreeNode], clusters: Sequence[Mapping[int, float]]
) -> list[TreeNode]:
    """Return a node for each cluster of `below`, with its summary and its vector."""
    if not clusters:
        return []
    asked = [_part(below, members) for members in clusters]
    decided = inputs.judge.decide_items(SUMMARIZE, context_of(inputs), asked)
    vectors = [_mean(below, members) for members in clusters]
    written = [at for at, one in enumerate(decided) if one.by != "rule"]
    if written:
        meant = inputs.embedder().embed([decided[at].output.summary for at in written])
        for at, vector in zip(written, meant, strict=True):
            vectors[at] = vector
    rows = zip(decided, vectors, clusters, strict=True)
    return [cluster(one.output.summary, vector, below, members) for one, vector, members in rows]


def _mean(below: Sequence[TreeNode], members: Mapping[int, float]) -> Vector:
    """Return the mean of the members' vectors, weighted by their probabilities."""
    weights = np.array(list(members.values()), np.float32)
    return weights @ np.stack([below[row].vector for row in members]) / weights.sum()


def context_of(inputs: LayerInputs) -> SummaryContext:
    """Return what all summaries of a document are asked with."""
    return SummaryContext(inputs.document.metadata.title.strip() or inputs.document.name)


def shown_of(below: Sequence[TreeNode], members: Mapping[int, float]) -> list[int]:
    """Return the members that are read, in order: those nearest to the middle of the cluster that fit together."""
    rows = list(members)
    middle = np.sum([below[row].vector * weight for row, weight in members.items()], axis=0)
    central = sorted(rows, key=lambda row: (-round(float(below[row].vector @ middle), 4), row))
    fitting, _ = first_that_fit([below[row].text for row in central], ROOM)
    return sorted(central[: len(fitting)])


def _part(below: Sequence[TreeNode], members: Mapping[int, float]) -> SummaryPart:
    """Return what is asked about a cluster; headings are said over leaves only: summaries say theirs themselves."""
    shown = shown_of(below, members)
    where = "" if below[shown[0]].members else cluster("", below[shown[0]].vector, below, members).heading
    return SummaryPart(KIND, where[:_LONGEST_WHERE], "\n".join(below[row].text for row in shown))


def size_of(text: str) -> int:
    """Return what a member takes of the room."""
    return estimate_tokens(text) + 1
