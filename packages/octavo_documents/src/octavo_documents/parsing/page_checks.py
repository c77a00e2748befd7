"""What is refused of a file with pages, whatever its format: a page that it has not, and more pages than are read."""

from __future__ import annotations

from pathlib import Path

from octavo_documents.errors import SourceError
from octavo_documents.parsing import Limits


def check_page(path: Path, page: int, count: int) -> None:
    """Raise SourceError (`no_pages`) unless `page` is one of the `count` pages of a file."""
    if not 1 <= page <= count:
        raise SourceError("no_pages", f"{path} has no page {page}; its pages are 1 to {count}")


def check_page_count(path: Path, count: int, limits: Limits) -> None:
    """Raise SourceError (`too_many_pages`) for a file with more pages than are read."""
    if count > limits.pages:
        raise SourceError(
            "too_many_pages", f"{path} has {count:,} pages; at most {limits.pages:,} are read, so split the file"
        )


def check_file_size(path: Path, size: int, limits: Limits) -> None:
    """Raise SourceError (`too_large`) for a file of more bytes than are read."""
    if size > limits.file_bytes:
        raise SourceError("too_large", f"{path} has {size:,} bytes; at most {limits.file_bytes:,} are read")
