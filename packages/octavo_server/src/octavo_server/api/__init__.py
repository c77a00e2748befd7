"""The HTTP API: a module for each kind of thing it serves, each with its rows of the route table in `ROUTES`."""

from octavo_server.api import about, completions, documents, history, jobs, questions, tables
from octavo_server.routes import Route

ROUTES: tuple[Route, ...] = (
    *documents.ROUTES,
    *questions.ROUTES,
    *history.ROUTES,
    *tables.ROUTES,
    *completions.ROUTES,
    *jobs.ROUTES,
    *about.ROUTES,
)
"""All routes but those of MCP (`octavo_server.mcp`)."""
