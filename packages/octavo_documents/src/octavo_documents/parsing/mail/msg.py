"""MSG: a message as Outlook saves it, properties in a compound file (MS-OXMSG, MS-OXPROPS), by olefile."""

from __future__ import annotations

import datetime
import importlib
import io
import re
import struct
from contextlib import AbstractContextManager
from typing import Any, Protocol

from octavo_documents.parsing import MEBIBYTE
from octavo_documents.parsing.encodings import text_of
from octavo_documents.parsing.flow import DEEPEST, CarriedFile, FlowContent, NoText, collapse_whitespace
from octavo_documents.parsing.mail import Message, content_of
from octavo_documents.parsing.package import OLE_MARK

_KNOWN = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript \fdecor MS Sans Serif"
    rb"SymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    + b"\r\n"
    + rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)
"""Initial LZFu dictionary (MS-OXRTFCP)."""
_PACKED, _PLAIN = b"LZFu", b"MELA"
_WINDOW = 4096
_MOST = 32 * MEBIBYTE


def unpacked(data: bytes) -> str:
    """Return the words of compressed RTF, paragraphs parted by empty lines; "" for what is none."""
    from octavo_documents.parsing.markup import rtf

    found = _rtf(data)
    if not found:
        return ""
    try:
        return "\n\n".join(block.text for block in rtf.read(found).blocks if block.file is None)
    except NoText:
        return ""


def _rtf(data: bytes) -> bytes:
    if len(data) < 16:
        return b""
    _, size, kind = struct.unpack("<II4s", data[:12])
    if kind == _PLAIN:
        return data[16 : 16 + size]
    return _unpacked(data[16:], min(size, _MOST)) if kind == _PACKED else b""


def _unpacked(data: bytes, size: int) -> bytes:
    """Return bytes packed by LZFu: runs of eight literals or places in the last 4,096 bytes."""
    out = bytearray(_KNOWN)
    at, base = 0, len(_KNOWN)
    while at < len(data) and len(out) - base < size:
        flags, at = data[at], at + 1
        for bit in range(8):
            if at >= len(data):
                break
            if not flags >> bit & 1:
                out.append(data[at])
                at += 1
                continue
            if at + 1 >= len(data):
                return bytes(out[base:])
            place, length = (data[at] << 4) | (data[at + 1] >> 4), (data[at + 1] & 15) + 2
            at += 2
            back = (len(out) - place) % _WINDOW
            if not back:
                return bytes(out[base:])
            for _ in range(length):
                out.append(out[len(out) - back] if back <= len(out) else 32)
    return bytes(out[base : base + size])


_SUBJECT, _BODY, _HTML, _RTF, _TRANSPORT = "0037", "1000", "1013", "1009", "007D"
_SENDER, _ADDRESSES, _TO, _CC, _BCC = "0C1A", ("5D01", "0C1F"), "0E04", "0E03", "0E02"
_LONG_NAME, _SHORT_NAME, _SHOWN_NAME, _MEDIA, _CONTENT = "3707", "3704", "3001", "370E", "3701"
_SENT, _DELIVERED, _CODE_PAGE = 0x0039, 0x0E06, 0x3FFD
_ATTACHED = "__attach_version1.0_"
_INNER = f"__substg1.0_{_CONTENT}000D"
_TRANSPORTED = re.compile(r"^(From|Date):[ \t]*(.*)$", re.MULTILINE)
_MOST_ATTACHED = 500
_HEAD_OF_PROPERTIES = 32
"""Bytes before the properties of a message; 24 in a message that is attached."""


def read(data: bytes) -> FlowContent:
    """Return the blocks of a message. Raises NoText."""
    if not data.strip(b"\0 \r\n"):
        raise NoText("it is empty: copy or download it again", "empty")
    if not data.startswith(OLE_MARK):
        raise NoText("its first bytes are not those of a message of Outlook, whatever its name says")
    return content_of(_message(data))


def _message(data: bytes) -> Message:
    olefile: Any = importlib.import_module("olefile")
    try:
        opened: AbstractContextManager[_Compound] = olefile.OleFileIO(io.BytesIO(data))
        with opened as file:
            if not any(path[-1].startswith("__properties") for path in file.listdir()):
                raise NoText("it is no message of Outlook, whatever its name says")
            return _Storage(file, "").message(0)
    except (NoText, MemoryError, RecursionError):
        raise
    except Exception as error:  # noqa: BLE001 - olefile raises errors of any kind for damaged files
        raise NoText(f"it is cut off or damaged ({str(error)[:200]})", "damaged") from None


