"""A layout model: what its regions do to the rules, what becomes of faulty ones, and running one from an ONNX file."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pdfs
from octavo.corpus import Corpus
from octavo.corpus.index import fingerprints
from octavo.errors import ModelError
from octavo.models.onnx_graph import OnnxGraph
from octavo.models.ports import LayoutModel, LayoutRegion, Raster
from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.models.layout import OnnxLayoutModel, fitted, read_card
from octavo_documents.parsing.content import Graphic, OutlineEntry, PageContent, TextLine
from octavo_documents.parsing.layout_regions import checked_regions
from octavo_documents.parsing.messages import pack_regions, unpack_regions
from octavo_documents.structuring.parser_pool import ParserPool
from printed import line, outline, page, prose, rows, structured, text

Box = tuple[float, float, float, float]


def told(lines: Iterable[TextLine], *regions: tuple[Kind, Box, float], number: int = 1, **more: object) -> PageContent:
    """A page of lines on which a layout model sees regions."""
    found = tuple(LayoutRegion(kind, box, score) for kind, box, score in regions)
    return dataclasses.replace(page(lines, number, **more), regions=found)


def around(lines: Sequence[TextLine]) -> Box:
    """The box around lines, two points wider on each side."""
    boxes = np.array([item.box for item in lines])
    x0, y0 = (boxes[:, :2].min(axis=0) - 2).tolist()
    x1, y1 = (boxes[:, 2:].max(axis=0) + 2).tolist()
    return x0, y0, x1, y1


def kinds(document: Document) -> list[tuple[Kind, str]]:
    blocks = document.blocks
    return [(blocks.kind_of(row), blocks.text[row]) for row in range(len(blocks))]


FIRST = text(prose(40), 72, 100, 400)
TITLE = [line("Winter", 72, 200)]
SECOND = text(prose(40), 72, 220, 400)
TABLE = [line(word, 72 + 120 * column, 400 + 14 * row) for row, word in enumerate("abcd") for column in range(4)]


# Over the rules


def test_without_regions_the_rules_decide() -> None:
    assert structured(told(FIRST)).to_bytes() == structured(page(FIRST)).to_bytes()


def test_a_paragraph_that_the_model_calls_a_table_is_one_with_all_its_words() -> None:
    document = structured(told([*FIRST, *SECOND], (Kind.TABLE, around(SECOND), 0.9)))
    (table,) = rows(document, Kind.TABLE)
    assert table.replace(" | ", " ").split() == " ".join(item.text for item in SECOND).split()
    assert len(rows(document, Kind.PARAGRAPH)) == 1


def test_a_table_that_the_model_calls_a_figure_is_one_and_has_no_cells() -> None:
    assert rows(structured(page([*FIRST, *TABLE])), Kind.TABLE)
    document = structured(told([*FIRST, *TABLE], (Kind.FIGURE, around(TABLE), 0.9)))
    assert not rows(document, Kind.TABLE)
    assert [
        grid for kind, grid in zip(document.blocks.kind, document.blocks.grid, strict=True) if kind == Kind.FIGURE
    ] == [""]


def test_a_table_that_the_model_calls_text_is_text() -> None:
    document = structured(told([*FIRST, *TABLE], (Kind.PARAGRAPH, around(TABLE), 0.9)))
    assert not rows(document, Kind.TABLE)


def test_a_heading_that_the_rules_miss_is_found_and_heads_its_section() -> None:
    assert outline(structured(page([*FIRST, *TITLE, *SECOND]))) == []
    document = structured(told([*FIRST, *TITLE, *SECOND], (Kind.HEADING, around(TITLE), 0.8)))
    assert outline(document) == [(1, "Winter")]
    assert document.blocks.section_path(len(document.blocks) - 1) == ("Winter",)


def test_a_heading_that_the_rules_see_and_the_model_does_not_is_text() -> None:
    big = [line("Not a heading", 72, 200, size=18, bold=True)]
    lines = [*FIRST, *big, *SECOND]
    assert outline(structured(page(FIRST), page(lines, 2)))
    assert not outline(structured(page(FIRST), told(lines, (Kind.PARAGRAPH, around(big), 0.8), number=2)))


def test_headings_that_the_model_tells_get_their_levels_from_their_numbers() -> None:
    lines = [line("1 Seasons", 72, 80), *FIRST, line("1.1 Winter", 72, 200), *SECOND]
    regions = ((Kind.HEADING, around([lines[0]]), 0.9), (Kind.HEADING, around([lines[-len(SECOND) - 1]]), 0.9))
    assert outline(structured(told(lines, *regions))) == [(1, "1 Seasons"), (2, "1.1 Winter")]


def test_the_file_s_own_bookmarks_go_before_the_model() -> None:
    source = told([*FIRST, *TITLE, *SECOND], (Kind.PARAGRAPH, around(TITLE), 0.99))
    assert outline(structured(source, outline=[OutlineEntry("Winter", 1, 1)])) == [(1, "Winter")]


def test_a_heading_of_the_model_stands_beside_bookmarks_that_leave_it_out() -> None:
    lines = [line("1 Seasons", 72, 80, bold=True), *FIRST, *TITLE, *SECOND]
    source = told(lines, (Kind.HEADING, around(TITLE), 0.9))
    assert [title for _, title in outline(structured(source, outline=[OutlineEntry("Seasons", 1, 1)]))] == [
        "1 Seasons",
        "Winter",
    ]


def test_furniture_on_a_single_page_is_told_by_the_model_alone() -> None:
    top, foot = [line("Confidential draft", 72, 20)], [line("Seite A", 72, 770)]
    lines = [*top, *FIRST, *foot]
    assert not rows(structured(page(lines)), Kind.PAGE_HEADER)
    document = structured(
        told(lines, (Kind.PAGE_HEADER, around(top), 0.9), (Kind.PAGE_FOOTER, around(foot), 0.9)),
    )
    assert rows(document, Kind.PAGE_HEADER) == ["Confidential draft"]
    assert rows(document, Kind.PAGE_FOOTER) == ["Seite A"]


def test_a_running_header_stays_one_whatever_the_model_says() -> None:
    pages = [
        told([line("The Report", 72, 20), *FIRST], (Kind.HEADING, (60, 10, 300, 40), 0.99), number=number)
        for number in range(1, 6)
    ]
    assert outline(structured(*pages)) == []


def test_a_caption_of_the_model_names_the_figure_of_the_model() -> None:
    words = [line("How the valley looked before", 72, 420)]
    document = structured(
        told([*FIRST, *words], (Kind.FIGURE, (72, 200, 470, 410), 0.9), (Kind.CAPTION, around(words), 0.9))
    )
    kind = [Kind(int(value)) for value in document.blocks.kind]
    (link,) = np.flatnonzero(document.links.kind == LinkKind.CAPTION_OF).tolist()
    assert kind[int(document.links.source[link])] == Kind.CAPTION
    assert kind[int(document.links.target[link])] == Kind.FIGURE


def test_a_table_without_lines_is_a_picture() -> None:
    document = structured(told(FIRST, (Kind.TABLE, (72, 300, 400, 500), 0.9)))
    assert [kind for kind, _ in kinds(document)] == [Kind.PARAGRAPH, Kind.FIGURE]


def test_a_drawing_of_the_rules_gives_way_to_a_region_over_it() -> None:
    picture = Graphic("image", (72, 300, 400, 500))
    source = told(FIRST, (Kind.CHART, (70, 298, 402, 502), 0.9), graphics=[picture])
    assert [kind for kind, _ in kinds(structured(source))] == [Kind.PARAGRAPH, Kind.CHART]


def test_the_title_of_the_model_is_the_document_s_on_its_first_page_and_a_heading_elsewhere() -> None:
    def one(number: int) -> PageContent:
        return told([*TITLE, *SECOND], (Kind.TITLE, around(TITLE), 0.9), number=number)

    document = structured(one(1), one(2))
    assert rows(document, Kind.TITLE) == ["Winter"]
    assert outline(document) == [(1, "Winter")]


# Between regions


def test_of_two_regions_that_are_one_the_better_counts() -> None:
    box = around(SECOND)
    for better, kind in ((0.9, Kind.TABLE), (0.1, Kind.FIGURE)):
        found = kinds(structured(told(SECOND, (Kind.TABLE, box, better), (Kind.FIGURE, box, 0.5))))
        assert [each for each, _ in found] == [kind]


def test_a_heading_inside_running_text_keeps_its_line() -> None:
    lines = [*FIRST, *TITLE, *SECOND]
    document = structured(told(lines, (Kind.PARAGRAPH, around(lines), 0.9), (Kind.HEADING, around(TITLE), 0.4)))
    assert outline(document) == [(1, "Winter")]


def test_a_heading_inside_a_table_is_part_of_it_and_a_caption_is_not() -> None:
    table, words = around([*TABLE, line("x", 72, 460)]), [line("Letters in rows", 72, 456)]
    document = structured(
        told(
            [*FIRST, *TABLE, *words],
            (Kind.TABLE, table, 0.8),
            (Kind.HEADING, around(TABLE[:4]), 0.7),
            (Kind.CAPTION, around(words), 0.7),
        )
    )
    assert outline(document) == []
    assert rows(document, Kind.CAPTION) == ["Letters in rows"]
    (table,) = rows(document, Kind.TABLE)
    assert table.count("a") == 4


def test_a_figure_over_a_page_of_better_text_is_denied() -> None:
    document = structured(
        told([*FIRST, *SECOND], (Kind.FIGURE, (60, 90, 480, 300), 0.3), (Kind.PARAGRAPH, (60, 90, 480, 290), 0.9))
    )
    assert not rows(document, Kind.FIGURE)


# Faults

NAN, INF = math.nan, math.inf
anything = st.one_of(st.floats(-2000, 2000), st.sampled_from([NAN, INF, -INF, 0.0, 1e308]))
faulty = st.builds(
    LayoutRegion,
    st.one_of(st.sampled_from(list(Kind)), st.integers(-3, 99)),
    st.tuples(anything, anything, anything, anything),
    st.one_of(st.floats(-1, 2), st.just(NAN)),
)
_words = [f"w{at}q" for at in range(len(FIRST) + len(SECOND) + len(TABLE))]
_lines = [
    dataclasses.replace(item, text=f"{word} {item.text}", spans=())
    for word, item in zip(_words, [*FIRST, *SECOND, *TABLE], strict=True)
]


@given(st.lists(faulty, max_size=12))
@settings(max_examples=80, deadline=None)
def test_whatever_regions_a_model_tells_every_line_lands_in_one_block(found: list[LayoutRegion]) -> None:
    source = dataclasses.replace(page(_lines), regions=checked_regions(found, 612, 792))
    words = " ".join(rows(structured(source))).replace("|", " ").split()
    assert [words.count(word) for word in _words] == [1] * len(_words)


@pytest.mark.parametrize(
    "region",
    [
        LayoutRegion(Kind.TABLE, (700, 100, 900, 200), 0.9),
        LayoutRegion(Kind.TABLE, (100, NAN, 200, 200), 0.9),
        LayoutRegion(Kind.TABLE, (100, 100, INF, 200), 0.9),
        LayoutRegion(Kind.TABLE, (200, 100, 100, 200), 0.9),
        LayoutRegion(Kind.TABLE, (100, 100, 200, 200), NAN),
        LayoutRegion(99, (100, 100, 200, 200), 0.9),
        LayoutRegion(Kind.TABLE, (100, 100), 0.9),
    ],
)
def test_a_region_that_cannot_be_is_dropped(region: LayoutRegion) -> None:
    good = LayoutRegion(Kind.TABLE, (-50, 700, 300, 900), 7.0)
    assert checked_regions([region, good], 612, 792) == (LayoutRegion(Kind.TABLE, (0, 700, 300, 792), 1.0),)


def test_of_thousands_of_regions_the_best_are_kept() -> None:
    many = [LayoutRegion(Kind.HEADING, (10, 10, 50, 50), at / 20000) for at in range(20000)]
    found = checked_regions(many, 612, 792)
    assert len(found) == 300
    assert found[0].score == pytest.approx(0.99995)


def test_regions_come_over_the_wire_as_they_were_those_of_unknown_kind_left_out() -> None:
    good = LayoutRegion(Kind.CHART, (1.5, 2.0, 3.0, 4.25), 0.5)
    assert unpack_regions(pack_regions([good, LayoutRegion(77, good.box, 0.5)])) == (good,)


# Through the guarded child, and in a corpus


class Fake:
    """A layout model that sees what it is told to."""

    def __init__(self, *found: LayoutRegion, dpi: float = 36.0, name: str = "fake-1") -> None:
        self.found, self.dpi, self.name = found, dpi, name
        self.seen: list[tuple[tuple[int, ...], float]] = []

    def detect(self, raster: Raster, dpi: float) -> tuple[LayoutRegion, ...]:
        self.seen.append((raster.shape, dpi))
        return self.found


@pytest.fixture
def report(tmp_path: Path) -> Path:
    return pdfs.write(tmp_path / "report.pdf", pdfs.say("Alpha beta", "gamma delta"), pdfs.say("Epsilon"))


def test_every_page_is_drawn_at_the_model_s_resolution_and_its_regions_count(report: Path) -> None:
    model = Fake(LayoutRegion(Kind.HEADING, (0, 0, 612, 792), 0.9), LayoutRegion(Kind.TABLE, (NAN,) * 4, 0.9))
    with ParserPool(1) as pool:
        data = pool.parse(report, name="report.pdf", digest="0" * 64, ocr="never", layout=model)
    assert [shape for shape, _ in model.seen] == [(396, 306, 3)] * 2
    assert [dpi for _, dpi in model.seen] == pytest.approx([36.0] * 2, rel=0.01)
    assert outline(Document.from_bytes(data)) == [(1, "Alpha beta gamma delta"), (1, "Epsilon")]


def test_a_document_is_read_again_when_the_layout_model_changes(report: Path, tmp_path: Path) -> None:
    heading = LayoutRegion(Kind.HEADING, (0, 0, 612, 792), 0.9)
    with Corpus(tmp_path / "corpus") as corpus:

        def sections(model: LayoutModel | None) -> tuple[int, int]:
            added = corpus.add(report, ocr="never", layout_model=model)
            return len(added.added), len(corpus.document("report.pdf").blocks.headings())

        assert sections(None) == (1, 0)
        assert sections(Fake(heading)) == (1, 2)
        assert sections(Fake(heading)) == (0, 2)
        assert sections(Fake(heading, name="fake-2")) == (1, 2)
        assert sections(None) == (1, 0)


def test_the_fingerprint_of_a_document_names_its_layout_model() -> None:
    prints = {
        fingerprints.of_document("d", parser="p", ocr="auto", recognizer="r", layout=name) for name in ("", "a", "b")
    }
    assert len(prints) == 3


# From an ONNX file

CARD = 'labels = ["heading", "", "table"]\nwidth = 64\nheight = 64\ndpi = 36\nleast_score = 0.3\n'
ROWS = ((4.0, 8.0, 32.0, 16.0, 0.9, 0.0), (0.0, 0.0, 9.0, 9.0, 0.9, 1.0), (0.0, 0.0, 9.0, 9.0, 0.2, 2.0))


class FakeEngine:
    """A network that answers always the same."""

    def __init__(self, output: Sequence[Sequence[float]]) -> None:
        self.output, self.fed = np.array(output, np.float32), list[dict[str, np.ndarray]]()

    def stream(self, batches: Iterable[dict[str, np.ndarray]]) -> Iterator[tuple[int, np.ndarray]]:
        for at, feeds in enumerate(batches):
            self.fed.append(feeds)
            yield at, self.output


@pytest.fixture
def onnx(tmp_path: Path) -> Callable[..., Path]:
    def made(card: str = CARD, weights: bytes = b"weights") -> Path:
        (tmp_path / "own.toml").write_text(card)
        (tmp_path / "own.onnx").write_bytes(weights)
        return tmp_path / "own.onnx"

    return made


def test_rows_of_the_network_are_regions_in_points(onnx: Callable[..., Path]) -> None:
    engine = FakeEngine(ROWS)
    model = OnnxLayoutModel(onnx(), engine=engine)
    found = model.detect(np.full((128, 64, 3), 255, np.uint8), dpi=36.0)
    # The page is fitted in at half its size: a pixel of the input is two of the page, four points.
    assert found == (LayoutRegion(Kind.HEADING, (16.0, 32.0, 128.0, 64.0), pytest.approx(0.9)),)
    (fed,) = engine.fed
    assert fed["images"].shape == (1, 3, 64, 64)
    assert fed["images"].dtype == np.float32


@pytest.mark.parametrize(
    "output",
    [
        [(NAN, 0, 9, 9, 0.9, 0)],
        [(0, 0, 9, 9, INF, 0)],
        [(0, 0, 9, 9, 0.9, 55)],
        [(0, 0, 9, 9, 0.9, -1)],
        np.zeros((0, 6)),
        np.zeros((1, 0, 6)),
    ],
)
def test_rows_that_say_nothing_are_left_out(onnx: Callable[..., Path], output: Sequence[Sequence[float]]) -> None:
    model = OnnxLayoutModel(onnx(), engine=FakeEngine(output))
    assert model.detect(np.zeros((64, 64, 3), np.uint8), dpi=36.0) == ()


def test_another_output_than_boxes_is_refused_with_what_is_needed(onnx: Callable[..., Path]) -> None:
    model = OnnxLayoutModel(onnx(), engine=FakeEngine(np.zeros((1, 84, 8400))))
    with pytest.raises(ModelError, match=r"1x84x8400 numbers, not n rows of 6: export it"):
        model.detect(np.zeros((64, 64, 3), np.uint8), dpi=36.0)


def detector(rows: Sequence[Sequence[float]], *, height: int, width: int) -> bytes:
    """A detector that finds `rows` in a white picture of height x width: they are multiplied by its mean."""
    graph, found = OnnxGraph(), np.array([rows], np.float32)
    mean = graph.node("ReduceMean", graph.put("images", np.float32, (1, 3, height, width)), keepdims=0)
    return graph.to_bytes(graph.node("Mul", graph.array(found), mean, name="found"), found.shape)


def test_a_real_network_runs_on_this_machine_s_engine(onnx: Callable[..., Path], tmp_path: Path) -> None:
    path = onnx(weights=detector(ROWS, height=64, width=64))
    model = OnnxLayoutModel(path, cache=tmp_path / "cache")
    found = model.detect(np.full((64, 64, 3), 255, np.uint8), dpi=72.0)
    assert [(region.kind, region.box) for region in found] == [(Kind.HEADING, pytest.approx((4, 8, 32, 16), rel=0.01))]


def test_a_picture_is_fitted_at_the_top_left_and_the_rest_is_grey() -> None:
    filled = fitted(np.full((10, 20, 3), 255, np.uint8), 2.0, width=64, height=64)
    assert (filled[0, :, :20, :40] == 1).all()
    assert filled[0, :, 20:, :] == pytest.approx(114 / 255)


def test_the_name_follows_the_weights_and_the_card(onnx: Callable[..., Path]) -> None:
    paths = [OnnxLayoutModel(onnx(*given)).name for given in ((CARD,), (CARD, b"other"), (CARD + "# more\n",))]
    assert len(set(paths)) == 3


@pytest.mark.parametrize(
    ("card", "complaint"),
    [
        ("labels = [", "is not valid TOML"),
        ("width = 64", "labels needs a list of title, heading"),
        ("labels = ['sidebar']", "or '', not 'sidebar'"),
        ("labels = ['table']\nwidth = 0", "width needs 1 to 4096 pixels, not 0"),
        ("labels = ['table']\ndpi = true", "dpi needs a number up to 400, not True"),
        ("labels = ['table']\nleast_score = nan", "least_score needs a number up to 1"),
        ("labels = ['table']\ninput = 3", "input needs a name"),
        ("labels = ['table']\ncolour = 3", "there is no key 'colour'"),
    ],
)
def test_a_wrong_card_is_named_with_its_key(onnx: Callable[..., Path], card: str, complaint: str) -> None:
    with pytest.raises(ModelError, match=complaint):
        OnnxLayoutModel(onnx(card))


def test_a_model_without_a_card_or_file_is_named(tmp_path: Path, onnx: Callable[..., Path]) -> None:
    with pytest.raises(ModelError, match=r"none\.toml cannot be read .*: a layout model needs a card beside it"):
        read_card(tmp_path / "none.toml")
    path = onnx()
    path.unlink()
    with pytest.raises(ModelError, match=r"own\.onnx cannot be read"):
        OnnxLayoutModel(path)


def test_a_file_that_is_no_network_is_refused_at_the_first_page(onnx: Callable[..., Path]) -> None:
    model = OnnxLayoutModel(onnx())
    with pytest.raises(ModelError, match=r"cannot load .*own\.onnx"):
        model.detect(np.zeros((64, 64, 3), np.uint8), dpi=36.0)
