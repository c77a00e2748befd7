"""Extraction by model: entities and relations of windows of blocks, and of the pictures of figures and tables.

BookRAG section 4.3.1. Where a model fails, what the rules found in those blocks stands. Elements and table headers come
from the rules in any case; whatever a model finds in an element is contained in it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping, Sequence, Set

from octavo.decisions.engine.judge import Judge
from octavo.decisions.extract_graph import EXTRACT_GRAPH, ExtractedGraph, GraphWindow, WindowBlock
from octavo.decisions.extract_picture_graph import EXTRACT_PICTURE_GRAPH, ElementPicture
from octavo.layers.base import LayerInputs
from octavo.layers.crops import BATCH, crop, crop_of, picture_tokens
from octavo.layers.entities import rule
from octavo.layers.entities.extraction import CONTAINED_IN, ELEMENTS, EntityExtraction, Mention, Statement
from octavo.layers.entities.words import BlockWords, Gazetteer, KnownWords, blocks_as_words, forms_of
from octavo.models.language import Picture, estimate_tokens
from octavo_documents.document import BlockTable, Document, Kind
from octavo_documents.document.grid import Grid
from octavo_documents.text.lines import on_one_line

_LONGEST_TYPE = 60
WINDOW_TOKENS = 1400
"""The most that the blocks of a window take, about."""
SHORT_WINDOW = 500
"""A window with fewer tokens goes on into the next section."""
_LEAST_LETTERS = 12
_SHOWN_AS = {Kind.TABLE: "table", Kind.FIGURE: "figure", Kind.CHART: "figure"}


def extract(inputs: LayerInputs, ruled: EntityExtraction) -> EntityExtraction:
    """Return what models find, with the elements of `ruled` and all of it where no model decided.

    Figures, charts and tables go to a model that sees, where there is one and the file can be drawn; all else, and what
    that model did not answer, is read window by window.
    """
    document = inputs.document
    words = blocks_as_words(document)
    pictured = _looked_at(inputs, ruled, {block.row: block.text for block in words})
    windows = windows_of(document, words, without=frozenset(pictured))
    decided = inputs.judge.decide_many(EXTRACT_GRAPH, [window.asked for window in windows], rule=_nothing)
    answered = [(window, one) for window, one in zip(windows, decided, strict=True) if one.by != "rule"]
    read = {row for window, _ in answered for row in window.rows.values()}
    extraction = _kept(ruled, read | pictured.keys())
    by_row = {block.row: block for block in words}
    elements = _elements(document.blocks, extraction)
    for window, one in answered:
        _add(extraction, window.rows, one.output, by_row, elements)
    for row, found in pictured.items():
        _add(extraction, {1: row}, found, by_row, elements)
    return extraction


def _elements(blocks: BlockTable, extraction: EntityExtraction) -> dict[int, int]:
    """Return the number of the name of each row that is, or goes on, a table, figure or formula."""
    return {
        one.block: one.name
        for one in extraction.mentions
        if blocks.kind_of(one.block) in rule.ELEMENT_KINDS and extraction.names[one.name].type in ELEMENTS
    }


def _looked_at(inputs: LayerInputs, ruled: EntityExtraction, words: Mapping[int, str]) -> dict[int, ExtractedGraph]:
    """Return what a model that sees finds in the pictures of figures, charts and tables, by row."""
    judge, decision = inputs.judge, EXTRACT_PICTURE_GRAPH
    if inputs.render is None or not judge.has_model(decision.name, decision.role):
        return {}
    rows, found = pictured_rows(inputs.document, ruled), dict[int, ExtractedGraph]()
    for start in range(0, len(rows), BATCH):
        drawn = [(row, picture) for row in rows[start : start + BATCH] if (picture := crop(inputs, row)) is not None]
        asked = [_picture(inputs.document, row, words.get(row, ""), picture) for row, picture in drawn]
        decided = judge.decide_many(decision, asked)
        found |= {row: one.output for (row, _), one in zip(drawn, decided, strict=True) if one.by != "rule"}
        if inputs.progress:
            inputs.progress(min(start + BATCH, len(rows)), len(rows))
    return found


def pictured_rows(document: Document, ruled: EntityExtraction) -> list[int]:
    """Return the rows of the figures, charts and tables that are entities, in reading order."""
    return sorted(row for row in _elements(document.blocks, ruled) if document.blocks.kind_of(row) in _SHOWN_AS)


def _picture(document: Document, row: int, text: str, picture: Picture | None) -> ElementPicture:
    blocks = document.blocks
    captions = document.links.captions().get(row, [])
    return ElementPicture(
        kind=blocks.kind_of(row).label,
        caption=on_one_line(" ".join(blocks.text[at] for at in captions)),
        inside=text,
        section=" > ".join(blocks.section_path(row)),
        title=document.metadata.title.strip(),
        picture=picture,
    )


def rehearse_pictures(inputs: LayerInputs, judge: Judge) -> list[int] | None:
    """Have a judge decide of every picture without drawing it, and of the windows that are left.

    Return what the crops take, in the order of the pictures; None, and nothing is decided, where no model sees.
    """
    document = inputs.document
    if not judge.has_model(EXTRACT_PICTURE_GRAPH.name, EXTRACT_PICTURE_GRAPH.role):
        return None
    rows = pictured_rows(document, rule.extract(document))
    judge.decide_many(EXTRACT_PICTURE_GRAPH, [_picture(document, row, document.blocks.text[row], None) for row in rows])
    if judge.has_model(EXTRACT_GRAPH.name):
        windows = windows_of(document, blocks_as_words(document), without=frozenset(rows))
        judge.decide_many(EXTRACT_GRAPH, [window.asked for window in windows], rule=EXTRACT_GRAPH.rule)
    return [picture_tokens(crop_of(document, row)) for row in rows]


def _nothing(_window: object) -> ExtractedGraph:
    """Stand in for the decision's own rule: the rules have read the whole document already."""
    return ExtractedGraph()


