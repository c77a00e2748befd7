"""Questions in the form of OpenAI's chat completions: programs that speak it ask documents as they would ask a model.

The model is a system by its name, the last message of the user the question; those before it say what it may leave
open. The text has marks such as [1], each an annotation that leads to the page, and the quotes behind them below it.
"""

from __future__ import annotations

import asyncio
import dataclasses
import re
import time
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from octavo.corpus.conversation import ConversationTurn
from octavo.corpus.streaming import AnswerText
from octavo.errors import UsageError
from octavo.evidence import Outcome
from octavo.evidence.own_words import answering, page_told
from octavo.exports.bundle import one_line
from octavo.models.gateway import Caps
from octavo.systems import SYSTEMS
from octavo_server.api.questions import WHERE
from octavo_server.chat_responses import ChatAnnotationShape, ChatCompletionShape, ChatModelsShape, ChatUsageShape
from octavo_server.problems import problem_of
from octavo_server.questions import QuestionOptions, StepSentences
from octavo_server.routes import Call, Route, encoded, json_response
from octavo_server.streams import EventStream, Feed

if TYPE_CHECKING:
    from octavo.corpus.streaming import Event
    from octavo_server.pools import PoolSlot
    from octavo_server.questions import PendingQuestion
    from octavo_server.responses import AnswerShape, CitationShape, PassageShape

_QUESTION = 20_000
_TURNS = 20
"""Turns before the question that are looked at."""
_USUAL = "auto"
_OWNER = "octavo"
_QUOTED = 400
"""Characters of a quote or passage that are shown below the text."""
_SOURCES = re.compile(r"\n\n\[1\] .*", re.DOTALL)
_MARKS = re.compile(r" ?\[\d+\]")


class ChatPart(BaseModel):
    """A part of a message; only text is read."""

    model_config = ConfigDict(extra="ignore")
    type: str = Field("text", max_length=40)
    text: str = Field("", max_length=_QUESTION)


class ChatMessage(BaseModel):
    """A message of a chat."""

    model_config = ConfigDict(extra="ignore")
    role: str = Field(max_length=40)
    content: str | list[ChatPart] | None = None

    def said(self) -> str:
        """Return its text."""
        content = self.content or ""
        return content if isinstance(content, str) else "\n".join(part.text for part in content if part.type == "text")


class ChatStreamOptions(BaseModel):
    """What a stream tells besides."""

    model_config = ConfigDict(extra="ignore")
    include_usage: bool = False


class ChatBody(BaseModel):
    """A chat. What steers a model and says nothing here, such as `temperature`, is passed over."""

    model_config = ConfigDict(extra="ignore")
    model: str = Field(_USUAL, max_length=100, description=f"How it is found: {', '.join(SYSTEMS)}.", examples=[_USUAL])
    messages: list[ChatMessage] = Field(
        min_length=1, max_length=1_000, examples=[[{"role": "user", "content": "What does a berth cost?"}]]
    )
    stream: bool = False
    stream_options: ChatStreamOptions | None = None
    documents: list[str] | None = Field(None, max_length=1_000, description="Ids, names or patterns; null: all.")
    where: str | None = Field(None, max_length=2_000, description=WHERE)

    def question(self) -> str:
        """Return what is asked. Raises UsageError where nothing is."""
        said = next((one.said().strip() for one in reversed(self.messages) if one.role == "user"), "")
        if not said:
            raise UsageError("nothing is asked: end the messages with one of the role 'user'")
        if len(said) > _QUESTION:
            raise UsageError(f"a question has {_QUESTION:,} characters at most, not {len(said):,}")
        return said

    def past(self) -> list[ConversationTurn]:
        """Return the questions before the last, with what was answered."""
        turns = list[ConversationTurn]()
        asked = ""
        for one in self.messages[: self._last()]:
            if one.role == "user":
                asked = one.said().strip()
            elif one.role == "assistant" and asked:
                text = _MARKS.sub("", _SOURCES.sub("", one.said())).strip()
                turns.append(ConversationTurn(asked, asked, Outcome.ANSWER, text))
                asked = ""
        return turns[-_TURNS:]

    def _last(self) -> int:
        return max(at for at, one in enumerate(self.messages) if one.role == "user")


