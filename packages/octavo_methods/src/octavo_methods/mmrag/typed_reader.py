"""The reader of MMRAG-DocQA as printed: pages, notes on pictures, summaries; reasons, then a typed value (17, 18).

Each answer type has a prompt of its own: `octavo_methods.mmrag.decisions.answer_string` and its like.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from octavo.decisions import DECISIONS
from octavo.decisions.answer_from_evidence import Shown
from octavo.errors import UsageError
from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, Outcome, TraceStep, View
from octavo.operators.columns import Columns
from octavo.operators.core import Run, Step
from octavo.operators.extractive.extractive_reader import ExtractiveReader, nothing
from octavo.operators.extractive.short_answers import typed_answer
from octavo.operators.keep import RELEVANCE
from octavo.operators.read.answering import without_reply
from octavo.operators.read.as_said import shown_alone
from octavo.operators.read.packing import Packed, cite, place_of
from octavo.operators.read.reply_check import sureness
from octavo_methods.mmrag.decisions.predict_answer_type import FORMATS, PREDICT_ANSWER_TYPE, TypeQuestion
from octavo_methods.mmrag.decisions.typed_reply import NOT_ANSWERABLE, TypedQuestion, TypedReply
from octavo_methods.mmrag.looking import look
from octavo_methods.mmrag.two_level_index import nearest_summaries, page_text, tree_layers

if TYPE_CHECKING:
    from octavo.decisions.engine import Decision
    from octavo.operators.read.material import Material

_PROMPTS = {
    AnswerFormat.STR: "answer_string",
    AnswerFormat.INT: "answer_integer",
    AnswerFormat.FLOAT: "answer_float",
    AnswerFormat.LIST: "answer_list",
    AnswerFormat.NONE: "answer_string",
}
"""The prompt for each answer type. That a question has no answer is said in each; where a caller says so before, the
prompt for text is asked."""


@dataclasses.dataclass(frozen=True)
class TypedReader(Step[Evidence, Answer]):
    """Answer with a model from the pages of the evidence, best first, notes on their pictures, and summaries.

    Every picture on the pages is looked at by a model that sees, `pictures` at most (equations 13 and 14); the
    `summaries` nodes of the cross-page tree nearest to the question are always joined (16). Without `pages` summaries
    are all that is shown. The answer's type is `form`, one of "Str", "Int", "Float", "List" and "None", else the one
    that the query fixes, else one that is predicted. `otherwise` answers where no model decides.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE})

    summaries: int = 10
    pictures: int = 50
    pages: bool = True
    descriptions: bool = True
    form: str = ""
    otherwise: ExtractiveReader = dataclasses.field(default_factory=ExtractiveReader)

    def __post_init__(self) -> None:
        if min(self.summaries, self.pictures) < 0:
            raise UsageError("TypedReader takes 0 summaries and pictures or more")
        if self.form and self.form not in {form.value for form in AnswerFormat}:
            raise UsageError(f"There is no answer type {self.form!r}: choose one of Str, Int, Float, List, None")

    def needs(self) -> frozenset[str]:
        """Return the layers of what is shown, and what the reader without a model needs."""
        tree = tree_layers(descriptions=self.descriptions) if self.summaries else frozenset[str]()
        shown = frozenset({"page_texts"}) if self.pages else frozenset[str]()
        return tree | shown | self.otherwise.needs()

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the model's answer with a place on each page it names, or that there is none."""
        if not len(value) or not using.judge.has_model(_PROMPTS[AnswerFormat.STR]):
            return self.otherwise.apply(value, using)
        form = self._form(using)
        decision: Decision[TypedQuestion, TypedReply] = DECISIONS[_PROMPTS[form]]  # pyright: ignore[reportAssignmentType]
        material, asked = self._shown(value, using)
        material.announce(using)
        has_replied = any(map(using.judge.has_replied, _PROMPTS.values()))
        decided = using.judge.decide(decision, asked, rule=lambda _: TypedReply(final_answer=NOT_ANSWERABLE))
        if decided.by == "rule":
            otherwise = partial(self.otherwise.read, value, using)
            return without_reply(material, decided, using.query.question, otherwise, has_replied=has_replied)
        if self.pages:
            material.note_read(using, decided.left_out)
        return _answer(material, decided.output, form, using.query.question)

    def _form(self, using: Run) -> AnswerFormat:
        """Return the type that the caller fixed, else the one that is predicted from the question."""
        fixed = AnswerFormat(self.form) if self.form else using.query.answer_format
        if fixed is not None:
            return fixed
        return FORMATS[using.judge.decide(PREDICT_ANSWER_TYPE, TypeQuestion(using.query.question)).output.type]

    def _shown(self, value: Evidence, using: Run) -> tuple[Material, TypedQuestion]:
        """Return what the model is shown (equation 18): pages, notes on their pictures, summaries."""
        view = value.view
        pages = value.page_indices(RELEVANCE) if self.pages else []
        looked = look(view, pages, self.pictures, using)
        found = nearest_summaries(using.query, using, self.summaries, descriptions=self.descriptions)
        told = {"pages": len(pages), "pictures": looked.looked_at, "pictures_left_out": looked.left_out}
        using.note(TraceStep("Shown", {**told, "notes": len(looked.notes), "summaries": len(found)}, 0, 0, 0.0))
        using.note_read(pages=looked.pages)
        using.note_read(pages=(page for one in found if one.is_leaf for page in one.pages))
        packed: list[Packed] = []
        for number, page in _numbered(view, pages or [page for one in found for page in one.pages]):
            text = page_text(view, page, descriptions=self.descriptions) if pages else ""
            rows = view.page_rows(page)
            own = tuple(row for row in range(rows.start, rows.stop) if view.is_content[row])
            packed.append(Packed(Shown(number, ", ".join(place_of(view, page)), text), own, -float(len(packed))))
        return shown_alone(value, packed), TypedQuestion(
            using.query.question,
            tuple(one.shown for one in packed) if pages else (),
            looked.notes,
            tuple(f"({_places(view, one.pages)}) {one.text}" for one in found),
            tuple(one.shown.number for one in packed),
        )


