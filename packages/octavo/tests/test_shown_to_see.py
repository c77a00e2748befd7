"""What a reader that sees is shown: what it asks for, nothing twice, all candidates in small, and looks where asked."""

from __future__ import annotations

import dataclasses
import io
import json
import re
from collections.abc import Callable, Sequence

import numpy as np
import pytest
from PIL import Image

from indexed import run_over, view_of
from octavo import systems
from octavo.decisions.engine.judge import Judge
from octavo.errors import UsageError
from octavo.evidence import Answer, Query
from octavo.models.language import Request
from octavo.models.ports import Raster
from octavo.models.scripted import ScriptedModel
from octavo.operators.core import Place, Run
from octavo.operators.read.contact_sheet import HEIGHT, PER_SHEET, SIDE, WIDTH, candidates, contact_sheets
from octavo.operators.read.direct_reader import DirectReader
from octavo.operators.read.image_evidence import Spot, graphics
from octavo.operators.read.in_part import fuller
from octavo.question import understand
from octavo_documents.document import Document, FigureKind, Kind, LinkKind, LinkTable, TextColumn
from synthetic import Row, document

READ, CHOOSE, TURN = "answer_from_evidence", "choose_pictures", "investigate"
_TAGS = ("picture", "passage")
Say = str | Callable[[Request], str]


def album(charts: int = 12, *, others: int = 2) -> Document:
    """A page for each chart, with words, the chart and its caption; then pages of words alone."""
    rows: list[Row] = []
    for page in range(1, charts + 1):
        rows += [
            (Kind.PARAGRAPH, f"Keepers of pier {page} count what they catch.", page, 0),
            (Kind.CHART, "", page, 0),
            (Kind.CAPTION, f"Figure {page}: Catch of pier {page}", page, 0),
        ]
    rows += [(Kind.PARAGRAPH, f"Boats, matter {page}.", charts + page, 0) for page in range(1, others + 1)]
    return captioned(document(rows, name="album.pdf"))


def captioned(source: Document, kinds: Sequence[int] = ()) -> Document:
    """Return a document in which each caption belongs to the block before it."""
    captions = np.flatnonzero(source.blocks.kind == Kind.CAPTION)
    links = LinkTable(
        source=captions.astype(np.int32),
        target=(captions - 1).astype(np.int32),
        kind=np.full(len(captions), LinkKind.CAPTION_OF, np.uint8),
        text=TextColumn.of([""] * len(captions)),
        origin=np.zeros(len(captions), np.uint8),
        weight=np.ones(len(captions), np.float32),
    )
    return dataclasses.replace(source, links=links)


def placed(source: Document, boxes: dict[int, tuple[int, int, int, int]]) -> Document:
    moved = source.blocks.box.copy()
    for row, box in boxes.items():
        moved[row] = box
    return dataclasses.replace(source, blocks=dataclasses.replace(source.blocks, box=moved))


def with_logo(source: Document, row: int) -> Document:
    figure = source.blocks.figure.copy()
    figure[row] = FigureKind.LOGO
    return dataclasses.replace(source, blocks=dataclasses.replace(source.blocks, figure=figure))


def wide(source: Document) -> Document:
    return dataclasses.replace(source, pages=dataclasses.replace(source.pages, width=source.pages.height * 1.4))


def reply(answer: str = "", *missing: str, seen: dict[str, str] | None = None) -> Callable[[Request], str]:
    """Return a reply that stands on passages and pictures: by words in what is shown, what is quoted of each."""

    def say(request: Request) -> str:
        evidence = [{"id": shown(request, words), "quote": quote} for words, quote in (seen or {}).items()]
        said = {"answerable": not missing and bool(answer), "answer": answer, "value": answer, "missing": missing}
        return json.dumps({"evidence": evidence, **said, "why": ""})

    return say


def shown(request: Request, words: str) -> int:
    text = request.turns[0].text
    pictures, passages = (re.findall(rf"<{one} id=(\d+)>(.*?)</{one}>", text, re.DOTALL) for one in _TAGS)
    found = [*pictures, *passages]
    return next(int(number) for number, what in found if words in what)


