"""Citations as files that other programs read."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, model_validator
from starlette.responses import Response

from octavo.server.exports import FORMATS, Exported, export
from octavo.server.exports.collect import bundle_of
from octavo.server.routes import Body, Call, Route

_MOST = 500


class ExportBody(Body):
    """What to export: an answer that was given, or citations."""

    answer: str | None = Field(None, max_length=200, description="The id of an answer.")
    citations: list[str] | None = Field(None, max_length=_MOST, description="Ids of citations.")
    format: Literal["bibtex", "csl-json", "ris", "web-annotation", "markdown", "pdf"]

    @model_validator(mode="after")
    def _names_one(self) -> ExportBody:
        if (self.answer is None) == (self.citations is None):
            raise ValueError("give either an answer or citations")
        return self


async def export_citations(call: Call) -> Response:
    """Return the file."""
    body, base = call.body_of(ExportBody), str(call.request.base_url)
    file = await call.services.searches.run(lambda: _exported(call, body, base))
    headers = {"Content-Disposition": f'attachment; filename="{file.name}"', "X-Content-Type-Options": "nosniff"}
    return Response(file.data, headers=headers, media_type=file.media_type)


def _exported(call: Call, body: ExportBody, base: str) -> Exported:
    library = call.services.library
    answer = None if body.answer is None else library.answer(body.answer)
    ids = body.citations or [] if answer is None else [str(one["id"]) for one in answer["citations"]]
    return export(bundle_of(library, ids, answer=answer, base=base), body.format)


ROUTES = (
    Route(
        method="POST",
        path="/v1/export",
        name="export_citations",
        summary="The citations of an answer, or some, as a file of another format.",
        handler=export_citations,
        body=ExportBody,
        media=tuple(one.media_type for one in FORMATS.values()),
        errors=(404, 410),
    ),
)
