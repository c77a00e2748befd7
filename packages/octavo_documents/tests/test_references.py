"""References in words and link annotations lead to what they name."""

from __future__ import annotations

import dataclasses
import time
from pathlib import Path

import pytest

from octavo_documents.document import Document, Kind, LinkKind
from octavo_documents.parsing.content import Annotation, Graphic, PageContent
from octavo_documents.structuring.parser_pool import ParserPool
from octavo_documents.structuring.pointers import NamedPointer, NearbyPointer, pointers
from printed import line, page, prose, rows, structured, text


def refers(document: Document) -> list[tuple[str, int, str]]:
    """(words, page of the target, kind of the target) of each reference."""
    links, blocks = document.links, document.blocks
    return [
        (links.text[at], int(blocks.page[int(links.target[at])]), blocks.kind_of(int(links.target[at])).label)
        for at in range(len(links))
        if links.kind_of(at) == LinkKind.REFERS_TO
    ]


@pytest.mark.parametrize(
    ("words", "what", "numbers"),
    [
        ("see Table 3 for more", "table", ("3",)),
        ("in Figs. 2-4 and 7", "figure", ("2", "3", "4", "7")),
        ("Figures 2 and 3(b) show", "figure", ("2", "3")),
        ("as § 4 says", "section", ("4",)),
        ("in Sections 2.1–2.3 we", "section", ("2.1", "2.2", "2.3")),
        ("(see pp. iii)", "page", ("III",)),
        ("from pages 3-5 on", "page", ("3", "4", "5")),
        ("by Eq. (3) it is", "equation", ("3",)),
        ("the list in Appendix B ends", "appendix", ("B",)),
        ("Table 3-2 and more", "table", ("3.2",)),
        ("In Table 3, 25 patients", "table", ("3",)),
        ("Tables 3, 4 and 5 list", "table", ("3", "4", "5")),
    ],
)
def test_words_name_what_they_point_to(words: str, what: str, numbers: tuple[str, ...]) -> None:
    (found,) = pointers(words)
    assert isinstance(found, NamedPointer)
    assert (found.what, found.numbers) == (what, numbers)
    assert found.text in words


@pytest.mark.parametrize(
    "words",
    [
        "under Section 13 or Section 15(d) of the Securities Exchange Act of 1934",
        "PURSUANT TO SECTION 13 OR 15(d) OF THE SECURITIES EXCHANGE ACT",
        "see Section 4 of Smith et al.",
        "in this section I show",
        "Journal of Tides, pp. 12-14",
        "Bates (1988), page 51",
        "page 3 of 10",
        "with p < 0.05",
        "The table was laid for two.",
    ],
)
def test_laws_citations_and_plain_words_point_nowhere(words: str) -> None:
    assert pointers(words) == []


@pytest.mark.parametrize("filling", ["1" * 60, "1.2" * 40, "1 2 3 " * 400, "(a)" * 2000, " " * 4000, "of A " * 2000])
def test_long_runs_after_a_pointer_are_read_in_passing(filling: str) -> None:
    started = time.process_time()
    pointers(f"as Section 4 {filling} x")
    assert time.process_time() - started < 1


@pytest.mark.parametrize(
    ("words", "what", "step", "on_page"),
    [
        ("The following table lists them.", "table", 1, False),
        ("as the chart above shows", "chart", -1, False),
        ("the figure on the next page", "figure", 1, True),
        ("the map overleaf", "map", 1, True),
        ("see overleaf", "", 1, True),
        ("is provided in the tables that follow", "table", 1, False),
        ("the chart which follows shows", "chart", 1, False),
    ],
)
def test_words_for_what_stands_near(words: str, what: str, step: int, on_page: bool) -> None:
    (found,) = pointers(words)
    assert isinstance(found, NearbyPointer)
    assert (found.what, found.step, found.on_page) == (what, step, on_page)


def report(words: str) -> Document:
    """A page with a reference, a section with a picture and its caption on the next page, printed numbers iv and v."""
    first = [line("1 Start", 72, 80, size=16, bold=True), *text(f"{words} {prose(40)}", 72, 120, 468)]
    second = [
        line("2 The pier", 72, 80, size=16, bold=True),
        *text(prose(30, seed="pier"), 72, 110, 468),
        line("Figure 3: The pier at dawn", 150, 410),
        *text(prose(40, seed="after"), 72, 460, 468),
    ]
    picture = Graphic("image", (150, 200, 450, 400))
    pages = [page(first), page(second, 2, graphics=[picture])]
    return structured(*(dataclasses.replace(one, label=label) for one, label in zip(pages, ("iv", "v"), strict=True)))


