"""The tools over standard input and output, for a program on this machine that starts the server itself."""

from __future__ import annotations

import logging
import sys

import anyio
from mcp.server.stdio import stdio_server

from octavo.server.mcp.server import server_of
from octavo.server.mcp.tool import Desk


def serve(desk: Desk) -> None:
    """Answer until standard input ends. Only the protocol goes to standard output; all else goes to standard error."""
    logging.basicConfig(stream=sys.stderr, level=logging.WARNING, format="octavo: %(message)s")
    anyio.run(_serve, desk)


async def _serve(desk: Desk) -> None:
    server = server_of(desk)
    async with stdio_server() as (read, write):
        await server.run(read, write, server.create_initialization_options())
