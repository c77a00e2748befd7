"""Problems: what an error becomes on the wire (RFC 9457), in words that name the mend and no path of the machine."""

from __future__ import annotations

import http
import json
import logging
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from octavo.corpus.store.paths import ends_apart
from octavo.errors import (
    AmbiguousDocumentError,
    BudgetError,
    CorpusError,
    ModelError,
    OctavoError,
    SourceError,
    UsageError,
)
from octavo_documents.wording import translated

if TYPE_CHECKING:
    from starlette.responses import Response

MEDIA_TYPE = "application/problem+json"
_LOG = logging.getLogger("octavo_server")

_PATH = re.compile(r"(?<![\w/:.])(?:/[^\s/'\"]+)+/([^\s/'\":;,]+)|\b[A-Za-z]:\\(?:[^\s\\'\"]+\\)*([^\s\\'\":;,]+)")
_OF_CORPUS = {
    "unknown": 404,
    "missing": 409,
    "removed": 410,
    "unbuilt": 409,
    "locked": 503,
    "unreachable": 503,
    "gone": 503,
    "full": 507,
}
"""Statuses of a CorpusError by its reason; 500 for the others."""
_OF_SOURCE = {
    "missing": 410,
    "damaged": 409,
    "timeout": 504,
    "crashed": 502,
    "bug": 500,
    "too_large": 413,
}
"""Statuses of a SourceError by its reason; 422 for the others: the file is what cannot be read."""
_HERE = {
    "'octavo list' shows all": "GET /v1/documents lists all",
    "is encrypted; give its password with --password": "opens only with a password",
    "cannot be read: No such file or directory": "is no longer where it was indexed",
    "start this program again": "start the server again",
    "run 'octavo check --repair'": "run 'octavo check --repair' on the server",
}
"""What an advice for the command line says to whoever calls the server."""


class Problem(OctavoError):
    """A request that cannot be answered: its status, a stable word for programs, and a line for people."""

    def __init__(
        self,
        status: int,
        reason: str,
        detail: str,
        *,
        headers: Mapping[str, str] | None = None,
        more: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(detail)
        self.status, self.reason, self.detail = status, reason, detail
        self.headers = dict(headers or {})
        self.more = dict(more or {})

    def to_json(self) -> dict[str, Any]:
        """Return the object of `application/problem+json`."""
        return {
            "type": f"urn:octavo:problem:{self.reason}",
            "title": http.HTTPStatus(self.status).phrase,
            "status": self.status,
            "detail": translated(self.detail),
            "reason": self.reason,
            **self.more,
        }

    def response(self) -> Response:
        """Return the answer to the request."""
        from starlette.responses import Response  # what exports from the command line has no server

        body = json.dumps(self.to_json(), ensure_ascii=False).encode("utf-8", "replace")
        return Response(body, self.status, self.headers, MEDIA_TYPE)


def problem_of(error: Exception) -> Problem:
    """Return what an error is on the wire.

    One that is nobody's to mend there is logged, and says no more than that it happened.
    """
    problem = _problem_of(error)
    if problem.status == 500:
        _LOG.error("%s", problem.detail, exc_info=error)
    return problem


def _problem_of(error: Exception) -> Problem:
    if isinstance(error, Problem):
        return error
    if isinstance(error, ValidationError):
        return of_validation(error)
    if not isinstance(error, OctavoError):
        return Problem(500, "bug", "Something went wrong in the server that it did not expect; its log says more.")
    if isinstance(error, AmbiguousDocumentError):
        return Problem(422, "ambiguous", said(str(error)), more={"candidates": candidates_of(error)})
    status, reason = _kind_of(error)
    headers = {"Retry-After": "2"} if status == 503 else {}
    return Problem(status, reason, said(str(error)), headers=headers)


def _kind_of(error: OctavoError) -> tuple[int, str]:
    if isinstance(error, CorpusError):
        return _OF_CORPUS.get(error.reason, 500), error.reason
    if isinstance(error, SourceError):
        return _OF_SOURCE.get(error.reason, 422), error.reason
    kinds = ((UsageError, 422, "usage"), (BudgetError, 422, "budget"), (ModelError, 502, "model"))
    return next(((status, reason) for kind, status, reason in kinds if isinstance(error, kind)), (500, "bug"))


def candidates_of(error: AmbiguousDocumentError) -> list[dict[str, str]]:
    """Return the documents that a name may mean: id, and as much of the end of the path as tells them apart."""
    ends = ends_apart([path for _, path in error.candidates])
    return [{"id": identity, "path": end} for (identity, _), end in zip(error.candidates, ends, strict=True)]


def of_validation(error: ValidationError) -> Problem:
    """Return the problem with what was sent: 400 where it is no JSON, 422 where a value does not fit."""
    found = error.errors(include_url=False, include_context=False, include_input=False)
    if any(one["type"] == "json_invalid" for one in found):
        return Problem(400, "json", f"The body is not valid JSON: {found[0]['msg'].removeprefix('Invalid JSON: ')}.")
    errors = [{"where": ".".join(map(str, one["loc"])), "what": one["msg"]} for one in found]
    told = "; ".join(f"'{one['where']}': {one['what']}" if one["where"] else one["what"] for one in errors[:3])
    return Problem(422, "usage", told, more={"errors": errors})


def said(text: str, *paths: str | Path) -> str:
    """Return a message for whoever calls the server: names of files without their folders, and the server's mends."""
    for path in map(str, paths):
        text = text.replace(path, Path(path).name)
    text = _PATH.sub(lambda found: found.group(1) or found.group(2), text)
    for advice, here in _HERE.items():
        text = text.replace(advice, here)
    return text
