"""What a container yields: an article with its text as it stands there, or why there is none."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

ARTICLE_BYTES = 16 << 20
"""The most bytes of an article that are read."""
_LONGEST_TITLE = 200

REASONS: Mapping[str, str] = MappingProxyType(
    {
        "redirect": "only sends on to another article",
        "namespace": "is no article but a page about them",
        "model": "is no wikitext",
        "empty": "has no text",
        "too_large": f"has more than {ARTICLE_BYTES >> 20} MiB",
        "no_object": "is no JSON object",
        "no_text": "has no field with a text",
        "duplicate": "stands in the file twice",
    }
)
"""Why something in a container is not indexed, in words that follow "it"."""


@dataclass(frozen=True, slots=True)
class Article:
    """One article: its title (may be empty), the module of `octavo.parsing` that reads it, and its bytes.

    `remark` says what had to be guessed, "" for nothing; `where` is its place in the container, for messages.
    """

    title: str
    format: str
    data: bytes
    where: str = ""
    remark: str = ""

    @property
    def digest(self) -> str:
        """The hex SHA-256 of its kind, title and text."""
        digest = hashlib.sha256()
        for part in (self.format.encode(), self.title.encode("utf-8", "replace"), self.data):
            digest.update(len(part).to_bytes(8, "little"))
            digest.update(part)
        return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Skipped:
    """Something in a container that is not indexed: a word of `REASONS`, and its title or place."""

    reason: str
    where: str


def tidy_title(title: str) -> str:
    """Return a title on one line, composed, without characters that cannot be shown, of at most 200 characters."""
    shown = title.encode("utf-8", "replace").decode("utf-8")
    if not shown.isprintable():
        shown = "".join(letter if letter.isprintable() else " " for letter in shown)
    return unicodedata.normalize("NFC", " ".join(shown.split()))[:_LONGEST_TITLE].strip()
