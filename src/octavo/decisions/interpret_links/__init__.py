"""Which blocks of a few neighbouring pages explain, sum up or update others, here or earlier in the document.

One call reads a window of pages with a running memory of what came before (LAD-RAG's index). A link counts when both
blocks were shown and its evidence stands in one of them; what is made up is dropped.
"""

from __future__ import annotations

import dataclasses
import re
from typing import Literal

from pydantic import BaseModel, Field, field_validator

from octavo.decisions.engine.base import Decision, Filled
from octavo.decisions.engine.fitting import share
from octavo.decisions.engine.prompt import Template, inert
from octavo.decisions.interpret_links import rule

Relation = Literal["explains", "summarizes", "updates"]
RELATIONS: tuple[Relation, ...] = ("explains", "summarizes", "updates")
_MOST_LINKS = 40
_MEMORY_SHARE = 0.25
"""Of the room for material, what the blocks before the window may take."""
_BLOCK_OVERHEAD = 12


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
        f"[{block.id}] ({block.kind}, page {block.page}) {' '.join(inert(text).split())}" for block, text in pairs
    ), cut


def _rule(value: PageWindow) -> BlockLinks:
    found = rule.cued([(block.id, block.kind, block.text) for block in value.blocks])
    return BlockLinks(
        links=[
            BlockLink(source=source, target=target, relation=relation, evidence=words)
            for source, target, relation, words in found
        ]
    )


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

__all__ = ["INTERPRET_LINKS", "RELATIONS", "BlockLink", "BlockLinks", "Memory", "PageWindow", "PlacedBlock"]
