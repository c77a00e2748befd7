"""A small HTTP/1.1 client for measuring: one connection, kept open, with no more work a request than it must have."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Answer:
    """What came back."""

    status: int
    headers: Mapping[str, str]
    body: bytes = b""

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass
class Connection:
    """A connection to a server; not for several requests at once."""

    host: str
    port: int
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    _streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def request(self, method: str, path: str, body: Any = None, **headers: str) -> Answer:
        """Return the whole answer to a request."""
        answer, reader = await self.begin(method, path, body, **headers)
        answer.body = b"".join([part async for part in _parts(answer.headers, reader)])
        if answer.headers.get("connection") == "close":
            self.close()
        return answer

    async def lines(self, method: str, path: str, body: Any = None, **headers: str) -> AsyncIterator[str]:
        """Yield the lines of an answer as they come. Raises RuntimeError for any status but 200."""
        answer, reader = await self.begin(method, path, body, **headers)
        rest = b""
        async for part in _parts(answer.headers, reader):
            *whole, rest = (rest + part).split(b"\n")
            for line in whole:
                yield line.decode()
        if answer.status != 200:
            raise RuntimeError(f"{answer.status} {rest[:200]!r}")

    async def begin(
        self, method: str, path: str, body: Any = None, **headers: str
    ) -> tuple[Answer, asyncio.StreamReader]:
        """Send a request and read the head of the answer."""
        data = b"" if body is None else json.dumps(body).encode()
        sent = {"Host": f"{self.host}:{self.port}", **self.headers, **headers}
        if body is not None:
            sent |= {"Content-Type": "application/json", "Content-Length": str(len(data))}
        head = f"{method} {path} HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in sent.items())
        reader, writer = await self._open()
        writer.write(head.encode() + b"\r\n" + data)
        start, *rows = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        pairs = (row.partition(":") for row in rows if row)
        return Answer(int(start.split()[1]), {name.lower(): value.strip() for name, _, value in pairs}), reader

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
        return self._streams

    def close(self) -> None:
        """Close the connection; the next request opens another."""
        if self._streams is not None:
            self._streams[1].close()
            self._streams = None


async def _parts(headers: Mapping[str, str], reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    if headers.get("transfer-encoding") != "chunked":
        yield await reader.readexactly(int(headers.get("content-length", 0)))
        return
    while size := int((await reader.readline()).split(b";")[0], 16):
        yield (await reader.readexactly(size + 2))[:-2]
    await reader.readline()