def _numbered(view: View, pages: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yield each page index once under its number: that of the page, or a running one where documents are several."""
    is_one = len(view.documents) == 1
    for at, page in enumerate(dict.fromkeys(pages), start=1):
        yield (view.locate_page(page)[1] if is_one else at), page


def _places(view: View, pages: Sequence[int]) -> str:
    """Return the pages of a summary, by document where there are several."""
    found: dict[int, list[int]] = {}
    for document, number in map(view.locate_page, pages):
        found.setdefault(document, []).append(number)
    is_one = len(view.documents) == 1
    names = ("" if is_one else f"{view.names[document]}, " for document in found)
    return "; ".join(f"{name}pages {', '.join(map(str, own))}" for name, own in zip(names, found.values(), strict=True))


def _answer(material: Material, said: TypedReply, form: AnswerFormat, question: str) -> Answer:
    """Return a reply as it stands: its value, and on each page it names the words that say most of it."""
    if not said.answerable:
        refused = nothing(question, material.evidence)
        return dataclasses.replace(refused, text=" ".join(filter(None, (refused.text, said.reasoning_summary))))
    text = "; ".join(said.items)
    value, read_as = typed_answer(question, text, _plain(form))
    if form is AnswerFormat.LIST:
        value = said.items
    cited = tuple(dict.fromkeys(_cited(material, number, text) for number in said.relevant_pages))
    return Answer(
        question=question,
        system="",
        text=text,
        outcome=Outcome.ANSWER,
        evidence=material.evidence,
        by=RELEVANCE,
        value=value,
        format=read_as,
        citations=cited,
        confidence=sureness(text, cited, question),
    )


def _plain(form: AnswerFormat) -> AnswerFormat:
    """Return the type a value is read as: text where none was expected to be found."""
    return AnswerFormat.STR if form is AnswerFormat.NONE else form


def _cited(material: Material, number: int, text: str) -> Citation:
    """Return the words on a page that say most of an answer, else the page's first block."""
    packed = material.at(number)
    assert packed is not None
    view = material.evidence.view
    return cite(view, packed, text, text) or Citation.at(view, packed.rows[0])