def _kept(ruled: EntityExtraction, read: set[int]) -> EntityExtraction:
    """Return what the rules found without names in blocks that a model has read, elements and their headers aside."""
    contained = {(one.source, one.block) for one in ruled.statements if one.type == CONTAINED_IN and one.weight >= 1}
    mentions = [
        one
        for one in ruled.mentions
        if one.block not in read or ruled.names[one.name].type in ELEMENTS or (one.name, one.block) in contained
    ]
    statements = [one for one in ruled.statements if one.block not in read or (one.source, one.block) in contained]
    kept = EntityExtraction(acronyms=list(ruled.acronyms))
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


def _add(
    extraction: EntityExtraction,
    rows: Mapping[int, int],
    output: ExtractedGraph,
    words: Mapping[int, BlockWords],
    elements: Mapping[int, int],
) -> None:
    """Add the entities of some blocks, mentioned wherever these have them in these words, and their relations.

    `rows` has the row of each block by its number. What a table, figure or formula names is contained in it.
    """
    numbers = {one.name: extraction.name(one.name, one.type, one.description) for one in output.entities}
    homes = {one.name: rows.get(one.block, next(iter(rows.values()))) for one in output.entities}
    gazetteer = Gazetteer({forms_of(name): KnownWords(name) for name in numbers if forms_of(name)})
    found: set[str] = set()
    for row in rows.values():
        if (block := words.get(row)) is None:  # a picture without a word
            continue
        for first, stop, known in gazetteer.found_in(block):
            place = (block.starts[first], block.stops[stop - 1], block.units[first])
            extraction.mentions.append(Mention(numbers[known.type], row, *place))
            found.add(known.type)
    missing = [name for name in numbers if name not in found]
    extraction.mentions.extend(_elsewhere(numbers, missing, homes, words))
    extraction.statements.extend(
        Statement(number, elements[homes[name]], CONTAINED_IN, homes[name], 1.0)
        for name, number in numbers.items()
        if homes[name] in elements and number != elements[homes[name]]
    )
    for one in output.relations:
        type_ = on_one_line(one.type)[:_LONGEST_TYPE] or "related_to"
        extraction.statements.append(
            Statement(numbers[one.source], numbers[one.target], type_, homes[one.source], one.weight)
        )


def _elsewhere(
    numbers: Mapping[str, int], missing: Sequence[str], homes: Mapping[str, int], words: Mapping[int, BlockWords]
) -> list[Mention]:
    """Return the mentions of names that no run of whole words is: verbatim inside others, else without a place."""
    mentions: list[Mention] = []
    for name in missing:
        start = words[homes[name]].text.find(name) if homes[name] in words else -1
        stop = start + len(name) if start >= 0 else -1
        mentions.append(Mention(numbers[name], homes[name], start, stop))
    return mentions


@dataclasses.dataclass(frozen=True, slots=True)
class Window:
    """What is asked of the model, and the row of each of its blocks by number."""

    asked: GraphWindow
    rows: dict[int, int]


def windows_of(document: Document, words: Sequence[BlockWords], *, without: Set[int] = frozenset()) -> list[Window]:
    """Return the windows over the blocks with something to say, in reading order, `without` some rows.

    Reference lists are left out.
    """
    captions = {row: rows[-1] for row, rows in document.links.captions().items()}
    read = (block for block in words if not block.apart and block.row not in without)
    shown = [(block.row, _text(document.blocks, block, captions)) for block in read]
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
        opens = blocks.kind_of(row) == Kind.HEADING and tokens >= SHORT_WINDOW
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
        WindowBlock(number, _SHOWN_AS.get(blocks.kind_of(row), "text"), text)
        for number, (row, text) in enumerate(group, start=1)
    )
    return Window(GraphWindow(shown, section, document.metadata.title.strip()), rows)
