"""The direct reader: one decision answers from the evidence, with the numbers of the passages it stands on."""

from __future__ import annotations

import dataclasses
from typing import ClassVar

from octavo.errors import UsageError
from octavo.evidence import Answer, Evidence, Query
from octavo.operators.columns import Columns, Given, shared
from octavo.operators.core import Operator, Run, Step
from octavo.operators.extractive.extractive_reader import ExtractiveReader
from octavo.operators.keep import AS_FOUND, CHOSEN_ORDER, READ_FIRST, RELEVANCE, ROUTED
from octavo.operators.sentence_forms import Sentence, read_by
from octavo.question import understand


@dataclasses.dataclass(frozen=True)
class OverPictures(Operator[Query, Answer]):
    """`look` for a question about what pages show, where a model that sees goes over them; else `otherwise`.

    A question about all charts or figures is for `otherwise` too, which goes through these one by one; with `figures`
    it is for `look`.
    """

    declares: ClassVar[Columns] = Columns()

    look: Operator[Query, Answer]
    otherwise: Operator[Query, Answer]
    figures: bool = False

    def after(self, given: Given = None) -> Given:
        """Return the columns that are there whichever answers."""
        return shared(self.look.after(given), self.otherwise.after(given))

    def __call__(self, value: Query, using: Run) -> Answer:
        """Return the answer of the one that fits."""
        from octavo.operators.read.contact_sheet import goes_over

        is_meant = self.figures or not understand(value.question).kinds_gone_through
        return (self.look if is_meant and goes_over(using) else self.otherwise)(value, using)

    def needs(self) -> frozenset[str]:
        """Return what either needs."""
        return self.look.needs() | self.otherwise.needs()


@dataclasses.dataclass(frozen=True)
class DirectReader(Step[Evidence, Answer]):
    """Answer with a model from the passages that fit its context; `otherwise` answers when no model decides.

    Where a model sees, it is shown pictures on the pages of these passages when the question asks for something to be
    seen, and those it asks for when it finds no answer in the words. For a question about all figures or pages it first
    goes over small ones of all of them, on at most so many contact `sheets`, none with 0.

    A small model reads the best passage alone, but where something is to be seen and another model sees.
    A question over all rows of a long table is answered by a query that a model writes, carried out over them.

    With `by_meaning` passages are chosen by stored vectors too, else by words alone.

    Every citation is checked against the block it quotes; an answer whose passages do not bear it out is given up as
    not answerable.
    """

    declares: ClassVar[Columns] = Columns(reads={RELEVANCE}, uses={AS_FOUND, READ_FIRST, ROUTED, CHOSEN_ORDER})
    sentence: ClassVar[Sentence] = read_by

    otherwise: ExtractiveReader = dataclasses.field(default_factory=ExtractiveReader)
    by_meaning: bool = True
    sheets: int = 3

    def __post_init__(self) -> None:
        if self.sheets < 0:
            raise UsageError("DirectReader takes 0 contact sheets or more")

    def needs(self) -> frozenset[str]:
        """Return what the reader without a model needs, and what tells passages that are near in meaning."""
        return self.otherwise.needs() | ({"passages", "vectors"} if self.by_meaning else set[str]())

    def apply(self, value: Evidence, using: Run) -> Answer:
        """Return the answer with its citations, or one that says there is none."""
        return self.read(value, using)

    def read(self, value: Evidence, using: Run, *, looks: bool = True, asks: bool = False) -> Answer:
        """Return the same; without `looks` nobody is shown pictures, with `asks` they can still be asked for."""
        if not len(value) or not using.judge.has_model("answer_from_evidence"):
            return self.otherwise.apply(value, using)
        from octavo.operators.read.answering import answer_from
        from octavo.operators.read.close_reading import read_closely
        from octavo.operators.read.table_reading import read_over_table

        found = read_over_table(value, using) or read_closely(value, using, lambda: self.otherwise.read(value, using))
        if found is not None:
            return found
        return answer_from(
            value,
            using,
            lambda: self.otherwise.read(value, using),
            looks=looks,
            asks=asks,
            by_meaning=self.by_meaning,
            sheets=self.sheets,
        )
