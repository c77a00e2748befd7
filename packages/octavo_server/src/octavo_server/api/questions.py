"""Asking, and what questions bring: evidence, answers and conversations that were kept, citations, verified quotes.

An answer comes as one object, or as server-sent events of what happens on the way to it.
"""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BeforeValidator, Field, model_validator
from starlette.responses import Response

from octavo.corpus.streaming import AnswerText, PassagesRead
from octavo.errors import CorpusError, UnbuiltError, UsageError
from octavo.evidence import TraceStep
from octavo.exports import FORMATS, Exported, export
from octavo.exports.bundle import bundle_of, stands_on
from octavo.models.gateway import Caps
from octavo.systems import SYSTEMS
from octavo_server.finding_responses import FindsShape
from octavo_server.library import CURSOR
from octavo_server.problems import problem_of
from octavo_server.questions import QuestionOptions, StepSentences
from octavo_server.responses import (
    AnswerEvent,
    AnswerShape,
    AskEvents,
    CitedShape,
    ConversationShape,
    PassagesEvent,
    PlanEvent,
    SearchShape,
    StepEvent,
    TokenEvent,
    VerificationShape,
)
from octavo_server.routes import Body, Call, Query, Route, encoded, file_response, json_response, read, whole
from octavo_server.shapes import model_names, passage_json
from octavo_server.streams import EventStream, Feed

if TYPE_CHECKING:
    from octavo.corpus.streaming import Event
    from octavo_server.library import Library
    from octavo_server.pools import PoolSlot
    from octavo_server.questions import PendingQuestion


_QUESTION = 20_000
_DOCUMENTS = 1_000


WHERE = "A filter of documents by what they are about; null: all."
_SYSTEM = f"How it is found: {', '.join(SYSTEMS)}; an ablation's name is taken too."


class _QuestionBody(Body):
    """A question."""

    question: str = Field(min_length=1, max_length=_QUESTION, pattern=r"\S", examples=["What does a berth cost?"])
    documents: list[str] | None = Field(None, max_length=_DOCUMENTS, description="Ids, names or patterns; null: all.")
    where: str | None = Field(None, max_length=2_000, description=WHERE, examples=["date >= 2024 and type = report"])
    system: str = Field("auto", max_length=100, description=_SYSTEM, examples=["auto", "bm25"])
    limit: Annotated[int, Field(ge=1, le=1000), BeforeValidator(whole)] | None = Field(None, description="Pages.")
    max_calls: Annotated[int, Field(ge=0, le=1_000_000), BeforeValidator(whole)] | None = Field(
        None, description="Cap on calls of models."
    )
    trace: bool = Field(default=False, description="Add the steps with rows and seconds.")


class SearchBody(_QuestionBody):
    """A question for evidence."""

    passages: bool = Field(default=True, description="Read the best pages for passages, which takes most of the time.")


class VerifyBody(Body):
    """A quote to be looked for."""

    quote: str = Field(min_length=1, max_length=_QUESTION, pattern=r"\S", examples=["A berth costs 40 a night."])
    documents: list[str] | None = Field(None, max_length=_DOCUMENTS, description="Ids, names or patterns; null: all.")


async def search(call: Call) -> Response:
    """Return the evidence for a question."""
    body, library = call.body_of(SearchBody), call.services.library
    return await read(
        call,
        lambda: library.search(
            body.question,
            documents=body.documents,
            where=body.where,
            system=body.system,
            limit=body.limit,
            caps=None if body.max_calls is None else Caps(calls=body.max_calls),
            trace=body.trace,
            passages=body.passages,
        ),
    )


async def answer(call: Call) -> Response:
    """Return an answer."""
    return await read(call, lambda: call.services.library.answer(call.path["id"], call.holder()))


async def conversation(call: Call) -> Response:
    """Return a conversation."""
    return await read(call, lambda: call.services.library.conversation(call.path["id"], call.holder()))


async def citation(call: Call) -> Response:
    """Return a citation."""

    def found() -> object:
        try:
            return call.services.library.citation(call.path["id"])
        except UsageError as error:  # what is no id names nothing
            raise CorpusError("unknown", str(error)) from error

    return await read(call, found)


