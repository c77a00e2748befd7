"""The summaries layer: short texts that stand for elements, pages and sections.

An element is summed up from its description under its caption, a page from its blocks with descriptions in the place of
elements, a section from its own blocks first and then from the beginnings of the sections inside it.
"""

from __future__ import annotations

import dataclasses

import numpy as np

from octavo.decisions.engine import Decided
from octavo.decisions.summarize import SUMMARIZE, PartSummary, SummaryContext, SummaryPart
from octavo.evidence import SummaryTable
from octavo.layers.base import Layer, LayerInputs, rehearsed
from octavo.layers.passages import without_leaders
from octavo.layers.vectors import WRITTEN
from octavo_documents.document import FURNITURE, Document, Kind, TextColumn
from octavo_documents.document.columns import pack
from octavo_documents.structuring import markers
from octavo_documents.text.lines import on_one_line

_LONGEST_ELEMENT = 400
"""Characters of an element's description that its page and section are summed up from."""
_LONGEST_CAPTION = 200
_LONGEST_PAGE = 5000
_LONGEST_SECTION = 4000
_LONGEST_INNER = 400
_SHORTEST = 20
"""Characters under which there is nothing to sum up."""
_BATCH = 60


@dataclasses.dataclass(frozen=True, slots=True)
class _Target:
    """What is summed up: blocks `[start, stop)`; `level` is a section's depth, 0 for others."""

    part: SummaryPart
    start: int
    stop: int
    level: int = 0
    label: str = ""
    """An element's: "Table 3"."""


def build(inputs: LayerInputs) -> bytes:
    """Return the packed `SummaryTable` with targets "element", "page" and "section", and the (n,) bool `WRITTEN`."""
    targets = _targets(inputs)
    context = SummaryContext(inputs.document.metadata.title.strip() or inputs.document.name)
    summaries: list[Decided[PartSummary]] = []
    for start in range(0, len(targets), _BATCH):
        parts = [target.part for target in targets[start : start + _BATCH]]
        summaries += inputs.judge.decide_items(SUMMARIZE, context, parts)
        if inputs.progress:
            inputs.progress(len(summaries), len(targets))
    table = SummaryTable(
        text=TextColumn.of(_labelled(*pair) for pair in zip(targets, (one.output for one in summaries), strict=True)),
        target=TextColumn.of(_target_name(target) for target in targets),
        start=np.array([target.start for target in targets], np.int32),
        stop=np.array([target.stop for target in targets], np.int32),
        level=np.array([target.level for target in targets], np.int32),
    )
    return pack(table.arrays("table") | {WRITTEN: np.array([one.by != "rule" for one in summaries], np.bool_)}, {})


def _labelled(target: _Target, summary: PartSummary) -> str:
    is_named = target.label.casefold() in summary.summary.casefold()
    return summary.summary if is_named else f"{target.label}: {summary.summary}"


def _target_name(target: _Target) -> str:
    return target.part.kind if target.part.kind in ("page", "section") else "element"


def _targets(inputs: LayerInputs) -> list[_Target]:
    gathered = _Gathered(inputs.document, SummaryTable.from_bytes(inputs.stored["descriptions"]))
    return [*gathered.elements(), *gathered.pages(), *gathered.sections()]


class _Gathered:
    """The texts of a document as they are summed up."""

    def __init__(self, document: Document, descriptions: SummaryTable) -> None:
        self._document = document
        self._blocks = document.blocks
        self._kinds: list[int] = document.blocks.kind.tolist()
        self._texts = [without_leaders(text) for text in document.blocks.text]
        self._described = dict(zip(descriptions.start.tolist(), descriptions.text, strict=True))

    def elements(self) -> list[_Target]:
        """Return each described element."""
        found: list[_Target] = []
        captions = self._document.links.captions()
        for row, text in self._described.items():
            caption = " ".join(on_one_line(self._texts[at]) for at in captions.get(row, ()))
            where = " > ".join(part for part in (self._path(row), caption[:_LONGEST_CAPTION]) if part)
            said = text.removeprefix(caption).removesuffix(self._place_said(row)).strip()
            part = SummaryPart(Kind(self._kinds[row]).label, where, said)
            found.append(_Target(part, row, row + 1, label=markers.caption(caption)))
        return found

    def pages(self) -> list[_Target]:
        """Return each page with something on it."""
        found: list[_Target] = []
        for page in range(1, len(self._document.pages) + 1):
            rows = self._document.on_page(page)
            text = self._joined(range(rows.start, rows.stop), _LONGEST_PAGE)
            if text:
                found.append(
                    _Target(SummaryPart("page", self._page_place(page, rows.start), text), rows.start, rows.stop)
                )
        return found

    def sections(self) -> list[_Target]:
        """Return each section with something in it."""
        found: list[_Target] = []
        for row in self._blocks.headings().tolist():
            stop = int(self._blocks.end[row])
            text = self._section_text(row, stop)
            if len(text) >= _SHORTEST:
                part = SummaryPart("section", self._path(row), text)
                found.append(_Target(part, row, stop, int(self._blocks.level[row])))
        return found

    def _path(self, row: int) -> str:
        return " > ".join(on_one_line(title) for title in self._blocks.section_path(row))

    def _page_place(self, page: int, row: int) -> str:
        """Return the page and the section it begins in: that of its first block that is not furniture."""
        first = next((at for at in range(row, len(self._kinds)) if self._kinds[at] not in FURNITURE), row)
        return " > ".join(part for part in (f"page {page}", self._path(first)) if part)

    def _said(self, row: int) -> str:
        """Return what a block says, an element by its description."""
        if self._kinds[row] in FURNITURE:
            return ""
        described = self._described.get(row)
        if described is None:
            return self._texts[row]
        return "" if described.endswith(self._place_said(row)) else described[:_LONGEST_ELEMENT]

    def _place_said(self, row: int) -> str:
        """Return how the description of an element ends of which only the place is known."""
        return f" in {self._path(row)}"

    def _joined(self, rows: range, longest: int) -> str:
        """Return the texts of some blocks, each ended like a sentence, as much of them as is read."""
        parts: list[str] = []
        left = longest
        for row in rows:
            said = self._said(row).strip()
            if said and left > 0:
                parts.append(_ended(said)[:left])
                left -= len(said)
        return "\n".join(parts)

    def _section_text(self, row: int, stop: int) -> str:
        """Return a section's own text, then the beginnings of the sections inside it."""
        inner: list[str] = []
        at = row + 1
        while at < stop and self._kinds[at] != Kind.HEADING:
            at += 1
        own = self._joined(range(row + 1, at), _LONGEST_SECTION)
        left = _LONGEST_SECTION - len(own)
        while at < stop and left > 0:
            below = int(self._blocks.end[at])
            inner.append(self._joined(range(at, below), min(_LONGEST_INNER, left)))
            left -= len(inner[-1])
            at = below
        return "\n".join(part for part in (own, *inner) if part)


def _ended(text: str) -> str:
    """Return a text with a full stop, so that headings and rows do not run into the next sentence."""
    return text if text.endswith((".", "!", "?", ":", ";", "。")) else f"{text}."


SUMMARIES = Layer(
    name="summaries",
    version=2,
    reads=("descriptions",),
    build=build,
    decisions=(SUMMARIZE.name,),
    parameters=f"page={_LONGEST_PAGE} section={_LONGEST_SECTION}",
    estimate=rehearsed(build),
)
