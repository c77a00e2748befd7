"""What is told of a model found on this machine.

Owns that shape, and which names are no language models. Knows nothing about where models are looked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_OTHER_USE = re.compile(r"embed|rerank|(?:^|[^a-z])(?:bert|bge|gte|minilm|clip|whisper)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class FoundModel:
    """A language model. Text in it came from files and servers: whoever shows it makes it safe to show."""

    name: str
    """What --model takes."""
    where: str
    size_bytes: int | None = None
    sees: bool | None = None
    """Whether it takes pictures; None where that is not known."""
    problem: str = ""
    """What keeps it from being used as it is and what to do about it, "" when nothing does."""


def is_other_use(name: str) -> bool:
    """Whether a model's name or family says that it embeds or ranks and does not write."""
    return _OTHER_USE.search(name) is not None
