"""The articles that flowing text is timed with say the same in every format."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from flow import FORMATS, Author
from octavo_documents.document import Kind
from octavo_documents.parsing import DEFAULT_LIMITS
from octavo_documents.parsing.formats import read_flow


def headings(folder: Path) -> Iterator[list[tuple[int, str]]]:
    article = Author(3).article(300)
    for suffix, written in FORMATS.items():
        path = folder / f"article{suffix}"
        path.write_text(written(article), "utf-8")
        blocks = read_flow(path, DEFAULT_LIMITS).blocks
        assert sum(block.kind == Kind.TABLE for block in blocks) == 2
        yield [(block.level, block.text) for block in blocks if block.kind == Kind.HEADING]


def test_an_article_has_the_same_sections_and_tables_in_every_format(tmp_path: Path) -> None:
    first, *others = headings(tmp_path)
    assert len(first) == 2
    assert others == [first, first]
    assert Author(3).article(300) == Author(3).article(300)