@dataclasses.dataclass(frozen=True)
class _Told:
    """An answer as the text of a message, with the annotations of its marks."""

    text: str
    annotations: list[ChatAnnotationShape]


def told(answer: AnswerShape, base: str) -> _Told:
    """Return the text of an answer: what is answered with its marks, and what they stand for below."""
    is_answer = answer["outcome"] == "answer"
    places: Sequence[CitationShape | PassageShape] = answer["citations"] if is_answer else answer["passages"]
    if answer["outcome"] == "nothing":
        places = ()
    first = answer["answer"] if is_answer else answer["lead"]
    titles = _titles(answer["question"], places)
    text, annotations = first, list[ChatAnnotationShape]()
    for number, place in enumerate(places, 1):
        mark = f"[{number}]"
        text += f" {mark}"
        annotations.append(
            {
                "type": "url_citation",
                "url_citation": {
                    "start_index": len(text) - len(mark),
                    "end_index": len(text),
                    "title": titles[number - 1],
                    "url": f"{base.rstrip('/')}{place['link']}",
                },
            }
        )
    below = "\n".join(
        f"[{number}] {title}: “{_words(place)}”"
        for number, (title, place) in enumerate(zip(titles, places, strict=True), 1)
    )
    return _Told(f"{text}\n\n{below}" if below else text, annotations)


def _titles(question: str, places: Sequence[CitationShape | PassageShape]) -> list[str]:
    """Return the document and page of each place, in the language in which the question is answered."""
    with answering(question):
        return [f"{one_line(one['document'])}, {page_told(one['page'], one_line(one['page_label']))}" for one in places]


def _words(place: CitationShape | PassageShape) -> str:
    words = one_line(str(place.get("quote") or place.get("text") or ""))
    return words if len(words) <= _QUOTED else f"{words[:_QUOTED].rstrip()}…"


async def complete(call: Call) -> Response:
    """Answer the last question of a chat."""
    body = call.body_of(ChatBody)
    try:
        return await (_streamed(call, body) if body.stream else _whole(call, body))
    except Exception as error:
        problem = problem_of(error)
        problem.more["error"] = _error(problem.detail, problem.reason)  # where clients of OpenAI look for it
        raise problem from error


def _error(message: str, reason: str) -> dict[str, str | None]:
    return {"message": message, "type": reason, "code": reason, "param": None}


def _asked(call: Call, body: ChatBody, feed: _CompletionFeed | None) -> PendingQuestion:
    """Return the question ready to be answered. Raises as `ask` does."""
    services, steps, question = call.services, StepSentences(), body.question()
    services.library.check_documents(body.documents)

    def listen(event: Event) -> None:
        steps.add(event)
        if feed is not None and isinstance(event, AnswerText):
            feed.put("token", event.text)

    options = QuestionOptions(
        documents=body.documents,
        where=body.where,
        system=_USUAL if body.model == _OWNER else body.model,
        caps=Caps(seconds=services.settings.max_seconds),
        past=tuple(body.past()),
        owner=call.holder(),
    )
    return services.library.asking(question, listen, options)


async def _whole(call: Call, body: ChatBody) -> Response:
    services = call.services
    asked = await services.searches.run(lambda: _asked(call, body, None))

    def answered(slot: PoolSlot) -> bytes:
        answer = asked.finish(asked.run(slot), (), False)  # noqa: FBT003
        found = told(answer, str(call.request.base_url))
        message = {"role": "assistant", "content": found.text, "refusal": None, "annotations": found.annotations}
        choice = {"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}
        return encoded({**_head(body, answer["id"], "chat.completion"), "choices": [choice], "usage": _usage(answer)})

    return json_response(
        await services.layers.with_layers(lambda: services.asks.run_with_slot(answered), may_write=call.may_write())
    )


async def _streamed(call: Call, body: ChatBody) -> Response:
    services = call.services
    feed = _CompletionFeed(asyncio.get_running_loop(), body, str(call.request.base_url))
    asked = await services.searches.run(lambda: _asked(call, body, feed))

    def answered(slot: PoolSlot) -> None:
        feed.put("done", asked.finish(asked.run(slot), (), False))  # noqa: FBT003

    async def work() -> None:
        try:
            await services.layers.with_layers(lambda: services.asks.run_with_slot(answered), may_write=call.may_write())
        except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
            feed.put("error", problem_of(error).to_json())
        finally:
            feed.end()

    working = asyncio.ensure_future(work())

    def leave() -> None:
        asked.cancel()
        working.cancel()

    return EventStream(feed, services.settings.heartbeat, services.metrics.stream(leave))


def _head(body: ChatBody, identity: str, kind: str) -> dict[str, Any]:
    return {"id": f"chatcmpl-{identity}", "object": kind, "created": int(time.time()), "model": body.model}


def _usage(answer: AnswerShape) -> ChatUsageShape:
    read, written = answer["usage"]["input_tokens"], answer["usage"]["output_tokens"]
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written}


