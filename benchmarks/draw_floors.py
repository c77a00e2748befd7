"""Draw the floors of the code and the imports between them, from the code: `docs/floors.svg`.

python benchmarks/draw_floors.py

A row is a floor, a column the same floor as an importer: the number where they cross is how many times its modules
import from the row's floor. The order is that of the contract in pyproject.toml.
"""

from __future__ import annotations

import argparse
import ast
import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape

ROOT = Path(__file__).parent.parent
PICTURE = ROOT / "docs" / "floors.svg"

LEFT, LANE, ROW, HEAD, MARGIN = 470, 46, 44, 74, 16
"""Pixels: the part with names, a column, a row, what stands above the rows, and the space around."""
LARGEST = 17
"""The radius of the circle of the most imports."""

STYLE = """
  text { font: 13px system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; fill: #1f2328; }
  .paper { fill: #ffffff; } .band { fill: #eef2f7; } .name { font-weight: 600; font-size: 15px; }
  .small { fill: #59636e; font-size: 12px; } .lane { stroke: #8c959f; stroke-width: 1.5; }
  .start { fill: #8c959f; } .dot { fill: #0969da; } .count { fill: #ffffff; font-size: 11px; text-anchor: middle; }
  .few { fill: #1f2328; font-size: 11px; text-anchor: middle; } .faint { fill: #b6d4fb; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; } .paper { fill: #0d1117; } .band { fill: #1b222c; } .small { fill: #9198a1; }
    .lane { stroke: #6e7681; } .start { fill: #6e7681; } .dot { fill: #1f6feb; } .count { fill: #ffffff; }
    .few { fill: #e6edf3; } .faint { fill: #16396b; }
  }
"""


@dataclass(frozen=True)
class Floor:
    """A folder of a package, or a whole package: its size, and how many times it imports from each other floor."""

    name: str
    modules: int
    lines: int
    imports: Mapping[str, int]


def order(pyproject: Path) -> list[tuple[str, ...]]:
    """Return the floors from the top down, those of one height together: "octavo_lab", ..., "octavo.cli", ...

    A package whose own floors have a contract stands with those, another as a whole.
    """
    contracts = tomllib.loads(pyproject.read_text(encoding="utf-8"))["tool"]["importlinter"]["contracts"]
    layers = [one for one in contracts if one["type"] == "layers"]
    inside = {one["containers"][0]: _names(one) for one in layers if one.get("exhaustive")}
    (packages,) = (_names(one) for one in layers if "containers" not in one)
    found: list[tuple[str, ...]] = []
    for group in packages:
        (first, *_) = group
        floors = [tuple(f"{first}.{name}" for name in names) for names in inside.get(first, ())]
        found.extend(floors or [group])
    return found


def _names(contract: Mapping[str, Any]) -> list[tuple[str, ...]]:
    return [tuple(re.findall(r"\w+", layer)) for layer in contract["layers"]]


def floors(root: Path, names: Sequence[str]) -> list[Floor]:
    """Return the floors of a checkout, in the order of their names."""
    return [_floor(root, name, set(names)) for name in names]


def _floor(root: Path, name: str, known: set[str]) -> Floor:
    folder = root / "packages" / name.partition(".")[0] / "src" / Path(*name.split("."))
    paths = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder.with_suffix(".py")]
    texts = [path.read_text(encoding="utf-8") for path in paths]
    imports = Counter(target for text in texts for target in imported(text, known) if target != name)
    return Floor(name, len(texts), sum(len(text.splitlines()) for text in texts), imports)


def imported(text: str, known: set[str]) -> Iterator[str]:
    """Yield the floor of each import of a module's source that is from one of the known."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            dotted = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            dotted = (
                [f"{node.module}.{alias.name}" for alias in node.names] if "." not in node.module else [node.module]
            )
        else:
            continue
        for name in dotted:
            parts = name.split(".")
            yield from {".".join(parts[:1]), ".".join(parts[:2])} & known


def drawn(rows: Sequence[tuple[str, ...]], found: Sequence[Floor]) -> str:
    """Return the picture."""
    lanes = sum(bool(floor.imports) for floor in found)
    width, height = MARGIN * 2 + LEFT + LANE * (lanes + 2), HEAD + ROW * len(found) + MARGIN
    at = {floor.name: place for place, floor in enumerate(found)}
    most = max((count for floor in found for count in floor.imports.values()), default=1)
    title = "The floors of Octavo, and how many times each imports from the ones under it"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'role="img" aria-labelledby="title">',
        f'<title id="title">{title}</title>',
        f"<style>{STYLE}</style>",
        f'<rect class="paper" width="{width}" height="{height}"/>',
        f'<text class="name" x="{MARGIN}" y="{MARGIN + 14}">A floor imports only from the ones under it</text>',
        f'<text class="small" x="{MARGIN}" y="{MARGIN + 34}">A line goes down from each floor. A number on it is '
        "how many times its modules import from the floor the number stands on.</text>",
        *(_band(group, at, width) for group in rows),
        *(_label(floor, place) for place, floor in enumerate(found)),
        *(_lane(floor, at, most) for floor in found),
        "</svg>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _middle(place: int) -> float:
    return HEAD + ROW * (place + 0.5)


def _band(group: Sequence[str], at: Mapping[str, int], width: int) -> str:
    top = HEAD + ROW * min(at[name] for name in group)
    return (
        f'<rect class="band" x="{MARGIN / 2:g}" y="{top + 2}" width="{width - MARGIN}" height="{ROW * len(group) - 4}" '
        'rx="6"/>'
    )


def _label(floor: Floor, place: int) -> str:
    size = f"{floor.modules} modules, {floor.lines:,} lines"
    return (
        f'<text class="name" x="{MARGIN}" y="{_middle(place) + 5:g}">{escape(floor.name)}</text>'
        f'<text class="small" x="{MARGIN + 270}" y="{_middle(place) + 4.5:g}">{size}</text>'
    )


def _lane(floor: Floor, at: Mapping[str, int], most: int) -> str:
    """Return the line from a floor down to those it imports from; empty for one that imports from none."""
    if not floor.imports:
        return ""
    x, start = MARGIN + LEFT + LANE * (at[floor.name] + 0.5) - LANE / 2, _middle(at[floor.name])
    end = max(_middle(at[name]) for name in floor.imports)
    dots = [_dot(x, _middle(at[name]), count, most) for name, count in sorted(floor.imports.items())]
    line = f'<line class="lane" x1="{x:g}" y1="{start:g}" x2="{x:g}" y2="{end:g}"/>'
    square = f'<rect class="start" x="{x - 5:g}" y="{start - 5:g}" width="10" height="10"/>'
    name = f'<text class="small" x="{x + 12:g}" y="{start + 4.5:g}">{escape(floor.name.rpartition(".")[2])}</text>'
    return "".join([line, square, name, *dots])


def _dot(x: float, y: float, count: int, most: int) -> str:
    radius = max(9.0, LARGEST * math.sqrt(count / most))
    kind, text = ("dot", "count") if count >= most / 20 else ("faint", "few")
    return (
        f'<circle class="{kind}" cx="{x:g}" cy="{y:g}" r="{radius:.1f}"/>'
        f'<text class="{text}" x="{x:g}" y="{y + 4:g}">{count}</text>'
    )


def picture(root: Path = ROOT) -> str:
    """Return the picture of a checkout."""
    rows = order(root / "pyproject.toml")
    names = [name for group in rows for name in group]
    return drawn(rows, floors(root, names))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=PICTURE)
    arguments = parser.parse_args()
    arguments.out.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