class Asked:
    """One question with a reader that sees: a line of the script, or a function of the request, for each request."""

    def __init__(
        self,
        source: Document,
        question: str,
        *script: Say,
        system: systems.System | None = None,
        limit: int = 4,
        context: int = 128_000,
    ) -> None:
        lines = iter(script)
        self.drawn: list[Place] = []

        def say(request: Request) -> str:
            line = next(lines)
            return line if isinstance(line, str) else line(request)

        def draw(_document: str, places: Sequence[Place]) -> list[Raster | None]:
            self.drawn += places
            return [np.full((40, 30, 3), 200, np.uint8) for _ in places]

        self.model = ScriptedModel(say, sees=True, context_tokens=context)
        self.run: Run = run_over(source)
        self.run.pictures = draw
        self.run.judge = Judge({"language": self.model})
        self.answer: Answer = systems.run_ask(system or systems.get("auto"), Query(question, limit=limit), self.run)

    @property
    def decisions(self) -> list[str]:
        return [request.decision for request in self.model.requests]

    def text(self, at: int) -> str:
        return self.model.requests[at].turns[0].text

    def sent(self, at: int) -> int:
        """Return how many pictures come with a request."""
        return len(self.model.requests[at].turns[0].pictures)

    def places(self, at: int) -> list[str]:
        return re.findall(r"<picture id=\d+>(.*?)</picture>", self.text(at))


WHO = "Who lives on pier 3 in winter?"


# What a reader asks for


@pytest.mark.parametrize(
    ("missing", "places"),
    [
        ("picture of page 13", ["page 13"]),
        ("page 13", ["page 13"]),
        ("Figure 9", ["page 9; chart; Figure 9: Catch of pier 9"]),
        ("the chart on page 8", ["page 8; chart; Figure 8: Catch of pier 8"]),
        ("picture of page 8", ["page 8"]),
    ],
)
def test_what_a_reader_asks_for_by_its_place_is_shown_and_not_searched(missing: str, places: list[str]) -> None:
    asked = Asked(album(), WHO, reply("", missing), reply("Per", seen={places[0]: "Per stands there"}))
    assert asked.decisions == [READ, READ]
    assert (asked.places(1), asked.sent(1)) == (places, 1)
    page = int(re.findall(r"page (\d+)", places[0])[0])
    assert asked.answer.is_seen
    assert asked.answer.citations[0].page == page
    assert page in {one.page for one in asked.answer.pages_read}


def test_the_words_of_a_page_that_is_asked_for_come_with_it() -> None:
    asked = Asked(album(), WHO, reply("", "page 13"), reply())
    assert "Boats, matter 1." in asked.text(1)
    assert "Boats, matter 1." not in asked.text(0)


def test_a_figure_that_was_not_enough_brings_its_page_and_then_nothing() -> None:
    question = "How many bars does Figure 9 have?"
    again = reply("", "Figure 9")
    asked = Asked(album(), question, again, again, again, again, json.dumps({"plan": "", "calls": [], "blocks": []}))
    assert [asked.places(at) for at in (0, 1)] == [["page 9; chart; Figure 9: Catch of pier 9"], ["page 9"]]
    assert asked.decisions == [READ, READ]


def test_where_pictures_came_at_once_others_come_only_where_they_are_asked_for() -> None:
    ends = json.dumps({"plan": "", "calls": [], "blocks": []})
    asked = Asked(album(), "How many bars does the chart of pier 2 have?", reply("", "number of bars"), ends)
    assert asked.decisions == [READ, TURN]


def test_a_reader_that_names_nothing_that_is_missing_is_not_asked_again() -> None:
    asked = Asked(album(), WHO, reply())
    assert asked.decisions == [READ]


def test_a_place_that_is_not_there_is_told_of_once_and_only_the_words_are_searched() -> None:
    lacking = reply("", "Figure 99", "boats, matter 2")

    def ends(request: Request) -> str:
        found = re.findall(r"^\[(b\d+)\].*matter 2", request.turns[0].text, re.MULTILINE)
        return json.dumps({"plan": "", "calls": [], "blocks": found})

    asked = Asked(album(), WHO, lacking, lacking, ends, reply())
    assert asked.decisions == [READ, READ, TURN, READ]
    assert "<missing>\nboats, matter 2\n</missing>" in asked.text(2)
    assert "Figure 99" not in asked.text(2)
    assert asked.text(3).count("Asked for, and not in the document: Figure 99.") == 1
    assert "Boats, matter 2." in asked.text(3)


