"""What extraction yields, by rule or by model: names, their mentions and relations; and the graph they make.

The figures of a graph are those of BookRAG's Figure 6: number, density, components, and the diameter of the largest
one.
"""

from __future__ import annotations

import dataclasses
import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from octavo.evidence import EntityTable, Graph, MentionTable, RelationTable
from octavo.layers.entities.words import is_shouted
from octavo_documents.document import Rows, TextColumn
from octavo_documents.text.names import is_short_for, normal_form

TABLE, FIGURE, FORMULA = "table", "figure", "formula"
PERSON, ORGANISATION, PLACE = "person", "organisation", "place"
NAME, TERM, LABEL = "name", "term", "label"
DATE, QUANTITY = "date", "quantity"
ELEMENTS = frozenset({TABLE, FIGURE, FORMULA})
"""Types of entities that are a thing on a page: each is itself and no other."""
EXACT = ELEMENTS | {DATE, QUANTITY}
"""Types that are never merged for being alike: "$4 million" is not "$5 million"."""
CONTAINED_IN, CO_OCCURS = "contained_in", "co_occurs_with"
_LEAST_WEIGHT = 0.01
_MOST_ALIASES = 20
_MOST_SEARCHES = 200
"""Breadth-first searches after which the diameter is given as the greatest distance met so far."""


class Mention(NamedTuple):
    """A name in a block, at characters `[start, stop)`, (-1, -1) when it is not verbatim.

    `unit` numbers the sentence or table row it stands in through the document; -1 where that is not known.
    """

    name: int
    block: int
    start: int
    stop: int
    unit: int = -1


class Statement(NamedTuple):
    """A relation that a block states between two names. A weight of 0 is to be reckoned from how often they meet."""

    source: int
    target: int
    type: str
    block: int
    weight: float = 0.0
    description: str = ""


@dataclasses.dataclass(slots=True)
class Named:
    """A name as written, what sort of thing it names, and what is said of it.

    `element` is the row of the block that the thing is, -1 for none: names of elements are told apart by it.
    """

    name: str
    type: str
    description: str = ""
    element: int = -1


@dataclasses.dataclass(slots=True)
class EntityExtraction:
    """Names in order of appearance, mentions and statements by name number; `acronyms` pairs (short, long) names."""

    names: list[Named] = dataclasses.field(default_factory=list[Named])
    mentions: list[Mention] = dataclasses.field(default_factory=list[Mention])
    statements: list[Statement] = dataclasses.field(default_factory=list[Statement])
    acronyms: list[tuple[str, str]] = dataclasses.field(default_factory=list[tuple[str, str]])
    _known: dict[tuple[str, int], int] = dataclasses.field(default_factory=dict[tuple[str, int], int])

    def name(self, name: str, type_: str, description: str = "", *, element: int = -1) -> int:
        """Return the number of a name, a new one unless it is known exactly so; what is said of it is added up."""
        at = self._known.setdefault((name, element), len(self.names))
        if at == len(self.names):
            self.names.append(Named(name, type_, description, element))
            return at
        known = self.names[at]
        if RANK[type_] < RANK[known.type]:
            known.type = type_
        known.description = merged_descriptions((known.description, description))
        return at


_MODEL_TYPES = ("product", "method", "event", "law")
"""Types that only a model tells."""
RANK = {
    type_: rank
    for rank, type_ in enumerate(
        (*sorted(ELEMENTS), DATE, QUANTITY, PERSON, ORGANISATION, PLACE, *_MODEL_TYPES, NAME, TERM, LABEL)
    )
}
"""Types, the most telling first: where names are merged the first one stays."""
MOST_DESCRIPTION = 400
"""Characters of a description."""


def merged_descriptions(descriptions: tuple[str, ...] | list[str]) -> str:
    """Return the distinct descriptions one after the other, as many as fit in `MOST_DESCRIPTION` characters."""
    merged = ""
    for text in dict.fromkeys(description.strip() for description in descriptions):
        if not text or text in merged:
            continue
        if merged and len(merged) + len(text) >= MOST_DESCRIPTION:
            break
        merged = f"{merged} {text}" if merged else text[:MOST_DESCRIPTION]
    return merged


