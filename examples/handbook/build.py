"""Puts the handbook together: reads its text, lays it out until references and footnotes stand still."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from reportlab.platypus import CondPageBreak, FrameBreak, NextPageTemplate, PageBreak, Spacer

from .blocks import Block, Code, Command, Figure, Grid, Heading, Prose
from .contents import contents
from .cover import Cover
from .flow import LONG_TABLE, Setting, flowables, heading_text
from .inline import Resolver
from .markup import read_blocks
from .numbering import Label, number_blocks
from .pages import BeginChapter, Plan, draw
from .record import Record
from .styles import CODE_LEADING

CONTENT = Path(__file__).parent / "content"
MAX_PASSES = 8


@dataclass(frozen=True)
class Built:
    """A finished handbook: its bytes, the blocks it was made of, and what was drawn where."""

    pdf: bytes
    blocks: list[Block]
    labels: dict[str, Label]
    record: Record
    plan: Plan


def build(*, outline: bool = True) -> Built:
    """Lay out the handbook, with the PDF's own outline or without one.

    Raises:
        RuntimeError: layout does not settle (a footnote moves its own reference to another page and back).
    """
    blocks = read_blocks(CONTENT)
    labels = number_blocks(blocks)
    plan = Plan()
    for _ in range(MAX_PASSES):
        record = Record()
        setting = Setting(labels, _resolver(labels, plan), record, outline)
        pdf = draw(_story(blocks, setting, plan), record, plan, setting.resolver)
        learned = Plan.of(record, plan)
        if learned == plan:
            return Built(pdf, blocks, labels, record, plan)
        plan = learned
    raise RuntimeError(f"layout does not settle in {MAX_PASSES} passes")


def _resolver(labels: dict[str, Label], plan: Plan) -> Resolver:
    numbers: dict[str, int] = {}

    def refer(how: str, key: str) -> str:
        return labels[key].reference if how == "ref" else f"page {plan.label(plan.pages.get(key, 1))}"

    return Resolver(refer, lambda text: numbers.setdefault(text, len(numbers) + 1))


def _story(blocks: list[Block], setting: Setting, plan: Plan) -> list[Any]:
    story: list[Any] = [NextPageTemplate("title")]
    for index, block in enumerate(blocks):
        if isinstance(block, Heading) and block.level == 1:
            setting = replace(setting, narrow=block.columns == 2)
            story.extend(_chapter_start(block, setting))
        story.extend(_room(blocks[index : index + 4]))
        if isinstance(block, Command):
            story.extend(_command(block, blocks, setting, plan))
        else:
            story.extend(flowables(block, f"block:{index}", setting))
    return story


def _room(ahead: list[Block]) -> list[Any]:
    """Return a page break that happens where a heading, or the line before a formula, would stand alone at the foot."""
    together = list(takewhile(_leads_on, ahead))
    if not together or (isinstance(ahead[0], Heading) and ahead[0].level == 1):
        return []
    return [CondPageBreak(sum(_least_height(block) for block in ahead[: len(together) + 1]))]


def _leads_on(block: Block) -> bool:
    """Return whether a block must not be the last one of its page."""
    return isinstance(block, Heading) or (isinstance(block, Prose) and block.text.endswith((",", ":")))


def _least_height(block: Block) -> float:
    """Return about how many points a block takes on the page on which it begins."""
    if isinstance(block, Figure):
        return 200.0
    if isinstance(block, Grid):
        return 40.0 + 17.0 * min(len(block.rows), LONG_TABLE)
    if isinstance(block, Code):
        return 20.0 + CODE_LEADING * len(block.lines)
    return 30.0 if isinstance(block, Heading) else 44.0


def _chapter_start(block: Heading, setting: Setting) -> list[Any]:
    template = "columns-opening" if block.columns == 2 else "opening"
    title = heading_text(block, setting.labels).replace("  ", " \u00b7 ")
    starts = [NextPageTemplate(template), PageBreak(), BeginChapter(title, is_body=block.style == "numbered")]
    return [*starts, Spacer(1, 26)]


def _command(block: Command, blocks: list[Block], setting: Setting, plan: Plan) -> list[Any]:
    if block.name == "title":
        return [Cover(setting.record)]
    if block.name == "contents":
        return contents(blocks, setting.labels, plan, setting.record)
    if block.name == "columns":
        return [FrameBreak()]
    if block.name == "break":
        return [PageBreak()]
    raise ValueError(f"!{block.name} is no command: use !title, !contents, !columns or !break")