def test_a_picture_is_not_sent_again_but_what_was_seen_in_it_is_told() -> None:
    question = "What does the chart of pier 2 show, and who lives there?"
    first = reply("four bars", "page 13", seen={"Figure 2": "four bars"})
    asked = Asked(album(), question, first, reply("four bars", seen={"Figure 2": "four bars"}))
    assert any("Figure 2" in place for place in asked.places(0))
    assert asked.sent(1) == 1
    assert "page 2; chart; Figure 2: Catch of pier 2 | seen in it: four bars" in asked.places(1)
    assert len(asked.drawn) == len({(place.page, place.box) for place in asked.drawn})


def test_pages_whose_words_were_shown_are_told_apart_from_pictures_that_were() -> None:
    asked = plainly(reply("", "pictures of pages 5, 13 and 14"), reply("", "picture of page 1"), reply())
    words, pictures = (
        re.findall(rf"^{what} that were shown before, and not again: (.*)\.$", asked.text(2), re.MULTILINE)
        for what in ("Words", "Pictures")
    )
    assert pictures == ["pages 5, 13-14"]
    assert words
    assert "14" in words[0]
    assert "Pictures that were" not in asked.text(1)


def test_passages_that_nothing_was_taken_from_are_not_read_again() -> None:
    first = reply("Pier 3 is known", "page 13", seen={"Keepers of pier 3": "Keepers of pier 3"})
    asked = Asked(album(), WHO, first, reply())
    first_read, then = (set(re.findall(r"<passage id=\d+>\n(Keepers of pier \d+)", asked.text(at))) for at in (0, 1))
    assert len(first_read) > 1
    assert first_read & then == {"Keepers of pier 3"}


def test_a_reader_that_sees_nothing_is_told_of_no_pictures_and_reads_a_page_that_it_asks_for() -> None:
    lines = iter([reply("", "page 13"), reply()])
    model = ScriptedModel(lambda request: next(lines)(request))
    run = run_over(album())
    run.judge = Judge({"answer_from_evidence": model})
    systems.run_ask(systems.get("hybrid"), Query(WHO, limit=4), run)
    assert "pictures can be asked for" not in model.requests[0].turns[0].text
    assert "Boats, matter 1." in model.requests[1].turns[0].text
    assert not model.requests[1].turns[0].pictures


def plainly(*script: Say, charts: int = 12) -> Asked:
    """Return a question to a reader alone, after whom nobody searches."""
    retrieve = systems.get("auto").retrieve
    plain = systems.System("own", retrieve, retrieve >> DirectReader())
    return Asked(album(charts), WHO, *script, system=plain)


def test_all_pages_that_are_asked_for_come_as_many_as_fit_and_the_others_next() -> None:
    first = reply(
        "", *(f"picture of page {page}" for page in (2, 3, 4, 5, 6)), "pictures of pages 8, 9, 10, 12, 13 and 14"
    )
    asked = plainly(first, reply("", "the winter"), reply())
    assert asked.decisions == [READ] * 3
    assert "At most 8 come at once" in asked.text(0)
    assert asked.places(1) == [f"page {page}" for page in (2, 3, 4, 5, 6, 8, 9, 10)]
    assert "still to come if the answer stays open: pages 12-14." in asked.text(1)
    assert asked.places(2) == ["page 12", "page 13", "page 14"]


@pytest.mark.parametrize("words", ["picture of each page", "pictures of all pages", "every page of the report"])
def test_a_request_for_every_page_brings_all_of_them_in_turn(words: str) -> None:
    asked = plainly(reply("", words), reply("", "the winter"), reply())
    assert [asked.places(at) for at in (1, 2)] == [
        [f"page {page}" for page in range(1, 9)],
        [f"page {page}" for page in range(9, 15)],
    ]


def test_a_request_for_every_page_of_many_goes_over_them_in_small() -> None:
    asked = plainly(reply("", "pictures of all pages"), choose(7, 20), reply(), charts=20)
    assert asked.decisions == [READ, CHOOSE, READ]
    assert asked.places(2) == ["page 7", "page 20"]
    assert "22 pages were looked over in small" in asked.text(2)


# Contact sheets


def choose(*numbers: int) -> str:
    return json.dumps({"numbers": numbers, "seen": "those with two axes"})


COUNT = "How many charts have two axes?"