async def verify(call: Call) -> Response:
    """Return whether documents hold a quote."""
    body = call.body_of(VerifyBody)
    return await read(call, lambda: call.services.library.verify(body.quote, body.documents))


class FindQuery(Query):
    """A text to be found as it is typed."""

    text: str = Field(
        min_length=1, max_length=200, pattern=r"\S", description="Words, or a part of one.", examples=["boiler"]
    )
    document: list[str] | None = Field(
        None, max_length=_DOCUMENTS, description="Ids, names or patterns, several times; all where none is given."
    )
    limit: int = Field(20, ge=1, le=500, description="Places of each document.")
    cursor: str | None = Field(None, pattern=CURSOR, description="The `next` of a document's places before.")


async def find(call: Call) -> Response:
    """Return where a text stands."""
    wanted, library = call.query_of(FindQuery), call.services.library
    return await read(
        call, lambda: library.find(wanted.text, wanted.document, limit=wanted.limit, cursor=wanted.cursor)
    )


_MOST = 500


class ExportBody(Body):
    """What to export: an answer that was given, or citations."""

    answer: str | None = Field(None, max_length=200, description="The id of an answer.")
    citations: list[str] | None = Field(
        None, max_length=_MOST, description="Ids of citations.", examples=[["0123456789abcdef-7-9-29-01234567"]]
    )
    format: Literal["bibtex", "csl-json", "ris", "web-annotation", "markdown", "pdf"] = Field(examples=["bibtex"])

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
    return file_response(call, file.data, file.media_type, headers)


def _exported(call: Call, body: ExportBody, base: str) -> Exported:
    library = call.services.library
    answer = None if body.answer is None else library.answer(body.answer, call.holder())
    ids = body.citations or [] if answer is None else stands_on(answer)
    return export(bundle_of(library.corpus, ids, answer=answer, base=base), body.format)


_Tokens = Annotated[int, Field(ge=0, le=1_000_000_000), BeforeValidator(whole)]


class AskBody(_QuestionBody):
    """A question for an answer."""

    conversation: str | None = Field(None, max_length=100, description='The id of one, "new", or null for none.')
    max_tokens: _Tokens | None = Field(None, description="Cap on tokens of models.")
    max_seconds: float | None = Field(None, gt=0, le=86_400, description="Cap on the seconds models may take.")
    answer_format: str | None = Field(
        None,
        max_length=20,
        description="Type of the answer, for systems that ask by type (mmrag-paper).",
        json_schema_extra={"examples": ["Int"]},
    )


async def ask(call: Call) -> Response:
    """Answer a question."""
    body, services = call.body_of(AskBody), call.services
    options = _options(body, services.settings.max_seconds, call.holder())
    if call.wants_events():
        return await _streamed(call, body, options)

    def answered(slot: PoolSlot) -> bytes:
        return encoded(services.library.ask(body.question, options, slot, trace=body.trace))

    return json_response(
        await services.layers.with_layers(lambda: services.asks.run_with_slot(answered), may_write=call.may_write())
    )


def _options(body: AskBody, most_seconds: float, owner: str) -> QuestionOptions:
    """Return how a question is asked; no model takes longer than the server lets it."""
    seconds = most_seconds if body.max_seconds is None else min(most_seconds, body.max_seconds)
    return QuestionOptions(
        documents=body.documents,
        where=body.where,
        system=body.system,
        limit=body.limit,
        caps=Caps(body.max_calls, body.max_tokens, seconds),
        conversation=body.conversation,
        answer_format=body.answer_format,
        owner=owner,
    )


async def _streamed(call: Call, body: AskBody, options: QuestionOptions) -> Response:
    services = call.services
    feed = Feed(asyncio.get_running_loop())
    stream = _Stream(services.library, feed, body)

    def prepared() -> PendingQuestion:  # what is wrong with a question is an answer of its own, no event
        services.library.check_documents(body.documents)
        return services.library.asking(body.question, stream.listen, options)

    asked = await services.searches.run(prepared)
    stream.begin()
    first = services.asks.start_with_slot(lambda slot: stream.run(asked, slot))
    working = asyncio.ensure_future(_worked(call, stream, asked, first))

    def leave() -> None:
        stream.left()
        asked.cancel()
        first.cancel()
        working.cancel()

    return EventStream(feed, services.settings.heartbeat, services.metrics.stream(leave))


