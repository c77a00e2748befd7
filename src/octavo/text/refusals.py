"""Answers that say there is none, such as “The fee is not specified in the document”."""

from __future__ import annotations

import re

_DOCUMENT = (
    r"(?:the|this|these|any|either) (?:(?:provided|given|above|shown|available) )?"
    r"(?:documents?|passages?|texts?|reports?|contexts?|information|pages?|papers?|manual|evidence|excerpts?|sources?)"
)
_SAID = r"(?:mentioned|specified|stated|disclosed|provided|given|found|listed|included|indicated|reported|available)"
_SAYS = r"(?:mention|specify|state|disclose|provide|give|contain|list|include|indicate|say|address|discuss)"
_PATTERN = re.compile(
    rf"^\s*(?:n/?a|unknown|unanswerable|not (?:answerable|applicable|{_SAID})|no information)\W*$"
    rf"|^\s*not (?:\w+ly )?{_SAID} (?:in|by|within) {_DOCUMENT}\b"
    rf"|\b(?:is|are|was|were) not (?:\w+ly )?{_SAID} (?:in|by|within|from) {_DOCUMENT}\b"
    r"|\b(?:is|are|was|were) not (?:\w+ly )?(?:mentioned|specified|stated|disclosed)\W*$"
    rf"|\b{_DOCUMENT}(?: here| above| below)? (?:do|does|did)(?: not|n[’']t) (?:\w+ly )?{_SAYS}\b"
    rf"|\b(?:there is|{_DOCUMENT} (?:has|have|contains?|provides?)) no (?:\w+ )?(?:information|mention|data|details?)\b"
    r"|\b(?:cannot|can not|can[’']t) be (?:answered|determined|found)\b",
    re.IGNORECASE,
)
_SENTENCE = re.compile(r"(?<=[a-z)][.!?])\s+(?=[A-Z])")
_YES_OR_NO = re.compile(r"^\s*(?:yes|no)\b", re.IGNORECASE)


def says_none(answer: str, value: str = "") -> bool:
    """Tell whether an answer says, in its first sentence, that the document does not answer.

    Not so where a `value` says something beside, or the answer begins with yes or no.
    """
    if _YES_OR_NO.match(answer):
        return False
    first = _SENTENCE.split(answer.strip(), maxsplit=1)[0]
    told = value.strip().rstrip(".")
    has_value = bool(told) and told != answer.strip().rstrip(".") and not _PATTERN.search(told)
    return bool(_PATTERN.search(first)) and not has_value
