"""A run of wikitext as people read it: no marks of weight, links to the web as their words, entities as letters.

Owns these rules. Templates, links between pages and tags are gone before.
"""

from __future__ import annotations

import re
from html import unescape

from octavo.parsing.flow import tidy
from octavo.parsing.wikitext.kept import Kept

_WEB = re.compile(r"\[(?:(?:https?|ftps?|news|irc|gopher|git):|mailto:)?//?[^\s\[\]<>\"]++[^\S\n]*+([^\[\]\n]*+)\]")
_MAIL = re.compile(r"\[mailto:[^\s\[\]]++[^\S\n]*+([^\[\]\n]*+)\]")
_GAP = re.compile(r"(?<=\()[\s;,]++|(?<![\s;,])[\s;,]++(?=\))")
"""What a dropped template leaves inside brackets."""
_SWITCH = re.compile(r"__[A-Z]{3,30}__")


def words(text: str, kept: Kept) -> str:
    """Return the words on one line."""
    return tidy(unmarked(text, kept))


def unmarked(text: str, kept: Kept) -> str:
    """Return the words with all white space as it is."""
    if "''" in text:
        text = text.replace("'''''", "").replace("'''", "").replace("''", "")
    if "[" in text:
        text = _MAIL.sub(r"\1", _WEB.sub(r"\1", text))
    if "(" in text:
        text = _GAP.sub("", text).replace(" ()", "").replace("()", "")
    if "__" in text:
        text = _SWITCH.sub("", text)
    if "&" in text:
        text = unescape(text)
    return kept.filled(text)