async def _worked(call: Call, stream: _Stream, asked: PendingQuestion, first: asyncio.Future[None]) -> None:
    """Have a question answered, and once more when layers that it lacked are built; an error is an event too."""
    services = call.services
    try:
        try:
            await first
        except UnbuiltError as error:
            if call.may_write():
                stream.builds(error)
            await services.layers.build(error, may_write=call.may_write())
            await services.asks.run_with_slot(lambda slot: stream.run(asked, slot))
    except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
        stream.failed(error)


@dataclasses.dataclass
class _Stream:
    """One question that is answered for one reader; all but `left` runs in the thread that answers."""

    library: Library
    feed: Feed
    body: AskBody
    is_left: bool = False
    steps: StepSentences = dataclasses.field(default_factory=StepSentences)

    def begin(self) -> None:
        """Send what is asked, before there is a thread for it."""
        body, models = self.body, self.library.corpus.models
        documents = body.documents or None
        plan: PlanEvent = {
            "question": body.question,
            "system": body.system,
            "documents": documents,
            "models": model_names(models),
        }
        self.feed.put("plan", plan)

    def left(self) -> None:
        """Note that the reader has gone."""
        self.is_left = True

    def listen(self, event: Event) -> None:
        """Pass an event on."""
        if isinstance(event, AnswerText):
            token: TokenEvent = {"text": event.text}
            self.feed.put("token", token)
        elif isinstance(event, PassagesRead):
            passages: PassagesEvent = {"passages": [passage_json(one) for one in event.passages]}
            self.feed.put("passages", passages)
        elif isinstance(event, TraceStep) and (sentence := self.steps.add(event)):
            self._put_step(event.step, sentence, round(event.seconds, 4))

    def builds(self, lacking: UnbuiltError) -> None:
        """Send that layers are built first."""
        seconds, count = max(1, round(lacking.seconds)), len(lacking.document_ids)
        told = f"Building {', '.join(lacking.layers)} of {count:,} documents first, about {seconds:,} s"
        self._put_step("BuildLayers", told, 0.0)

    def failed(self, error: Exception) -> None:
        """Send an error, after which nothing comes."""
        self.feed.put("error", problem_of(error).to_json())
        self.feed.end()

    def _put_step(self, name: str, sentence: str, seconds: float) -> None:
        step: StepEvent = {"step": name, "told": sentence, "seconds": seconds}
        self.feed.put("step", step)

    def run(self, asked: PendingQuestion, slot: PoolSlot) -> None:
        """Answer, and send what happens; an error is an event too, but for layers that are to be built first."""
        try:
            self._run(asked, slot)
        except UnbuiltError:
            raise
        except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
            self.failed(error)
        else:
            self.feed.end()

    def _run(self, asked: PendingQuestion, slot: PoolSlot) -> None:
        answer = asked.run(slot)
        if self.is_left:
            return
        value = asked.finish(answer, self.steps.sentences, self.body.trace)
        passages: PassagesEvent = {"passages": value["passages"]}
        self.feed.put("passages", passages)
        said: dict[str, object] = {key: one for key, one in value.items() if key in AnswerEvent.__annotations__}
        self.feed.put("answer", said)
        self.feed.put("done", value)


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
        method="GET",
        path="/v1/find",
        name="find",
        summary="Where documents have a text as it is typed, in their words, titles and names.",
        handler=find,
        response=FindsShape,
        query=FindQuery,
        errors=(404, 409),
    ),
    Route(
        method="POST",
        path="/v1/export",
        name="export_citations",
        summary="The citations of an answer, or some, as a file of another format.",
        handler=export_citations,
        body=ExportBody,
        files=tuple(one.media_type for one in FORMATS.values()),
        errors=(404, 410),
    ),
    Route(
        method="POST",
        path="/v1/ask",
        name="ask",
        summary="Answer a question; where server-sent events are accepted, tell what happens on the way.",
        handler=ask,
        response=AnswerShape,
        body=AskBody,
        events=AskEvents,
        errors=(404, 409, 410, 502),
    ),
)
