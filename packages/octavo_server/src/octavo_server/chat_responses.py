"""What the API returns in the form of OpenAI's chat completions, as types."""

from __future__ import annotations

from typing import Literal

from typing_extensions import TypedDict


class ChatCitationShape(TypedDict):
    """A page that a mark leads to; the mark stands at [start, end) of the text."""

    start_index: int
    end_index: int
    title: str
    url: str


class ChatAnnotationShape(TypedDict):
    """An annotation of a message, as OpenAI's API has it."""

    type: Literal["url_citation"]
    url_citation: ChatCitationShape


class ChatReplyShape(TypedDict):
    """The message that answers a chat."""

    role: Literal["assistant"]
    content: str
    refusal: str | None
    annotations: list[ChatAnnotationShape]


class ChatChoiceShape(TypedDict):
    """The one choice of a completion."""

    index: int
    message: ChatReplyShape
    finish_reason: Literal["stop"]


class ChatUsageShape(TypedDict):
    """Tokens of models; 0 without one."""

    prompt_tokens: int
    completion_tokens: int
    total_tokens: int


class ChatCompletionShape(TypedDict):
    """A completion of a chat, as OpenAI's API has it."""

    id: str
    object: Literal["chat.completion"]
    created: int
    model: str
    choices: list[ChatChoiceShape]
    usage: ChatUsageShape


class ChatModelShape(TypedDict):
    """A system, as a model of OpenAI's API."""

    id: str
    object: Literal["model"]
    created: int
    owned_by: str


class ChatModelsShape(TypedDict):
    """The systems that may be named as a model."""

    object: Literal["list"]
    data: list[ChatModelShape]