def test_a_count_over_all_charts_goes_over_all_of_them_in_small_first() -> None:
    asked = Asked(album(), COUNT, choose(5, 11), reply("2", seen={"Figure 5:": "two axes", "Figure 11:": "two axes"}))
    assert asked.decisions == [CHOOSE, READ]
    assert (asked.sent(0), asked.sent(1)) == (1, 2)
    assert "[12] page 12; chart; Figure 12: Catch of pier 12" in asked.text(0)
    assert asked.places(1) == [f"page {page}; chart; Figure {page}: Catch of pier {page}" for page in (5, 11)]
    assert "[13] page 13\n[14] page 14\n" in asked.text(0)
    assert "14 pages and figures were looked over in small. So every page was looked over, those" in asked.text(1)
    assert "told to be one, is not among them. 2 of them were chosen as what may matter. those" in asked.text(1)
    assert sorted(citation.page for citation in asked.answer.citations) == [5, 11]
    assert asked.answer.value == 2
    assert {5, 11} <= {one.page for one in asked.answer.pages_read}


def test_tables_on_the_sheets_are_called_tables_and_where_pages_are_looked_over_nothing_is_left_out() -> None:
    kinds = [(Kind.TABLE, "Pier | Catch", page, 0) for page in range(1, 6)]
    mixed = captioned(document([*kinds, (Kind.CHART, "", 6, 0), (Kind.PARAGRAPH, "Boats.", 7, 0)], name="album.pdf"))
    asked = Asked(mixed, "How many tables and charts have two rows?", choose(5), reply())
    assert "7 pages and figures and tables were looked over in small. So every page" in asked.text(1)
    assert "those without a figure or table whole. What is drawn beside a figure or table" in asked.text(1)
    asked = Asked(wide(album()), "How many slides show a catch?", choose(5), reply())
    assert "14 pages were looked over in small. 1 of them were chosen" in asked.text(1)


def test_the_pictures_of_a_sheet_are_drawn_small_and_the_chosen_ones_large() -> None:
    asked = Asked(album(), COUNT, choose(5), reply("1", seen={"Figure 5:": "two axes"}))
    small, large = [place for place in asked.drawn if place.page == 5]
    assert small.dpi < large.dpi


def test_a_sheet_has_numbered_tiles_in_rows_and_more_come_on_the_next() -> None:
    first, second = sheets((600, 400), PER_SHEET + 1)
    assert (first.width, first.height) <= (WIDTH, HEIGHT)
    assert second.height == pytest.approx(SIDE, rel=0.1)
    (low,) = sheets((100, 400), 1)
    assert low.height < SIDE / 2


def sheets(shape: tuple[int, int], count: int) -> list[Image.Image]:
    tiles = [np.full((*shape, 3), 120, np.uint8)] * count
    return [Image.open(io.BytesIO(one.data)) for one in contact_sheets(tiles, ["page 1"] * count)]


@pytest.mark.parametrize(("shape", "count"), [((800, 600), 15), ((800, 600), 20), ((400, 600), 9), ((600, 600), 16)])
def test_a_grid_fits_the_shape_of_its_pictures(shape: tuple[int, int], count: int) -> None:
    (sheet,) = sheets(shape, count)
    pixels = np.asarray(sheet.convert("L"))
    assert ((pixels > 110) & (pixels < 130)).mean() > 0.85
    assert sheet.width <= WIDTH
    assert sheet.height <= HEIGHT


def test_what_has_no_place_on_the_sheets_is_counted_and_the_likeliest_are_on_them() -> None:
    charts = 3 * PER_SHEET + 7
    asked = Asked(album(charts), "How many charts show pier 67?", choose(), reply())
    assert asked.sent(0) == 3
    assert "7 more had no place on the sheets." in asked.text(0)
    assert "Figure 67: Catch of pier 67" in asked.text(0)
    assert "60 figures were looked over in small, 7 more were not. What is drawn beside a figure" in asked.text(1)
    assert re.search(r"is not among them, nor is anything of pages [\d, -]+, 68-69\. None was found", asked.text(1))


def test_of_many_that_are_chosen_the_first_are_large_and_the_others_told() -> None:
    asked = Asked(album(), COUNT, choose(*range(1, 13)), reply("8", seen={"Figure 8:": "two axes"}))
    assert (asked.sent(1), len(asked.places(1))) == (8, 8)
    others = "; ".join(f"page {page}, chart, Figure {page}: Catch of pier {page}" for page in range(9, 13))
    assert f"Chosen or asked for too, and still to come if the answer stays open: {others}." in asked.text(1)


