"""Running text and formulas of LaTeX as words: accents and signs as characters, marks of type left out."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field

from octavo_documents.parsing.flow import collapse_whitespace
from octavo_documents.parsing.inline_marks import marked, note_mark, raised, struck
from octavo_documents.parsing.markup.latex_signs import ACCENTS, FUNCTIONS, SIGNS, SYMBOLS, WORDS
from octavo_documents.parsing.markup.latex_source import after_optional, group, optional
from octavo_documents.text.lines import on_one_line

_TOKEN = re.compile(
    r"\\([a-zA-Z@]+)\*?[ \t]*\n?[ \t]*|\\(.)|(\$\$?)|([{}])|(---?|``|''|~)|(\\$)|[^\\${}`'~-]+|.", re.DOTALL
)
# fmt: off
_ONE = (
    "label", "vspace", "hspace", "vskip", "hskip", "includegraphics", "input", "include", "bibliographystyle",
    "bibliography", "pagestyle", "thispagestyle", "color", "definecolor", "usepackage", "documentclass",
    "graphicspath", "index", "glossary", "setcounter", "addtocounter", "setlength", "addtolength", "phantom",
    "hphantom", "vphantom", "todo", "nocite", "cmidrule", "cline", "rule", "newtheorem", "DeclareMathOperator",
    "rowcolor", "cellcolor", "columncolor", "orcid", "tikzset", "hypersetup", "captionsetup", "lstset",
    "pgfplotsset", "vfill",
)
# fmt: on
_DROPPED = {
    **dict.fromkeys(_ONE, 1),
    **dict.fromkeys(("setcounter", "addtocounter", "setlength", "addtolength", "newtheorem", "rule"), 2),
    "definecolor": 3,
    "vfill": 0,
}
"""Commands that leave nothing, and how many arguments they take along."""
_SECOND = (
    "textcolor", "href", "colorbox", "parbox", "foreignlanguage", "fcolorbox", "raisebox", "hypertarget", "hyperlink",
)  # fmt: skip
"""Commands whose first argument is not shown."""
_RAISED = ("textsuperscript", "up", "textup@", "sups")
_STRUCK = ("sout", "st", "xout", "cancel", "bcancel", "xcancel", "hcancel", "strikeout", "soutref")
_NOTES = ("footnote", "thanks", "footnotetext", "tablefootnote", "endnote", "sidenote")
_CITES = re.compile(r"(?:no|[a-zA-Z]*)cite[a-zA-Z]*\Z|parencite|textcite|autocite")
_REFERENCES = ("ref", "eqref", "pageref", "autoref", "cref", "Cref", "nameref", "vref", "subref")
REFERENCE = "\ue001"
"""Stands around the label of what is referred to."""
_DEEPEST = 25


def _as_it_stands(name: str, source: str, at: int, out: list[str]) -> int:
    """Add verbatim words in a line, which stand in braces or between two signs that are the same."""
    at = at if name == "verb" else after_optional(source, at)
    if name == "mintinline":
        _, at = group(source, at)  # the language
    if name != "verb" and source[at : at + 1] == "{":
        words, at = group(source, at)
        out.append(words)
        return at
    end = source.find(source[at : at + 1] or " ", at + 1)
    out.append(source[at + 1 : end] if end > at else "")
    return end + 1 if end > at else at


@dataclass(slots=True)
class Inline:
    """Turns running text into words; `notes` are the footnotes met on the way."""

    notes: list[str] = field(default_factory=list[str])
    unseen: list[str] = field(default_factory=list[str])
    """What is set in white."""
    _marks: int = 0
    """How many notes have a number."""

    def text(self, source: str) -> str:
        """Return the words of a text on one line."""
        return collapse_whitespace(self._text(source, 0))

    def _text(self, source: str, depth: int) -> str:
        if depth > _DEEPEST:
            return source
        out: list[str] = []
        at = 0
        while at < len(source):
            match = _TOKEN.match(source, at)
            if match is None:
                break
            at = match.end()
            name, sign, dollar, brace, dash = match.group(1, 2, 3, 4, 5)
            if name:
                at = self._command(name, source, at, out, depth)
            elif sign:
                at = self._sign(sign, source, at, out, depth)
            elif dollar:
                end = _math_end(source, at, dollar)
                out.append(_in_line(source[at:end]))
                at = min(end + len(dollar), len(source))
            elif not brace:
                out.append(SIGNS.get(dash, match[0]) if dash else match[0])
        return "".join(out)

    def _command(self, name: str, source: str, at: int, out: list[str], depth: int) -> int:
        """Add what a command says to `out` and return where the text goes on."""
        if name in WORDS:
            out.append(WORDS[name])
            return at
        if name in _DROPPED:
            for _ in range(_DROPPED[name]):
                _, at = group(source, after_optional(source, at))
            return after_optional(source, at)
        if name in _RAISED or name in _STRUCK:
            inside, at = group(source, at)
            words = self._text(inside, depth + 1)
            out.append(marked(words, is_raised=name in _RAISED, is_struck=name in _STRUCK))
            return at
        if name in _SECOND:
            said, after = group(source, after_optional(source, at))
            if name == "textcolor" and said.strip().lower() in ("white", "white!100"):
                inside, after = group(source, after)
                self.unseen.append(collapse_whitespace(self._text(inside, depth + 1)))
                return after
            out.append(" ")
            return group(source, after_optional(source, at))[1]
        return self._telling(name, source, at, out, depth)

    def _telling(self, name: str, source: str, at: int, out: list[str], depth: int) -> int:
        """Add what a command with an argument says that is not shown as it stands."""
        if name in ACCENTS and source[at : at + 1] in ("{", " "):
            letter, at = group(source, at)
            out.append(accented(self._text(letter, depth + 1), name))
        elif name in _REFERENCES:
            label, at = group(source, after_optional(source, at))
            out.append(f"{REFERENCE}{label.strip()}{REFERENCE}")
        elif name in _NOTES:
            given, at = optional(source, at)
            note, at = group(source, at)
            self.notes.append(collapse_whitespace(self._text(note, depth + 1)))
            if name not in ("thanks", "footnotetext"):
                self._mark(given, out)
        elif name == "footnotemark":
            given, at = optional(source, at)
            self._mark(given, out)
        elif name == "tnote":
            mark, at = group(source, at)
            out.append(note_mark(mark))
        elif _CITES.match(name):
            at = self._cited(name, source, at, out, depth)
        elif name in ("verb", "lstinline", "mintinline"):
            at = _as_it_stands(name, source, at, out)
        elif name in ("begin", "end"):
            _, at = group(source, at)
        else:
            at = after_optional(source, at)
        return at

    def _mark(self, given: str, out: list[str]) -> None:
        """Add the mark of the next note, or of the one that a number is given of, right after the word before it."""
        self._marks += not given.strip()
        if out:
            out[-1] = out[-1].rstrip()
        out.append(note_mark(given.strip() or str(self._marks)))

    def _cited(self, name: str, source: str, at: int, out: list[str], depth: int) -> int:
        """Add a citation by its keys: "[Smith2020, Jones2021]", with the notes at it."""
        notes: list[str] = []
        while True:
            note, end = optional(source, at)
            if end == at:
                break
            notes.append(self._text(note, depth + 1))
            at = end
        keys, at = group(source, at)
        if name != "nocite":
            inside = ", ".join(filter(None, [", ".join(key.strip() for key in keys.split(",")), *notes]))
            out.append(f"[{inside}]")
        return at

    def _sign(self, sign: str, source: str, at: int, out: list[str], depth: int) -> int:
        if sign in ACCENTS:
            letter, at = group(source, at)
            out.append(accented(self._text(letter, depth + 1), sign))
        elif sign in "([":
            end = source.find("\\" + {"(": ")", "[": "]"}[sign], at)
            end = end if end >= 0 else len(source)
            out.append(_in_line(source[at:end]))
            at = min(end + 2, len(source))
        elif sign == "\\":
            out.append(" ")
            at = after_optional(source, at)
        else:
            out.append({",": " ", ";": " ", ":": " ", "!": "", "/": "", "-": "", "@": "", " ": " "}.get(sign, sign))
        return at


_ALONE = re.compile(r"\s*(?:\{\s*\}|\\[,!;: ])*\s*\^\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|(\\[a-zA-Z]+|[^\s{}\\]))\s*\Z")
_LOWERED = re.compile(r"\s*(?:\{\s*\})?\s*_\s*(?:\{(\w{1,6})\}|(\w))\s*\Z")


def _in_line(source: str) -> str:
    """Return a formula in running text; one that is only raised belongs to the word before it: "$^1$", "m$^{2}$"."""
    alone = _ALONE.match(source)
    if not alone and (lowered := _LOWERED.match(source)):
        return formula(lowered[1] or lowered[2] or "")
    return raised(formula(alone[1] if alone[1] is not None else alone[2])) if alone else formula(source)


def _math_end(source: str, at: int, dollar: str) -> int:
    while True:
        end = source.find(dollar, at)
        if end < 0:
            return len(source)
        if source[end - 1] != "\\":
            return end
        at = end + 1


def accented(text: str, accent: str) -> str:
    """Return a letter with an accent of LaTeX over or under it."""
    text = {"ı": "i", "ȷ": "j"}.get(text[:1], text[:1]) + text[1:]
    return unicodedata.normalize("NFC", text[:1] + chr(ACCENTS[accent]) + text[1:]) if text.strip() else text


_MATH = re.compile(r"\\([a-zA-Z]+)\*?\s*|\\(.)|([{}])|([&~])|[^\\{}&~]+", re.DOTALL)
# fmt: on
_WITH_ARGUMENT = ("label", "hspace", "vspace", "color", "begin", "end")
_ONE_WORD = re.compile(r"[^\W_]+|[-−+]\s?\d+")


def formula(source: str, depth: int = 0) -> str:
    """Return a formula as it can be read on a line: "P = (T)/(V) ln Z"."""
    out: list[str] = []
    at = 0
    while at < len(source) and depth < _DEEPEST:
        match = _MATH.match(source, at)
        if match is None:
            break
        at = match.end()
        name, sign, brace, gap = match.groups()
        if name:
            at = _math_command(name, source, at, out, depth)
        elif sign:
            out.append({"\\": "\n", ",": " ", ";": " ", ":": " ", "!": "", " ": " ", "|": "‖"}.get(sign, sign))
        elif brace:
            before = out[-1][-1:] if out and out[-1] else ""
            if brace == "{" and before in ("^", "_"):
                inner, at = group(source, at - 1)
                words = formula(inner, depth + 1)
                if words == "°" and before == "^":
                    out[-1] = out[-1][:-1]
                words = words.replace(" ", "") if _ONE_WORD.fullmatch(words) else words
                out.append(words if len(words) <= 1 or _ONE_WORD.fullmatch(words) else f"({words})")
        else:
            out.append(" " if gap else match[0])
    return on_one_line("".join(out))


def _math_command(name: str, source: str, at: int, out: list[str], depth: int) -> int:
    if name in ("frac", "dfrac", "tfrac", "cfrac"):
        above, at = group(source, at)
        below, at = group(source, at)
        out.append("/".join(_bracketed(formula(one, depth + 1)) for one in (above, below)))
    elif name == "sqrt":
        root, at = optional(source, at)
        inner, at = group(source, at)
        out.append(f"{root}√({formula(inner, depth + 1)})")
    elif name in SYMBOLS:
        if name in ("circ", "degree") and out and out[-1].endswith("^"):
            out[-1] = out[-1][:-1]
        out.append(SYMBOLS[name])
    elif name in _STRUCK:
        inner, at = group(source, at)
        out.append(struck(formula(inner, depth + 1)))
    elif name in FUNCTIONS:
        out.append(f" {name} ")
    elif name in _WITH_ARGUMENT:
        _, at = group(source, at)
    elif name in ("text", "textrm", "mbox", "textbf", "textit", "mathrm", "operatorname"):
        inner, at = group(source, at)
        out.append(Inline().text(inner) if name.startswith(("text", "mbox")) else formula(inner, depth + 1))
    return at


def _bracketed(text: str) -> str:
    return text if text.isalnum() else f"({text})"
