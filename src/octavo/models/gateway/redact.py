"""Taking keys out of text by their value, however written: plain, in a URL, JSON, base64 or hexadecimal digits."""

from __future__ import annotations

import base64
import html
import json
import re
from collections.abc import Iterable, Iterator
from urllib.parse import quote, quote_plus

MARK = "[redacted]"
SHORTEST = 8
"""Characters of the shortest key that is taken out; "none" and "ollama" are words, not keys."""
_SHORTEST_PART = 6
"""Characters of the beginning of a key that are held back at the end of a text that grows."""


class Redactor:
    """Replaces secrets by a mark. Secrets under 8 characters are left alone."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = [secret for secret in secrets if len(secret) >= SHORTEST]
        self._forms = sorted({form for secret in known for form in _forms(secret)}, key=len, reverse=True)
        self._pattern = re.compile("|".join(map(re.escape, self._forms))) if self._forms else None

    def __repr__(self) -> str:
        return "Redactor()"

    def __call__(self, text: str) -> str:
        """Return the text with every secret replaced."""
        return self._pattern.sub(MARK, text) if self._pattern else text

    def growing(self, text: str) -> str:
        """Return a text that still grows with every secret replaced, and an end that may become one held back."""
        text = self(text)
        longest = max((_overlap(text, form) for form in self._forms), default=0)
        return text[:-longest] if longest else text


def _overlap(text: str, form: str) -> int:
    """Return the length of the longest end of the text that a form begins with, 0 when it is too short to matter."""
    for length in range(min(len(form) - 1, len(text)), _SHORTEST_PART - 1, -1):
        if text.endswith(form[:length]):
            return length
    return 0


def _forms(secret: str) -> Iterator[str]:
    yield secret
    for escaped in (json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]):
        yield escaped
        yield escaped.replace("/", r"\/")
    yield repr(secret)[1:-1]
    yield html.escape(secret)
    data = secret.encode("utf-8", "surrogatepass")
    for encoded in (quote(data, safe=""), quote(data), quote_plus(data)):
        yield encoded
        yield re.sub("%[0-9A-F]{2}", lambda found: found.group().lower(), encoded)
    yield data.hex()
    yield data.hex().upper()
    for offset in range(3):
        yield from _base64(data, offset)


def _base64(data: bytes, offset: int) -> Iterator[str]:
    """Yield the digits that data always gives when it starts `offset` bytes (modulo 3) into what is encoded."""
    first, end = -(-offset * 8 // 6), (offset + len(data)) * 8 // 6
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        yield encode(bytes(offset) + data).decode("ascii")[first:end]
