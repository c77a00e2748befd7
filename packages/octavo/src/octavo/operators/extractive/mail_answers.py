"""What the heads of a mail say: from whom, to whom, when, about what; of the one message that is meant."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator

from octavo.evidence import Answer, AnswerFormat, Citation, Evidence, Outcome, Passage, View
from octavo.operators.extractive.shown_passages import passage_around
from octavo.operators.keep import RELEVANCE
from octavo.question import MailHead, Question, mail_head
from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.text.analyzer import analyze

_HEADS = frozenset(("From", "To", "Cc", "Bcc", "Reply-To", "Date"))
"""Names of the heads as readers of mail write them."""
_CALLED = (Kind.TITLE, Kind.HEADING)
"""What the subject of a message is: of a file that is one message its title."""


@dataclasses.dataclass(frozen=True, slots=True)
class _Message:
    heading: int
    heads: int
    """Row of the table of its heads."""
    values: dict[str, str]
    stop: int


def mail_answer(question: Question, evidence: Evidence) -> Answer | None:
    """Return what the heads of a mail say that a question asks for; None for another one, or of which is not clear.

    It is clear where there is one message, or one in which all stands that the question says of it.
    """
    asked = mail_head(question.text)
    if asked is None:
        return None
    view = evidence.view
    message = _meant(view, [*_messages(view)], set(analyze(asked.topic, question.language)))
    if message is None:
        return None
    row = message.heading if asked.name == "Subject" else message.heads
    value = view.blocks.text[row].strip() if asked.name == "Subject" else message.values.get(asked.name, "")
    passage = passage_around(view, row, f"{asked.name} {value}") if value else None
    return _told(question, evidence, asked, row, value, passage) if passage is not None else None


def _told(
    question: Question, evidence: Evidence, asked: MailHead, row: int, value: str, passage: Passage
) -> Answer | None:
    cited = Citation.of_cell(evidence.view, row, (value,), (value,))
    if cited is None:
        return None
    return Answer(
        question=question.text,
        system="",
        text=value if asked.is_sure else "",
        outcome=Outcome.ANSWER if asked.is_sure else Outcome.PASSAGES,
        evidence=evidence,
        by=RELEVANCE,
        value=value if asked.is_sure else None,
        format=AnswerFormat.STR if asked.is_sure else AnswerFormat.NONE,
        citations=(cited,) if asked.is_sure else (),
        confidence=0.95 if asked.is_sure else 0.0,
        passages=(dataclasses.replace(passage, score=0.95),),
    )


def _messages(view: View) -> Iterator[_Message]:
    """Yield the messages of a view: headings right above a table of the heads of a mail."""
    blocks = view.blocks
    for row in range(1, len(view)):
        if blocks.kind_of(row) != Kind.TABLE or blocks.kind_of(row - 1) not in _CALLED or not blocks.grid[row]:
            continue
        cells = [line for line in Grid.from_json(blocks.grid[row]).rows_apart() if len(line) == 2]
        values = {name.strip(): value.strip() for name, value in cells}
        if values and values.keys() <= _HEADS and values.keys() & {"From", "Date"}:
            is_alone = blocks.kind_of(row - 1) == Kind.TITLE
            stop = view.rows_of(int(view.document[row])).stop if is_alone else view.subtree(row - 1).stop
            yield _Message(row - 1, row, values, stop)


def _meant(view: View, messages: list[_Message], topic: set[str]) -> _Message | None:
    if not topic:
        messages = [one for one in messages if view.blocks.parent[one.heading] < 0]
    found = [one for one in messages if topic <= _terms(view, one)]
    return found[0] if len(found) == 1 else None


def _terms(view: View, message: _Message) -> set[str]:
    return set(analyze("\n".join(view.blocks.text[message.heading : message.stop])))