def test_a_model_of_a_small_context_gets_fewer_large_pictures() -> None:
    asked = Asked(album(), COUNT, choose(1, 2, 3, 4, 5, 6), reply(), context=16_000)
    assert (asked.sent(1), len(asked.places(1))) == (4, 4)
    assert "stays open: page 5, chart, Figure 5: Catch of pier 5; page 6, chart" in asked.text(1)
    assert "<passage id=" in asked.text(1)


PART = "At least 8: pages 1, 2, 3, 4, 5, 6, 7 and 8"


def test_a_second_reading_knows_what_the_first_knew_and_sees_what_was_chosen_and_not_shown() -> None:
    first = reply(PART, "picture of page 13", seen={"Figure 8:": "two axes"})
    whole = reply("12", seen={f"Figure {page}:": "two axes" for page in (8, 9, 10, 11, 12)})
    asked = Asked(album(), COUNT, choose(*range(1, 13)), first, whole)
    assert asked.decisions == [CHOOSE, READ, READ]
    assert f"Known so far, from what was shown before: {PART}" in asked.text(2)
    assert [place.split(";")[0] for place in asked.places(2)] == [f"page {page}" for page in (9, 10, 11, 12, 13, 8)]
    assert (asked.sent(2), asked.answer.value) == (5, 12)
    assert "still to come" not in asked.text(2)


@pytest.mark.parametrize("before", ["known so far: ", "Known only in part: Known so far, from what was shown: ", ""])
def test_words_that_what_is_known_is_told_with_are_no_part_of_it(before: str) -> None:
    first = reply(f"{before}{PART}", "picture of page 13", seen={"Keepers of pier 3": "Keepers of pier 3"})
    asked = plainly(first, reply())
    assert asked.answer.text == f"Known only in part: {PART}"
    assert f"Known so far, from what was shown before: {PART}" in asked.text(1)


def test_of_two_answers_in_part_the_one_that_knows_more_stands() -> None:
    less = reply("At least 4: pages 9, 10, 11 and 12", "word", seen={"Figure 9:": "two axes"})
    first = reply(PART, "picture of page 13", seen={"Figure 8:": "two axes"})
    retrieve = systems.get("auto").retrieve
    plain = systems.System("own", retrieve, retrieve >> DirectReader())
    asked = Asked(album(), COUNT, choose(*range(1, 13)), first, less, system=plain)
    assert (asked.answer.known, asked.answer.text) == (PART, f"Known only in part: {PART}")
    assert fuller(PART, f"{PART}, 9") == f"{PART}, 9"
    assert fuller("", PART) == fuller(PART, "") == PART


def test_what_is_asked_for_in_the_second_reading_comes_in_a_third_and_last() -> None:
    looks = [reply("", f"picture of page {page}") for page in (1, 2, 3, 4)]
    retrieve = systems.get("auto").retrieve
    asked = Asked(album(), WHO, *looks, system=systems.System("own", retrieve, retrieve >> DirectReader()))
    assert asked.decisions == [READ] * 3
    assert [asked.places(at) for at in (1, 2)] == [["page 1"], ["page 2"]]


def test_of_a_page_of_which_several_are_chosen_the_whole_comes_once() -> None:
    rows: list[Row] = [(Kind.CHART, "", 1, 0)] * 2 + [(Kind.CHART, "", page, 0) for page in range(2, 7)]
    rows.append((Kind.PARAGRAPH, "Charts have two axes.", 7, 0))
    source = placed(document(rows, name="album.pdf"), {0: (50, 50, 300, 200), 1: (50, 400, 300, 600)})
    asked = Asked(source, COUNT, choose(3, 1, 2, 4), reply())
    assert asked.places(1) == ["page 2; chart", "page 1", "page 3; chart"]


def test_beside_a_sheet_come_the_words_of_chosen_pages_and_of_none_that_was_ruled_out() -> None:
    asked = Asked(album(), COUNT, choose(5, 11), reply(), limit=2)
    assert re.findall(r"(?:Keepers of|Boats, matter) [\w ]+", asked.text(1).split("</document>")[1]) == [
        "Keepers of pier 5 count what they catch",
        "Keepers of pier 11 count what they catch",
    ]
    asked = Asked(album(), COUNT, choose(), reply())
    assert "<passage id=" in asked.text(1)


