"""Prompts in files: instructions that never change, a line of three dashes, and the input with `$names` to fill.

What is filled in is never read as a template again.
"""

from __future__ import annotations

import dataclasses
import re
import string
from collections.abc import Mapping
from functools import cache
from pathlib import Path

_TAG = re.compile(r"<(?=/?[A-Za-z])")
_SEPARATOR = "\n---\n"
_PREAMBLE = Path(__file__).parent / "preamble.md"


def inert(text: str) -> str:
    """Return material without anything that looks like one of our tags: it cannot end the place it stands in."""
    return _TAG.sub("\N{SINGLE LEFT-POINTING ANGLE QUOTATION MARK}", text)


@dataclasses.dataclass(frozen=True, slots=True)
class Template:
    """A prompt: `instructions` are the stable prefix of every call, `body` is what a call adds."""

    instructions: str
    body: string.Template

    @classmethod
    def beside(cls, module_file: str) -> Template:
        """Return the template beside a module, of its name; a package's is `prompt.md`. Pass `__file__`."""
        path = Path(module_file)
        return _load(path.with_name("prompt.md") if path.stem == "__init__" else path.with_suffix(".md"))

    @property
    def names(self) -> frozenset[str]:
        """Return what must be filled in."""
        return frozenset(self.body.get_identifiers())

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the body with every name filled. Raises KeyError for a missing name, ValueError for a needless one."""
        needless = values.keys() - self.names
        if needless:
            raise ValueError(f"the prompt has no place for {', '.join(sorted(needless))}")
        return self.body.substitute(values).strip()


@cache
def _load(path: Path) -> Template:
    text = path.read_text(encoding="utf-8")
    instructions, separator, body = text.partition(_SEPARATOR)
    if not separator:
        raise ValueError(f"{path} has no line of three dashes between instructions and input")
    preamble = _PREAMBLE.read_text(encoding="utf-8").strip()
    return Template(f"{preamble}\n\n{instructions.strip()}", string.Template(body.strip()))
