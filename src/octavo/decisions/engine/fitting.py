"""Three ways to make material fit a number of tokens: cut at a sentence end, keep what fits, share the room fairly.

Nothing is cut silently: a mark or a count says how much is missing.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from octavo.models.language import estimate_tokens

_SENTENCE_END = re.compile(r"[.!?。！？]['\")\]]*\s")
_MARK = "\n[... {words} words left out here ...]"
_MARK_TOKENS = 16


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
