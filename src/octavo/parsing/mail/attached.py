"""What is attached to a message: files of flowing text and other messages as sections, all else by name."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock, NoText, tidy
from octavo.parsing.limits import MEBIBYTE
from octavo.parsing.mail.bodies import shifted
from octavo.parsing.mail.message import Attachment, Message, message_blocks

_MAIL = "mail."
"""What the modules of messages begin with: those in an attached file are not opened."""


@dataclass(slots=True)
class Opened:
    """How much of what is attached may still be opened, for all messages of a file, and what was left out."""

    files: int = 500
    size: int = 64 * MEBIBYTE
    blocks: int = 200_000
    warnings: list[str] = field(default_factory=list[str])


def attached_blocks(attachments: Sequence[Attachment], opened: Opened, *, level: int) -> Iterator[FlowBlock]:
    """Yield the sections of attachments that are read, under headings of `level`, then the names of the others."""
    others: list[str] = []
    for one in attachments:
        found = _blocks(one, opened, level)
        if found:
            yield FlowBlock(Kind.HEADING, f"Attachment: {tidy(one.name)}", level)
            yield from found
        else:
            others.append(_told(one))
    if others:
        yield FlowBlock(Kind.PARAGRAPH, f"Attached: {', '.join(others)}")


def _told(one: Attachment) -> str:
    name = tidy(one.name) or "a file without a name"
    return f"{name} ({one.kind}, {len(one.data):,} bytes)" if one.data and one.kind else name


def _blocks(one: Attachment, opened: Opened, level: int) -> list[FlowBlock]:
    """Return the blocks of an attachment under its heading; none for what is not read."""
    if opened.files <= 0 or len(one.data) > opened.size or opened.blocks <= 0:
        opened.warnings.append("attachments were left out: there are too many, or they are too large")
        return []
    opened.files -= 1
    opened.size -= len(one.data)
    found = list(_of_message(one.message, level)) if one.message is not None else _of_file(one, opened, level)
    opened.blocks -= len(found)
    return found


def _of_message(message: Message, level: int) -> Iterator[FlowBlock]:
    """Yield an attached message; what is attached to it is named only."""
    yield from message_blocks(message, level=level + 1)
    names = [_told(one) for one in message.attachments]
    if names:
        yield FlowBlock(Kind.PARAGRAPH, f"Attached: {', '.join(names)}")


def _of_file(one: Attachment, opened: Opened, level: int) -> list[FlowBlock]:
    from octavo.parsing.formats import format_of

    module = format_of(one.name, one.data)
    if not module or module.startswith(_MAIL) or not one.data:
        return []
    try:
        content = importlib.import_module(f"octavo.parsing.{module}").read(one.data)
    except (NoText, RecursionError) as error:
        opened.warnings.append(f'attachment "{tidy(one.name)}" cannot be read: {error}')
        return []
    opened.warnings += [f'attachment "{tidy(one.name)}": {warning}' for warning in content.warnings]
    return list(shifted(iter(content.blocks), level))
