"""Text files as programs print them: heads and feet of pages, broken words, manual pages, signatures."""

from __future__ import annotations

import pytest

from octavo_documents.document import Kind
from octavo_documents.parsing import plain
from octavo_documents.parsing.plain_lines import without_armour, without_running_lines

WORDS = ["", "pier", "mast", "quay", "dock", "tower", "mole", "shed", "lock"]
SENTENCE = "The keeper trims the wick at dusk and writes the hour into the book of the tower."


def pages(count: int, head: str, foot: str = "", *, length: int = 40, gap: str = "\n\n") -> str:
    """Return pages of text, the last paragraph of each going on in the next."""
    found: list[str] = []
    for number in range(1, count + 1):
        body = [f"Paragraph {number}.{at}. {SENTENCE}\n" for at in range(length // 2 - 2)]
        body.append(f"Where the {WORDS[number]} stands this begins and")
        rest = [f"goes on to the {WORDS[number - 1]}, its end.\n"] if number > 1 else []
        lines = [head.format(number), "", *rest, *"\n".join(body).split("\n")]
        found.append("\n".join([*lines, "", foot.format(number)] if foot else lines))
    return gap.join(found)


@pytest.mark.parametrize(
    ("head", "foot", "gap"),
    [
        ("Guide to Towers                      {}", "", "\n\n"),
        ("   Guide   -  page {} of 9", "Version 3.6        May 8, 2020", "\n\n\n"),
        ("RFC 9999        Towers        May 2020", "Dufour           [Page {}]", "\n\f\n"),
        ("Leuchtturmbuch, Seite {}", "", "\n\n"),
        ("灯塔手册 第 {} 页", "", "\n\n"),
    ],
)
def test_heads_and_feet_of_pages_are_no_text_and_sentences_go_on_over_them(head: str, foot: str, gap: str) -> None:
    blocks = plain.read(pages(7, head, foot, gap=gap).encode()).blocks
    texts = [block.text for block in blocks]
    assert not any(word in text for text in texts for word in ("Guide", "RFC", "Leuchtturmbuch", "灯塔手册", "Version"))
    assert sum(" this begins and goes on to the " in text for text in texts) == 6
    assert sum(SENTENCE in text for text in texts) == 7 * 18


@pytest.mark.parametrize(
    "lines",
    [
        ["Chorus", "", "la la la", ""] * 5,  # again and again, but no page apart
        [f"Table {number % 2}\n" + "word\n" * (number * 13 % 41) for number in range(9)],
        [f"Record {at // 30}\n\n" if at % 30 == 0 else f"Field {at % 30} of it is whole.\n" for at in range(240)],
        ["12", "", *["word"] * 30, "", "7", "", *["word"] * 30, "", "3", "", *["word"] * 30, ""],  # counts nothing
    ],
)
def test_lines_that_only_come_again_are_text(lines: list[str]) -> None:
    lines = "\n".join(lines).split("\n")
    assert without_running_lines(lines) == lines


@pytest.mark.parametrize(
    ("broken", "whole"),
    [
        ("a se-\ncurity fix", "a security fix"),
        ("the Sicher-\nheitsventil", "the Sicherheitsventil"),
        ("a well-\nknown port", "a well-known port"),
        ("pages 12 -\n14", "pages 12 - 14"),
    ],
)
def test_words_broken_at_the_ends_of_lines_are_whole(broken: str, whole: str) -> None:
    text = f"Well known things of a well-known town.\n\nThe text says {broken} and goes on.\n"
    assert [block.text for block in plain.read(text.encode()).blocks][-1] == f"The text says {whole} and goes on."


MANUAL = """LAMP(1)                     General Commands                     LAMP(1)

NAME
       lamp - lights the tower at the hours that a table of tides gives for it

SYNOPSIS
       lamp [options] TABLE

OPTIONS
   Burning
       -o, --oil KIND
           The oil that burns. The default is rape oil, which smokes less than
           whale oil does.

           It can be given several times.

       wick length
           How long the wick is, in millimetres.

   Bells
       --ring...
           Ring at each hour.

FILES
       /etc/lamp.conf
           What is read first.
"""


@pytest.mark.parametrize("indent", [3, 4, 7])
def test_headings_and_terms_of_a_printed_manual_are_sections(indent: int) -> None:
    text = MANUAL.replace("       ", " " * (indent + 4)).replace("\n   B", f"\n{' ' * (indent - 1)}B")
    found = [(block.level, block.text) for block in plain.read(text.encode()).blocks if block.kind == Kind.HEADING]
    assert [text for _, text in found] == [
        "NAME",
        "SYNOPSIS",
        "OPTIONS",
        "Burning",
        "-o, --oil KIND",
        "wick length",
        "Bells",
        "--ring...",
        "FILES",
        "/etc/lamp.conf",
    ]
    assert [level for level, _ in found] == [1, 1, 1, 2, 3, 3, 2, 3, 1, 3]


def test_indented_lines_of_other_texts_head_nothing() -> None:
    text = "Dear reader,\n   this is a letter, and\n   goes on.\n\n" + "\n\n".join([SENTENCE] * 5)
    assert not [block for block in plain.read(text.encode()).blocks if block.kind == Kind.HEADING]


def test_signatures_are_no_text() -> None:
    signed = (
        "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA1\n\nThe tower opens in May.\n"
        "-----BEGIN PGP SIGNATURE-----\nVersion: 2\n\niQA/AwUBOXec\n=Xyzw\n-----END PGP SIGNATURE-----\n"
    )
    assert [block.text for block in plain.read(signed.encode()).blocks] == ["The tower opens in May."]
    open_ended = ["-----BEGIN PGP SIGNATURE-----", "a text on signatures that never ends one"]
    assert without_armour(open_ended) == open_ended
