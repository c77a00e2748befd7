"""Right-to-left lines in the order they are read, whatever order a file has them in; pages of them laid out so."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path

import pytest

from octavo_documents.document import Kind
from octavo_documents.document.grid import Grid
from octavo_documents.parsing import pdf
from octavo_documents.structuring import structure
from octavo_documents.text.bidirectional import kind, levels, reads_rightwards, runs_left, turned_runs
from pdfs import LETTER_SIZE as SIZE
from pdfs import Place, lettered

ADVANCE = 0.6
"""Of the letters of `lettered`, in ems."""


def _shown(*words: str) -> str:
    """Return words, given in the order they are read, as they stand on a line that is read from the right."""
    return " ".join(word[::-1] if any(kind(one) == "R" for one in word) else word for word in reversed(words))


def _read(shown: str, *, is_left: bool = True) -> str:
    current = [*shown]
    for start, stop in turned_runs(levels(shown, runs_left=is_left)):
        current[start:stop] = current[start:stop][::-1]
    return "".join(current)


def _width(text: str) -> float:
    return len(text) * ADVANCE * SIZE


def _from_right(right: float, y: float, *words: str) -> list[Place]:
    """Return words one by one as a program draws them that goes from right to left, without spaces."""
    places: list[Place] = []
    for word in words:
        places.append((right - _width(word), y, _shown(word)))
        right -= _width(word) + ADVANCE * SIZE
    return places


def _by_letters(right: float, y: float, *words: str) -> Iterator[Place]:
    for x, _, text in _from_right(right, y, *words):
        yield from ((x + at * ADVANCE * SIZE, y, one) for at, one in reversed([*enumerate(text)]))


def _texts(path: Path) -> list[str]:
    return [line.text for line in pdf.extract(path, ocr="never").pages[0].lines]


SENTENCE = ("המוזיאון", "נוסד", "בשנת", "1954", "על", "ידי", "שני", "ספנים")


@pytest.mark.parametrize(
    "words",
    [
        SENTENCE,
        ("מערכת", "לבקרת", "לחות"),
        ("عام", "1954", "قرب", "الميناء"),
        ("در", "سال", "۱۳۴۲", "بنیاد"),
        ("בין", "10:00", "ובין", "16:30", "בלבד"),
        ("מחיר", "1,200", "2,400", "3,600", "שקל"),
    ],
)
def test_words_and_numbers_are_read_from_the_right(words: Sequence[str]) -> None:
    assert _read(_shown(*words)) == " ".join(words)


def test_latin_words_in_such_a_line_stay_as_they_stand() -> None:
    assert _read("תוחל תרקבל ISO 9001 תכרעמ") == "מערכת ISO 9001 לבקרת לחות"
    assert _read("רתאב www.example.org ורקב") == "בקרו www.example.org באתר"


def test_signs_at_the_ends_of_latin_words_belong_to_the_line() -> None:
    assert _read(".Python הפש") == "שפה Python."
    assert _read("!Python (v3) הפש") == "שפה Python (v3)!"


def test_percent_stands_after_its_number_in_hebrew_and_before_it_in_arabic() -> None:
    assert _read("הנש 18%-ב") == "ב-18% שנה"
    assert _read("ةنس %18 ةبسنب") == "بنسبة 18% سنة"


def test_a_word_in_a_line_that_is_read_from_the_left_is_turned_alone() -> None:
    assert _read("the word םולש means peace", is_left=False) == "the word שלום means peace"
    assert _read("see 12 םלוע םולש, page 4", is_left=False) == "see 12 שלום עולם, page 4"


def test_a_line_without_such_letters_is_read_as_lines_beside_it_where_it_begins_with_its_end() -> None:
    assert runs_left(".03-555-0199", is_usual=True) and not runs_left(".03-555-0199", is_usual=False)
    assert _read(".03-555-0199") == "03-555-0199."
    assert not runs_left("Hello world.", is_usual=True)


def test_lines_that_are_drawn_the_wrong_way_round_are_told_by_their_words() -> None:
    lines = ["الموقع الذي كان في المدينة القديمة", "هذه الجزيرة التي كانت مع القلعة"]
    assert reads_rightwards(lines)
    assert not reads_rightwards(line[::-1] for line in lines)
    assert not reads_rightwards(["ראש", "שער"])


def test_lines_of_a_file_are_whole_whatever_order_it_has(tmp_path: Path) -> None:
    right = 540.0
    places = [
        (right - _width(" ".join(SENTENCE)), 700.0, _shown(*SENTENCE)),
        *_from_right(right, 680.0, *SENTENCE),
        *_by_letters(right, 660.0, *SENTENCE),
    ]
    assert _texts(lettered(tmp_path / "a.pdf", places)) == [" ".join(SENTENCE)] * 3


@pytest.mark.parametrize("gap", (0.2, 0.14, 0.11))
def test_words_of_a_line_that_was_set_tightly_stay_apart(tmp_path: Path, gap: float) -> None:
    places, right = list[Place](), 500.0
    for word in SENTENCE:
        right -= _width(word)
        places += ((right, 700.0, _shown(word)), (right - gap * SIZE, 700.0, " "))
        right -= gap * SIZE
    assert _texts(lettered(tmp_path / "tight.pdf", places)) == [" ".join(SENTENCE)]


def test_brackets_open_before_they_close(tmp_path: Path) -> None:
    as_drawn = [(100.0, 700.0, "םויה (תופמ) ונל שי"), (100.0, 680.0, "הנשל (ISO) ןקת")]
    as_read = [(100.0, 700.0, "םויה )תופמ( ונל שי"), (100.0, 680.0, "הנשל )ISO( ןקת")]
    expected = ["יש לנו (מפות) היום", "תקן (ISO) לשנה"]
    assert _texts(lettered(tmp_path / "drawn.pdf", as_drawn)) == expected
    assert _texts(lettered(tmp_path / "read.pdf", as_read)) == expected


def test_forms_of_letters_are_letters(tmp_path: Path) -> None:
    presented = "\ufe8e\ufee7\ufedf\ufe8e\ufed7"  # قالنا in the forms its letters take in the word, from left to right
    assert _texts(lettered(tmp_path / "a.pdf", [(100.0, 700.0, presented)])) == ["قالنا"]


def test_words_have_their_boxes_where_they_stand(tmp_path: Path) -> None:
    path = lettered(tmp_path / "a.pdf", _from_right(540.0, 700.0, *SENTENCE))
    found = pdf.words(path, 1)
    assert found.texts == SENTENCE
    boxes = found.boxes.tolist()
    assert all(after[2] < before[0] for before, after in pairwise(boxes))
    assert boxes[0][2] == pytest.approx(540.0, abs=ADVANCE * SIZE)
    assert boxes[3][2] - boxes[3][0] == pytest.approx(_width("1954"), abs=ADVANCE * SIZE)


def test_columns_of_a_page_and_of_a_table_begin_at_the_right(tmp_path: Path) -> None:
    first = [("הספר", "הראשון", "נכתב", "בעיר", "עכו"), ("לפני", "שנים", "רבות", "מאוד", "שם")] * 4
    second = [("הספר", "השני", "נדפס", "בעיר", "יפו"), ("אחרי", "שנים", "רבות", "מאוד", "כאן")] * 4
    places = [
        place
        for at, (one, other) in enumerate(zip(first, second, strict=True))
        for place in (*_from_right(290.0, 700.0 - 14 * at, *other), *_from_right(540.0, 700.0 - 14 * at, *one))
    ]
    rows = (("פריט", "שנה", "מחיר"), ("עוגן", "1870", "1200"), ("מפה", "1799", "950"), ("מצפן", "1911", "310"))
    rules = []
    for at, row in enumerate(rows):
        for column, cell in enumerate(row):
            right = 540.0 - 150 * column
            places += _from_right(right, 520.0 - 20 * at, cell)
            rules.append(f"{right - 145} {515 - 20 * at} 150 20 re S")
    content = pdf.extract(lettered(tmp_path / "a.pdf", places, rules), ocr="never")
    document = structure(content, name="a.pdf", digest="0" * 64)
    texts = [document.blocks.text[row] for row in range(len(document.blocks))]
    assert texts[0].startswith("הספר הראשון") and texts[1].startswith("הספר השני")
    table = [row for row in range(len(document.blocks)) if document.blocks.kind_of(row) == Kind.TABLE]
    assert [document.blocks.text[row] for row in table] == ["\n".join(" | ".join(row) for row in rows)]
    grid = Grid.from_json(document.blocks.grid[table[0]])
    boxes = {(cell.row, cell.column): cell.box for cell in grid.cells}
    head, last = boxes[0, 0], boxes[0, 2]
    assert head and last and head[0] > last[2]
    assert document.blocks.box[0][0] > 300 > document.blocks.box[1][2]
