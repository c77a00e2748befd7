"""Links found by rule against links that a person read out of a document.

    python benchmarks/link_cases.py [--misses]
    python benchmarks/link_cases.py --file DOCUMENT.pdf --cases CASES.jsonl [--misses]

Without a file: the handbook of `examples/`. A case is a line: `kind` (refers_to, caption_of, continues or footnote_of),
`page` and `source`, `target_page` and `target`. Source and target are words that the block has, or "<kind> words" for
a block of that kind, or a list of such texts when several blocks would be right. A case with `optional` says again
what another says: it is right, and none is missed without it. `reading` says what was left unread:
`{"reading": {"without_pages": [4, 5]}}`. On the pages that were read, a link of these kinds that no case names is
wrong, and two links that one case names are one. Precision and recall are printed by kind and together.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from octavo.layers.base import LayerInputs
from octavo.layers.links import links_of
from octavo_documents.document import Document, Kind, LinkKind, LinkTable
from octavo_documents.parsing.pdf import extract
from octavo_documents.structuring import structure

ROOT = Path(__file__).parent
HANDBOOK = ROOT.parent / "examples" / "handbook.pdf"
HANDBOOK_CASES = ROOT / "link_cases" / "handbook.jsonl"
READ = (LinkKind.REFERS_TO, LinkKind.CAPTION_OF, LinkKind.CONTINUES, LinkKind.FOOTNOTE_OF)
_OF_KIND = re.compile(r"<(\w+)>\s*(.*)", re.DOTALL)


@dataclass(frozen=True)
class Case:
    """A link as a person reads it; `source` and `target` name blocks by what they say, in one of several ways."""

    kind: LinkKind
    page: int
    source: tuple[str, ...]
    target_page: int
    target: tuple[str, ...]
    is_optional: bool = False

    @classmethod
    def of_json(cls, line: dict[str, object]) -> Case:
        return cls(
            LinkKind[str(line["kind"]).upper()],
            int(str(line["page"])),
            _several(line["source"]),
            int(str(line["target_page"])),
            _several(line["target"]),
            bool(line.get("optional")),
        )

    def __str__(self) -> str:
        source, target = self.source[0][:50], self.target[0][:50]
        return f"{self.kind.label} p. {self.page} {source!r} > p. {self.target_page} {target!r}"


@dataclass(frozen=True)
class Reading:
    """What was read of a document: the cases, and the pages that were not."""

    cases: tuple[Case, ...]
    without_pages: frozenset[int] = frozenset()


@dataclass
class Outcome:
    """What was found: the rows of links by the case that names them, and links that none does."""

    found: dict[Case, list[int]] = field(default_factory=dict[Case, list[int]])
    missed: list[Case] = field(default_factory=list[Case])
    wrong: list[int] = field(default_factory=list[int])

    def figures(self, links: LinkTable, kinds: Sequence[LinkKind]) -> tuple[int, int, int]:
        """Return how many cases of some kinds were found, how many were missed, and how many links are wrong."""
        return (
            sum(case.kind in kinds for case in self.found if not case.is_optional),
            sum(case.kind in kinds for case in self.missed),
            sum(links.kind_of(at) in kinds for at in self.wrong),
        )


def _several(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list) else (str(value),)


def reading_of(path: Path) -> Reading:
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    cases = tuple(Case.of_json(line) for line in lines if "kind" in line)
    without = [page for line in lines if "reading" in line for page in line["reading"]["without_pages"]]
    return Reading(cases, frozenset(without))


def plain(text: str) -> str:
    return re.sub(r"[\W_]+", "", text).lower()


def is_named(document: Document, row: int, page: int, names: Sequence[str]) -> bool:
    """Whether a block on a page is what one of some texts names."""
    blocks = document.blocks
    return int(blocks.page[row]) == page and any(_says(blocks.kind_of(row), blocks.text[row], name) for name in names)


def _says(kind: Kind, text: str, name: str) -> bool:
    found = _OF_KIND.match(name)
    if found and found[1] != kind.label:
        return False
    return plain(found[2] if found else name) in plain(text)


def compare(document: Document, links: LinkTable, reading: Reading) -> Outcome:
    """Return which cases the links meet, and which links no case names."""
    outcome = Outcome()
    for at in _read(document, links, reading):
        source, target, kind = int(links.source[at]), int(links.target[at]), links.kind_of(at)
        met = [
            case
            for case in reading.cases
            if case.kind == kind
            and is_named(document, source, case.page, case.source)
            and is_named(document, target, case.target_page, case.target)
        ]
        for case in met:
            outcome.found.setdefault(case, []).append(at)
        if not met:
            outcome.wrong.append(at)
    outcome.missed = [case for case in reading.cases if case not in outcome.found and not case.is_optional]
    return outcome


def _read(document: Document, links: LinkTable, reading: Reading) -> Iterator[int]:
    for at in range(len(links)):
        page = int(document.blocks.page[links.source[at]])
        if links.kind_of(at) in READ and page not in reading.without_pages:
            yield at


def line(title: str, found: int, missed: int, wrong: int) -> str:
    precision, recall = found / max(1, found + wrong), found / max(1, found + missed)
    return (
        f"  {title:12} {found + missed:4} read, {found:4} found, {wrong:3} wrong; "
        f"precision {precision:.3f} recall {recall:.3f}"
    )


def shown(document: Document, links: LinkTable, at: int) -> str:
    blocks = document.blocks
    source, target = int(links.source[at]), int(links.target[at])
    ends = [
        f"p. {int(blocks.page[row])} {blocks.kind_of(row).label} {' '.join(blocks.text[row].split())[:60]!r}"
        for row in (source, target)
    ]
    return f"{links.kind_of(at).label} {' > '.join(ends)} by {links.text[at]!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--file", type=Path, default=HANDBOOK)
    parser.add_argument("--cases", type=Path, default=HANDBOOK_CASES)
    parser.add_argument("--misses", action="store_true")
    options = parser.parse_args()
    document = structure(extract(options.file), name=options.file.name, digest="0" * 64)
    links = links_of(LayerInputs(document))
    outcome = compare(document, links, reading_of(options.cases))
    print(options.file.name)
    for kind in READ:
        print(line(kind.label, *outcome.figures(links, [kind])))
    print(line("together", *outcome.figures(links, READ)))
    if options.misses:
        print(*(f"missed {case}" for case in outcome.missed), sep="\n")
        print(*(f"wrong {shown(document, links, at)}" for at in outcome.wrong), sep="\n")


if __name__ == "__main__":
    main()
