"""The source of LaTeX before it is read: comments, verbatim text, short macros, and what stands between brackets."""

from __future__ import annotations

import re
from collections.abc import Mapping

_VERBATIM = re.compile(
    r"\\begin\s*\{(verbatim\*?|Verbatim|lstlisting|minted|alltt|comment|filecontents\*?)\}(.*?)\\end\s*\{\1\}",
    re.DOTALL,
)
_COMMENT = re.compile(r"(?<!\\)((?:\\\\)*)%[^\n]*(?:\n[ \t]*)?")
_DEFINITION = re.compile(
    r"\\(?:(?:re|provide)?newcommand|DeclareRobustCommand|def|gdef)\*?\s*(?:\{\s*\\([a-zA-Z@]+)\s*\}|\\([a-zA-Z@]+))"
    r"\s*(\[\d\]|#1)?(\[[^\]]*\])?[^{\n\\]*(?=\{)"
)
_BOOKMARKS = re.compile(r"\\pdfstringdefDisableCommands(?![a-zA-Z@])\s*(?=\{)")
_NAME = re.compile(r"\\([a-zA-Z@]+)")
_LONGEST_MACRO = 400
_DEEPEST = 6
"""Macros in macros."""
_MOST_GROWTH = 2 << 20
"""Characters that all macros of a file may add."""
_LONGEST_GROUP = 1 << 20
MARK = "\ue000"
"""Stands around the number of a verbatim text, which is kept aside."""


def without_verbatim(text: str) -> tuple[str, list[str]]:
    """Return a text whose verbatim environments are numbers between marks, and what stood in them."""
    kept: list[str] = []

    def put(match: re.Match[str]) -> str:
        if match[1].startswith(("comment", "filecontents")):
            return ""
        kept.append(match[2].strip("\n") if match[1].startswith(("verb", "Verb", "all")) else _after_options(match[2]))
        return f"\n\n{MARK}{len(kept) - 1}{MARK}\n\n"

    return _VERBATIM.sub(put, text.replace(MARK, "")), kept


def _after_options(text: str) -> str:
    at = after_optional(text, 0)
    if text[at : at + 1] == "{" and "\n" not in text[at : text.find("}", at) + 1]:
        at = text.find("}", at) + 1
    return text[at:].strip("\n")


_CONDITION = re.compile(r"\\(if[a-zA-Z@]*|fi|else)(?![a-zA-Z@])")


def _without_false(text: str) -> str:
    r"""Return a text without what stands between \iffalse and its \else or \fi."""
    if "\\iffalse" not in text:
        return text
    pieces: list[str] = []
    at, depth, is_out = 0, 0, False
    for match in _CONDITION.finditer(text):
        name = match[1]
        if not depth:
            if name == "iffalse":
                pieces.append(text[at : match.start()])
                depth, is_out = 1, True
        elif name.startswith("if"):
            depth += 1
        elif name == "fi":
            depth -= 1
            if not depth:
                pieces.append("" if is_out else text[at : match.start()])
                at, is_out = match.end(), False
        elif depth == 1 and is_out:
            at, is_out = match.end(), False
    return "".join([*pieces, "" if is_out else text[at:]])


def without_comments(text: str) -> str:
    """Return a text without comments; a line that is one leaves no empty line.

    What stands in a condition that never holds is one too. A sign in an address or in verbatim words is none.
    """
    return _without_false(_uncommented(text))


_OPTION, _BRACED = r"(?:\[[^\]\n]*\])?", r"\{(?:[^{}\n]|\{[^{}\n]*\})*\}"
_KEPT_SIGN = re.compile(
    rf"\\(?:url|href|nolinkurl|path)\s*{_BRACED}|\\lstinline{_OPTION}{_BRACED}|\\mintinline{_OPTION}{_BRACED}{_BRACED}"
    rf"|\\(?:verb\*?|lstinline{_OPTION}|mintinline{_OPTION}{_BRACED})([^\sa-zA-Z*{{\[])[^\n]*?\1|(?<!\\)%"
)


def _uncommented(text: str) -> str:
    # An address or verbatim words with a sign: it is stood for while comments are taken out.
    if any(sign in text for sign in ("\\url", "\\href", "\\verb", "\\path", "\\nolinkurl", "inline")):
        text = "\n".join(map(_with_signs_kept, text.split("\n")))
    return _without_signs(text).replace(_PERCENT, "%")


