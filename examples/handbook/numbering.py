"""Gives sections, tables, figures and formulas their numbers. Knows nothing about pages."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from .blocks import Block, Figure, Formula, Grid, Heading


@dataclass(frozen=True)
class Label:
    """`number` is what is printed before a title (`3.2`, `Table 4.1`), `reference` how text refers to it."""

    kind: str
    number: str
    reference: str


@dataclass
class _Counters:
    sections: list[int] = field(default_factory=lambda: [0, 0, 0])
    appendices: int = 0
    chapter: str = ""
    within: dict[str, int] = field(default_factory=dict)


def number_blocks(blocks: Iterable[Block]) -> dict[str, Label]:
    """Return the label of every block that has a key."""
    counters = _Counters()
    labels: dict[str, Label] = {}
    for block in blocks:
        if isinstance(block, Heading):
            labels[block.key] = _heading(block, counters)
        elif isinstance(block, Grid | Figure | Formula):
            kind = {Grid: "Table", Figure: "Figure", Formula: "Equation"}[type(block)]
            counters.within[kind] = counters.within.get(kind, 0) + 1
            # A table of the front matter has no chapter to take its number from and stays without one.
            number = f"{kind} {counters.chapter}.{counters.within[kind]}" if counters.chapter else ""
            labels[block.key] = Label(kind.lower(), number, number or block.key)
    return labels


def _heading(block: Heading, counters: _Counters) -> Label:
    if block.style == "bare":
        return Label("section", "", block.title)
    if block.level == 1:
        counters.within, counters.sections[1:] = {}, [0, 0]
        if block.style == "appendix":
            counters.chapter = chr(ord("A") + counters.appendices)
            counters.appendices += 1
            return Label("appendix", f"Appendix {counters.chapter}", f"Appendix {counters.chapter}")
        counters.sections[0] += 1
        counters.chapter = str(counters.sections[0])
        return Label("chapter", counters.chapter, f"Chapter {counters.chapter}")
    index = block.level - 1
    counters.sections[index] += 1
    counters.sections[index + 1 :] = [0] * (2 - index)
    number = ".".join([counters.chapter, *(str(n) for n in counters.sections[1 : block.level])])
    return Label("section", number, f"Section {number}")
