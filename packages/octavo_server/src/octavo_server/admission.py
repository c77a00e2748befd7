"""What lasts after a request was let in: whether its key still holds, looked at while it sends and is answered.

A key that is removed ends what was begun with it: streams of events within one event or heartbeat, uploads and long
questions as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers

from octavo_server.problems import Problem
from octavo_server.routes import encoded
from octavo_server.scopes import unknown_caller

if TYPE_CHECKING:
    from starlette.types import Message, Receive, Send

LOOK_SECONDS = 1.0
"""Least time between two looks at the key of one request."""
_EVENTS = "text/event-stream"


class Admission:
    """One request that was let in. `holds` says whether its key would still be let in now."""

    def __init__(self, holds: Callable[[], bool]) -> None:
        self._holds = holds
        self._next = time.monotonic() + LOOK_SECONDS
        self._has_begun = self._is_stream = self._is_over = False

    def check(self) -> None:
        """Raise Problem 401 where the key was removed since."""
        now = time.monotonic()
        if self._is_over or now < self._next:
            return
        self._next = now + LOOK_SECONDS
        if not self._holds():
            self._is_over = True
            raise unknown_caller()

    def receiving(self, receive: Receive) -> Receive:
        """Return `receive` that ends with the key."""

        async def checked() -> Message:
            message = await receive()
            if not self._has_begun:  # else `sending` tells it
                self.check()
            return message

        return checked

    def sending(self, send: Send) -> Send:
        """Return `send` that ends with the key: a stream of events with an event `error`."""

        async def checked(message: Message) -> None:
            try:
                self.check()
            except Problem as problem:
                await self._end(problem, send)
                raise
            if message["type"] == "http.response.start":
                self._has_begun = True
                self._is_stream = Headers(raw=message["headers"]).get("content-type", "").startswith(_EVENTS)
            await send(message)

        return checked

    async def _end(self, problem: Problem, send: Send) -> None:
        if self._has_begun and self._is_stream:
            told = b"event: error\ndata: " + encoded(problem.to_json()) + b"\n\n"
            await send({"type": "http.response.body", "body": told, "more_body": False})
        elif not self._has_begun:
            refused = problem.response()
            start = {"type": "http.response.start", "status": refused.status_code, "headers": refused.raw_headers}
            await send(start)
            await send({"type": "http.response.body", "body": refused.body})