def test_an_answer_that_counts_cites_each_thing_that_it_counts() -> None:
    seen = {f"Figure {page}:": "two axes" for page in range(1, 9)}
    asked = Asked(album(), COUNT, choose(*range(1, 9)), reply("8", seen=seen))
    assert [one.page for one in asked.answer.citations] == [*range(1, 9)]


def test_pages_without_a_figure_have_the_places_that_are_left_on_the_last_sheet() -> None:
    asked = Asked(album(10, others=60), COUNT, choose(11), reply())
    assert asked.sent(0) == 1
    assert len(re.findall(r"^\[\d+\] page \d+$", asked.text(0), re.MULTILINE)) == PER_SHEET - 10
    assert "nor is anything of" in asked.text(1)


def test_a_reader_without_sheets_chooses_by_words() -> None:
    retrieve = systems.get("auto").retrieve
    asked = Asked(album(), COUNT, reply(), system=systems.System("own", retrieve, retrieve >> DirectReader(sheets=0)))
    assert asked.decisions == [READ]
    with pytest.raises(UsageError, match="0 contact sheets or more"):
        DirectReader(sheets=-1)


def test_a_few_candidates_are_shown_large_at_once() -> None:
    asked = Asked(album(3), COUNT, reply("1", seen={"Figure 2:": "two axes"}))
    assert (asked.decisions, asked.sent(0)) == ([READ], 3)


def test_where_the_choice_fails_captions_and_words_choose() -> None:
    question = "How many charts show the catch of pier 7?"
    asked = Asked(album(), question, "{", "{", reply("1", seen={"Figure 7:": "a catch"}))
    assert asked.decisions == [CHOOSE, CHOOSE, READ]
    assert asked.places(2)[0] == "page 7; chart; Figure 7: Catch of pier 7"
    assert asked.sent(2) == 4


def test_without_a_model_that_sees_no_sheet_is_made() -> None:
    model = ScriptedModel(lambda _request: reply()(_request))
    run = run_over(album())
    run.judge = Judge({"answer_from_evidence": model})
    systems.run_ask(systems.get("hybrid"), Query(COUNT), run)
    assert [request.decision for request in model.requests] == [READ]


def test_candidates_are_figures_of_reports_and_pages_of_slides_and_scans() -> None:
    source = album(2)
    charts = [Spot(0, 1), Spot(1, 4)]
    assert candidates(view_of(source), [0], COUNT) == charts
    assert candidates(view_of(source), [0], "Which pages show a boat?") == [*map(Spot, range(4))]
    assert candidates(view_of(wide(source)), [0], COUNT) == [Spot(0), Spot(1), Spot(2), Spot(3)]
    assert candidates(view_of(source), [0], "How many charts on page 2 are blue?") == charts[1:]


def test_tables_are_candidates_where_they_are_counted_with_charts_and_slides_are_told_by_their_titles() -> None:
    rows: list[Row] = [(Kind.HEADING, "Trains", 1, 1), (Kind.TABLE, "a | b", 1, 0), (Kind.CHART, "", 2, 0)]
    source = document([*rows, *[(Kind.FIGURE, "", page, 0) for page in (3, 4, 5, 6)]])
    assert candidates(view_of(source), [0], "How many charts and tables are in the report?")[:2] == [
        Spot(0, 1),
        Spot(1, 2),
    ]
    asked = Asked(wide(source), "How many slides show a train?", choose(), reply())
    assert "[1] page 1; Trains\n[2] page 2\n" in asked.text(0)


# One graphic is one


def halves(*, caption: bool) -> Document:
    rows: list[Row] = [(Kind.CHART, "75 Food", 1, 0), (Kind.CHART, "86 Hospitality", 1, 0)]
    rows += [(Kind.CAPTION, "Figure 1: Jobs", 1, 0)] * caption
    return captioned(document(rows))


def test_a_chart_that_was_cut_in_two_is_one_picture_under_its_caption() -> None:
    source = placed(halves(caption=True), {0: (50, 100, 300, 200), 1: (50, 205, 300, 300)})
    (spot,) = graphics(view_of(source), 0)
    assert (spot, spot.others) == (Spot(0, 1), (0,))


@pytest.mark.parametrize("second", [(50, 230, 300, 300), (310, 190, 400, 300)])
def test_pictures_that_stand_apart_are_two(second: tuple[int, int, int, int]) -> None:
    source = placed(halves(caption=True), {0: (50, 100, 300, 200), 1: second})
    assert len(graphics(view_of(source), 0)) == 2


