"""Prompts in files, and material made to fit into them.

A prompt is instructions that never change, a line of three dashes, and the input with `$names` to fill. What is filled
in is never read as a template again. Material is cut at a sentence end, the texts kept that fit, or the room shared
fairly; a mark or a count says how much is missing.
"""

from __future__ import annotations

import dataclasses
import re
import string
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path

from octavo.models.language import estimate_tokens

_TAG = re.compile(r"<(?=/?[A-Za-z])")
_SEPARATOR = "\n---\n"
_PREAMBLE = Path(__file__).parent / "preamble.md"
_SENTENCE_END = re.compile(r"[.!?。！？]['\")\]]*\s")
_MARK = "\n[... {words} words left out here ...]"
_MARK_TOKENS = 16


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


def shorten(text: str, tokens: int) -> tuple[str, int]:
    """Return the text, cut to at most `tokens` at the last sentence end (else word end) that fits, and the words cut.

    A cut text ends with a mark that says how many words are missing; 0 means the text is whole.
    """
    if estimate_tokens(text) <= tokens:
        return text, 0
    room = max(0, tokens - _MARK_TOKENS) * 3
    head = text.encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore")
    ends = [found.end() for found in _SENTENCE_END.finditer(head)]
    at = ends[-1] if ends and ends[-1] > len(head) // 2 else head.rfind(" ") + 1
    kept = head[:at].rstrip() if at > 0 else head
    words = max(1, len(text[len(kept) :].split()))
    return kept + _MARK.format(words=words), words


def first_that_fit(texts: Sequence[str], tokens: int) -> tuple[list[str], int]:
    """Return the longest run of first texts that fits, and how many texts were left out.

    Texts come best first. When not even the first fits it is shortened, so that there is always something to judge.
    """
    kept: list[str] = []
    room = tokens
    for text in texts:
        size = estimate_tokens(text) + 1
        if size > room:
            break
        kept.append(text)
        room -= size
    if not kept and texts:
        kept.append(shorten(texts[0], tokens)[0])
    return kept, len(texts) - len(kept)


def share(texts: Sequence[str], tokens: int) -> tuple[list[str], int]:
    """Return all texts, the longest ones shortened to a common length, and how many were shortened.

    Short texts stay whole and leave their room to the long ones.
    """
    sizes = sorted(estimate_tokens(text) for text in texts)
    room, cap = tokens, tokens
    for at, size in enumerate(sizes):
        cap = room // (len(sizes) - at)
        if size > cap:
            break
        room -= size
    fitted = [shorten(text, cap) for text in texts]
    return [text for text, _ in fitted], sum(1 for _, cut in fitted if cut)
