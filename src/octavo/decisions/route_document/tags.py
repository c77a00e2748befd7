"""Actions as lines of tags: `[ANSWER] 19: The first words`, `[EXPAND] 40: Records`, `[REFUSE]` (RDR2 section 3.3).

Owns how they are written, which is what a router is trained to say, and how they are read. A tag is read with the ids
that follow it; the words behind the colon ground an id in its text and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from octavo.decisions.route_document.actions import Actions
from octavo.decisions.route_document.lines import RouteLine

_WORDS = 6
"""How many words of its text an id is written with."""
_LONGEST = 60
"""Characters of these words, for scripts without spaces."""
_IDS = r"#?\d+(?:[ \t,]+#?\d+)*"
_TAG = re.compile(rf"[\s*-]*\[(ANSWER|EXPAND|REFUSE)\][ \t]*({_IDS})?[ \t]*", re.IGNORECASE)
_ID = re.compile(r"(?<!\d)\d{1,9}(?!\d)")


def written(actions: Actions, lines: Sequence[RouteLine]) -> str:
    """Return the actions, one a line, each id with the first words of its text; `[REFUSE]` where there are none."""
    texts = {line.id: line.text for line in lines}
    said = [f"[ANSWER] {one}: {_prefix(texts.get(one, ''))}" for one in actions.answer]
    said += [f"[EXPAND] {one}: {_prefix(texts.get(one, ''))}" for one in actions.expand]
    return "\n".join(one.rstrip(": ") for one in said) if said else "[REFUSE]"


def read(text: str) -> Actions | None:
    """Return the actions that tags name, None where there is no tag; a tag in the words of a text is not one."""
    found = [tag for line in text.splitlines() for tag in _tags(line)]
    if not found:
        return None
    answer = [one for name, ids in found if name == "ANSWER" for one in ids]
    expand = [one for name, ids in found if name == "EXPAND" for one in ids]
    return Actions(
        answer=list(dict.fromkeys(answer)),
        expand=list(dict.fromkeys(expand)),
        refuse=any(name == "REFUSE" for name, _ in found),
    )


def _tags(line: str) -> Iterator[tuple[str, list[int]]]:
    """Yield the tags at the head of a line with their ids; what follows a colon is the text of an id."""
    at = 0
    while (tag := _TAG.match(line, at)) is not None:
        yield tag[1].upper(), [int(one) for one in _ID.findall(tag[2] or "")]
        at = tag.end()


def _prefix(text: str) -> str:
    return " ".join(text.split()[:_WORDS])[:_LONGEST].rstrip()
