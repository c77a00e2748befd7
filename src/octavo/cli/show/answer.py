"""What comes of a question, on the terminal: the answer while it is written; an answer, passages that fit, or nothing.

The three outcomes look so that none is taken for another.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from octavo.cli.show.prose import QUOTE_LENGTH, best_pages, in_one_part, name_of, paragraph, section_name, show_place
from octavo.cli.terminal import one_line, plain, prose_width, shorten
from octavo.corpus.streaming import AnswerText, Ending, Event, ModelAsked, PassagesRead
from octavo.document import NO_SHORT_ANSWER, Answer, Citation, Outcome, Passage, TraceStep

if TYPE_CHECKING:
    from rich.console import Console

_SHOWN = 5
"""Places shown under an answer; JSON has all of them."""
_SHOWN_BRIEFLY = 2
_MARKS = ".,;:|"


def show_answer(screen: Console, answer: Answer, *, brief: bool = False) -> None:
    """Print the answer and where it stands, or the closest passages, or that there is nothing and what is nearest.

    What the question was understood as comes first, where that is another one. `brief` shows fewer places, cut short.
    """
    if answer.understood:
        paragraph(screen, Text.assemble(("Understood as: ", "dim"), one_line(answer.understood)))
    if answer.outcome is Outcome.ANSWER:
        paragraph(screen, Text(plain(answer.text), style="bold"))
        _show_places(screen, answer, _standing(answer), brief=brief)
    elif answer.outcome is Outcome.PASSAGES and answer.passages:
        # That no answer is sure needs no pages in its line: they stand below. Other words tell what is shown, or why.
        told = answer.text and not answer.text.startswith(NO_SHORT_ANSWER)
        paragraph(screen, plain(answer.text) if told else f"{NO_SHORT_ANSWER}:")
        _show_places(screen, answer, answer.passages, brief=brief)
    else:
        paragraph(screen, plain(answer.text) or "Nothing in these documents speaks of it.")
        _show_nearest(screen, answer)


def _standing(answer: Answer) -> Sequence[Passage | Citation]:
    """Return what an answer stands on: the passages that show its quotes, and the citations that none of them shows."""
    passages = [one for one in answer.passages if any(_shows(one, cited) for cited in answer.citations)]
    rest = [cited for cited in answer.citations if not any(_shows(one, cited) for one in passages)]
    return [*passages, *rest]


def _shows(passage: Passage, cited: Citation) -> bool:
    """Whether a quote can be read in a passage: as it is, or, of the same block, all its words.

    A table row stands in a passage with the heads of its columns between its cells.
    """
    if (passage.document_id, passage.page) != (cited.document_id, cited.page):
        return False
    quote, text = _words(cited.quote), _words(passage.text)
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
        paragraph(screen, Text(f"and {len(places) - shown:,} more; --json has all of them", style="dim"))


def _show_nearest(screen: Console, answer: Answer) -> None:
    """Print the nearest passage, small; without one the nearest pages."""
    if answer.passages:
        nearest = answer.passages[0]
        place = name_of(nearest, in_one_part(answer.evidence))
        screen.print()
        paragraph(screen, Text.assemble(("Nearest: ", "dim"), place))
        for line in (section_name(nearest.section), shorten(nearest.text, QUOTE_LENGTH)):
            if line:
                paragraph(screen, Text(line, style="dim"), indent=4)
    elif pages := best_pages(answer.evidence, answer.by):
        screen.print()
        paragraph(screen, Text.assemble(("Nearest pages: ", "dim"), "; ".join(pages)))


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
        return Text("waiting for the reply under way, so that it is not paid twice; Ctrl-C again leaves it")
    if isinstance(event, AnswerText):  # bold is for the answer whose quotes were checked
        return Text.assemble(("being written: ", "dim"), plain(event.text))
    if "understood" in event.parameters:
        return Text(f"understood as: {one_line(event.parameters['understood'])}", style="dim")
    return Text(f"{event.step}: {event.rows_in:,} \N{RIGHTWARDS ARROW} {event.rows_out:,} blocks ...", style="dim")
