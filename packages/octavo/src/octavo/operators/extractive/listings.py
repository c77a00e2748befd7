"""Listings, such as sample output, code, logs and settings, and whether a question means what one of them says.

What such a line says holds of the system or run it was taken from: "Codename: sid" answers what that one is called and
no other. So nothing of it is stated where the question says anything that neither the line nor what stands over it
does; and nothing where it is called an example, comes of a command, or holds under a condition that is not asked for.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence

from octavo.evidence import View
from octavo.operators.extractive.units import Unit, content_before
from octavo.question.words import LESS, MORE
from octavo_documents.document import Kind
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.conditions import condition_in

EXCUSED = frozenset(
    term
    for words in (
        MORE.replace("|", " "),
        LESS.replace("|", " "),
        "limit limits value amount level company allowed permitted cost pay paid charge amounted stood reached "
        "reported recorded registered counted measured expected need needed required firm group business entity",
    )
    for term in analyze(words)
)
"""Terms of a question that a table or a listing need not say of a value."""
_KEY_AND_VALUE = lazy_regex(r"\s*[\w$#][\w .()/$#-]{0,40}?\s*(?:=|:(?=\s))\s*\S[^.;!?]{0,80}")
"""A line that is a key and its value alone: "Codename: sid", "port = 22"."""
_COMMAND = lazy_regex(
    r"^\s*(?:\$\s+[a-z./~]|>>>\s|[\w.-]+@[\w.-]+\S*[$#]\s|[A-Z]:\\\S*>)",
    re.MULTILINE,
)
"""A line that is typed at a prompt."""
_SHOWN_FIRST = 160
"""Characters at the end of the block before a listing in which it may be called an example."""
_EXAMPLE = lazy_regex(
    r"\b(?:examples?|samples?|e\.g\.|for instance|something like|similar to|looks? like|might be|could be"
    r"|beispiel\w*|exemples?|ejemplos?|esempi\w*)\b",
    re.IGNORECASE,
)
_LISTED_BEFORE = 8
"""Lines of one listing, each a block of its own, that are passed over on the way to what introduces it."""


def is_listed(view: View, unit: Unit) -> bool:
    """Return whether a unit is a line of a listing: of code, or a key and its value alone."""
    return _is_listing(view, unit.row, unit.shown)


def is_list_of_keys(rows: Sequence[Sequence[str]], heads: int) -> bool:
    """Return whether a table is a list of keys with their values: without `heads`, or most rows are "Key: | value"."""
    labels = [next((cell.strip() for cell in row if cell.strip()), "") for row in rows]
    return not heads or 2 * sum(label.endswith(":") for label in labels) > len(labels)


def is_illustration(view: View, unit: Unit, asked: Collection[str]) -> bool:
    """Return whether a listing, or a table that lists keys, shows what is so in one case, and that is not asked for.

    That is told by a command that it begins with, and by what stands right before it: an example, or a condition none
    of whose terms is `asked`.
    """
    row, lines = unit.row, [view.blocks.text[unit.row]]
    for _ in range(_LISTED_BEFORE):
        row = content_before(view, row)
        if row < 0 or not _is_listing(view, row, view.blocks.text[row]):
            break
        lines.append(view.blocks.text[row])
    if any(map(_COMMAND.search, lines)):
        return True
    said = view.blocks.text[row][-_SHOWN_FIRST:] if row >= 0 else ""
    condition = condition_in(said) if said.rstrip().endswith(":") else None
    is_case = condition is not None and not {*analyze(said[slice(*condition)])} & {*asked}
    return is_case or bool(_EXAMPLE.search(said))


def says_all(view: View, unit: Unit, asked: Collection[str], terms: Callable[[str], Iterable[str]]) -> bool:
    """Return whether a line and what stands over it say all that is asked with; `terms` analyses a text."""
    told = {*terms(unit.text), *terms(over_all(view, unit.row))}
    return not {*asked} - told - EXCUSED


def over_all(view: View, row: int) -> str:
    """Return what a block's document is called, and all headings over it."""
    document = view.documents[int(view.document[row])]
    return " ".join((document.name, document.title, *view.blocks.section_path(row)))


def _is_listing(view: View, row: int, text: str) -> bool:
    kind = view.blocks.kind_of(row)
    return kind == Kind.CODE or (kind in (Kind.PARAGRAPH, Kind.LIST_ITEM) and bool(_KEY_AND_VALUE.fullmatch(text)))
