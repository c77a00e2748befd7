"""The entities layer: the knowledge graph of a document, resolved (BookRAG section 4.3).

A model extracts window by window; where it fails, what the rules found in those blocks stands. Elements and
table headers come from the rules in any case.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence

from octavo.decisions.adjudicate_entities import ADJUDICATE_ENTITIES
from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_graph import EXTRACT_GRAPH, ExtractedGraph, GraphWindow, WindowBlock
from octavo.document import BlockTable, Document, Graph, Kind
from octavo.document.grid import Grid
from octavo.layers.base import Layer, LayerInputs, rehearsed, text_embedding
from octavo.layers.entities import rule
from octavo.layers.entities.extraction import CONTAINED_IN, ELEMENTS, Extraction, Mention, Statement
from octavo.layers.entities.merging import GRADIENT, resolved
from octavo.layers.entities.words import BlockWords, Gazetteer, Known, blocks_as_words, forms_of
from octavo.models.language import estimate_tokens

_LONGEST_TYPE = 60
WINDOW_TOKENS = 1400
"""The most that the blocks of a window take, about."""
SHORT_WINDOW = 500
"""A window with fewer tokens goes on into the next section."""
_LEAST_LETTERS = 12
_SHOWN_AS = {Kind.TABLE: "table", Kind.FIGURE: "figure", Kind.CHART: "figure"}


def extract(document: Document, judge: Judge, ruled: Extraction) -> Extraction:
    """Return what a model finds, with the elements of `ruled` and all of it where the model did not decide."""
    words = blocks_as_words(document)
    windows = windows_of(document, words)
    decided = judge.decide_many(EXTRACT_GRAPH, [window.asked for window in windows], rule=_nothing)
    answered = [(window, one) for window, one in zip(windows, decided, strict=True) if one.by != "rule"]
    extraction = _kept(ruled, {row for window, _ in answered for row in window.rows.values()})
    by_row = {block.row: block for block in words}
    for window, one in answered:
        _add(extraction, window, one.output, by_row)
    return extraction


def _nothing(_window: object) -> ExtractedGraph:
    """Stand in for the decision's own rule: the rules have read the whole document already."""
    return ExtractedGraph()


def _kept(ruled: Extraction, read: set[int]) -> Extraction:
    """Return what the rules found without names in blocks that a model has read, elements and their headers aside."""
    contained = {(one.source, one.block) for one in ruled.statements if one.type == CONTAINED_IN and one.weight >= 1}
    mentions = [
        one
        for one in ruled.mentions
        if one.block not in read or ruled.names[one.name].type in ELEMENTS or (one.name, one.block) in contained
    ]
    statements = [one for one in ruled.statements if one.block not in read or (one.source, one.block) in contained]
    kept = Extraction(acronyms=list(ruled.acronyms))
    numbers: dict[int, int] = {}
    for number in dict.fromkeys(one.name for one in mentions):
        named = ruled.names[number]
        numbers[number] = kept.name(named.name, named.type, named.description, element=named.element)
    kept.mentions.extend(one._replace(name=numbers[one.name]) for one in mentions)
    kept.statements.extend(
        one._replace(source=numbers[one.source], target=numbers[one.target])
        for one in statements
        if one.source in numbers and one.target in numbers
    )
    return kept


def _add(extraction: Extraction, window: Window, output: ExtractedGraph, words: Mapping[int, BlockWords]) -> None:
    """Add a window's entities, mentioned wherever the window has them in these words, and its relations."""
    numbers = {one.name: extraction.name(one.name, one.type, one.description) for one in output.entities}
    homes = {one.name: window.rows.get(one.block, next(iter(window.rows.values()))) for one in output.entities}
    gazetteer = Gazetteer({forms_of(name): Known(name) for name in numbers if forms_of(name)})
    found: set[str] = set()
    for row in window.rows.values():
        block = words[row]
        for first, stop, known in gazetteer.found_in(block):
            place = (block.starts[first], block.stops[stop - 1], block.units[first])
            extraction.mentions.append(Mention(numbers[known.type], row, *place))
            found.add(known.type)
    missing = [name for name in numbers if name not in found]
    extraction.mentions.extend(_elsewhere(numbers, missing, homes, words))
    for one in output.relations:
        type_ = " ".join(one.type.split())[:_LONGEST_TYPE] or "related_to"
        extraction.statements.append(
            Statement(numbers[one.source], numbers[one.target], type_, homes[one.source], one.weight)
        )


