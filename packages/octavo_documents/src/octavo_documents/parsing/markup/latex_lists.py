"""The lists of LaTeX: which are numbered, and what is printed before their items."""

from __future__ import annotations

import re
from dataclasses import dataclass

from octavo_documents.parsing.numerals import numeral

NUMBERED_LISTS = ("enumerate", "compactenum")
_BY_DEPTH = ("{decimal}.", "({lowerLetter})", "{lowerRoman}.", "{upperLetter}.")
"""What stands before the items of a list in other numbered ones."""
_COMMANDS = {
    "arabic": "decimal",
    "alph": "lowerLetter",
    "Alph": "upperLetter",
    "roman": "lowerRoman",
    "Roman": "upperRoman",
}
_SIGNS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_LABEL = re.compile(r"\blabel\s*=\s*(?:\{(?P<held>[^,]*)\}|(?P<bare>[^,]*))")
_COMMAND = re.compile(r"\\(arabic|[aA]lph|[rR]oman)\s*\*")
_START = re.compile(r"\bstart\s*=\s*(\d{1,6})")
_SET = re.compile(r"\s*\\setcounter\s*\{enum[iv]+\}\s*\{(\d{1,6})\}")
_SHORT = re.compile(r"([^\w\\]*)([1aAiI])([^\w\\]*)\Z")
_FORM = re.compile(r"\{(\w+)\}")


@dataclass(slots=True)
class LatexList:
    """A list that is open: its environment, the number of its latest item, and how labels are made of numbers."""

    kind: str
    number: int = 0
    pattern: str = _BY_DEPTH[0]

    def label(self) -> str:
        """Return what is printed before the latest item."""
        return _FORM.sub(lambda found: numeral(self.number, found[1]), self.pattern, count=1)


def latex_list(kind: str, around: int, options: str, body: str) -> LatexList:
    """Return a list that begins; `around` numbered ones stand around it, `options` are those in brackets."""
    start, set_to = _START.search(options), _SET.match(body)
    number = int(start[1]) - 1 if start else int(set_to[1]) if set_to else 0
    return LatexList(kind, number, _pattern(options) or _BY_DEPTH[min(around, len(_BY_DEPTH) - 1)])


def _pattern(options: str) -> str:
    label = _LABEL.search(options)
    told = (label["held"] or label["bare"] or "").strip() if label else ""
    if found := _COMMAND.search(told):
        before, after = told[: found.start()], told[found.end() :]
        if not any("\\" in one or "{" in one for one in (before, after)):
            return f"{before}{{{_COMMANDS[found[1]]}}}{after}"
    short = _SHORT.match(options.strip())
    return f"{short[1]}{{{_SIGNS[short[2]]}}}{short[3]}" if short else ""
