"""Where documents say who issued them whatever the name looks like: forms, labels, tickers and lines of copyright.

So "Johnson & Johnson", which has no legal form, is found above "(Exact name of registrant ...)", behind
"Published by:", before "(NYSE: JNJ)" or behind "© 2023".
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from octavo.about.company_names import EXCHANGE, NO_SHORT_FORMS, own_words
from octavo.about.document_texts import DocumentTexts
from octavo_documents.lazy import lazy_regex
from octavo_documents.text.document_kinds import document_kinds
from octavo_documents.text.languages import ENGLISH, language
from octavo_documents.text.lines import on_one_line

_OF_FORM, _LABELLED, _LISTED, _OWNED = 20.0, 8.0, 3.0, 2.0
"""What speaks for a name that a form asks for, one behind a label, the first with a ticker, and of a copyright line."""
_LONGEST, _MOST_WORDS = 80, 9
_RUN = r"[A-Z0-9À-ÖØ-Þ][\w&.'’\-]*(?:,?[ \t]+(?:[A-Z0-9&À-ÖØ-Þ][\w&.'’\-]*|of|and|the|de|for)){0,6}"
_ON_FORM = lazy_regex(
    rf"(?<![\w&.,-])(?P<name>{_RUN})[\s_–-]*[(（]"
    r"(?i:\s*(?:exact\s+)?name\s+of\s+(?:the\s+)?(?:registrant|issuer|company))\b"
)
_BEFORE_NAME = lazy_regex(r"^.*(?:\b\d[\d,./-]*|\b(?:FORM|Form)[ \t]+[\w-]+)[ \t]+(?=[A-Z0-9])")
"""What a form says before the name on its line: "December 31, 2022 Mallory & Finch"."""
_TICKER = lazy_regex(
    r"(?<![\w&.])(?P<name>[A-Z0-9][\w&.'’\-]*(?:[ \t]+(?:[A-Z0-9&][\w&.'’\-]*|of|and|the|de)){0,6}?,?)[ \t]*"
    rf"\((?:[^()\n]{{0,20}}[;,][ \t]*)?{EXCHANGE}"
)
_YEARS = r"\d{4}(?:[ \t]*[-–,][ \t]*\d{4})*[ \t,]*"
_COPYRIGHT = lazy_regex(
    rf"(?:(?:©|(?i:copyright))[ \t]*(?:(?:©|\([Cc]\))[ \t]*)?(?:{_YEARS})?|\([Cc]\)[ \t]*{_YEARS})(?:by[ \t]+)?"
    r"(?P<name>[A-ZÀ-ÖØ-Þ][\w&.'’\-]*(?:,?[ \t]+(?:[A-ZÀ-ÖØ-Þ&][\w&.'’\-]*|of|and|the|de|for)){0,6})"
)
_AFTER = lazy_regex(r"[\s,.]+(?:All|No|Some)\b.*$")
_NO_NAME = lazy_regex(r"\d{3}|[@:/_*]|\b(?:commission|stock\s+(?:exchange|market)|copyright|rights)\b", re.IGNORECASE)
_EXCHANGES = lazy_regex(r"\bstock\s+(?:exchange|market)\b|\bsecurities\s+and\s+exchange\b", re.IGNORECASE)


def issuers_told(texts: DocumentTexts, *, is_bill: bool = False) -> Iterator[tuple[str, float]]:
    """Yield the names that a document gives for who issued it, with what each place speaks for it; most first."""
    for match in _ON_FORM.finditer(texts.beginning):
        yield from _named(_BEFORE_NAME.sub("", match["name"]), _OF_FORM)
    for match in _labelled(texts.code, is_bill=is_bill).finditer(texts.cover):
        yield from _named(match["name"], _LABELLED)
    listed = _TICKER.search(texts.beginning)
    yield from _named(listed["name"], _LISTED) if listed else ()
    for text in (texts.beginning, texts.ending, "\n".join(texts.heads)):
        owned = _COPYRIGHT.search(text)
        yield from _named(_AFTER.sub("", owned["name"]), _OWNED) if owned else ()


def addressees(texts: DocumentTexts) -> list[str]:
    """Return what stands on the lines of a cover that say to whom the document goes: "Bill to: Harrow Mills Ltd"."""
    return [match["name"] for match in _addressed(texts.code).finditer(texts.cover)]


def is_exchange(name: str) -> bool:
    """Whether a name is that of an exchange or of who supervises one, which stand in every filing."""
    return bool(_EXCHANGES.search(name))


def _named(text: str, weight: float) -> Iterator[tuple[str, float]]:
    name = on_one_line(text).strip(" ,;:-–•|").removesuffix("All rights reserved").strip(" ,")
    words = own_words(name)
    is_name = (
        2 <= len(name) <= _LONGEST
        and 0 < len(words) <= _MOST_WORDS
        and words[0] not in NO_SHORT_FORMS
        and any(map(str.isalpha, name))
        and not name[0].islower()
        and not _NO_NAME.search(name)
        and not document_kinds(name)
    )
    if is_name:
        yield name, weight


@cache
def _labelled(code: str, *, is_bill: bool) -> re.Pattern[str]:
    """Return what names an issuer behind a label on a line: "Published by: Ostra Vind", in a language or in English."""
    spoken, english = language(code), language(ENGLISH)
    parts = _either(
        *spoken.issued_by, *english.issued_by, *((*spoken.billed_by, *english.billed_by) if is_bill else ())
    )
    ends = r"$|[|;；\d。]|(?<!\b(?-i:[A-Z][a-z]))\.(?:\s|$)|[ \t][\w-]+[ \t]*:"  # no point of "St."
    name = rf"(?P<name>[^\n|:：;；\d。]{{2,80}}?)(?=[ \t]*(?:{ends}))"
    return re.compile(
        rf"(?:(?<!\w)(?:{parts})[ \t]*[:：]|^[ \t]*(?:{parts})[ \t]*[|–-])[ \t]*{name}", re.IGNORECASE | re.MULTILINE
    )


@cache
def _addressed(code: str) -> re.Pattern[str]:
    parts = _either(*language(code).addressed_to, *language(ENGLISH).addressed_to)
    return re.compile(
        rf"^[ \t|]*(?:{parts})[ \t]*(?:[:：|][ \t]*\n?|\n)[ \t]*(?P<name>[^\n]{{2,100}})$", re.IGNORECASE | re.MULTILINE
    )


def _either(*labels: str) -> str:
    ordered = sorted({*labels}, key=lambda one: (-len(one), one))
    return "|".join(re.escape(one).replace(r"\ ", r"[ \t]+") for one in ordered)
