"""Which blocks of a few neighbouring pages explain, sum up or update others, here or earlier in the document.

One call reads a window of pages with a running memory of what came before (LAD-RAG's index). A link counts when both
blocks were shown and its evidence stands in one of them; what is made up is dropped. The rule finds what cue words give
away: "as explained above" (the text before that shares most terms explains this one), "in summary" (this one sums up
the texts before it in its section), "supersedes the above", "this table shows" right beside a table.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator, Sequence
from typing import Literal

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine import Decision, Filled, Template, inert, share
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

Relation = Literal["explains", "summarizes", "updates"]
_MOST_LINKS = 40
_MEMORY_SHARE = 0.25
"""Of the room for material, what the blocks before the window may take."""
_BLOCK_OVERHEAD = 12
_TEXTS = ("paragraph", "list_item")
_SUMMARY = re.compile(
    r"(?:in\s+(?:summary|short|brief|conclusion|sum)|to\s+(?:summari[sz]e|sum\s+up|conclude)|summing\s+up|"
    r"(?:overall|all\s+in\s+all),)",
    re.IGNORECASE,
)
_EXPLAINED = re.compile(
    r"\bas\s+(?:we\s+)?(?:explained|described|defined|discussed)\s+(?:just\s+)?(?:above|earlier|before)\b",
    re.IGNORECASE,
)
_UPDATED = re.compile(
    r"\b(?:supersedes?|replaces?|amends?|corrects?|updates?)\s+(?:the\s+)?(?:above|foregoing|preceding|previous)\b",
    re.IGNORECASE,
)
_READING = re.compile(
    r"(?:as\s+)?(?:the|this|these)\s+(?P<before>(?:above|below|following|preceding)\s+)?"
    r"(?P<what>table|figure|chart|graph|diagram|equation|formula)s?(?P<after>\s+(?:above|below))?\s+"
    r"(?:shows?|illustrates?|depicts?|compares?|presents?|summari[sz]es?|indicates?|gives?)\b",
    re.IGNORECASE,
)
_KIND_OF = {"table": ("table",), "equation": ("formula",), "formula": ("formula",)}
_SUMMED = 3
"""Texts before a summary that it is linked to."""
_LEAST_SHARED = 3
_REACH = 4


@dataclasses.dataclass(frozen=True, slots=True)
class PlacedBlock:
    """A block: its number as the model sees it, its kind, physical page, and what it says."""

    id: int
    kind: str
    page: int
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Memory:
    """What is known when a window begins.

    `path` are the titles of the open sections, `topics` names and terms of the pages just before, `unresolved` labels
    that were named and not found, `earlier` blocks before the window that may be linked to.
    """

    path: tuple[str, ...] = ()
    topics: tuple[str, ...] = ()
    unresolved: tuple[str, ...] = ()
    earlier: tuple[PlacedBlock, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class PageWindow:
    """The blocks of a few neighbouring pages in reading order, and the running memory before them."""

    blocks: tuple[PlacedBlock, ...]
    memory: Memory = Memory()
    document: str = ""


class BlockLink(BaseModel):
    """Block `source` explains, sums up or updates block `target`; `evidence` are words of one of them that say so."""

    source: int
    target: int
    relation: Relation
    evidence: str = Field(default="", max_length=2000)

    @field_validator("relation", mode="before")
    @classmethod
    def _spelled(cls, value: object) -> object:
        """Take "Summarises" for "summarizes"."""
        return value.lower().replace("ises", "izes") if isinstance(value, str) else value


class BlockLinks(BaseModel):
    """The links of a window."""

    links: list[BlockLink]


def _render(value: PageWindow, room: int) -> Filled:
    """Show the blocks, each shortened to a fair share, and of what came before at most a quarter of the room."""
    earlier, _ = _shown(value.memory.earlier, int(room * _MEMORY_SHARE))
    blocks, cut = _shown(value.blocks, int(room * (1 - _MEMORY_SHARE)) - 200)
    memory = value.memory
    return Filled(
        {
            "document": inert(value.document[:200]) or "(not known)",
            "path": inert(" > ".join(memory.path)[:300]) or "(none)",
            "topics": inert(", ".join(memory.topics)[:300]) or "(none)",
            "unresolved": inert(", ".join(memory.unresolved)[:200]) or "(none)",
            "earlier": earlier or "(none)",
            "blocks": blocks,
        },
        left_out=cut,
    )


def _shown(blocks: tuple[PlacedBlock, ...], room: int) -> tuple[str, int]:
    texts, cut = share([block.text for block in blocks], max(64, room - _BLOCK_OVERHEAD * len(blocks)))
    pairs = zip(blocks, texts, strict=True)
    return "\n".join(
        f"[{block.id}] ({block.kind}, page {block.page}) {on_one_line(inert(text))}" for block, text in pairs
    ), cut


def _check(value: PageWindow, output: BlockLinks) -> BlockLinks:
    """Drop links between blocks that were not shown and those whose evidence stands in neither.

    Raises ValueError when nothing is left of what was said.
    """
    texts = {block.id: _plain(block.text) for block in (*value.memory.earlier, *value.blocks)}
    inside = {block.id for block in value.blocks}
    kept: dict[tuple[int, int, str], BlockLink] = {}
    for link in output.links[:_MOST_LINKS]:
        is_shown = link.source in texts and link.target in texts and link.source != link.target
        if is_shown and {link.source, link.target} & inside and _stands(link, texts):
            kept.setdefault((link.source, link.target, link.relation), link)
    if output.links and not kept:
        raise ValueError("links: use the numbers in brackets and copy the evidence from one of the two blocks")
    return BlockLinks(links=list(kept.values()))


def _stands(link: BlockLink, texts: dict[int, str]) -> bool:
    evidence = _plain(link.evidence)
    return bool(evidence) and (evidence in texts[link.source] or evidence in texts[link.target])


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.casefold()))


def _rule(value: PageWindow) -> BlockLinks:
    """Return the links that cue words give away."""
    found: list[BlockLink] = []
    for at, block in enumerate(value.blocks):
        if block.kind not in _TEXTS:
            continue
        before = _texts_before(value.blocks, at)
        if cue := _SUMMARY.match(block.text):
            found.extend(_link(block.id, other, "summarizes", cue.group()) for other in before[:_SUMMED])
        if (cue := _EXPLAINED.search(block.text)) and (other := _most_alike(value.blocks[:at], block.text)) is not None:
            found.append(_link(other, block.id, "explains", on_one_line(cue.group())))
        if before and (cue := _UPDATED.search(block.text)):
            found.append(_link(block.id, before[0], "updates", cue.group()))
        found.extend(_link(block.id, other, "explains", words) for other, words in _read_beside(value.blocks, at))
    return BlockLinks(links=found)


def _link(source: int, target: int, relation: Relation, evidence: str) -> BlockLink:
    return BlockLink(source=source, target=target, relation=relation, evidence=evidence)


def _texts_before(blocks: Sequence[PlacedBlock], at: int) -> list[int]:
    """Return the texts before a block in its section, nearest first."""
    texts: list[int] = []
    for block in reversed(blocks[:at]):
        if block.kind == "heading":
            break
        if block.kind in _TEXTS:
            texts.append(block.id)
    return texts


def _most_alike(before: Sequence[PlacedBlock], text: str) -> int | None:
    """Return the text before that shares most terms with a text, the nearest of equals; None when few are shared."""
    terms = set(analyze(text))
    best, most = None, _LEAST_SHARED - 1
    for block in reversed(before):
        shared = len(terms & set(analyze(block.text))) if block.kind in _TEXTS else 0
        if shared > most:
            best, most = block.id, shared
    return best


def _read_beside(blocks: Sequence[PlacedBlock], at: int) -> Iterator[tuple[int, str]]:
    """Yield the nearest element of the kind that the text says it reads, on the side it says, and the words."""
    cue = _READING.search(blocks[at].text)
    if not cue:
        return
    kinds = _KIND_OF.get(cue["what"].lower(), ("figure", "chart"))
    side = (cue["before"] or cue["after"] or "").strip().lower()
    first = at + 1 if side in ("below", "following") else max(0, at - _REACH)
    stop = at if side in ("above", "preceding") else min(len(blocks), at + _REACH + 1)
    beside = [other for other in range(first, stop) if blocks[other].kind in kinds]
    if beside:
        yield blocks[min(beside, key=lambda other: (abs(other - at), other))].id, on_one_line(cue.group())


INTERPRET_LINKS: Decision[PageWindow, BlockLinks] = Decision(
    name="interpret_links",
    version="1",
    template=Template.beside(__file__),
    output=BlockLinks,
    render=_render,
    rule=_rule,
    check=_check,
    max_output_tokens=1200,
)
