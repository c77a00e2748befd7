"""Plain German questions over a table, put into the English forms that `table_forms` reads; names stay as they are.

Only what opens as a plain question does is taken: which thing has the most or the least of something, and how many or
how high something is. A word that no form accounts for stays, and then nothing is worked out.
"""

from __future__ import annotations

import re

from octavo_documents.lazy import lazy_regex

_MOST = (
    ("most", "meist"),
    ("least", "wenigst"),
    ("highest", "höchst"),
    ("lowest", "niedrigst tiefst geringst"),
    ("largest", "größt"),
    ("smallest", "kleinst"),
    ("longest", "längst"),
    ("shortest", "kürzest"),
    ("oldest", "ältest"),
    ("youngest", "jüngst"),
)
_WAYS = {stem: english for english, stems in _MOST for stem in stems.split()}
_WAY = rf"(?P<way>{'|'.join(_WAYS)})e[nrms]?"
_HAS = r"(?:hat|haben|hatten?|bekam|bekamen|bekommt|erhielt|erhielten|erhält|verzeichneten?|gibt es|gab es)"
_WHICH = r"^(?:(?:in|bei|für|an|auf)\s+)?welche[rmns]?\s+(?P<thing>[\w-]+)\s+"
_WITH_MOST = lazy_regex(rf"{_WHICH}{_HAS}\s+(?:die|den|das|der)\s+{_WAY}\s+(?P<of>.+)$", re.IGNORECASE)
_MOST_OF = lazy_regex(rf"{_WHICH}(?:ist|sind|war|waren)\s+(?:die|der|das)\s+(?P<of>.+?)\s+am\s+{_WAY}$", re.IGNORECASE)
_HOW_MANY = lazy_regex(rf"^wie\s+viele?\s+(?P<of>.+?)\s+(?:{_HAS}|sind|waren|wurden)\s+(?P<rest>.+)$", re.IGNORECASE)
_HOW_HIGH = lazy_regex(
    r"^wie\s+(?:hoch|groß)\s+(?:ist|sind|war|waren)\s+(?:die|der|das)\s+(?P<rest>.+)$", re.IGNORECASE
)
_ENDING = lazy_regex(r"(?<![\w.])(?P<stem>[a-zäöüß][\w-]{2,}e)[nrms](?=\s+[A-ZÄÖÜ])")
"""The ending of an adjective before its noun: heads of columns have it without its case, "ungültige Stimmen"."""
_WORDS = {
    "im": "in", "am": "on", "vom": "of", "von": "of", "für": "for", "bei": "at", "beim": "at", "aus": "of",
    "und": "and", "oder": "or", "der": "the", "die": "the", "das": "the", "den": "the", "dem": "the", "des": "the",
    "seit": "since", "bis": "until", "zwischen": "between", "insgesamt": "in total", "prozent": "percent",
    "januar": "January", "februar": "February", "märz": "March", "mai": "May", "juni": "June", "juli": "July",
    "oktober": "October", "dezember": "December",
}  # fmt: skip
_WORD = lazy_regex(r"[^\W\d_]+")
_UNPLAIN = lazy_regex(
    r"\b(?:nicht|kein\w*|ohne|außer|mehr|weniger|als|pro|je|jede\w*|nur|durchschnittlich\w*|zusammen|gleich\w*|sowohl|"
    r"weder|warum|wann|wer|wo)\b",
    re.IGNORECASE,
)
"""What these forms do not say: rows that are left out, compared or put together."""


def in_english_form(question: str) -> str:
    """Return a plain German question over a table in the English form of it; others as they are.

    >>> in_english_form("Welche Gemeinde hat die meisten ungültigen Stimmen?")
    'which Gemeinde has the most ungültige Stimmen'
    >>> in_english_form("Wie viele Stimmen bekam Huber in Bad Ischl?")
    'how many Stimmen in Huber in Bad Ischl'
    >>> in_english_form("How high is the pier?")
    'How high is the pier?'
    """
    asked = question.strip().rstrip("?!. ")
    if _UNPLAIN.search(asked):
        return question
    if (found := _WITH_MOST.match(asked)) or (found := _MOST_OF.match(asked)):
        return f"which {found['thing']} has the {_WAYS[found['way'].lower()]} {_worded(found['of'])}"
    if found := _HOW_MANY.match(asked):
        return f"how many {_worded(found['of'])} in {_worded(found['rest'])}"
    if found := _HOW_HIGH.match(asked):
        return f"what is the {_worded(found['rest'])}"
    return question


def _worded(text: str) -> str:
    told = _ENDING.sub(lambda one: one["stem"], text)
    return _WORD.sub(lambda one: _WORDS.get(one[0].lower(), one[0]), told)
