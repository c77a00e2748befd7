"""MBOX: messages one after the other, each after a line that begins with "From " (RFC 4155)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import FlowBlock, FlowContent, NoText
from octavo_documents.parsing.left_out import Unseen
from octavo_documents.parsing.mail import Message, attached_blocks, message_blocks
from octavo_documents.parsing.mail.eml import in_utf8, message_of

_FIRST = re.compile(rb"^From (?=[^\r\n]*\d{4})[^\r\n]*\r?\n", re.MULTILINE)
_SENDER = re.compile(rb"From (\S+)[ \t]+([^\r\n]*)")
_ESCAPED = re.compile(rb"^>(>*From )", re.MULTILINE)


def read(data: bytes) -> FlowContent:
    """Return the messages of a mailbox, each a part: "message 3". Raises NoText."""
    if not data.strip():
        raise NoText("it is empty: copy or download it again", "empty")
    data = in_utf8(data).removeprefix(b"\xef\xbb\xbf")
    if not _FIRST.match(data.lstrip()):
        raise NoText('it does not begin with the line "From ..." of a mailbox')
    unseen, damaged = Unseen("the messages"), list[str]()
    blocks = tuple(_blocks(data, unseen, damaged))
    return FlowContent(blocks, warnings=(*unseen.warnings(), *damaged))


def _blocks(data: bytes, unseen: Unseen, damaged: list[str]) -> Iterator[FlowBlock]:
    lines = [match.span() for match in _FIRST.finditer(data) if _is_after_gap(data, match.start())]
    ends = [*(start for start, _ in lines[1:]), len(data)]
    for number, ((first, start), end) in enumerate(zip(lines, ends, strict=True), 1):
        held = _ESCAPED.sub(rb"\1", data[start:end])
        message = message_of(held) or _without_heads(data[first:start], held)
        if message is None:
            damaged.append(f"message {number} is damaged and was left out")
            continue
        message.unseen = unseen
        yield from message_blocks(message, part=f"message {number}")
        yield from attached_blocks(message.attachments)


def _without_heads(line: bytes, data: bytes) -> Message | None:
    """Return a message that has words and no heads: the line before it tells whom it is from, and when."""
    try:
        words = text_of(data)[0].strip() if data.strip() else ""
    except NoText:
        return None
    said = _SENDER.match(line)
    if not words:
        return None
    heads = [("From", said[1].decode("latin-1")), ("Date", said[2].decode("latin-1").strip())] if said else []
    return Message(heads=heads, plain=words)


def _is_after_gap(data: bytes, at: int) -> bool:
    """Whether a line comes after an empty one, or first: others begin with "From " as any line may."""
    before = data[max(at - 4, 0) : at].replace(b"\r", b"")
    return before.endswith(b"\n\n") or not before.strip()