def assembled(extraction: EntityExtraction, entity: npt.NDArray[np.int32]) -> Graph:
    """Return the graph of an extraction; `entity` is the (n_names,) int32 entity of each name."""
    return Graph(
        entities=_entities(extraction, entity),
        mentions=_mentions(extraction, entity),
        relations=_relations(extraction, entity),
    )


def _entities(extraction: EntityExtraction, entity: npt.NDArray[np.int32]) -> EntityTable:
    counts = Counter(mention.name for mention in extraction.mentions)
    longs = {long for _, long in extraction.acronyms}
    members: defaultdict[int, list[int]] = defaultdict(list)
    for name, number in enumerate(entity.tolist()):
        members[number].append(name)
    ordered = (sorted(members[number], key=lambda name: (-counts[name], name)) for number in range(len(members)))
    rows = [_entity([extraction.names[name] for name in one], longs) for one in ordered]
    return EntityTable(
        name=TextColumn.of(row[0] for row in rows),
        type=TextColumn.of(row[1] for row in rows),
        description=TextColumn.of(row[2] for row in rows),
        aliases=TextColumn.of(row[3] for row in rows),
    )


def _entity(members: Sequence[Named], longs: set[str]) -> tuple[str, str, str, str]:
    """Return name, type, description and aliases of an entity by its names, the most frequent first."""
    written = [named.name for named in members]
    type_ = min((named.type for named in members), key=RANK.__getitem__)
    title = _title(written, longs, type_)
    others = [name for name in dict.fromkeys(written) if name != title]
    description = merged_descriptions([named.description for named in members])
    return title, type_, description, "\n".join(others[:_MOST_ALIASES])


def _title(written: Sequence[str], longs: set[str], type_: str) -> str:
    """Return the name to show: what an acronym is short for, a person's full name, else the most frequent one.

    One that is all capitals gives way to the same name in small letters.
    """
    expansions = [name for name in written if name in longs or is_short_for(written[0], name)]
    if expansions:
        return expansions[0]
    if type_ == PERSON:
        return max(written, key=lambda name: len(name.split()))
    if " " in written[0] and is_shouted(written[0]):
        plain = normal_form(written[0])
        return next((name for name in written if not is_shouted(name) and normal_form(name) == plain), written[0])
    return written[0]


def _mentions(extraction: EntityExtraction, entity: npt.NDArray[np.int32]) -> MentionTable:
    """Return the mentions of all names of an entity together, in order of entity, block and place, each once."""
    rows = np.array([(one.name, one.block, one.start, one.stop) for one in extraction.mentions], np.int64)
    rows = rows.reshape(-1, 4)
    rows[:, 0] = entity[rows[:, 0]] if len(rows) else rows[:, 0]
    rows = np.unique(rows, axis=0) if len(rows) else rows
    columns = [column.astype(np.int32) for column in rows.T]
    return MentionTable(entity=columns[0], block=columns[1], start=columns[2], stop=columns[3])


def _relations(extraction: EntityExtraction, entity: npt.NDArray[np.int32]) -> RelationTable:
    """Return the statements between different entities, those of one block and type once, with their weights."""
    numbers = entity.tolist()
    met: Counter[tuple[int, int]] = Counter()
    stated: dict[tuple[int, int, str, int], Statement] = {}
    for one in extraction.statements:
        source, target = numbers[one.source], numbers[one.target]
        if source == target:
            continue
        met[min(source, target), max(source, target)] += one.weight <= 0
        key = (source, target, one.type, one.block)
        known = stated.get(key)
        if known is None or (one.description and not known.description):
            stated[key] = one
    often = _units_of(extraction, numbers)
    weights = [one.weight or _association(met, often, key[0], key[1]) for key, one in stated.items()]
    return _table(stated, weights)


