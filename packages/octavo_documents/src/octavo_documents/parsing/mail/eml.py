"""EML: one message as it is sent (RFC 5322, MIME)."""

from __future__ import annotations

import codecs
import email
import email.errors
import email.header
import email.utils
import re
from collections.abc import Iterator
from email.message import Message as _Mime
from typing import TYPE_CHECKING, Any, cast

from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import CarriedFile, FlowContent, NoText, collapse_whitespace
from octavo_documents.parsing.mail import Message, content_of

if TYPE_CHECKING:
    Mime = _Mime[str, str]

_HEADS = ("From", "To", "Cc", "Bcc", "Reply-To", "Date")
_HEAD = re.compile(rb"[!-9;-~]{1,76}:[ \t]?|From ")
_LOOKED_AT = 4096
_LONGEST_HEAD = 20_000
_MOST_PARTS = 2000
_ODD = (ValueError, LookupError, TypeError, AssertionError, email.errors.MessageError)
"""What reading odd heads and parts raises."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a message. Raises NoText."""
    if not data.strip():
        raise NoText("it is empty: copy or download it again", "empty")
    message = message_of(data)
    if message is None:
        raise NoText("it begins with no head of a message, such as From or Date")
    return content_of(message)


def in_utf8(data: bytes) -> bytes:
    """Return mail that was saved in UTF-16 as UTF-8 has it, any other as it is."""
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or data[:4].count(0) == 2
    if not is_wide:
        return data
    order = "le" if data[1:2] == b"\0" else "be"
    encoding = "utf-16" if data[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else f"utf-16-{order}"
    return data.decode(encoding, "replace").encode("utf-8", "replace")


def message_of(data: bytes) -> Message | None:
    """Return the message that bytes are, None for what does not begin as one."""
    data = in_utf8(data)
    start = data[:_LOOKED_AT].lstrip(b"\xef\xbb\xbf \r\n\t")
    first = start.split(b"\n", 1)[0]
    if not _HEAD.match(first) or b"\0" in first:
        return None
    mime = email.message_from_bytes(data.lstrip(b"\xef\xbb\xbf \r\n\t"))
    if not any(name in mime for name in ("From", "To", "Date", "Subject", "Received", "Message-ID", "MIME-Version")):
        return None
    return _message(mime)


def _message(mime: Mime) -> Message:
    found = Message(subject=_head(mime, "Subject"))
    found.heads = [(name, value) for name in _HEADS if (value := _head(mime, name))]
    found.created = _moment(str(mime.get("Date", "")))
    plain, marked_up = list[str](), list[str]()
    for part in _leaves(mime):
        kind, name = part.get_content_type(), _file_name(part)
        if kind == "message/rfc822":
            inner = next(iter(_inside(part)), None)
            if inner is not None:
                found.attachments.append(CarriedFile(name or _head(inner, "Subject") or "message", kind, _whole(inner)))
        elif kind in ("text/plain", "text/html") and not name and part.get_content_disposition() != "attachment":
            (plain if kind == "text/plain" else marked_up).append(_text(part))
        elif kind != "text/calendar" or name:
            found.attachments.append(CarriedFile(name or kind, kind, _bytes(part)))
        else:
            plain.append(_text(part))
    found.plain, found.html = "\n\n".join(plain), "\n".join(marked_up)
    return found


def _leaves(mime: Mime) -> Iterator[Mime]:
    """Yield the parts of a message in order; messages in it whole, and not what they hold."""
    waiting, count = [mime], 0
    while waiting and count < _MOST_PARTS:
        one = waiting.pop()
        count += 1
        if one.get_content_maintype() == "multipart" and one.is_multipart():
            waiting += reversed(_inside(one))
        else:
            yield one


def _inside(mime: Mime) -> list[Mime]:
    """Return the parts right below one."""
    payload: Any = mime.get_payload()
    found = cast("list[Any]", payload) if isinstance(payload, list) else []
    return [cast("Mime", part) for part in found if isinstance(part, _Mime)]


def _file_name(part: Mime) -> str:
    try:
        return collapse_whitespace(_decoded(part.get_filename() or ""))[:200]
    except _ODD:
        return ""


def _bytes(part: Mime) -> bytes:
    """Return what a part holds; nothing where its encoding is damaged beyond reading."""
    try:
        payload = part.get_payload(decode=True)
    except _ODD:
        return b""
    return payload if isinstance(payload, bytes) else b""


def _whole(mime: Mime) -> bytes:
    """Return a message in a message as it is sent; nothing where it cannot be written again."""
    try:
        return mime.as_bytes()
    except (*_ODD, RecursionError):
        return b""


def _text(part: Mime) -> str:
    data = _bytes(part)
    try:
        charset = str(part.get_content_charset() or "")
        if charset.startswith("utf-16") and b"\0" not in data and not part.get("Content-Transfer-Encoding"):
            charset = ""  # the whole file was in it
        return unflowed(part, data.decode(charset or "utf-8"))
    except _ODD:
        try:
            return unflowed(part, text_of(data, says_encoding=part.get_content_subtype() == "html")[0])
        except NoText:
            return ""


_FLOWED = re.compile(r"(>*) ?(.*)")


def unflowed(part: Mime, text: str) -> str:
    """Return text with the lines joined that a mail program broke (RFC 3676: format=flowed, and delsp)."""
    if str(part.get_param("format", "")).lower() != "flowed":
        return text
    is_apart = str(part.get_param("delsp", "")).lower() != "yes"
    lines: list[tuple[str, str]] = []
    goes_on = False
    for line in text.replace("\r\n", "\n").split("\n"):
        found = _FLOWED.match(line)
        marks, words = (found[1], found[2]) if found else ("", line)
        is_signature = words == "-- "
        if goes_on and words and marks == lines[-1][0] and not is_signature:
            lines[-1] = (marks, lines[-1][1] + words)
        else:
            lines.append((marks, words))
        goes_on = words.endswith(" ") and not is_signature
        if goes_on and not is_apart:
            lines[-1] = (marks, lines[-1][1][:-1])
    return "\n".join(f"{marks} {words}" if marks else words for marks, words in lines)


def _head(mime: Mime, name: str) -> str:
    """Return the values of a head in words, what is encoded decoded."""
    try:
        values = mime.get_all(name) or []
    except _ODD:
        return ""
    return collapse_whitespace(", ".join(_decoded(str(value)) for value in values))[:_LONGEST_HEAD]


def _decoded(value: str) -> str:
    try:
        return str(email.header.make_header(email.header.decode_header(value[:_LONGEST_HEAD])))
    except _ODD:
        return value.encode("ascii", "replace").decode()


def _moment(value: str) -> str:
    try:
        return email.utils.parsedate_to_datetime(value).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return ""
