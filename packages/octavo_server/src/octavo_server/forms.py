"""A file that is sent in a form, as browsers and many programs send files: its name, and its bytes as they come."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header

from octavo_server.problems import Problem

if TYPE_CHECKING:
    from starlette.requests import Request

MEDIA_TYPE = "multipart/form-data"


def is_form(request: Request) -> bool:
    """Whether the body of a request is a form with files."""
    return request.headers.get("content-type", "").partition(";")[0].strip().lower() == MEDIA_TYPE


class FormFile:
    """The one file of a form; fields beside it are passed over. `begin` comes before `parts`."""

    def __init__(self, request: Request) -> None:
        """Raise Problem 400 where the form does not say how its parts are told apart."""
        boundary = parse_options_header(request.headers["content-type"])[1].get(b"boundary")
        if not boundary:
            raise _broken("it does not name its boundary")
        self._stream = aiter(request.stream())
        self._field, self._value = bytearray(), bytearray()
        self._name: str | None = None
        self._is_file = self._is_over = False
        self._data: list[bytes] = []
        self._parser = MultipartParser(
            boundary,
            {
                "on_part_begin": self._part_begins,
                "on_header_field": lambda data, start, end: self._field.extend(data[start:end]),
                "on_header_value": lambda data, start, end: self._value.extend(data[start:end]),
                "on_header_end": self._header_ends,
                "on_part_data": self._part_goes_on,
                "on_end": self._ends,
            },
        )

    async def begin(self) -> str:
        """Read up to the file and return its name. Raises Problem 422 where there is none."""
        while self._name is None and await self._read():
            pass
        if self._name is None:
            raise Problem(422, "name", "There is no file in the form: send one, with its name.")
        return self._name

    async def parts(self) -> AsyncIterator[bytes]:
        """Yield the bytes of the file. Raises Problem 400 where the form ends before it does, 422 for a second file."""
        while True:
            for part in self._data:
                yield part
            self._data.clear()
            if not await self._read():
                break
        if not self._is_over:
            raise _broken("it ends before its last part does")

    async def _read(self) -> bool:
        """Read on; return whether there was anything."""
        data = await anext(self._stream, b"")
        if not data:
            return False
        try:
            self._parser.write(data)
        except FormParserError as error:
            raise _broken("its parts cannot be told apart") from error
        return True

    def _part_begins(self) -> None:
        self._is_file = False

    def _header_ends(self) -> None:
        field, value = bytes(self._field).lower(), bytes(self._value)
        self._field.clear()
        self._value.clear()
        named = parse_options_header(value)[1].get(b"filename") if field == b"content-disposition" else None
        if named is None:
            return
        if self._name is not None:
            raise Problem(422, "several", "There are several files in the form: send one at a time.")
        self._name, self._is_file = named.decode("utf-8", "replace"), True

    def _part_goes_on(self, data: bytes, start: int, end: int) -> None:
        if self._is_file:
            self._data.append(data[start:end])

    def _ends(self) -> None:
        self._is_over = True


def _broken(why: str) -> Problem:
    return Problem(400, "form", f"The form cannot be read: {why}.")
