"""Questions in other languages than English that point back to the one before, told by the words in their tables."""

from __future__ import annotations

from octavo_documents.text.analyzer import analyze
from octavo_documents.text.languages import language

_LONGEST_BEFORE = 300
"""Characters of a question that another may point back to."""
_MOST_LED = 2
"""Terms of a question that begins with "and"; one of more says what it is about."""


def points_back(text: str, before: str, code: str) -> str | None:
    """Return a question in another language than English with the one before it, where its words point back to it.

    They do in a question of function words alone ("Von wem?"), in a short one that begins with "and" ("Und der
    Preis?"), and in one with a single other word, no name, beside a pronoun ("Was kostet das?").
    """
    table = language(code)
    words = text.casefold().strip(" ¿¡?!.").split()
    if not words or len(before) > _LONGEST_BEFORE:
        return None
    terms = analyze(text, code)
    is_led = words[0] in table.joining and len(terms) <= _MOST_LED
    has_name = any(word[:1].isupper() for word in text.split()[1:])
    points = len(terms) <= 1 and not has_name and any(word in table.pointing for word in words)
    return f"{text.rstrip(' ?')}? ({before.rstrip(' ?')})" if is_led or points or not terms else None
