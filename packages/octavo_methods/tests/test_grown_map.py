"""The document map grown page by page (DMAP equation 5): what each step sees, what is kept, and where it goes on."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest
from hypothesis import given

from indexed import view_of
from octavo.decisions.engine.judge import Judge
from octavo.errors import CorpusError, SourceError
from octavo.layers import OPTIONAL_LAYERS
from octavo.layers.base import LayerInputs
from octavo.layers.descriptions import DESCRIPTIONS
from octavo.models.gateway import Budget, Caps, Gateway, Limits, MemoryJournal
from octavo.models.language import FaultKind, ModelFault, Request, estimate_tokens
from octavo.models.ports import Raster
from octavo.models.scripted import Line, Script, ScriptedModel
from octavo_documents.document import Document, Kind
from octavo_methods.dmap.decisions.map_page import (
    MAP_PAGE,
    MappedPage,
    PageBlock,
    PageShown,
    PageToMap,
    next_number,
    sections_of,
)
from octavo_methods.dmap.document_map import DocumentMap
from octavo_methods.dmap.grown_map import GrownMap, MapSection
from octavo_methods.dmap.layers.document_map import DOCUMENT_MAP, grown
from synthetic import Row, document, documents, with_tables

H, P, T = Kind.HEADING, Kind.PARAGRAPH, Kind.TABLE
ROWS: list[Row] = [
    (H, "Quays", 1, 1),
    (P, "The north quay is 310 metres long.", 1, 0),
    (H, "Cranes", 2, 2),
    (P, "Four cranes stand on it.", 2, 0),
    (P, "The largest lifts 40 tons.", 3, 0),
    (T, "Crane | Load", 3, 0),
    (Kind.CAPTION, "Table 1: Cranes by load", 3, 0),
    (H, "Tides", 4, 1),
    (P, "Spring tides rise by 4.1 metres.", 4, 0),
]
PORT = with_tables(document(ROWS), {5: [["Crane", "Load"], ["North", "40"]]}, {5: 6})


def inputs(source: Document, judge: Judge | None = None, *, draws: bool = True) -> LayerInputs:
    def render(page: int, box: object, dpi: float) -> Raster:
        assert box is None
        return np.full((4, 4, 3), page, np.uint8)

    stored = {"descriptions": DESCRIPTIONS.build(LayerInputs(source))}
    return LayerInputs(source, stored, judge=judge or Judge(), render=render if draws else None)


def asking(script: Script, *, journal: MemoryJournal | None = None, caps: Caps | None = None, sees: bool = True):
    model = ScriptedModel(script, sees=sees)
    gateway = Gateway(journal or MemoryJournal(), limits=Limits(attempts=1), sleep=lambda _seconds: None)
    return Judge({"language": model}, gateway=gateway, budget=Budget(caps)), model


def number_of(request: Request) -> int:
    """Return the number of the page that a request is about."""
    return int(re.findall(r'<page number="(\d+)">', request.turns[0].text)[0])


def outline_in(request: Request) -> list[str]:
    return re.findall(r"^[\d.]+: .* <-> .*$", request.turns[0].text, re.M)


def one_section(request: Request) -> str:
    """A model that finds one section all over the document."""
    page = number_of(request)
    line = f"1: Everything <-> {', '.join(map(str, range(1, page + 1)))}"
    return json.dumps({"outline": [line], "summary": f"Page {page} says it.", "elements": []})


def pages_of(found: GrownMap) -> dict[str, tuple[int, ...]]:
    return {one.number: one.pages for one in found.sections}


# By rule: the headings


def test_by_rule_headings_open_sections_and_pages_count_for_those_above() -> None:
    found = grown(inputs(PORT))
    assert [(one.number, one.title) for one in found.sections] == [("1", "Quays"), ("1.1", "Cranes"), ("2", "Tides")]
    assert pages_of(found) == {"1": (1, 2, 3), "1.1": (2, 3), "2": (4,)}
    assert found.pages[3] == "Spring tides rise by 4.1 metres."
    assert [(one.row, one.name) for one in found.elements] == [(5, "Table 1: Cranes by load")]
    assert not any(found.written)


def test_a_page_that_begins_with_text_belongs_to_the_section_that_was_open_too() -> None:
    rows: list[Row] = [(H, "A", 1, 1), (P, "On.", 2, 0), (H, "B", 2, 1), (H, "C", 3, 1), (P, "End.", 3, 0)]
    assert pages_of(grown(inputs(document(rows)))) == {"1": (1, 2), "2": (2,), "3": (3,)}


@pytest.mark.parametrize(
    ("last", "depth", "number"),
    [((), 1, (1,)), ((), 3, (1,)), ((2,), 1, (3,)), ((2,), 2, (2, 1)), ((3, 1), 2, (3, 2)), ((3, 1), 1, (4,))],
)
def test_the_next_number_of_a_level(last: tuple[int, ...], depth: int, number: tuple[int, ...]) -> None:
    assert next_number(last, depth) == number


@given(documents())
def test_any_document_has_a_map_that_holds(source: Document) -> None:
    found = GrownMap.from_bytes(DOCUMENT_MAP.build(inputs(source, draws=False)))
    assert len(found.pages) == len(source.pages)
    numbers = {one.path: set(one.pages) for one in found.sections}
    for path, pages in numbers.items():
        assert all(pages <= numbers[path[:depth]] for depth in range(1, len(path)))


def test_a_document_without_headings_has_the_sections_of_its_topics() -> None:
    plain = document([(P, f"Page {page} of plain words.", page, 0) for page in (1, 2, 3)])
    assert grown(inputs(plain)).sections == ()
    assert DocumentMap.grown(view_of(plain)).sections == DocumentMap.of(view_of(plain)).sections


def test_the_map_is_that_of_the_headings_where_no_model_grew_it() -> None:
    view = view_of(PORT)
    ours, theirs = DocumentMap.of(view).sections, DocumentMap.grown(view).sections
    assert [(one.title, list(one.pages), one.depth, one.parent) for one in theirs] == [
        (one.title, list(one.pages), one.depth, one.parent) for one in ours
    ]


# By a model: S_i = A(S_(i-1), P_i, P_(i-1))


def test_each_step_sees_the_outline_so_far_the_page_and_the_one_before_it() -> None:
    judge, model = asking(one_section)
    found = grown(inputs(PORT, judge))
    assert [number_of(one) for one in model.requests] == [1, 2, 3, 4]
    assert [outline_in(one) for one in model.requests] == [
        [],
        ["1: Everything <-> 1"],
        ["1: Everything <-> 1, 2"],
        ["1: Everything <-> 1, 2, 3"],
    ]
    text = model.requests[2].turns[0].text
    before, page = re.findall(r"<page(?:_before)? number=\"\d+\">\n(.*?)\n</page", text, re.DOTALL)
    assert "Four cranes" in before
    assert "The largest lifts" in page
    assert "The north quay" not in text
    assert (pages_of(found), found.pages[1]) == ({"1": (1, 2, 3, 4)}, "Page 2 says it.")
    assert all(found.written)


def test_a_model_is_shown_the_page_and_the_page_before_it_as_pictures() -> None:
    judge, model = asking(one_section)
    grown(inputs(PORT, judge))
    shown = [[picture.data for picture in one.turns[0].pictures] for one in model.requests]
    assert [len(one) for one in shown] == [1, 2, 2, 2]
    assert shown[2] == [shown[2][0], shown[1][0]]
    assert len({one[0] for one in shown}) == 4


def test_of_a_long_block_the_beginning_is_shown_and_of_a_long_outline_the_last_lines() -> None:
    judge, model = asking(one_section)
    grown(inputs(document([(P, "a" * 4000 + "b", 1, 0)]), judge))
    text = model.requests[0].turns[0].text
    assert "a" * 4000 in text
    assert "ab" not in text
    outline = tuple(MapSection(str(at), f"Section of the harbour {at}", (1,)) for at in range(1, 200))
    filled = MAP_PAGE.render(PageToMap(outline, PageShown(2, (PageBlock(1, "paragraph", "Words."),))), 1000)
    lines = filled.values["outline"].splitlines()
    assert lines[-1].startswith("199: ")
    assert 300 < estimate_tokens("\n".join(lines)) <= 400
    assert filled.left_out == 199 - len(lines)
    assert MAP_PAGE.max_output_tokens == 4096


def test_a_page_that_cannot_be_drawn_is_read() -> None:
    def render(page: int, box: object, dpi: float) -> Raster:
        raise SourceError("damaged", "the page cannot be drawn")

    judge, model = asking(one_section)
    asked = inputs(PORT, judge)
    grown(LayerInputs(PORT, asked.stored, judge=judge, render=render))
    assert not any(one.turns[0].pictures for one in model.requests)


def test_a_model_that_does_not_see_is_not_asked() -> None:
    judge, model = asking(one_section, sees=False)
    assert grown(inputs(PORT, judge)) == grown(inputs(PORT))
    assert model.calls == 0


def test_what_a_model_says_of_an_element_is_kept_under_its_caption() -> None:
    def say(request: Request) -> str:
        shown = re.findall(r"^\[(\d+)\] \(table\)", request.turns[0].text.rpartition("<page ")[2], re.M)
        said = [{"id": int(at), "summary": "Cranes and what they lift."} for at in [*shown, 99]]
        return json.dumps({**json.loads(one_section(request)), "elements": said})

    judge, _ = asking(say)
    (element,) = grown(inputs(PORT, judge)).elements
    assert (element.row, element.name, element.summary) == (5, "Table 1: Cranes by load", "Cranes and what they lift.")


# What comes back is brought in order


def mapped(outline: list[str], known: tuple[MapSection, ...] = (), page: int = 3) -> MappedPage:
    assert MAP_PAGE.check is not None
    shown = PageShown(page, (PageBlock(1, "paragraph", "Words."),))
    return MAP_PAGE.check(PageToMap(known, shown), MappedPage(outline=outline, summary="It."))


def test_pages_count_upward_once_and_in_order_and_only_those_read() -> None:
    assert mapped(["1.2: Inner <-> 3, 2, 3, 9", "1: Outer <-> 1"]).outline == [
        "1: Outer <-> 1, 2, 3",
        "1.2: Inner <-> 2, 3",
    ]


def test_an_empty_page_has_no_content_by_rule_and_where_a_model_says_nothing() -> None:
    assert mapped(["1: All <-> 3"]).summary == "It."
    assert MAP_PAGE.check is not None
    assert MAP_PAGE.rule is not None
    empty = PageToMap((), PageShown(2, ()))
    assert MAP_PAGE.check(empty, MappedPage(outline=[], summary=" ")).summary == "no content"
    assert MAP_PAGE.rule(empty).summary == "no content"


def test_a_section_that_is_left_out_stays_while_its_page_is_in_no_other() -> None:
    known = (MapSection("1", "One", (1,)), MapSection("2", "Two", (2,)))
    assert mapped(["1: Both <-> 1, 2, 3"], known).outline == ["1: Both <-> 1, 2, 3"]
    assert mapped(["2: Two <-> 2, 3"], known).outline == ["1: One <-> 1", "2: Two <-> 2, 3"]


def test_lines_of_another_form_are_asked_for_again() -> None:
    with pytest.raises(ValueError, match="outline"):
        mapped(["Introduction, pages 1 to 3"])
    assert sections_of(["01. : A <-> 1", "x", "1: B <-> 2", "2: C <->"]) == (MapSection("1", "A", (1,)),)


@pytest.mark.parametrize("bad", ["no json", ModelFault(FaultKind.REFUSED, "no"), ModelFault(FaultKind.SERVER, "down")])
def test_a_page_that_a_model_fails_on_is_mapped_by_rule_and_the_next_goes_on_from_there(bad: Line) -> None:
    judge, model = asking(lambda request: bad if number_of(request) == 2 else one_section(request))
    found = grown(inputs(PORT, judge))
    assert found.written == (True, False, True, True)
    third = next(one for one in model.requests if number_of(one) == 3)
    assert outline_in(third) == ["1: Everything <-> 1, 2", "1.1: Cranes <-> 2"]


def test_a_job_that_was_stopped_goes_on_without_paying_twice() -> None:
    journal = MemoryJournal()
    judge, first = asking(one_section, journal=journal, caps=Caps(calls=2))
    grown(inputs(PORT, judge))
    assert (judge.stopped is not None, first.calls) == (True, 2)
    judge, second = asking(one_section, journal=journal)
    found = grown(inputs(PORT, judge))
    assert [number_of(one) for one in second.requests] == [3, 4]
    assert all(found.written)


def test_the_estimate_counts_a_call_a_page_and_the_pictures() -> None:
    judge, model = asking(one_section)
    assert DOCUMENT_MAP.estimate is not None
    calls = DOCUMENT_MAP.estimate(inputs(PORT, judge))
    assert [name for name, _, _ in calls] == ["map_page"] * 4
    assert calls[1][1] - calls[0][1] > 900
    assert model.calls == 0
    judge, _ = asking(one_section, sees=False)
    assert DOCUMENT_MAP.estimate(inputs(PORT, judge)) == []


def test_what_is_stored_comes_back_and_what_is_no_map_is_refused() -> None:
    assert OPTIONAL_LAYERS["document_map"] is DOCUMENT_MAP
    found = grown(inputs(PORT))
    assert GrownMap.from_bytes(found.to_bytes()) == found
    for wrong in (GrownMap((MapSection("1", "A", (2,)),), ("x",), (), (False,)), GrownMap((), ("x",))):
        with pytest.raises(CorpusError):
            GrownMap.from_bytes(wrong.to_bytes())


def test_a_section_may_go_round_pages() -> None:
    def say(request: Request) -> str:
        page = number_of(request)
        lines = [f"1: Odd <-> {', '.join(str(one) for one in range(1, page + 1, 2))}"]
        lines += [f"2: Even <-> {', '.join(str(one) for one in range(2, page + 1, 2))}"] if page > 1 else []
        return json.dumps({"outline": lines, "summary": "x", "elements": []})

    judge, _ = asking(say)
    data = DOCUMENT_MAP.build(inputs(PORT, judge))
    view = view_of(PORT)
    view._layers._built[PORT.id, "document_map"] = data  # pyright: ignore
    found = DocumentMap.grown(view)
    assert [list(one.pages) for one in found.sections] == [[0, 2], [1, 3]]
    assert [found.sections[at].title for at in found.sections_on(2)] == ["Odd"]
    assert next(found.widened([0])) == ("section", [2])
