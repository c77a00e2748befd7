"""Answer a question from numbered passages, naming those the answer stands on, or say what is still missing.

Its rule is the extractive reader, which needs the view and so is handed in by the operator that asks.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Container, Iterable, Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from octavo.decisions.engine import Decision, Filled, Template, first_that_fit, inert, shorten
from octavo.models.language import Picture, estimate_tokens
from octavo.question import understand
from octavo_documents.text.analyzer import analyze
from octavo_documents.text.lines import on_one_line

ABOUT = 0
"""The number under which the lines about the document are cited."""
NO_PICTURE = Picture(b"")
"""What stands for a picture that is only told of."""
_PICTURE_TOKENS = 1600
"""Room that a picture takes of a model's context, at most."""
_WHOLE_TOKENS = 200
"""Room that a whole question takes beside its part, at most."""
_MOST_MISSING = 3
_MOST_PLACES = 20
"""Requests for pictures by their places, which are not searched."""
_LONGEST_PHRASE, _LONGEST_SENTENCE = 120, 300
_ASK_FOR_PICTURES = (
    'In "missing" pictures can be asked for by their places: "picture of page 7", "pictures of pages 3, 5 and 9-12", '
    '"pictures of all pages", "Figure 4". At most {at_once} come at once, the others after them.'
)
_PREFACE = re.compile(
    r"\A(?:\W*\bknown\s+(?:so\s+far|only\s+in\s+part|in\s+part)(?:,\s*from\s+what\s+was\s+shown(?:\s+before)?)?\s*[:–—-]\s*)+",
    re.IGNORECASE,
)
_QUOTED_TERMS = 3
"""Terms of a quote that are enough to tell where it stands."""
_ANSWER_LETTERS = 4
"""Letters of an answer's terms from which its standing in a text is no accident: "yes" and "7" stand anywhere."""


@dataclasses.dataclass(frozen=True, slots=True)
class Shown:
    """A passage as the model sees it: `number` is its id in this call, `where` its document, page and section."""

    number: int
    where: str
    text: str


@dataclasses.dataclass(frozen=True, slots=True)
class Seen:
    """A picture as the model sees it: `where` says what it is of, "page 7; chart; Figure 2: Quays".

    `told` is what was seen in it: by another model, for one that sees nothing, or when it was shown before. Then the
    picture itself is not sent, and may be empty.
    """

    where: str
    picture: Picture = NO_PICTURE
    told: str = ""


@dataclasses.dataclass(frozen=True, slots=True)
class Reading:
    """A question and the passages to answer it from, best first; `about` tells what they were taken from.

    Pictures beside them are numbered on from the last passage. `part_of` is the whole question of which this is a
    part, "" for none. Where pictures can be asked for, `at_once` says how many come at once.
    """

    question: str
    passages: tuple[Shown, ...]
    about: str = ""
    pictures: tuple[Seen, ...] = ()
    part_of: str = ""
    at_once: int = 0

    @property
    def picture_numbers(self) -> range:
        """The numbers of the pictures in this call."""
        first = max((one.number for one in self.passages), default=0) + 1
        return range(first, first + len(self.pictures))

    @property
    def numbers(self) -> frozenset[int]:
        """All numbers that a reply may name."""
        about = {ABOUT} if self.about else set[int]()
        return frozenset(about.union((one.number for one in self.passages), self.picture_numbers))


class Support(BaseModel):
    """A passage the answer stands on, and the words in it."""

    id: int
    quote: str = ""


def _as_text(value: Any) -> Any:
    """Take a number for its text and several values for a list in words."""
    if isinstance(value, list):
        return "; ".join(map(str, value))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return "" if value is None else str(value)


def _as_list(value: Any) -> Any:
    return [value] if isinstance(value, str) else value or []


class EvidenceReply(BaseModel, title="Reply"):
    """An answer with its evidence; where it is not whole, what is known of it and what to look for."""

    model_config = ConfigDict(
        json_schema_extra={"required": ["evidence", "answerable", "answer", "value", "missing", "why"]}
    )

    evidence: list[Support] = Field(default_factory=list[Support])
    answerable: bool
    answer: str = ""
    value: Annotated[str, BeforeValidator(_as_text)] = ""
    """The bare answer, "" where it is an explanation."""
    missing: Annotated[list[str], BeforeValidator(_as_list)] = Field(default_factory=list[str])
    """Phrases to search for; none where the question is answered or no search can help."""
    why: Annotated[str, BeforeValidator(_as_text)] = ""
    """Of a question that rests on something that is not so, what that is; and what comes nearest to it."""


def render(value: Reading, room: int) -> Filled:
    """Show the best passages that fit, in the order of their numbers; the others are counted as left out."""
    about = about_lines(value.about)
    pictures = _pictured(value)
    sent = tuple(one.picture for one in value.pictures if not one.told)
    question = _asked(value)
    left = room - sum(map(estimate_tokens, (question, about, pictures))) - _PICTURE_TOKENS * len(sent)
    passages, left_out = shown_in(value.passages, left)
    given = {"about": about, "question": inert(question), "passages": passages}
    return Filled({**given, "pictures": pictures}, pictures=sent, left_out=left_out)


def _asked(value: Reading) -> str:
    """Return the question; of a part, with a line that says what it is wanted for."""
    whole = shorten(on_one_line(value.part_of), _WHOLE_TOKENS)[0].replace("\n", " ")
    return f"{value.question}\n(Only this is to be answered. It is a part of: {whole})" if whole else value.question