_PERCENT = "\ue002"


def _with_signs_kept(line: str) -> str:
    if "%" not in line:
        return line
    pieces: list[str] = []
    at = 0
    for match in _KEPT_SIGN.finditer(line):
        if match[0] == "%":
            break
        pieces += [line[at : match.start()], match[0].replace("\\%", _PERCENT).replace("%", _PERCENT)]
        at = match.end()
    return "".join([*pieces, line[at:]])


def _without_signs(text: str) -> str:
    return _COMMENT.sub(lambda match: match[1] + ("" if match.end() == len(text) else " "), text)


def _without_bookmarks(text: str) -> str:
    r"""Return a text without what holds for bookmarks alone: there, packages have \sout and others mean nothing."""
    pieces: list[str] = []
    at = 0
    for match in _BOOKMARKS.finditer(text):
        if match.start() >= at:
            pieces.append(text[at : match.start()])
            at = group(text, match.end())[1]
    return "".join([*pieces, text[at:]])


def with_macros(text: str) -> str:
    """Return a text in which macros without arguments are what they stand for, their definitions left out."""
    text = _without_bookmarks(text)
    macros: dict[str, str] = {}
    pieces: list[str] = []
    at = 0
    for match in _DEFINITION.finditer(text):
        if match.start() < at:
            continue
        body, end = group(text, match.end())
        name = match[1] or match[2]
        if not match[3] and "#" not in body and len(body) <= _LONGEST_MACRO:
            macros[name] = body
        pieces.append(text[at : match.start()])
        at = end
    bare = "".join([*pieces, text[at:]])
    return _expanded(bare, macros) if macros else bare


def _expanded(text: str, macros: Mapping[str, str]) -> str:
    left = _MOST_GROWTH

    def put(match: re.Match[str]) -> str:
        nonlocal left
        body = macros.get(match[1])
        if body is None or left < len(body):
            return match[0]
        left -= len(body)
        return f"{{{body}}}"

    for _ in range(_DEEPEST):
        before, text = text, _NAME.sub(put, text)
        if text == before:
            break
    return text


def group(text: str, at: int) -> tuple[str, int]:
    """Return what stands between the braces at a place, and where it ends; the next character where there are none."""
    while at < len(text) and text[at] in " \t\n":
        at += 1
    if text[at : at + 1] != "{":
        if text[at : at + 1] == "\\":
            match = _NAME.match(text, at)
            end = match.end() if match else min(at + 2, len(text))
            return text[at:end], end
        return text[at : at + 1], min(at + 1, len(text))
    end = _closed(text, at, "{", "}")
    return text[at + 1 : end - 1], end


def after_optional(text: str, at: int) -> int:
    """Return where a text goes on after what stands in square brackets at a place."""
    while text[at : at + 1] == "[":
        at = _closed(text, at, "[", "]")
    return at


def optional(text: str, at: int) -> tuple[str, int]:
    """Return what stands in square brackets at a place, "" where there are none, and where it ends."""
    while at < len(text) and text[at] in " \t":
        at += 1
    if text[at : at + 1] != "[":
        return "", at
    end = _closed(text, at, "[", "]")
    return text[at + 1 : end - 1], end


def _closed(text: str, at: int, opening: str, closing: str) -> int:
    """Return where what is opened at a place is closed; where it never is, soon after."""
    depth = braces = 0
    for match in _BRACKETS.finditer(text, at, min(len(text), at + _LONGEST_GROUP)):
        sign = match[0]
        if len(sign) > 1:
            continue
        if opening == "[" and sign in "{}":
            braces = max(braces + (1 if sign == "{" else -1), 0)
        elif sign == opening and not braces:
            depth += 1
        elif sign == closing and not braces:
            depth -= 1
            if depth <= 0:
                return match.end()
    end = text.find("\n\n", at)
    return end if end > at else min(at + 1, len(text))


_BRACKETS = re.compile(r"\\.|[\[\]{}]", re.DOTALL)


def environment(text: str, at: int, name: str) -> tuple[str, int]:
    """Return what stands in an environment that has been begun before a place, and where the text goes on after it."""
    depth = 1
    for match in re.compile(rf"\\(begin|end)\s*\{{\s*{re.escape(name)}\s*\}}").finditer(text, at):
        depth += 1 if match[1] == "begin" else -1
        if depth == 0:
            return text[at : match.start()], match.end()
    return text[at:], len(text)
