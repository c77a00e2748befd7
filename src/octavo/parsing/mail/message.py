"""One message, whatever file it stood in, and the blocks that are made of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from octavo.document import Kind
from octavo.parsing.flow import FlowBlock, table, tidy
from octavo.parsing.mail.bodies import body_blocks

_NO_SUBJECT = "(no subject)"


@dataclass(slots=True)
class Attachment:
    """A file in a message, or a message in it."""

    name: str
    kind: str = ""
    """Its media type, "application/pdf"."""
    data: bytes = b""
    message: Message | None = None


@dataclass(slots=True)
class Message:
    """A message as read. `heads` are its names and values in the order in which they are shown."""

    subject: str = ""
    heads: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    created: str = ""
    """When it was sent, as ISO 8601; "" where it does not say."""
    plain: str = ""
    html: str = ""
    attachments: list[Attachment] = field(default_factory=list[Attachment])

    @property
    def author(self) -> str:
        """Who it is from."""
        return next((value for name, value in self.heads if name == "From"), "")


def message_blocks(message: Message, *, level: int = 1, part: str = "", heading: str = "") -> Iterator[FlowBlock]:
    """Yield the heading of a message, its heads and its words; what is attached is left to the caller."""
    title = heading or tidy(message.subject) or _NO_SUBJECT
    yield FlowBlock(Kind.HEADING, title[:500], level, part=part)
    heads = table([[name, value] for name, value in message.heads if value], 0, header_columns=1)
    if heads:
        yield heads
    yield from body_blocks(message.plain, message.html, level=level + 1)
