"""Names at the head of a document: in its title, its first lines and its running heads, whatever they look like.

A letter head, the first line of a bill, the line under a title: there stands whose a document is, mostly without a
legal form. One document alone does not show that it is a name; others of the library may (`about.library_issuers`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo.about.company_names import CAPITAL
from octavo.about.document_texts import DocumentTexts
from octavo.about.issuer_lines import is_exchange
from octavo.about.names import is_only_sort, tells, words_of
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.analyzer import is_function_word
from octavo_documents.text.document_kinds import document_kinds
from octavo_documents.text.languages import language

_LINES, _MOST = 6, 4
"""Lines of the cover that are a head, and names that are kept of it."""
_LONGEST, _MOST_WORDS = 80, 9
_WORD = rf"(?:[dl]['’])?{CAPITAL}[\w&.'’\-]*"
_JOINER = (
    r"(?:&|of|and|the|for|de|du|des|d|la|le|les|et|und|für|der|die|di|del|della|dei|degli|e|y|do|da|dos|das|van|het|en|i|"
    r"al|sur|og|och)"
)
_NAME = lazy_regex(rf"{_WORD}(?:[ \t]+(?:{_JOINER}[ \t]+){{0,2}}(?:{_WORD}))+")
_PARTS = lazy_regex(r"\s+[-–—|·•]+\s+|\s*[|·•:;,(\n]\s*")
_YEAR = lazy_regex(r"\s+(?:19|20)\d\d(?:\s*[-–/]\s*(?:\d\d){1,2})?")
_BEFORE = lazy_regex(r"^(?:(?:the|der|die|das|la|le|les|el|los|il|lo|i|gli|het|de|o|a)[ \t]+)+(?=\S)", re.IGNORECASE)


def names_at_head(texts: DocumentTexts, title: str) -> dict[str, str]:
    """Return the names at the head of a document, first those of its title, with the words by which each is told.

    These are those that the document never writes without a capital, as names are compared, with spaces between; none
    for what stands with a year alone on its line, as titles do.
    """
    found: dict[str, str] = {}
    for name, is_of_year in _names(texts, title):
        words = [word for word, _ in words_of(name) if tells(word) and not is_function_word(word, texts.code)]
        own = [word for word in words if word not in texts.small]
        if own and name not in found:
            found[name] = "" if is_of_year else " ".join(own)
        if len(found) == _MOST:
            break
    return found


def _names(texts: DocumentTexts, title: str) -> Iterator[tuple[str, bool]]:
    """Yield the names of a head in order, and whether only a year stands with each on its line."""
    lines = [line for line in texts.cover[: _LINES * 4 * _LONGEST].split("\n") if line.strip()][:_LINES]
    for line in (title, *texts.heads, *lines):
        for part in _PARTS.split(line):
            match = _NAME.match(_BEFORE.sub("", part.strip()))
            name = _trimmed(match[0], texts.code) if match else ""
            if name and not document_kinds(name, texts.code) and not is_only_sort(name) and not is_exchange(name):
                yield name, bool(_YEAR.fullmatch(line.strip().removeprefix(name)))


def _trimmed(text: str, code: str) -> str:
    """Return a run of words with capitals up to one that belongs to no name; "" where that is no name of several."""
    words = list[str]()
    for word in text.split():
        if words and word[0].isupper() and (is_function_word(word, code) or any(map(str.isdigit, word))):
            break
        words.append(word)
    while words and not words[-1][0].isupper():
        words.pop()
    name = " ".join(words).rstrip(".")
    first = words[0].rstrip(".").casefold() if words else ""
    is_dated = any(first in forms for forms in language(code).months)
    return name if 1 < len(words) <= _MOST_WORDS and len(name) <= _LONGEST and not is_dated else ""