def _table(stated: Mapping[tuple[int, int, str, int], Statement], weights: Sequence[float]) -> RelationTable:
    return RelationTable(
        source=np.array([key[0] for key in stated], np.int32),
        target=np.array([key[1] for key in stated], np.int32),
        type=TextColumn.of(key[2] for key in stated),
        description=TextColumn.of(one.description for one in stated.values()),
        weight=np.array(weights, np.float32),
        block=np.array([key[3] for key in stated], np.int32),
    )


def _units_of(extraction: EntityExtraction, numbers: Sequence[int]) -> Counter[int]:
    """Return in how many sentences each entity stands."""
    together = {(numbers[one.name], one.unit) for one in extraction.mentions if one.unit >= 0}
    return Counter(number for number, _ in together)


def _association(met: Mapping[tuple[int, int], int], often: Mapping[int, int], left: int, right: int) -> float:
    """Return how strongly meeting ties two entities: how often they meet by how often they stand, in (0, 1]."""
    together = met[min(left, right), max(left, right)]
    most = math.sqrt(max(often.get(left, 0), together) * max(often.get(right, 0), together))
    return min(1.0, max(_LEAST_WEIGHT, together / most))


@dataclasses.dataclass(frozen=True, slots=True)
class GraphStatistics:
    """Figures of an undirected graph. `density` is 2 m / n (n - 1); `diameter` is that of the largest component."""

    entities: int
    edges: int
    density: float
    components: int
    diameter: int


def statistics_of(graph: Graph) -> GraphStatistics:
    """Return the figures of a graph; several relations between two entities are one edge."""
    from scipy import sparse
    from scipy.sparse import csgraph

    size = len(graph)
    source, target, _ = graph.edges()
    if not size:
        return GraphStatistics(0, 0, 0.0, 0, 0)
    matrix: Any = sparse.csr_matrix((np.ones(len(source), np.int8), (source, target)), shape=(size, size))
    components: Any = csgraph.connected_components(matrix, directed=False)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    count, labels = cast("tuple[int, Rows]", components)
    largest = np.flatnonzero(labels == np.bincount(labels).argmax())
    starts = np.concatenate([[0], np.cumsum(np.bincount(source, minlength=size))])
    edges = len(source) // 2
    return GraphStatistics(
        entities=size,
        edges=edges,
        density=2 * edges / max(1, size * (size - 1)),
        components=int(count),
        diameter=_diameter(starts, target, largest),
    )


def _diameter(starts: Rows, neighbours: Rows, members: Rows) -> int:
    """Return the greatest distance between two members of a component.

    Each search from a node bounds the eccentricity of all others (Takes and Kosters, 2011): nodes whose upper bound is
    not above the greatest lower bound need no search of their own.
    """
    lower = np.zeros(len(starts) - 1, np.int64)
    upper = np.full(len(starts) - 1, np.iinfo(np.int32).max, np.int64)
    open_nodes, best = members, 0
    for search in range(_MOST_SEARCHES):
        if not len(open_nodes):
            break
        pick = np.argmax(upper[open_nodes]) if search % 2 == 0 else np.argmin(lower[open_nodes])
        node = int(open_nodes[pick])
        distance = _distances(starts, neighbours, node)
        reach = int(distance[members].max())
        best = max(best, reach)
        lower[members] = np.maximum(lower[members], np.maximum(distance[members], reach - distance[members]))
        upper[members] = np.minimum(upper[members], reach + distance[members])
        lower[node] = upper[node] = reach
        open_nodes = open_nodes[(upper[open_nodes] > best) & (lower[open_nodes] < upper[open_nodes])]
    return best


def _distances(starts: Rows, neighbours: Rows, node: int) -> Rows:
    """Return the distance of every node from one, -1 where it is not reached."""
    distance = np.full(len(starts) - 1, -1, np.int64)
    distance[node] = 0
    front = np.array([node], np.int64)
    step = 0
    while len(front):
        step += 1
        counts = starts[front + 1] - starts[front]
        shifts = np.repeat(starts[front] - np.concatenate([[0], np.cumsum(counts)[:-1]]), counts)
        reached = neighbours[shifts + np.arange(int(counts.sum()))]
        front = np.unique(reached[distance[reached] < 0]).astype(np.int64)
        distance[front] = step
    return distance
