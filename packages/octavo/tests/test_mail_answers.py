"""Who sent a mail, to whom, when and about what is told by its heads, of the one message that is meant."""

from __future__ import annotations

from datetime import UTC, datetime
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

import pytest

from octavo.corpus import Corpus
from octavo.evidence import Answer, Outcome
from octavo.question.mail_heads import mail_head


def mail(sender: str, subject: str, words: str, day: int) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = sender, "Board <board@halden.example>", subject
    message["Date"] = format_datetime(datetime(2021, 3, day, 9, 30, tzinfo=UTC))
    message.set_content(words)
    return message


ROOF = mail(
    "Ana Ruiz <ana@halden.example>",
    "Roof of the boathouse",
    "Dear all,\n\nthe slates are loose. Send me bids with any subject, the newsletter was sent on 2 January.",
    4,
)
PIER = mail("Tom Berg <tom@halden.example>", "Lamps on the pier", "Who sent the invoice for the lamps? Ana asks.", 9)


@pytest.fixture(params=["eml", "mbox"])
def one(request: pytest.FixtureRequest, tmp_path: Path) -> Corpus:
    line = b"From ana@halden.example Thu Mar  4 09:30:00 2021\n" if request.param == "mbox" else b""
    path = tmp_path / f"roof.{request.param}"
    path.write_bytes(line + ROOF.as_bytes())
    return indexed(path)


@pytest.fixture
def both(tmp_path: Path) -> Corpus:
    path = tmp_path / "board.mbox"
    line = b"From board@halden.example Thu Mar  4 09:30:00 2021\n"
    path.write_bytes(b"\n".join(line + one.as_bytes() for one in (ROOF, PIER)))
    return indexed(path)


def indexed(path: Path) -> Corpus:
    corpus = Corpus(path.parent / "corpus")
    corpus.add([path])
    return corpus


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who sent this e-mail?", "Ana Ruiz <ana@halden.example>"),
        ("Who is the mail from?", "Ana Ruiz <ana@halden.example>"),
        ("Who was the message sent to?", "Board <board@halden.example>"),
        ("When was the mail sent?", "Thu, 04 Mar 2021 09:30:00 +0000"),
        ("What is the subject of the mail?", "Roof of the boathouse"),
        ("Von wem ist die Mail?", "Ana Ruiz <ana@halden.example>"),
        ("Wann wurde diese Nachricht verschickt?", "Thu, 04 Mar 2021 09:30:00 +0000"),
        ("Qui a envoyé ce courriel ?", "Ana Ruiz <ana@halden.example>"),
        ("¿Cuál es el asunto del correo?", "Roof of the boathouse"),
    ],
)
def test_the_heads_of_a_mail_are_told(one: Corpus, question: str, answer: str) -> None:
    found = one.ask(question)
    assert (found.outcome, found.text) == (Outcome.ANSWER, answer)
    assert [cited.quote for cited in found.citations] == [answer]
    assert found.passages


def test_who_writes_a_newsletter_is_shown_and_not_stated(one: Corpus) -> None:
    found = one.ask("Who writes the newsletter?")
    assert found.outcome is Outcome.PASSAGES
    assert marked(found) == "From | Ana Ruiz <ana@halden.example>"


def marked(answer: Answer) -> str:
    first = answer.passages[0]
    start, stop = first.emphasis[0]
    return first.text[start:stop]


def test_of_several_messages_the_one_that_is_said_is_meant(both: Corpus) -> None:
    assert both.ask("Who sent the message about the slates?").text == "Ana Ruiz <ana@halden.example>"
    assert both.ask("When was the mail about the pier sent?").text == "Tue, 09 Mar 2021 09:30:00 +0000"
    assert both.ask("What is the subject of the mail from Tom?").text == "Lamps on the pier"
    assert both.ask("Who sent the message?").outcome is not Outcome.ANSWER


@pytest.mark.parametrize(
    "question", ["Who sent the invoice?", "How many mails are there?", "Who is in the newsletter?"]
)
def test_other_questions_ask_for_no_head(question: str) -> None:
    assert mail_head(question) is None