class _CompletionFeed(Feed):
    """Events as chunks of a completion. What a model writes is passed on; it is checked when it is whole."""

    def __init__(self, loop: asyncio.AbstractEventLoop, body: ChatBody, base: str) -> None:
        super().__init__(loop)
        self._body, self._base = body, base
        self._sent = ""
        self._is_begun = False

    def wire(self, name: str, value: Any) -> bytes:
        """Return an event as it goes over the wire: the new part of a text, or the rest of the answer."""
        if name == "token":
            return b"".join(self._grown(value))
        if name == "error":
            return _data({"error": _error(value["detail"], value["reason"])}) + _END
        return b"".join(self._finished(value))

    def _grown(self, text: str) -> Iterator[bytes]:
        if text.startswith(self._sent) and text != self._sent:
            yield self._chunk({"content": text[len(self._sent) :]})
            self._sent = text

    def _finished(self, answer: AnswerShape) -> Iterator[bytes]:
        found = told(answer, self._base)
        is_so = found.text.startswith(self._sent)
        before = "" if is_so else f"{self._sent}{_UNFIT}"
        rest = found.text[len(self._sent) :] if is_so else f"{_UNFIT}{found.text}"
        annotations = [_moved(one, len(before)) for one in found.annotations]
        yield self._chunk({"content": rest, "annotations": annotations})
        yield self._chunk({}, "stop")
        if self._body.stream_options is not None and self._body.stream_options.include_usage:
            yield _data({**self._head(), "choices": [], "usage": _usage(answer)})
        yield _END

    def _head(self) -> dict[str, Any]:
        return _head(self._body, f"{id(self):x}", "chat.completion.chunk")

    def _chunk(self, delta: dict[str, Any], finish: Literal["stop"] | None = None) -> bytes:
        role = {} if self._is_begun else {"role": "assistant"}
        self._is_begun = True
        choice = {"index": 0, "delta": {**role, **delta}, "finish_reason": finish, "logprobs": None}
        return _data({**self._head(), "choices": [choice]})


_END = b"data: [DONE]\n\n"
_UNFIT = "\n\n(What was written so far is not borne out by the documents.)\n\n"
"""Stands between what a model wrote and what the check left of it, where these differ."""


def _data(value: object) -> bytes:
    return b"data: " + encoded(value) + b"\n\n"


def _moved(annotation: ChatAnnotationShape, by: int) -> ChatAnnotationShape:
    cited = annotation["url_citation"]
    moved = {**cited, "start_index": cited["start_index"] + by, "end_index": cited["end_index"] + by}
    return {**annotation, "url_citation": moved}  # type: ignore[typeddict-item]


async def models(_call: Call) -> Response:
    """List what may be named as a model."""
    listed: ChatModelsShape = {
        "object": "list",
        "data": [{"id": name, "object": "model", "created": 0, "owned_by": _OWNER} for name in SYSTEMS],
    }
    return json_response(encoded(listed))


ROUTES = (
    Route(
        method="POST",
        path="/v1/chat/completions",
        name="create_chat_completion",
        summary="Answer the last question of a chat, in the form of OpenAI's chat completions; also as a stream.",
        handler=complete,
        response=ChatCompletionShape,
        body=ChatBody,
        media=("text/event-stream",),
        errors=(404, 409, 502),
    ),
    Route(
        method="GET",
        path="/v1/models",
        name="list_models",
        summary="What a chat completion may name as its model: the systems.",
        handler=models,
        response=ChatModelsShape,
    ),
)
