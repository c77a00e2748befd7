"""What questions bring: evidence, answers and conversations that were kept, citations, quotes that are verified."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator
from starlette.responses import Response

from octavo.errors import CorpusError, UsageError
from octavo.models.gateway import Caps
from octavo.server.exports import FORMATS, Exported, export
from octavo.server.exports.bundle import bundle_of
from octavo.server.responses import AnswerShape, CitedShape, ConversationShape, SearchShape, VerificationShape
from octavo.server.routes import Body, Call, Route, read, whole
from octavo.systems import ABLATIONS, SYSTEMS

_QUESTION = 20_000
_DOCUMENTS = 1_000


class QuestionBody(Body):
    """A question."""

    question: str = Field(min_length=1, max_length=_QUESTION, pattern=r"\S")
    documents: list[str] | None = Field(None, max_length=_DOCUMENTS, description="Ids, names or patterns; null: all.")
    system: str = Field("auto", max_length=100, json_schema_extra={"enum": [*SYSTEMS, *ABLATIONS]})
    limit: Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)] | None = Field(None, description="Pages.")
    max_calls: Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(whole)] | None = Field(
        None, description="Cap on calls of models."
    )
    trace: bool = Field(default=False, description="Add the steps with rows and seconds.")


class SearchBody(QuestionBody):
    """A question for evidence."""

    passages: bool = Field(default=True, description="Read the best pages for passages, which takes most of the time.")


class VerifyBody(Body):
    """A quote to be looked for."""

    quote: str = Field(min_length=1, max_length=_QUESTION, pattern=r"\S")
    documents: list[str] | None = Field(None, max_length=_DOCUMENTS, description="Ids, names or patterns; null: all.")


async def search(call: Call) -> Response:
    """Search."""
    body, library = call.body_of(SearchBody), call.services.library
    return await read(
        call,
        lambda: library.search(
            body.question,
            documents=body.documents,
            system=body.system,
            limit=body.limit,
            caps=None if body.max_calls is None else Caps(calls=body.max_calls),
            trace=body.trace,
            passages=body.passages,
        ),
    )


async def answer(call: Call) -> Response:
    """Return an answer."""
    return await read(call, lambda: call.services.library.answer(call.path["id"]))


async def conversation(call: Call) -> Response:
    """Return a conversation."""
    return await read(call, lambda: call.services.library.conversation(call.path["id"]))


async def citation(call: Call) -> Response:
    """Return a citation."""

    def found() -> object:
        try:
            return call.services.library.citation(call.path["id"])
        except UsageError as error:  # what is no id names nothing
            raise CorpusError("unknown", str(error)) from error

    return await read(call, found)


async def verify(call: Call) -> Response:
    """Verify a quote."""
    body = call.body_of(VerifyBody)
    return await read(call, lambda: call.services.library.verify(body.quote, body.documents))


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
        path="/v1/search",
        name="search",
        summary="The evidence for a question, best first.",
        handler=search,
        response=SearchShape,
        body=SearchBody,
        errors=(404, 409),
    ),
    Route(
        method="GET",
        path="/v1/answers/{id}",
        name="get_answer",
        summary="An answer that was given.",
        handler=answer,
        response=AnswerShape,
        errors=(404, 410),
    ),
    Route(
        method="GET",
        path="/v1/conversations/{id}",
        name="get_conversation",
        summary="A conversation with its answers.",
        handler=conversation,
        response=ConversationShape,
        errors=(404,),
    ),
    Route(
        method="GET",
        path="/v1/citations/{id}",
        name="get_citation",
        summary="What a citation stands for, and where it stands now.",
        handler=citation,
        response=CitedShape,
        errors=(404,),
    ),
    Route(
        method="POST",
        path="/v1/verify",
        name="verify_quote",
        summary="Whether documents hold a quote, and where.",
        handler=verify,
        response=VerificationShape,
        body=VerifyBody,
        errors=(404,),
    ),
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
