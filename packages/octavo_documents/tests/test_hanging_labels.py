"""Labels in a column of their own belong to the texts beside them; columns of text, tables and code do not."""

from __future__ import annotations

import textwrap

import pytest

from octavo_documents.document import Document, Kind
from octavo_documents.parsing.content import PageContent, TextLine
from printed import line, page, prose, structured, text

OPTIONS = [
    ("source", "a vector of numbers, of dates or of times. Complex values are allowed where nothing is cut off."),
    ("cut", "the share (0 to 0.5) of the values that are left out at each end before the mean is taken of them."),
    ("skip.empty", "whether what is empty is skipped before the mean is taken."),
    ("...", "whatever else is handed on to the method for this kind of value, which may have arguments of its own."),
]


def listed(
    options: list[tuple[str, str]],
    top: float,
    *,
    left: float = 90,
    hang: float = 180,
    gap: float = 4,
    bold: bool = False,
) -> tuple[list[TextLine], float]:
    """The lines of a list of labels and texts, labels first as many writers put them, and where it ends."""
    labels: list[TextLine] = []
    texts: list[TextLine] = []
    for label, said in options:
        labels.append(line(label, 90, top, bold=bold))
        for part in textwrap.wrap(said, 48):
            texts.append(line(part, 180, top))
            top += 12
        top += gap
    return [*labels, *texts], top


def items(document: Document) -> list[str]:
    blocks = document.blocks
    return [blocks.text[at] for at in range(len(blocks)) if blocks.kind_of(at) == Kind.LIST_ITEM]


def around(lines: list[TextLine], bottom: float) -> PageContent:
    head = [line("Arguments", 72, 120, size=12, bold=True), line("Value", 72, bottom + 8, size=12, bold=True)]
    over, under = text(prose(40), 72, 60, 468), text(prose(60, seed="on"), 72, bottom + 30, 468)
    return page([*over, head[0], *lines, head[1], *under])


@pytest.mark.parametrize("gap", [0.0, 4.0, 9.0])
@pytest.mark.parametrize("bold", [False, True])
def test_each_label_is_read_with_its_text_and_before_what_stands_under_the_list(*, gap: float, bold: bool) -> None:
    document = structured(around(*listed(OPTIONS, 140, gap=gap, bold=bold)))
    assert items(document) == [f"{label} {said}" for label, said in OPTIONS]
    texts = [document.blocks.text[at] for at in range(len(document.blocks))]
    assert texts.index("Value") > texts.index(items(document)[-1])


def test_a_label_too_long_for_its_column_stands_over_its_text() -> None:
    lines, bottom = listed(OPTIONS[:2], 140)
    lines += [line("--keep-what-is-empty", 90, bottom)]
    lines += [line(part, 180, bottom + 12 * (at + 1)) for at, part in enumerate(textwrap.wrap(OPTIONS[2][1], 48))]
    more, bottom = listed(OPTIONS[3:], bottom + 12 * 3 + 4)
    found = items(structured(around([*lines, *more], bottom)))
    assert found[2] == f"--keep-what-is-empty {OPTIONS[2][1]}" and len(found) == 4


def test_a_label_of_several_lines_is_read_whole() -> None:
    said = textwrap.wrap(" ".join([OPTIONS[1][1], OPTIONS[3][1], OPTIONS[0][1]]), 64)
    label = ["How the", "mean is", "worked out"]
    lines = [line(part, 90, 140 + 12 * at) for at, part in enumerate(label)]
    lines += [line(part, 180, 140 + 12 * at) for at, part in enumerate(said)]
    bottom = 150 + 12 * len(said)
    more, bottom = listed(OPTIONS[:2], bottom)
    found = items(structured(around([*lines, *more], bottom)))
    assert found[0].startswith("How the mean is worked out the share")
    assert found[1:] == [f"{label} {said}" for label, said in OPTIONS[:2]]


def test_two_columns_of_text_stay_columns_although_lines_of_one_are_short() -> None:
    left, right = textwrap.wrap(prose(160), 42), textwrap.wrap(prose(160, seed="other"), 42)
    lines = [line(part, 72, 60 + 12 * at) for at, part in enumerate(left) if at % 9 != 8]
    lines += [line("as was said.", 72, 60 + 12 * at) for at in range(8, len(left), 9)]
    lines += [line(part, 320, 60 + 12 * at) for at, part in enumerate(right)]
    document = structured(page(lines))
    assert not items(document)
    first = document.blocks.text[0]
    assert left[0] in first and right[0] not in first


def test_a_prompt_beside_code_is_no_label() -> None:
    code = [f"dict(type='Step{at}', keep_ratio=True, size=({at}00, 800))," for at in range(8)]
    lines = [line("...", 90, 140 + 12 * at) for at in range(0, 8, 2)]
    lines += [line(part, 134, 140 + 12 * at) for at, part in enumerate(code)]
    assert not items(structured(around(lines, 250)))