def test_neighbours_without_a_caption_are_two() -> None:
    source = placed(halves(caption=False), {0: (50, 100, 300, 200), 1: (50, 205, 300, 300)})
    assert len(graphics(view_of(source), 0)) == 2


def test_a_strip_across_the_page_is_no_picture() -> None:
    source = document([(Kind.FIGURE, "", 1, 0), (Kind.FIGURE, "", 1, 0)])
    source = placed(source, {0: (0, 780, 595, 842), 1: (50, 100, 300, 300)})
    assert graphics(view_of(source), 0) == [Spot(0, 1)]


# Looks


LETTER = with_logo(
    document(
        [
            (Kind.FIGURE, "", 1, 0),
            (Kind.PARAGRAPH, "A letter to the keepers about the winter.", 1, 0),
            (Kind.PARAGRAPH, "Boats are painted in spring.", 2, 0),
            (Kind.FIGURE, "", 3, 0),
            (Kind.PARAGRAPH, "Signed by the harbour master.", 3, 0),
        ]
    ),
    0,
)


@pytest.mark.parametrize(
    ("question", "places"),
    [
        ("What colour is the logo?", ["page 1; logo"]),
        ("Which words about boats are underlined on page 2?", ["page 2"]),
        ("What does page 3 show?", ["page 3"]),
        ("What does the picture on page 3 show?", ["page 3; figure"]),
    ],
)
def test_looks_are_shown_at_once(question: str, places: list[str]) -> None:
    asked = Asked(LETTER, question, reply())
    assert asked.places(0) == places


def test_a_question_about_words_is_shown_no_logo() -> None:
    asked = Asked(LETTER, "Who is the letter to?", reply())
    assert asked.sent(0) == 0


# Running heads


def test_a_line_that_repeats_the_titles_of_its_page_is_no_passage_and_the_label_is_that_of_what_follows() -> None:
    rows: list[Row] = [
        (Kind.HEADING, "3 Operation", 1, 1),
        (Kind.HEADING, "3.8 Steam", 1, 2),
        (Kind.PARAGRAPH, "Steam foams the milk.", 1, 0),
        (Kind.PARAGRAPH, "Operation | Bean hopper", 2, 0),
        (Kind.HEADING, "3.9 Bean hopper", 2, 2),
        (Kind.PARAGRAPH, "The hopper takes beans.", 2, 0),
        (Kind.PARAGRAPH, "Operation of the hopper by children", 3, 0),
        (Kind.PARAGRAPH, "The hopper is washed.", 3, 0),
    ]
    source = placed(document(rows), {3: (72, 40, 300, 50), 6: (72, 40, 300, 50)})
    asked = Asked(source, "What does the hopper take?", reply())
    assert "Operation | Bean hopper" not in asked.text(0).split("</document>")[1]
    assert "[page 2; 3 Operation > 3.9 Bean hopper]\n" in asked.text(0)
    assert "Operation of the hopper by children" in asked.text(0)


# What the text does not use


def test_words_that_decide_and_stand_nowhere_are_told() -> None:
    asked = Asked(album(2), "How many walruses live at the pier?", reply())
    assert "Words of the question that the text does not use: “walruses”." in asked.text(0)
    asked = Asked(album(2), "How many keepers live at the pier?", reply())
    assert "does not use" not in asked.text(0)


@pytest.mark.parametrize(
    ("printed", "near"), [("Q2/2015Q3/2015", " (near: “Q2/2015Q3/2015”)"), ("Q35", ""), ("FAQ3", "")]
)
def test_a_quarter_that_stands_within_a_longer_word_is_told_with_it(printed: str, near: str) -> None:
    source = document([(Kind.PARAGRAPH, f"Catch by quarter: {printed}", 1, 0)])
    asked = Asked(source, "What was the catch in Q3?", reply())
    assert f"words that only pictures show not being searched: “Q3”{near}." in asked.text(0)


