"""Mail to flowing text: a message is a section: its heads as a table, its words, what it quotes, what is attached.

`eml`, `mbox` and `msg` read a file into a `Message`, and blocks are made of it here. Its own words come first, then
what it quotes, the oldest last, then what is attached.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from octavo_documents.document import Kind
from octavo_documents.parsing import html
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, FlowContent, attached, collapse_whitespace, table
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.plain_lines import without_armour
from octavo_documents.text.line_joining import Words, joined

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode


_NO_SUBJECT = "(no subject)"


@dataclass(slots=True)
class Message:
    """A message as read. `heads` are its names and values in the order in which they are shown."""

    subject: str = ""
    heads: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    created: str = ""
    """When it was sent, as ISO 8601; "" where it does not say."""
    plain: str = ""
    html: str = ""
    attachments: list[CarriedFile] = field(default_factory=list[CarriedFile])
    unseen: Unseen = field(default_factory=lambda: Unseen("the message"))
    """What its HTML says and does not show."""

    @property
    def author(self) -> str:
        """Who it is from."""
        return next((value for name, value in self.heads if name == "From"), "")


def message_blocks(message: Message, *, level: int = 1, part: str = "") -> Iterator[FlowBlock]:
    """Yield the heading of a message, its heads and its words; what is attached is left to the caller."""
    title = collapse_whitespace(message.subject) or _NO_SUBJECT
    yield FlowBlock(Kind.HEADING, title[:500], level, part=part)
    heads = table([[name, value] for name, value in message.heads if value], 0, header_columns=1)
    if heads:
        yield heads
    yield from body_blocks(message.plain, message.html, level=level + 1, unseen=message.unseen)


_QUOTE = re.compile(r"[ ]?((?:>[ ]?)+)")
_ITEM = re.compile(r"\s*(?:[-*•+–]|\(?\d{1,3}[.)])\s+\S")
_ORIGINAL = re.compile(
    r"-{2,}\s*(?:Original Message|Forwarded message|Ursprüngliche Nachricht|Message d'origine|Mensaje original)\b.*"
    r"|Begin forwarded message:|_{20,}",
    re.IGNORECASE,
)
"""The line that a whole message is quoted under."""
_FROM = re.compile(r"\s*\*?(?:From|Von|De|Da|Van)\*?:\s*\S", re.IGNORECASE)
_SENT = re.compile(r"\s*\*?(?:Sent|Date|Gesendet|Datum|Envoyé|Enviado)\*?:\s*\S", re.IGNORECASE)
_WROTE = re.compile(
    r"(?:On|Am|Le|El|Il|Op)\b.{5,200}\b(?:wrote|schrieb|écrit|escribió|ha scritto|schreef)\b.{0,80}:", re.DOTALL
)
_SIGNATURE = "-- "
_QUOTES = "blockquote[type=cite], .gmail_quote, .yahoo_quoted, #divRplyFwdMsg, #appendonsend ~ *, .moz-cite-prefix"
_WORD = re.compile(r"\w+")
_SAID_TOO = 0.6
"""Share of the words of the HTML that a plain part has which says the same; chosen by hand."""
_MORE = 30
"""Words that a plain part has for itself, from which on it is read beside the HTML."""
_WRAPPED = 45
"""Characters of a line from which on it is taken to go on in the next one."""
_DEEPEST = 9
_DEEPEST_NODE = 500


def body_blocks(plain: str, marked_up: str, *, level: int, unseen: Unseen | None = None) -> Iterator[FlowBlock]:
    """Yield the words of a message, from its plain part where that has them; quotes under headings of `level`.

    A plain part that lacks what the HTML says only says that there is HTML, unless it has more to say itself.
    """
    if not marked_up:
        yield from _of_plain(plain, level)
        return
    said = _words("\n".join(block.text for block in html.blocks_of(marked_up)))
    own = _words(plain)
    is_whole = len(own) > 0 and len(own & said) >= _SAID_TOO * len(said)
    if is_whole or len(own - said) > max(_MORE, len(said)):
        yield from _of_plain(plain, level)
    if not is_whole:
        yield from _of_html(marked_up, level, unseen)


def _words(text: str) -> set[str]:
    return {*_WORD.findall(text.lower())}


# Plain text


def _of_plain(text: str, level: int) -> Iterator[FlowBlock]:
    quoted: dict[int, list[str]] = {}
    for depth, line in _depths(without_armour(text.replace("\r\n", "\n").split("\n"))):
        quoted.setdefault(depth, []).append(line)
        for other, held in quoted.items():
            if other != depth and held[-1]:
                held.append("")  # what is quoted between parts it
    for depth in sorted(quoted):
        blocks = list(_paragraphs(quoted[depth]))
        if depth and blocks:
            yield FlowBlock(Kind.HEADING, _called(depth), level)
        yield from blocks


def _depths(lines: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield each line without marks of quoting, and how deep it is quoted."""
    base = remaining = 0
    for at, line in enumerate(lines):
        marks = _QUOTE.match(line)
        if marks:
            yield min(base + marks[1].count(">"), _DEEPEST), line[marks.end() :]
            continue
        if remaining:
            remaining -= 1
            yield min(base + 1, _DEEPEST), line
            continue
        said = _who_wrote(lines, at)
        if said and any(_QUOTE.match(one) for one in lines[at + said : at + said + 3]):
            remaining = said - 1
            yield min(base + 1, _DEEPEST), line
            continue
        is_rule = bool(_ORIGINAL.fullmatch(line.strip()))
        base += bool(said) or _opens_quote(lines, at)
        yield min(base, _DEEPEST), "" if is_rule else line