@pytest.mark.parametrize(
    ("words", "target"),
    [
        ("See Figure 3 for it.", ("Figure 3", 2, "figure")),
        ("See Section 2 for it.", ("Section 2", 2, "heading")),
        ("See page v for it.", ("page v", 2, "heading")),
        ("See the figure on the next page.", ("the figure on the next page", 2, "figure")),
    ],
)
def test_a_reference_leads_to_the_figure_the_heading_or_the_first_block(
    words: str, target: tuple[str, int, str]
) -> None:
    assert refers(report(words)) == [target]


def test_a_reference_to_what_is_not_there_leads_nowhere() -> None:
    assert refers(report("See Figure 9, Section 7 and page xii.")) == []


def test_a_caption_does_not_refer_to_itself() -> None:
    assert refers(report("Nothing here.")) == []


def test_an_annotation_links_its_words_where_words_alone_lead_nowhere() -> None:
    first = page([line("More stands there in the annex.", 72, 80), *text(prose(40), 72, 120, 468)])
    linked: PageContent = dataclasses.replace(first, annotations=(Annotation((72, 78, 132, 92), 2, 70.0),))
    second = page([line("Annex of tides", 72, 80, size=16, bold=True), *text(prose(40, seed="on"), 72, 120, 468)], 2)
    (found,) = refers(structured(linked, second))
    assert found[0].startswith("More")
    assert found[1] == 2


def test_a_link_whose_words_are_a_title_on_the_page_it_leads_to_means_that_title() -> None:
    first = page([line("3.1 Tide gauges", 72, 80), *text(prose(60), 72, 200, 468)])
    titles = [
        line(f"3.{at} {title}", 72, 80 + 200 * at, size=16, bold=True)
        for at, title in enumerate(["Boats", "Tide gauges"])
    ]
    texts = [*text(prose(60, seed="on"), 72, 110, 468), *text(prose(60, seed="off"), 72, 310, 468)]
    link = Annotation((72, 78, 150, 92), 2, 72.0)
    document = structured(dataclasses.replace(first, annotations=(link,)), page([*titles, *texts], 2))
    target = int(document.links.target[document.links.kind == LinkKind.REFERS_TO][0])
    assert document.blocks.text[target] == "3.1 Tide gauges"
    assert int(document.blocks.page[target]) == 2


def test_a_link_leads_to_the_column_that_its_target_stands_in() -> None:
    first = page([line("as Jung found", 72, 80), *text(prose(60), 72, 200, 468)])
    left = [line(f"left {at} " + "x" * 30, 72, 80 + 40 * at, width=220) for at in range(6)]
    right = [line(f"right {at} " + "y" * 30, 320, 92 + 40 * at, width=220) for at in range(6)]
    second = page([*left, *right], 2)
    for x, found in ((None, "right 2"), (72.0, "left 3"), (318.0, "right 2"), (0.0, "right 2")):
        link = Annotation((72, 78, 140, 92), 2, 170.0, x=x)
        document = structured(dataclasses.replace(first, annotations=(link,)), second)
        target = int(document.links.target[document.links.kind == LinkKind.REFERS_TO][0])
        assert document.blocks.text[target].startswith(found)


def test_a_figure_full_of_text_is_a_figure_where_its_caption_says_so() -> None:
    panel = Graphic("fill", (72, 200, 540, 400), 0xEEEEEE)
    inside = text(prose(120, seed="in"), 80, 210, 450)
    caption = line("Figure 1: What the prompt says", 72, 408)
    document = structured(page([*text(prose(40), 72, 80, 468), *inside, caption], graphics=[panel]))
    assert len(rows(document, Kind.FIGURE, Kind.CHART)) == 1
    assert int((document.links.kind == LinkKind.CAPTION_OF).sum()) == 1


def test_a_list_of_figures_holds_no_captions_and_leaves_those_of_the_figures_whole() -> None:
    handbook = Path(__file__).parents[3] / "examples" / "handbook.pdf"
    with ParserPool(1) as pool:
        document = Document.from_bytes(pool.parse(str(handbook), name="handbook.pdf", digest="0" * 64))
    captions = [
        text for text, kind in zip(document.blocks.text, document.blocks.kind, strict=True) if kind == Kind.CAPTION
    ]
    assert not any("....." in text for text in captions)
    assert any(text.startswith("Figure 1.1 Relief of the skerry") and "stilling well" in text for text in captions)
