"""A question asked of a corpus: the documents opened for it, and the run of its system over them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from functools import partial
from typing import Any, TypeVar

from octavo import systems
from octavo.corpus.ask.document_opener import DocumentOpener, Opened
from octavo.corpus.ask.options import AskOptions
from octavo.corpus.ask.place_drawer import drawer
from octavo.corpus.ask.views import Changed
from octavo.corpus.judges import Judges
from octavo.corpus.streaming import Listen, listened_to
from octavo.decisions.engine.judge import Judge
from octavo.evidence import Answer, Result
from octavo.evidence.own_words import answering
from octavo.models.spans import Tell, span
from octavo.models.words_alone import WordsAlone
from octavo.operators.core import Run

_T = TypeVar("_T")


class Session:
    """One question, asked once. `cancel` ends it from any thread."""

    def __init__(
        self,
        opener: Callable[[], DocumentOpener],
        judges: Judges,
        question: str,
        options: AskOptions,
        judge: Judge | None = None,
        *,
        sure: float | None = None,
    ) -> None:
        """Take the question; nothing is opened or asked yet. Raises UsageError and ModelError.

        `opener` is called for each run: a corpus may be made, or made anew, meanwhile. `judge` decides in the place of
        the one that the judges make; `sure` is the run's.
        """
        self._sure = sure
        self._opener, self._judges = opener, judges
        self._documents, self._where = options.documents, options.where
        self._system, self._query = options.resolve(question)
        self._judge = judge or judges.judge(options.caps)

    def search(self, *, passages: bool) -> Result:
        """Return the evidence, best first; `passages` as in `Corpus.search`. Raises as `Corpus.ask` does."""
        with answering(self._query.question), self._span("retrieval") as tell:
            found = self._once_more(lambda run: systems.run_search(self._system, self._query, run, shows=passages))
            tell({"octavo.rows": len(found.evidence), "octavo.passages": len(found.passages)})
        return found

    def answer(self) -> Answer:
        """Return the answer. Raises as `Corpus.ask` does."""
        with answering(self._query.question), self._span("invoke_workflow") as tell:
            answer = self._once_more(self._ask)
            tell(_told(answer))
        return answer

    def answer_aloud(self, listen: Listen) -> Answer:
        """Return the answer; `listen` gets each event on the way. Raises as `Corpus.ask` does."""
        with answering(self._query.question), self._span("invoke_workflow") as tell:
            answer = self._ask(listened_to(listen, self._run()))
            tell(_told(answer))
        return answer

    def _span(self, operation: str) -> AbstractContextManager[Tell]:
        """Return what records the question as a span, without a word of it."""
        system = self._system.name
        return span(f"{operation} {system}", {"gen_ai.operation.name": operation, "octavo.system": system})

    @property
    def judge(self) -> Judge:
        """Who decides, with the records of what was decided."""
        return self._judge

    def cancel(self) -> None:
        """End what is under way."""
        self._judge.cancel()

    def _ask(self, run: Run) -> Answer:
        return systems.run_ask(self._system, self._query, run)

    def _once_more(self, use: Callable[[Run], _T]) -> _T:
        """Use a run; another where a document that was read changed meanwhile."""
        try:
            return use(self._run())
        except Changed:
            return use(self._run())

    def _run(self) -> Run:
        """Return a run over the documents opened for the question. Raises as `DocumentOpener.open` does."""
        opener, question = self._opener(), self._query.question
        opened = opener.open(question, self._documents, self._system, self._where)
        embedder = partial(_words_alone, opened) if opened.words_alone else opener.models.embedder
        run = Run(
            opened.view,
            embedder,
            opener.models.multilingual,
            trace=[*opened.steps],
            judge=self._judge,
            reranker=self._judges.reranker(self._judge, embedder),
            image_text=opener.models.image_text,
            late_interaction=opener.models.late_interaction,
            meant=opened.meant,
            sure=self._sure,
            pictures=drawer(opener.backend.catalogue.path, opener.layers.prints, opened.view.documents),
        )
        if opened.vectors is not None:
            run.remember(question, opened.vectors)
        return run


def _words_alone(opened: Opened) -> WordsAlone:
    """Return what stands for an embedding model where vectors are not to be compared."""
    dimension = max(part.vectors("vectors").shape[1] for part in opened.view.parts)
    return WordsAlone(opened.words_alone, dimension)


def _told(answer: Answer) -> dict[str, Any]:
    """Return what a span says of an answer: how it ended, and what it took."""
    usage = answer.usage
    return {
        "octavo.outcome": answer.outcome.value,
        "octavo.citations": len(answer.citations),
        "octavo.calls": usage.calls,
        "gen_ai.usage.input_tokens": usage.input_tokens,
        "gen_ai.usage.output_tokens": usage.output_tokens,
        **({"octavo.stopped": answer.stopped} if answer.stopped else {}),
    }