def _who_wrote(lines: Sequence[str], at: int) -> int:
    """Return over how many lines from one on "On Friday Ana wrote:" goes, 0 where nothing of the sort stands there."""
    for count in (1, 2):
        text = " ".join(line.strip() for line in lines[at : at + count])
        if text.endswith(":") and _WROTE.fullmatch(text):
            return count
    return 0


def _called(depth: int) -> str:
    return "Quoted text" if depth == 1 else f"Quoted text, {depth} deep"


def _opens_quote(lines: Sequence[str], at: int) -> bool:
    """Whether a whole message is quoted from a line on, without marks before its lines."""
    if _ORIGINAL.fullmatch(lines[at].strip()):
        # A line of underscores does so only where the heads of a message follow.
        return not lines[at].strip().startswith("_") or any(map(_FROM.match, lines[at + 1 : at + 3]))
    is_head = bool(_FROM.match(lines[at])) and any(map(_SENT.match, lines[at + 1 : at + 4]))
    return is_head and not any(_ORIGINAL.fullmatch(one.strip()) for one in lines[max(at - 2, 0) : at])


def _paragraphs(lines: Sequence[str]) -> Iterator[FlowBlock]:
    """Yield paragraphs and list items; short lines, as of a signature, stay one under the other."""
    held: list[str] = []
    words = Words(map(str.strip, lines))
    is_item = is_signature = False
    for line in [*lines, ""]:
        starts_item = bool(_ITEM.match(line)) and not is_signature
        if line.strip() and not starts_item and line != _SIGNATURE:
            held.append(line.strip())
            continue
        text = _joined(held, words)
        if any(letter.isalnum() for letter in text):
            yield (
                FlowBlock(Kind.LIST_ITEM, collapse_whitespace(text), 1) if is_item else FlowBlock(Kind.PARAGRAPH, text)
            )
        held, is_item = [line.strip()] if starts_item else [], starts_item
        is_signature = is_signature or line == _SIGNATURE


def _joined(lines: Sequence[str], words: Words) -> str:
    """Return lines of a paragraph: those that were broken for their length are one."""
    text = ""
    is_broken = False
    for line in lines:
        text = joined([text, line], words) if is_broken else f"{text}\n{line}"
        is_broken = len(line) >= _WRAPPED
    return text.strip()


# HTML


def _of_html(text: str, level: int, unseen: Unseen | None) -> Iterator[FlowBlock]:
    from selectolax.lexbor import LexborHTMLParser

    tree = LexborHTMLParser(text)
    quotes = tree.css(_QUOTES)
    known = frozenset(node.mem_id for node in quotes)
    found = [node for node in quotes if not _is_inside(node.parent, known)]
    pieces = [node.html or "" for node in found]
    for node in found:
        node.decompose()
    yield from shifted(html.blocks_of(tree.html or "", unseen=unseen), level - 1)
    styles = "\n".join(one.text() for one in tree.css("style"))
    read = (html.blocks_of(piece, styles=styles, unseen=unseen) for piece in pieces)
    quoted = [block for blocks in read for block in shifted(blocks, level)]
    if quoted:
        yield FlowBlock(Kind.HEADING, _called(1), level)
        yield from quoted


def _is_inside(node: LexborNode | None, quotes: frozenset[int]) -> bool:
    """Whether a node is a quote or stands in one."""
    for _ in range(_DEEPEST_NODE):
        if node is None:
            return False
        if node.mem_id in quotes:
            return True
        node = node.parent
    return True


def shifted(blocks: Iterator[FlowBlock], by: int) -> Iterator[FlowBlock]:
    """Yield blocks as part of a section of level `by`: headings that much lower, no parts of their own."""
    for block in blocks:
        level = block.level + by if block.kind == Kind.HEADING else block.level
        yield replace(block, level=level, part="")


_LEVEL = 2
"""Of an attachment's heading."""


def attached_blocks(attachments: Sequence[CarriedFile]) -> Iterator[FlowBlock]:
    """Yield the headings under which attachments are read."""
    yield from (attached(one, _LEVEL) for one in attachments)


def content_of(message: Message) -> FlowContent:
    """Return a message with what is attached to it."""
    blocks = (*message_blocks(message), *attached_blocks(message.attachments))
    title = collapse_whitespace(message.subject)
    return FlowContent(blocks, title, message.author, message.created, message.unseen.warnings())
