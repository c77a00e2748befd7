"""What is asked of a language or vision model and what comes back: plain values, and the port that adapters fill."""

from __future__ import annotations

import dataclasses
import enum
import hashlib
import io
import json
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, Protocol

if TYPE_CHECKING:
    from octavo.models.ports import Raster

Role = Literal["user", "assistant"]


@dataclasses.dataclass(frozen=True, slots=True)
class Picture:
    """An image handed to a vision model, encoded."""

    data: bytes = dataclasses.field(repr=False)
    media_type: str = "image/png"


@dataclasses.dataclass(frozen=True, slots=True)
class Turn:
    """One message of a conversation."""

    role: Role
    text: str
    pictures: tuple[Picture, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class Request:
    """One call to a model.

    `instructions` is the part that stays the same from call to call, so that providers' prompt caches hit; `schema` is
    the JSON schema of the reply as JSON text, "" for plain text; `max_output_tokens` bounds what the reply may cost;
    `lines` are what the lines of a reply may begin with, where there is such a list: an engine may weigh them all
    instead of writing some.
    """

    decision: str
    """Name of the decision that asks."""
    version: str
    """Version of its prompt."""
    instructions: str
    turns: tuple[Turn, ...]
    schema: str = ""
    max_output_tokens: int = 1024
    lines: tuple[str, ...] = ()

    def key(self, model: str) -> str:
        """Return 64 hex digits that are equal for equal requests to the same model (`LanguageModel.id`)."""
        digest = hashlib.sha256()
        for turn in self.turns:
            for picture in turn.pictures:
                digest.update(hashlib.sha256(picture.data).digest())
        # Tools and chance were parameters once: keys of kept replies go on to hold.
        values: dict[str, Any] = {**dataclasses.asdict(self), "tools": [], "temperature": 0.0}
        del values["lines"]  # they follow from the turns
        for turn in values["turns"]:
            turn["pictures"] = [picture["media_type"] for picture in turn["pictures"]]
            turn |= {"tool_calls": [], "tool_call_id": ""}
        digest.update(json.dumps([model, values], sort_keys=True, ensure_ascii=True).encode("ascii"))
        return digest.hexdigest()


@dataclasses.dataclass(frozen=True, slots=True)
class Reply:
    """What a model answered. Tokens are as the provider counts them, or estimated where it does not say."""

    text: str
    input_tokens: int
    output_tokens: int
    finish: Literal["stop", "length", "refusal"] = "stop"
    chance: float | None = None
    """The probability (0..1) that the model gave the first token of a reply in plain text; None where it tells none."""


class FaultKind(enum.Enum):
    """Why a call failed, and whether the same call may succeed later."""

    RATE_LIMIT = "rate limit"
    OVERLOADED = "overloaded"
    SERVER = "server error"
    CONNECTION = "connection"
    TIMEOUT = "timeout"
    MALFORMED = "malformed reply"
    EMPTY = "empty reply"
    CONTEXT = "input too long"
    REFUSED = "refused"
    AUTH = "not authorised"
    REQUEST = "request not accepted"
    UNKNOWN_MODEL = "unknown model"

    @property
    def is_transient(self) -> bool:
        """Whether trying again makes sense."""
        return self in _TRANSIENT


_TRANSIENT = frozenset(
    {
        FaultKind.RATE_LIMIT,
        FaultKind.OVERLOADED,
        FaultKind.SERVER,
        FaultKind.CONNECTION,
        FaultKind.TIMEOUT,
        FaultKind.MALFORMED,
        FaultKind.EMPTY,
    }
)


class ModelFault(Exception):
    """A call that brought no reply.

    `retry_after` is in seconds, None when the provider did not say. `is_sent` is False when the request is known not to
    have reached anybody: then it cost nothing.
    """

    def __init__(
        self, kind: FaultKind, message: str, *, retry_after: float | None = None, is_sent: bool = True
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.retry_after = retry_after
        self.is_sent = is_sent


class LanguageModel(Protocol):
    """A language or vision model behind some provider. Thread-safe.

    One whose attempts cost time and nothing else may say so: `costs_time_alone = True`. One that has few parameters may
    say that too: `is_small = True`.
    """

    @property
    def id(self) -> str:
        """Names provider, model and endpoint; part of the key of every cached reply. Holds no secret."""
        ...

    @property
    def context_tokens(self) -> int:
        """How many tokens instructions, input and output may have together."""
        ...

    @property
    def sees(self) -> bool:
        """Whether pictures may be sent."""
        ...

    @property
    def secrets(self) -> tuple[str, ...]:
        """Values that must never be shown or stored: keys, tokens."""
        ...

    def generate(self, request: Request, *, timeout: float, on_text: Callable[[str], None] | None = None) -> Reply:
        """Return the reply to a request, within `timeout` seconds, in one attempt.

        `on_text` receives the text so far as it grows; a model that cannot stream calls it once, and one that costs
        time alone calls it several times a second, with "" before the first word. Raises ModelFault, what `on_text`
        raises, and nothing else.
        """
        ...


def costs_time_alone(model: LanguageModel) -> bool:
    """Whether nothing is paid for an attempt: then one that nobody waits for any more is ended and not waited for."""
    return bool(getattr(model, "costs_time_alone", False))


def is_small(model: LanguageModel) -> bool:
    """Whether a model has so few parameters that it reads one short passage better than many."""
    return bool(getattr(model, "is_small", False))


def tells_chances(model: LanguageModel) -> bool:
    """Whether a model may tell how likely its plain replies are: not where it was asked and told nothing."""
    return bool(getattr(model, "tells_chances", True))


def probability(likelihood: float) -> float | None:
    """Return the probability (0..1) whose logarithm is given, None for no number."""
    return min(1.0, math.exp(min(likelihood, 0.0))) if not math.isnan(likelihood) else None


SMALL = 4.0
"""Billions of parameters below which a model is small. One of 1.5 was measured; where the bound lies was not."""


def estimate_tokens(text: str) -> int:
    """Return an upper estimate of how many tokens a text has in any tokenizer in use: one for each 3 UTF-8 bytes."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 3)


LONG_SIDE = 1024
"""Pixels of a picture's longer side, about."""
_LOWEST_DPI, _HIGHEST_DPI = 60.0, 200.0
"""Below the first print is not readable, above the second nothing is gained."""
_MARGIN = 4.0
"""Points around an element that its picture shows too."""
_POINTS_PER_INCH = 72.0
Box = tuple[float, float, float, float]
"""x0, y0, x1, y1 in points from the top left of the page."""


def around(box: Box, width: float, height: float) -> Box:
    """Return the box of an element with some margin, inside a page of so many points."""
    x0, y0, x1, y1 = box
    return max(0.0, x0 - _MARGIN), max(0.0, y0 - _MARGIN), min(width, x1 + _MARGIN), min(height, y1 + _MARGIN)


def dots_per_inch(box: Box, side: int = 0) -> float:
    """Return how finely a box is drawn: 60 to 200 dots per inch, or what gives its longer side so many pixels."""
    longest = max(box[2] - box[0], box[3] - box[1], 1.0)
    if side:
        return min(_HIGHEST_DPI, _POINTS_PER_INCH * side / longest)
    return min(_HIGHEST_DPI, max(_LOWEST_DPI, _POINTS_PER_INCH * LONG_SIDE / longest))


def pixels_of(box: Box) -> float:
    """Return the size of a box's picture in pixels."""
    return (box[2] - box[0]) * (box[3] - box[1]) * (dots_per_inch(box) / _POINTS_PER_INCH) ** 2


def encoded(raster: Raster) -> Picture:
    """Return a raster as it is sent to a model (PNG)."""
    from PIL import Image

    out = io.BytesIO()
    Image.fromarray(raster).save(out, "PNG")
    return Picture(out.getvalue())
