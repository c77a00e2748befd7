"""What comes of a question, on the terminal: the answer while it is written, what a search found, and the steps taken.

An answer, passages that fit, and nothing look so that none is taken for another.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

from rich.table import Table
from rich.text import Text

from octavo import systems
from octavo.cli.show.prose import (
    EMPHASIS,
    MARK,
    QUOTE_LENGTH,
    best_pages,
    in_one_part,
    kind_name,
    name_of,
    page_name,
    pairs,
    paragraph,
    seconds_of,
    section_name,
    show_place,
    show_text,
)
from octavo.cli.terminal import draw, one_line, plain, prose_width, shorten
from octavo.corpus.streaming import AnswerText, Ending, Event, ModelAsked, PassagesRead, sentence_of
from octavo.evidence import (
    NO_SHORT_ANSWER,
    Answer,
    Citation,
    Evidence,
    Outcome,
    PageHit,
    Passage,
    Result,
    TraceStep,
)
from octavo.evidence.meant_documents import MEANT, preferred_in_words, strangers_in_words
from octavo.evidence.own_words import answering
from octavo_documents.document import Kind, number_of
from octavo_documents.text.analyzer import analyze
from octavo_documents.wording import every, t

if TYPE_CHECKING:
    from rich.console import Console

    from octavo.evidence.answer_shapes import MeantShape


_SHOWN = 5
"""Places shown under an answer; JSON has all of them."""
_SHOWN_BRIEFLY = 2
_MARKS = ".,;:|"


def show_answer(screen: Console, answer: Answer, *, brief: bool = False) -> None:
    """Print the answer and where it stands, or the closest passages, or that there is nothing and what is nearest.

    What the question was understood as comes first, where that is another one. `brief` shows fewer places, cut short.
    """
    with answering(answer.question):
        _show_answer(screen, answer, brief=brief)


def _show_answer(screen: Console, answer: Answer, *, brief: bool) -> None:
    if answer.understood:
        paragraph(screen, Text.assemble((f"{t('Understood as')}: ", "dim"), one_line(answer.understood)))
    if answer.outcome is Outcome.ANSWER:
        paragraph(screen, Text(t("{sentence}:", sentence=one_line(answer.lead)), style="dim"))
        paragraph(screen, Text(plain(answer.text), style="bold"))
        _show_unquoted(screen, answer)
        _show_places(screen, answer, _standing(answer), brief=brief)
    elif answer.outcome is Outcome.PASSAGES and answer.passages:
        lead = one_line(answer.lead)
        if not _says_more(answer) or lead not in one_line(answer.text):
            paragraph(screen, lead if lead.endswith(("?", "？")) else t("{sentence}.", sentence=lead))
        if _says_more(answer):
            paragraph(screen, plain(answer.text))
        _show_places(screen, answer, answer.passages, brief=brief)
        if not answer.opening and not _says_more(answer):
            screen.print()
            paragraph(screen, Text(t("No short answer is sure: read the passages."), style="dim"))
    else:
        paragraph(screen, plain(answer.text) or t("{sentence}.", sentence=one_line(answer.lead)))
        _show_nearest(screen, answer)
    preferred = preferred_in_words(answer.meant)
    if preferred and not brief:
        screen.print()
        paragraph(
            screen,
            Text(
                t(
                    "Preferred {documents}; name documents after the question to ask others.",
                    documents=one_line(preferred),
                ),
                style="dim",
            ),
        )


def _show_unquoted(screen: Console, answer: Answer) -> None:
    """Print which sentences of a model no quote stands behind, or that there is none such."""
    if answer.unquoted:
        told = " ".join(f"“{one_line(sentence)}”" for sentence in answer.unquoted)
        paragraph(screen, Text(f"{t('No quote stands behind')}: {told}", style="yellow"))


def _says_more(answer: Answer) -> bool:
    """Whether the text of an answer says what its first sentence does not: why, or what a model knows."""
    return bool(answer.text) and not answer.text.startswith((*every(NO_SHORT_ANSWER), answer.lead))


def _standing(answer: Answer) -> Sequence[Passage | Citation]:
    """Return what an answer stands on: the passages that show its quotes, and the citations that none of them shows."""
    passages = [one for one in answer.passages if any(_shows(one, cited) for cited in answer.citations)]
    rest = [cited for cited in answer.citations if not any(_shows(one, cited) for one in passages)]
    return [*passages, *rest]


def _shows(passage: Passage, cited: Citation) -> bool:
    """Whether a quote can be read in a passage: as it is, or, of the same block, all its words.

    A table row stands in a passage with the heads of its columns between its cells, or only those that are asked for.
    """
    if (passage.document_id, passage.page) != (cited.document_id, cited.page):
        return False
    quote, text = _words(cited.quote), _words(f"{passage.text} {passage.whole}")
    return f" {' '.join(quote)} " in f" {' '.join(text)} " or (passage.block == cited.block and {*quote} <= {*text})


def _words(text: str) -> list[str]:
    """Return the words of a text without the marks around them, which change where cells and heads are joined."""
    return [word for word in (word.strip(_MARKS) for word in text.split()) if word]


def _show_places(screen: Console, answer: Answer, places: Sequence[Passage | Citation], *, brief: bool = False) -> None:
    whole = in_one_part(answer.evidence)
    shown = _SHOWN_BRIEFLY if brief else _SHOWN
    for number, place in enumerate(places[:shown], 1):
        screen.print()
        show_place(screen, number, place, whole, brief=brief)
    if len(places) > shown and not brief:
        screen.print()
        paragraph(screen, Text(t("and {n} more; --json has all of them", n=len(places) - shown), style="dim"))


def _show_nearest(screen: Console, answer: Answer) -> None:
    """Print the nearest passage, small; without one the nearest pages."""
    if answer.passages:
        nearest = answer.passages[0]
        place = name_of(nearest, in_one_part(answer.evidence))
        screen.print()
        paragraph(screen, Text.assemble((f"{t('Nearest')}: ", "dim"), place))
        for line in (section_name(nearest.section), shorten(nearest.text, QUOTE_LENGTH)):
            if line:
                paragraph(screen, Text(line, style="dim"), indent=4)
    elif pages := best_pages(answer.evidence, answer.by):
        screen.print()
        paragraph(screen, Text.assemble((f"{t('Nearest pages')}: ", "dim"), "; ".join(pages)))


def follow(screen: Console, events: Generator[Event]) -> Answer:
    """Show what happens until the answer is there, and return it; what was shown meanwhile is gone then."""
    from rich.constrain import Constrain
    from rich.live import Live

    with Live(console=screen, transient=True, refresh_per_second=12) as live:
        try:
            for event in events:
                if isinstance(event, Answer):
                    return event
                if not isinstance(event, PassagesRead | ModelAsked):
                    live.update(Constrain(_happening(event), prose_width(screen)))
        except KeyboardInterrupt:
            live.update(_happening(Ending()))
            events.close()
            raise
    raise RuntimeError("a stream ended without an answer")


def _happening(event: TraceStep | AnswerText | Ending) -> Text:
    if isinstance(event, Ending):
        return Text(t("waiting for the reply under way, so that it is not paid twice; Ctrl-C again leaves it"))
    if isinstance(event, AnswerText):  # bold is for the answer whose quotes were checked
        return Text.assemble((f"{t('being written')}: ", "dim"), plain(event.text))
    if "understood" in event.parameters:
        return Text(f"{t('understood as')}: {one_line(event.parameters['understood'])}", style="dim")
    return Text(f"{sentence_of(event) or t(_STILL)} ...", style="dim")


_STILL = "Weighing what was found"
"""What is happening where a step says nothing to a layman."""
_BLOCKS = 3
"""Blocks shown of one page."""
_BLOCK_LENGTH = 160
"""Characters shown of one block."""
_LEAD = 5
"""Words shown before the first that matches."""


def show_result(screen: Console, result: Result) -> None:
    """Print every page found, with its score and the passages on it; a page without any shows its best blocks."""
    evidence = result.evidence
    hits = evidence.pages(result.by)
    if not hits:
        paragraph(screen, Text(t("Nothing found."), style="bold"))
    best = _best_blocks(evidence, result.by)
    for rank, hit in enumerate(hits, 1):
        if rank > 1:
            screen.print()
        _show_page(screen, rank, hit, evidence)
        if passages := _passages_on(hit, result):
            for passage in passages:
                _show_passage(screen, passage)
            continue
        section: tuple[str, ...] = ()
        for row in best[hit.document, hit.page]:
            section = _show_block(screen, result, row, under=section)


def _passages_on(hit: PageHit, result: Result) -> list[Passage]:
    where = (result.evidence.view.documents[hit.document].id, hit.page)
    return [passage for passage in result.passages if (passage.document_id, passage.page) == where]


def _show_passage(screen: Console, passage: Passage) -> None:
    path = section_name(passage.section)
    kind = kind_name(passage) if not path else "" if passage.kind == "paragraph" else f", {kind_name(passage)}"
    paragraph(screen, Text(path + kind, style="dim"), indent=4)
    show_text(screen, passage, indent=4)


def _best_blocks(evidence: Evidence, by: str) -> dict[tuple[int, int], list[int]]:
    """Return the rows to show of each (document, page), best first."""
    view = evidence.view
    rows: dict[tuple[int, int], list[int]] = {}
    for row in evidence.ranked(by).tolist():
        of_page = rows.setdefault((int(view.document[row]), int(view.blocks.page[row])), [])
        if len(of_page) < _BLOCKS:
            of_page.append(row)
    return rows


def _show_page(screen: Console, rank: int, hit: PageHit, evidence: Evidence) -> None:
    document = evidence.view.documents[hit.document]
    name = f"{one_line(evidence.view.names[hit.document])}, {page_name(hit.page, document.pages.label[hit.page - 1])}"
    paragraph(screen, Text.assemble((f"{rank:>2}. ", MARK), name, (f"   {hit.score:.4g}", "dim")))


def _show_block(screen: Console, result: Result, row: int, *, under: tuple[str, ...]) -> tuple[str, ...]:
    """Print a block, its section first unless the block before stands under it too; return the section."""
    blocks = result.evidence.view.blocks
    kind = blocks.kind_of(row)
    path = blocks.section_path(row)
    if path and path != under and kind != Kind.HEADING:
        paragraph(screen, Text(section_name(path), style="dim"), indent=4)
    label = t(kind.label.replace("_", " "))
    paragraph(
        screen,
        Text.assemble((f"{label}: ", "dim"), snippet(blocks.text[row], result.question, _BLOCK_LENGTH)),
        indent=4,
    )
    return path


def snippet(text: str, question: str, length: int) -> Text:
    """Return at most `length` columns of a text as one line: the stretch with the most words of the question.

    Among equal stretches the first is taken. An ellipsis stands where something was left out.
    """
    terms = frozenset(analyze(question))
    words = one_line(text).split(" ")
    hits = [not terms.isdisjoint(_terms(word)) for word in words]
    first, stop = _stretch(words, hits, length - 2)
    shown = Text("…" if first else "")
    for at in range(first, stop):
        shown.append(words[at], EMPHASIS if hits[at] else "")
        shown.append(" " if at + 1 < stop else "")
    if stop < len(words):
        shown = shown[: max(len(shown.plain.rstrip(" .,;:")), 1)].append("…")
    shown.truncate(length, overflow="ellipsis")
    return shown


@lru_cache(maxsize=4096)
def _terms(word: str) -> frozenset[str]:
    return frozenset(analyze(word))


def _stretch(words: list[str], hits: list[bool], length: int) -> tuple[int, int]:
    """Return (first, stop) of the words to show."""
    starts = [0, *(max(at - _LEAD, 0) for at, hit in enumerate(hits) if hit)]
    ends = [_end(words, start, length) for start in starts]
    return max(zip(starts, ends, strict=True), key=lambda pair: (sum(hits[slice(*pair)]), -pair[0]))


def _end(words: list[str], start: int, length: int) -> int:
    """Return where words from `start` on no longer fit into `length` characters; one word always does."""
    room = length - len(words[start])
    stop = start + 1
    while stop < len(words) and (room := room - len(words[stop]) - 1) >= 0:
        stop += 1
    return stop


_STEP_LENGTH = 64
"""Characters shown of a step and its parameters; JSON has all of them."""


def show_trace(screen: Console, ran: Answer | Result) -> None:
    """Print what was done in words, then a line for each step with its figures, and the system's plan.

    Steps inside a step are indented below it.
    """
    screen.print()
    draw(screen, pairs(_in_words(ran)))
    screen.print()
    for sentence in _sentences(ran):
        paragraph(screen, Text(f"- {sentence}."), hanging=2)
    screen.print()
    draw(screen, _steps(ran))
    if ran.system in systems.SYSTEMS:
        screen.print()
        paragraph(screen, Text(f"plan: {systems.get(ran.system).retrieve!r}", style="dim"))


def _sentences(ran: Answer | Result) -> list[str]:
    """Return what each step did in a sentence, as the page tells it; steps that only weigh have none."""
    return [*dict.fromkeys(one_line(sentence) for step in ran.trace if (sentence := sentence_of(step)))]


def _steps(ran: Answer | Result) -> Table:
    """Return a row for each step; where no model was asked, without the columns that would tell what that took."""
    is_asked = _is_asked(ran)
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("step", overflow="fold")
    for name in ("rows in", "rows out", "time", *(("calls", "tokens") if is_asked else ())):
        table.add_column(name, justify="right", no_wrap=True)
    for step in ran.trace:
        for cells in _rows(step, depth=0):
            table.add_row(*map(Text, cells if is_asked else cells[:-2]))
    return table


def _is_asked(ran: Answer | Result) -> bool:
    """Whether a model was asked, or its kept replies were used."""
    return bool(ran.usage.calls or ran.usage.cached_calls)


def _in_words(ran: Answer | Result) -> list[tuple[str, str]]:
    """Return what was looked for and where, what was read, who decided and how long it took."""
    rows = [("question", one_line(ran.question))]
    if isinstance(ran, Answer) and ran.understood:
        rows.append(("understood", one_line(ran.understood)))
    rows.append(("looked in", _scope(ran)))
    preferred = preferred_in_words(ran.meant)
    if preferred:
        rows.append(("preferred", one_line(preferred)))
    strangers = strangers_in_words(ran.meant)
    if strangers:
        rows.append(("unknown", f"no document is about {one_line(strangers)}"))
    pages = ran.evidence.pages(ran.by)
    best = f", best first {'; '.join(best_pages(ran.evidence, ran.by))}" if pages else ""
    rows += [("read", number_of(len(pages), "page") + best), ("decided by", _deciders(ran))]
    if ran.unsearched:
        rows.append(("left out", one_line(str(ran.unsearched))))
    if ran.words_alone:
        rows.append(("by words alone", one_line(ran.words_alone)))
    if ran.stopped:
        rows.append(("ended by", ran.stopped))
    return [*rows, ("took", f"{seconds_of(ran.usage.seconds)}, with the system {ran.system}")]


def _scope(ran: Answer | Result) -> str:
    """Return the documents that were opened, and of how many they are the best."""
    documents = ran.evidence.view.documents
    pages = number_of(sum(len(document.pages) for document in documents), "page")
    if len(documents) == 1:
        return f"{one_line(ran.evidence.view.names[0])}, {pages}"
    chosen = next((step.parameters for step in ran.trace if step.step == "FirstStage"), dict[str, Any]())
    of = f", the best of {chosen['documents']:,}" if "documents" in chosen else ""
    return f"{number_of(len(documents), 'document')}{of}, {pages}"


def _rows(step: TraceStep, depth: int) -> Iterator[tuple[str, ...]]:
    """Yield the cells of a step and of those inside it; a decision has no rows."""
    indent = "  " * (depth - 1) + "└ " if depth else ""
    call = indent + shorten(f"{step.step}{_parameters(step)}", _STEP_LENGTH)
    rows = (f"{step.rows_in:,}", f"{step.rows_out:,}") if step.rows_in or step.rows_out or not depth else ("", "")
    yield call, *rows, seconds_of(step.seconds), str(step.calls), f"{step.input_tokens + step.output_tokens:,}"
    for inner in step.steps:
        yield from _rows(inner, depth + 1)


def _deciders(ran: Answer | Result) -> str:
    """Return who decided how often, and what models took for it."""
    usage = ran.usage
    if not _is_asked(ran):
        return "rules; no model was asked"
    parts = [", ".join(f"{who} {count}" for who, count in ran.decided_by.items()), number_of(usage.calls, "model call")]
    if usage.cached_calls:
        parts.append(f"{number_of(usage.cached_calls, 'reply')} kept from before")
    if usage.calls:
        parts.append(f"{usage.input_tokens:,} tokens in, {usage.output_tokens:,} out")
    if usage.cost is not None:
        parts.append(f"cost {usage.cost:.4f}")
    return "; ".join(filter(None, parts))


def _parameters(step: TraceStep) -> str:
    values = step.parameters
    if step.step == MEANT:
        meant = cast("MeantShape", values)
        told = preferred_in_words(meant) or f"no document is about {strangers_in_words(meant)}"
        return f"({one_line(told)})"
    return f"({', '.join(f'{name}={value}' for name, value in values.items())})" if values else ""