class _Compound(Protocol):
    """What is used of olefile's files, which have no types of their own."""

    def listdir(self) -> list[list[str]]:
        """Return the paths of all streams."""
        ...

    def exists(self, filename: str) -> bool:
        """Whether there is a stream or folder of this path."""
        ...

    def openstream(self, filename: str) -> io.BytesIO:
        """Open a stream."""
        ...


class _Storage:
    """A folder of a compound file that holds a message or an attachment, by its path with a slash at the end."""

    def __init__(self, file: _Compound, path: str) -> None:
        self._file, self._path = file, path
        self._fixed = self._all_fixed()

    def message(self, depth: int) -> Message:
        found = Message(self.text(_SUBJECT))
        found.plain = self.text(_BODY)
        marked_up = self.stream(f"__substg1.0_{_HTML}0102")
        found.html = text_of(marked_up, says_encoding=True)[0] if marked_up else self.text(_HTML)
        if not found.plain.strip() and not found.html.strip():
            found.plain = unpacked(self.stream(f"__substg1.0_{_RTF}0102"))
        found.created = self._moment()
        found.heads = [(name, value) for name, value in self._heads(found.created) if value]
        names = sorted({path[0] for path in self._inside() if path[0].startswith(_ATTACHED)})
        found.attachments = [self._attachment(name, depth) for name in names[:_MOST_ATTACHED]]
        return found

    def text(self, number: str) -> str:
        """Return a property of text, "" where there is none."""
        wide = self.stream(f"__substg1.0_{number}001F")
        if wide:
            return wide.decode("utf-16-le", "replace").strip("\0")
        narrow = self.stream(f"__substg1.0_{number}001E")
        return _decoded(narrow, self._fixed.get(_CODE_PAGE, 0)).strip("\0") if narrow else ""

    def _heads(self, created: str) -> list[tuple[str, str]]:
        sender = self.text(_SENDER)
        address = next((text for number in _ADDRESSES if "@" in (text := self.text(number))), "")
        said = dict(_TRANSPORTED.findall(self.text(_TRANSPORT))) if not address or not created else {}
        author = f"{sender} <{address}>" if sender and address and sender != address else sender or address
        return [
            ("From", author or collapse_whitespace(said.get("From", ""))),
            ("To", self.text(_TO)),
            ("Cc", self.text(_CC)),
            ("Bcc", self.text(_BCC)),
            ("Date", created[:16].replace("T", " ") + " UTC" if created else collapse_whitespace(said.get("Date", ""))),
        ]

    def _attachment(self, name: str, depth: int) -> CarriedFile:
        held = _Storage(self._file, f"{self._path}{name}/")
        called = held.text(_LONG_NAME) or held.text(_SHORT_NAME) or held.text(_SHOWN_NAME)
        path = f"{self._path}{name}/{_INNER}"
        if self._file.exists(path):  # a message in a message
            if depth >= DEEPEST:
                return CarriedFile(called or "message", "message/rfc822")
            inner = content_of(_Storage(self._file, f"{path}/").message(depth + 1))
            return CarriedFile(called or inner.title or "message", "message/rfc822", content=inner)
        data = held.stream(f"__substg1.0_{_CONTENT}0102")
        return CarriedFile(called or "attachment", held.text(_MEDIA) or "application/octet-stream", data)

    def _inside(self) -> list[list[str]]:
        """Return the paths below, from here."""
        depth = self._path.count("/")
        start = self._path.rstrip("/").split("/") if depth else []
        return [path[depth:] for path in self._file.listdir() if path[:depth] == start and len(path) > depth]

    def stream(self, name: str) -> bytes:
        """Return what a stream holds, nothing where there is none."""
        path = self._path + name
        if not self._file.exists(path):
            return b""
        return self._file.openstream(path).read()

    def _all_fixed(self) -> dict[int, int]:
        """Return the properties of fixed length, as numbers of 64 bits, by their number."""
        data = self.stream("__properties_version1.0")
        head = 8 if _ATTACHED in self._path and not self._path.endswith(f"{_INNER}/") else 24
        start = _HEAD_OF_PROPERTIES if not self._path else head
        entries = (data[at : at + 16] for at in range(start, len(data) - 15, 16))
        return {tag >> 16: value for tag, _, value in (struct.unpack("<IIQ", entry) for entry in entries)}

    def _moment(self) -> str:
        ticks = self._fixed.get(_SENT) or self._fixed.get(_DELIVERED) or 0
        try:
            since = datetime.timedelta(microseconds=ticks // 10)
            moment = datetime.datetime(1601, 1, 1, tzinfo=datetime.UTC) + since
        except OverflowError:
            return ""
        return moment.replace(microsecond=0).isoformat() if ticks else ""


def _decoded(data: bytes, code_page: int) -> str:
    try:
        return data.decode("utf-8" if code_page == 65001 else f"cp{code_page}")
    except (LookupError, ValueError):
        return text_of(data)[0]
