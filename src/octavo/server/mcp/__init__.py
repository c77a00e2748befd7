"""Tools for agents over the Model Context Protocol: find, read, show and check what documents say.

`tool` says what a tool is, `reading`, `asking` and `writing` have the tools, `server` puts them behind the protocol,
`stdio` and `http` carry it. The words of documents are data in every result: `fence`.
"""

from __future__ import annotations

from octavo.server.mcp.http import lifespan, routes

__all__ = ["lifespan", "routes"]