def _elsewhere(
    numbers: Mapping[str, int], missing: Sequence[str], homes: Mapping[str, int], words: Mapping[int, BlockWords]
) -> list[Mention]:
    """Return the mentions of names that no run of whole words is: verbatim inside others, else without a place."""
    mentions: list[Mention] = []
    for name in missing:
        start = words[homes[name]].text.find(name)
        stop = start + len(name) if start >= 0 else -1
        mentions.append(Mention(numbers[name], homes[name], start, stop))
    return mentions


@dataclasses.dataclass(frozen=True, slots=True)
class Window:
    """What is asked of the model, and the row of each of its blocks by number."""

    asked: GraphWindow
    rows: dict[int, int]


def windows_of(document: Document, words: Sequence[BlockWords]) -> list[Window]:
    """Return the windows over the blocks with something to say, in reading order; reference lists are left out."""
    captions = {row: rows[-1] for row, rows in document.links.captions().items()}
    shown = [(block.row, _text(document.blocks, block, captions)) for block in words if not block.apart]
    kept = [(row, text) for row, text in shown if sum(map(str.isalpha, text)) >= _LEAST_LETTERS]
    return [_window(document, group) for group in _groups(document.blocks, kept)]


def _text(blocks: BlockTable, block: BlockWords, captions: dict[int, int]) -> str:
    """Return a block as it is shown: a table by its rows with headers under its caption, all else as it stands."""
    if block.kind not in _SHOWN_AS:
        return block.text
    is_table = block.kind == Kind.TABLE and blocks.grid[block.row]
    lines = list(filter(None, Grid.from_json(blocks.grid[block.row]).linearised())) if is_table else []
    caption = blocks.text[captions[block.row]] if block.row in captions else ""
    return "\n".join([caption, *(lines or [block.text])]).strip()


def _groups(blocks: BlockTable, shown: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    group: list[tuple[int, str]] = []
    tokens = 0
    for row, text in shown:
        size = estimate_tokens(text)
        opens = blocks.kind[row] == Kind.HEADING and tokens >= SHORT_WINDOW
        if group and (opens or tokens + size > WINDOW_TOKENS):
            yield group
            group, tokens = [], 0
        group.append((row, text))
        tokens += size
    if group:
        yield group


def _window(document: Document, group: Sequence[tuple[int, str]]) -> Window:
    blocks = document.blocks
    rows = {number: row for number, (row, _) in enumerate(group, start=1)}
    section = " > ".join(blocks.section_path(group[0][0]))
    shown = tuple(
        WindowBlock(number, _SHOWN_AS.get(Kind(int(blocks.kind[row])), "text"), text)
        for number, (row, text) in enumerate(group, start=1)
    )
    return Window(GraphWindow(shown, section, document.metadata.title.strip()), rows)


DESCRIBED = "described_by_model"
"""The statistic of a graph that is true where a model was asked what is named and what is said of it."""
_WORDIER = 2.0
"""A model describes what it finds: its reply is so many times as long as the rule's."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `Graph` of a document, with the statistics of its resolution."""
    return graph_of(inputs).to_bytes()


def graph_of(inputs: LayerInputs) -> Graph:
    """Return the graph of a document."""
    document = inputs.document
    extraction = rule.extract(document)
    if not inputs.judge.has_model(EXTRACT_GRAPH.name):
        return resolved(extraction, inputs.judge, inputs.embedder, _title(document))
    extraction = extract(document, inputs.judge, extraction)
    graph = resolved(extraction, inputs.judge, inputs.embedder, _title(document))
    return dataclasses.replace(graph, statistics={**graph.statistics, DESCRIBED: True})


def _title(document: Document) -> str:
    return document.metadata.title.strip() or document.name


ENTITIES = Layer(
    name="entities",
    version=2,
    reads=(),
    build=build,
    model=text_embedding,
    decisions=(EXTRACT_GRAPH.name, ADJUDICATE_ENTITIES.name),
    parameters=f"top_k={GRADIENT.top_k} g={GRADIENT.g} low={GRADIENT.low} window={WINDOW_TOKENS}",
    estimate=rehearsed(
        build, {EXTRACT_GRAPH.name: lambda ruled: min(int(_WORDIER * ruled), EXTRACT_GRAPH.max_output_tokens)}
    ),
)

__all__ = ["DESCRIBED", "ENTITIES", "graph_of"]