def test_of_scanned_pages_it_is_told_that_pictures_were_not_told_apart() -> None:
    source = document([(Kind.PARAGRAPH, "Boats and charts.", page, 0) for page in (1, 2, 3)])
    scanned = np.array([True, False, True])
    asked = Asked(source, "How many tables are there?", reply())
    assert "as people count: no tables or figures." in asked.text(0)
    assert "Read as images" not in asked.text(0)
    source = dataclasses.replace(source, pages=dataclasses.replace(source.pages, is_scanned=scanned))
    asked = Asked(source, "How many tables are there?", reply())
    assert "Read as images: pages 1, 3; pictures and tables on them were not told apart." in asked.text(0)
    assert "no tables or figures" not in asked.text(0)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("When was the refund policy introduced?", ("refund", "policy")),
        ("What does the contract say about subcontractors?", ("contract", "subcontractors")),
        ("Which charts show a polar bear?", ("polar", "bear")),
        ("Which charts show penguins?", ("penguins",)),
        ("How many steps does the third method have?", ("steps", "third", "method")),
        ("Who wrote it?", ()),
    ],
)
def test_the_things_that_a_question_names_small(question: str, named: tuple[str, ...]) -> None:
    assert understand(question).things_named == named


@pytest.mark.parametrize(
    ("phrase", "words"),
    [
        ("picture of page 17", ""),
        ("images of every single page", ""),
        ("headers of all pages", "headers of all pages"),
        ("Figure 4", ""),
        ("legend of the bar chart on page 9", ""),
        ("the price in Table 3", "price"),
        ("price of oil", "price of oil"),
    ],
)
def test_words_beside_the_places_of_a_request(phrase: str, words: str) -> None:
    assert understand(phrase).words_beside_places == words


@pytest.mark.parametrize(
    ("question", "counts", "lists"),
    [
        ("How many pages have a table?", True, False),
        ("Count the slides with a boat.", True, False),
        ("How many of the pages show a hand?", True, False),
        ("How many charts are on pages 3 to 5?", False, False),
        ("Which charts are red (count PDF pages 1 to 15)?", False, False),
        ("Count pages from the cover: which charts are red?", False, False),
        ("Which PDF pages (counted from 1) have a photo?", False, True),
        ("On which of the pages is a boat?", False, True),
        ("Which of the report's pages show a boat?", False, True),
        ("Which two pages show a boat?", False, True),
        ("Which charts on pages 3 to 5 are blue?", False, False),
    ],
)
def test_questions_that_count_or_list_pages_and_those_that_say_how_pages_are_counted(
    question: str, counts: bool, lists: bool
) -> None:
    asked = understand(question)
    assert (asked.counts_pages, asked.lists_pages) == (counts, lists)


@pytest.mark.parametrize(
    ("question", "goes_over"),
    [
        ("How many charts use blue?", True),
        ("Which slides show a boat?", True),
        ("In which charts is blue used?", True),
        ("How many bars does the chart of keepers have?", False),
        ("How many tables list roofs?", False),
        ("Which page mentions oil?", False),
        ("How many icons are on page 3?", False),
        ("Which slides show a boat (first slide = 1)?", True),
        ("Which slides show a boat like the one on page 3?", True),
        ("How many charts use blue in the whole report, as page 3 does?", True),
        ("How many charts on page 3 use blue?", False),
    ],
)
def test_questions_that_go_over_all_pictures(question: str, goes_over: bool) -> None:
    assert understand(question).goes_over_pictures == goes_over


# Looks of which no page is named


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What is the colour of the band on which the catch of pier 7 stands?", "page 7"),
        ("Which words about boats, matter 2, are in italics?", "page 14"),
        ("Welche Farbe hat der Balken zu Pier 9?", "page 9"),
        ("Quels mots sont soulignés sur le pier 4 ?", "page 4"),
    ],
)
def test_looks_without_a_page_bring_whole_pages_that_speak_of_the_thing(question: str, first: str) -> None:
    asked = Asked(album(), question, *[reply()] * 3)
    assert asked.places(0)[0] == first
    assert all(re.fullmatch(r"page \d+", place) for place in asked.places(0))
    assert asked.sent(0) == len(asked.places(0)) <= 2


@pytest.mark.parametrize(
    ("question", "page"),
    [
        ("Who signed the last page by hand?", 14),
        ("What colour is the cover?", 1),
        ("Was ist auf der letzten Seite unterstrichen?", 14),
        ("Quelle est la couleur du titre à la première page ?", 1),
        ("最後のページには何が書いてありますか", 14),
        ("What is on page 13?", 13),
    ],
)
def test_the_page_that_a_question_names_is_shown_whole(question: str, page: int) -> None:
    assert Asked(album(), question, *[reply()] * 3).places(0) == [f"page {page}"]