def _pictured(value: Reading) -> str:
    """Return a line for each picture: what it is of, and what was seen in it where another saw it."""
    lines = [
        f"<picture id={number}>{inert(one.where)}{f' | seen in it: {inert(one.told)}' if one.told else ''}</picture>"
        for number, one in zip(value.picture_numbers, value.pictures, strict=True)
    ]
    told = ["Pictures of pages or parts of them come along, in this order:", *lines] if lines else []
    return "\n".join([*told, _ASK_FOR_PICTURES.format(at_once=value.at_once)] if value.at_once else told)


def about_lines(about: str) -> str:
    """Return what is told of the documents in its place, nothing for nothing."""
    return f"<document id={ABOUT}>\n{inert(about)}\n</document>" if about else ""


def shown_in(passages: Sequence[Shown], room: int) -> tuple[str, int]:
    """Return the best passages that fit in the order of their numbers, and how many were left out.

    Where one stands is said once for those that stand together.
    """
    texts = [f"[{inert(one.where)}]\n{_shown(one)}" for one in passages]
    kept, left_out = first_that_fit(texts, room)
    order = sorted(range(len(kept)), key=lambda at: passages[at].number)
    lines: list[str] = []
    where = ""
    for at in order:
        _, _, text = kept[at].partition("\n")
        lines += [text] if passages[at].where == where else [f"[{inert(passages[at].where)}]", text]
        where = passages[at].where
    return "\n".join(lines), left_out


def _shown(passage: Shown) -> str:
    return f"<passage id={passage.number}>\n{inert(passage.text)}\n</passage>"


def check(value: Reading, reply: EvidenceReply) -> EvidenceReply:
    """Drop passages that were not shown; an answer that stands on none of those shown is not taken."""
    if not reply.answerable:
        known = [support for support in reply.evidence if support.id in value.numbers]
        return reply.model_copy(
            update={
                "answer": without_preface(reply.answer) if known else "",
                "value": "",
                "evidence": known,
                "missing": phrases(reply.missing),
                "why": one_sentence(reply.why),
            }
        )
    if not reply.answer.strip() and not reply.value.strip():
        raise ValueError('"answerable" is true but "answer" is empty.')
    answer = reply.answer if reply.answer.strip() else reply.value
    evidence = supported(value.passages, reply.evidence, answer, numbers=value.numbers)
    return reply.model_copy(update={"answer": answer, "evidence": evidence, "missing": [], "why": ""})


def without_preface(text: str) -> str:
    """Return what is known in part without the words that it is told with: "Known so far: 4 of 6" gives "4 of 6"."""
    return _PREFACE.sub("", text.strip(), count=1)


def one_sentence(text: str) -> str:
    """Return a text on one line, cut at 300 characters."""
    return on_one_line(text)[:_LONGEST_SENTENCE]


def phrases(missing: Sequence[str]) -> list[str]:
    """Return up to three phrases to search for, each once, cut at 120 characters, and those that name places alone."""
    found, searched = dict[str, None](), 0
    for phrase in filter(None, map(on_one_line, missing)):
        is_place = not understand(phrase).words_beside_places
        cut = phrase[: _LONGEST_SENTENCE if is_place else _LONGEST_PHRASE]
        if cut not in found and (is_place or searched < _MOST_MISSING):
            found[cut] = None
            searched += not is_place
    return list(found)[:_MOST_PLACES]


def supported(
    passages: Sequence[Shown],
    evidence: Sequence[Support],
    answer: str,
    among: Sequence[Shown] = (),
    *,
    numbers: Container[int],
) -> list[Support]:
    """Return the evidence among the `numbers` shown; when a reply names none, the passage its words stand on.

    That passage is looked for in `among`, a few the reply points to; without these in all. Raises ValueError, in words
    for the model, when there is none.
    """
    known = [support for support in evidence if support.id in numbers]
    if known:
        return known
    quotes = [support.quote for support in evidence]
    likely = among or passages
    at = stands_on([passage.text for passage in likely], answer, quotes, are_few=bool(among))
    if at is None:
        raise ValueError('"evidence" names no passage that was shown: give the ids of the passages used.')
    return [Support(id=likely[at].number, quote=next(filter(None, quotes), ""))]


def stands_on(texts: Sequence[str], answer: str, quotes: Iterable[str] = (), *, are_few: bool = False) -> int | None:
    """Return the place of the text that has a quote, else of the first that has the answer; None when none has.

    Small models often give the right words and no number of a passage; asking again costs a call and seldom mends it.
    Words are compared as search terms, so that case, accents, endings and punctuation make no difference. `are_few`
    says that the texts are a few the reply itself pointed to: there a short answer, such as "7", is no accident.
    """
    terms = [analyze(text) for text in texts]
    joined = [f" {' '.join(some)} " for some in terms]
    for quote in map(analyze, quotes):
        if len(quote) >= _QUOTED_TERMS:
            run = f" {' '.join(quote)} "
            found = next((at for at, text in enumerate(joined) if run in text), None)
            if found is not None:
                return found
    wanted = set(analyze(answer))
    if not wanted or (not are_few and sum(map(len, wanted)) < _ANSWER_LETTERS):
        return None
    return next((at for at, some in enumerate(terms) if wanted.issubset(some)), None)


ANSWER_FROM_EVIDENCE = Decision(
    name="answer_from_evidence",
    version="8",
    template=Template.beside(__file__),
    output=EvidenceReply,
    render=render,
    check=check,
    max_output_tokens=700,
)
