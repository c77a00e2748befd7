"""Asking: the answer as one object, or what happens on the way to it as server-sent events."""

from __future__ import annotations

import asyncio
import dataclasses
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field
from starlette.responses import Response

from octavo.corpus.streaming import AnswerText, PassagesRead
from octavo.models.gateway import Caps
from octavo.server.api.questions import QuestionBody
from octavo.server.problems import problem_of
from octavo.server.questions import StepsTold
from octavo.server.responses import AnswerShape
from octavo.server.routes import Call, Route, encoded, json_response, whole
from octavo.server.shapes import linked, model_names
from octavo.server.streams import MEDIA_TYPE, EventStream, Feed

if TYPE_CHECKING:
    from octavo.corpus.streaming import Event
    from octavo.document import TraceStep
    from octavo.server.library import Library
    from octavo.server.questions import Asked

_OF_ANSWER = (
    "id",
    "link",
    "conversation",
    "understood",
    "outcome",
    "answerable",
    "answer",
    "value",
    "format",
    "confidence",
    "missing",
    "citations",
)
"""Keys of the event `answer`; `done` has the whole object."""

_Tokens = Annotated[int, Field(ge=0, le=1_000_000_000), BeforeValidator(whole)]


class AskBody(QuestionBody):
    """A question for an answer."""

    conversation: str | None = Field(None, max_length=100, description='The id of one, "new", or null for none.')
    max_tokens: _Tokens | None = Field(None, description="Cap on tokens of models.")
    max_seconds: float | None = Field(None, gt=0, le=86_400, description="Cap on the seconds models may take.")


async def ask(call: Call) -> Response:
    """Answer a question."""
    body, services = call.body_of(AskBody), call.services
    how = _options(body, services.settings.max_seconds)
    if call.wants_events():
        return await _streamed(call, body, how)
    return json_response(
        await services.asks.run(lambda: encoded(services.library.ask(body.question, trace=body.trace, **how)))
    )


def _options(body: AskBody, most_seconds: float) -> dict[str, Any]:
    """Return how a question is asked, as arguments of `Library.ask`."""
    seconds = most_seconds if body.max_seconds is None else min(most_seconds, body.max_seconds)
    return {
        "documents": body.documents,
        "system": body.system,
        "limit": body.limit,
        "conversation": body.conversation,
        "caps": Caps(body.max_calls, body.max_tokens, seconds),
    }


async def _streamed(call: Call, body: AskBody, how: dict[str, Any]) -> Response:
    services = call.services
    feed = Feed(asyncio.get_running_loop())
    stream = _Stream(services.library, feed, body)

    def prepared() -> Asked:  # what is wrong with a question is an answer of its own, no event
        services.library.check_documents(body.documents)
        return services.library.asking(body.question, stream.listen, **how)

    asked = await services.searches.run(prepared)
    stream.begin()
    working = services.asks.start(lambda: stream.run(asked))

    def leave() -> None:
        stream.left()
        asked.cancel()
        working.cancel()

    return EventStream(feed, services.settings.heartbeat, services.metrics.stream(leave))


@dataclasses.dataclass
class _Stream:
    """One question that is answered for one reader; all but `left` runs in the thread that answers."""

    library: Library
    feed: Feed
    body: AskBody
    is_left: bool = False
    steps: StepsTold = dataclasses.field(init=False)

    def __post_init__(self) -> None:
        self.steps = StepsTold(self._step)

    def begin(self) -> None:
        """Tell what is asked, before there is a thread for it."""
        body, models = self.body, self.library.corpus.models
        documents = body.documents or None
        self.feed.put(
            "plan",
            {"question": body.question, "system": body.system, "documents": documents, "models": model_names(models)},
        )

    def left(self) -> None:
        """Say that the reader has gone."""
        self.is_left = True

    def listen(self, event: Event) -> None:
        """Pass an event on."""
        if isinstance(event, AnswerText):
            self.feed.put("token", {"text": event.text})
        elif isinstance(event, PassagesRead):
            self.feed.put("passages", linked({"passages": [one.to_json() for one in event.passages]}))
        else:
            self.steps(event)

    def _step(self, step: TraceStep, sentence: str) -> None:
        self.feed.put("step", {"step": step.step, "told": sentence, "seconds": round(step.seconds, 4)})

    def run(self, asked: Asked) -> None:
        """Answer, and tell what happens; an error is an event too."""
        try:
            self._run(asked)
        except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
            self.feed.put("error", problem_of(error).to_json())
        finally:
            self.feed.end()

    def _run(self, asked: Asked) -> None:
        answer = asked.run()
        if self.is_left:
            return
        value = asked.finish(answer, self.steps.sentences, self.body.trace)
        self.feed.put("passages", {"passages": value["passages"]})
        self.feed.put("answer", {key: value[key] for key in _OF_ANSWER if key in value})
        self.feed.put("done", value)


ROUTES = (
    Route(
        method="POST",
        path="/v1/ask",
        name="ask",
        summary="Answer a question; where server-sent events are accepted, tell what happens on the way.",
        handler=ask,
        response=AnswerShape,
        body=AskBody,
        media=(MEDIA_TYPE,),
        errors=(404, 409, 502),
    ),
)
