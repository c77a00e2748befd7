"""PowerPoint files (PPTX, PPTM, PPSX, POTX) to blocks: a part for each slide, shapes in reading order, notes apart.

Macros, objects of other programs, sounds and films are never opened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from octavo_documents.document import Kind
from octavo_documents.parsing.embedded_objects import embedded_in
from octavo_documents.parsing.flow import CarriedFile, FlowBlock, FlowContent, NoText, attached, collapse_whitespace
from octavo_documents.parsing.formulas import FORMULA
from octavo_documents.parsing.left_out import LeftOutCounter
from octavo_documents.parsing.numerals import numeral, whole_number
from octavo_documents.parsing.office.drawing import (
    CHARTS,
    DIAGRAM,
    A,
    Shows,
    chart,
    description,
    diagram,
    table_block,
    text_of,
    words,
)
from octavo_documents.parsing.office.paint import NOTHING
from octavo_documents.parsing.office.slide_colours import P, SlideColours, is_rectangle
from octavo_documents.parsing.office.slide_layouts import (
    BODY_STYLED,
    FURNITURE,
    TITLES,
    Layout,
    Layouts,
    Placeholder,
    box_of,
    bullet_in,
    coordinate,
    placeholder,
)
from octavo_documents.parsing.office.slides import Box, Shape, Slide, cover, slide_blocks
from octavo_documents.parsing.open_xml import ALTERNATE, R_DATA, R_EMBED, R_ID, OpenXml
from octavo_documents.parsing.package import Element, name_of
from octavo_documents.parsing.pictures_inside import PicturesInside

_DEEPEST = 30
"""Groups inside each other that are followed."""
_P14 = "{http://schemas.microsoft.com/office/powerpoint/2010/main}"
_FORMS = {"arabic": "decimal", "alphaLc": "lowerLetter", "alphaUc": "upperLetter", "romanLc": "lowerRoman",
          "romanUc": "upperRoman"}  # fmt: skip
_LARGEST = 32_767


def read(data: bytes) -> FlowContent:
    """Return the blocks of a presentation. Raises NoText."""
    file = OpenXml(data, f"{P}presentation")
    said = file.properties()
    left_out = LeftOutCounter()
    presentation = _Presentation(file, left_out)
    slides, furniture = presentation.slides()
    blocks = [block for slide in slides for block in slide_blocks(slide)]
    blocks += [FlowBlock(Kind.PAGE_FOOTER, text) for text in furniture]
    blocks += [attached(one, 1) for one in presentation.carried()]
    return FlowContent(tuple(blocks), said.title, said.author, said.created, left_out.warnings())


class _Presentation:
    """Reads the slides of a file in their order."""

    def __init__(self, file: OpenXml, left_out: LeftOutCounter) -> None:
        self._file, self._left_out = file, left_out
        self._layouts = Layouts(file)
        self._authors = dict(self._named_authors())
        size = file.main.find(f"{P}sldSz")
        wide, high = (0.0, 0.0) if size is None else (coordinate(size, "cx"), coordinate(size, "cy"))
        self._edges = Box(0.0, 0.0, wide, high) if wide and high else None
        self._pictures = PicturesInside(file.package)
        self._furniture: dict[str, None] = {}
        """What stands on many slides, notes or handouts."""
        self._shown: list[str] = []
        """Names of the parts of slides that are shown."""
        self.objects = 0
        """Embedded objects on them."""

    def slides(self) -> tuple[list[Slide], list[str]]:
        """Return the slides, and what stands on many of them, each text once."""
        sections = self._sections()
        found: list[Slide] = []
        furniture = self._furniture
        self._handouts()
        for number, (id_, name) in enumerate(self._names(), 1):
            try:
                root = self._file.xml(name)
            except NoText:
                self._left_out.count("slide that cannot be read")
                continue
            layout = self._layouts.of(name)
            reader = _SlideReader(self._file, name, layout, self._left_out, self._edges, self._pictures)
            slide = reader.slide(root, number)
            if root.get("show") in ("0", "false"):
                self._left_out.count("hidden slide")
                said = [slide.title, *(block.text for shape in slide.shapes for block in shape.blocks)]
                self._left_out.unseen.hide(" ".join(said))
                continue
            self._shown.append(name)
            self.objects += reader.objects
            slide.level = _level(layout, number)
            slide.section = sections.get(id_, "")
            slide.footnotes = [*self._notes(name), *self._comments(name)]
            furniture.update(dict.fromkeys((*reader.furniture, *layout.texts)))
            found.append(slide)
        return found, list(furniture)

    def carried(self) -> list[CarriedFile]:
        """Return the files that are embedded in slides; what names none is counted as left out."""
        found = embedded_in(self._file.package, self._shown)
        self._left_out.count("embedded object", max(self.objects - len(found), 0))
        return found

    def _names(self) -> Iterator[tuple[str, str]]:
        """Yield the id and the name of the part of each slide."""
        for one in self._file.main.findall(f"{P}sldIdLst/{P}sldId"):
            name = self._file.linked(self._file.name, one.get(R_ID))
            if name:
                yield one.get("id", ""), name

    def _sections(self) -> dict[str, str]:
        """Return the names of sections by the id of their first slide; nothing where there is but one."""
        found: dict[str, str] = {}
        for one in self._file.main.iter(f"{_P14}section"):
            first = next(one.iter(f"{_P14}sldId"), None)
            if first is not None:
                found[first.get("id", "")] = collapse_whitespace(one.get("name", ""))
        return found if len(found) > 1 else {}

    def _notes(self, slide: str) -> Iterator[str]:
        try:
            root = self._file.related(slide, "notesSlide")
        except NoText:
            return
        for shape in root.iter(f"{P}sp", f"{P}graphicFrame") if root is not None else ():
            one = placeholder(shape)
            if one is not None and one.type in FURNITURE:
                self._running(shape, one)
                continue
            texts = [text for paragraph in shape.iter(f"{A}p") if (text := words(paragraph))]
            yield from (f"Notes: {text}" if at == 0 else text for at, text in enumerate(texts))

    def _handouts(self) -> None:
        """Take what is printed over and under handouts."""
        try:
            root = self._file.related(self._file.name, "handoutMaster")
        except NoText:
            return
        for shape in root.iter(f"{P}sp") if root is not None else ():
            one = placeholder(shape)
            if one is not None:
                self._running(shape, one)

    def _running(self, shape: Element, one: Placeholder) -> None:
        text = text_of(shape.find(f"{P}txBody")) if one.type in ("hdr", "ftr") else ""
        if text:
            self._furniture.setdefault(text)

    def _comments(self, slide: str) -> Iterator[str]:
        """Yield the comments on a slide, of the older and of the newer form, and the replies to them."""
        try:
            root = self._file.related(slide, "comments")
        except NoText:
            return
        for one in root.iter() if root is not None else ():
            if name_of(one) in ("cm", "reply"):
                older = one.find(f"{P}text")
                body = next((child for child in one if child.tag.endswith("}txBody")), None)
                text = text_of(body) if older is None else collapse_whitespace(older.text or "")
                author = self._authors.get(one.get("authorId", ""), "")
                if text:
                    yield f"Comment by {author}: {text}" if author else f"Comment: {text}"

    def _named_authors(self) -> Iterator[tuple[str, str]]:
        for kind in ("commentAuthors", "authors"):
            try:
                root = self._file.related(self._file.name, kind)
            except NoText:
                continue
            for one in root if root is not None else ():
                yield one.get("id", ""), collapse_whitespace(one.get("name", ""))


class _SlideReader:
    """Reads one slide. `furniture` is what its footer says, `edges` where the slide ends."""

    def __init__(
        self,
        file: OpenXml,
        name: str,
        layout: Layout,
        left_out: LeftOutCounter,
        edges: Box | None,
        pictures: PicturesInside,
    ) -> None:
        self._file, self._name, self._layout, self._left_out = file, name, layout, left_out
        self._edges, self._pictures = edges, pictures
        self.furniture: list[str] = []
        self.objects = 0
        self._slide = Slide(0)
        self._colours = SlideColours((), None, None)

    def slide(self, root: Element, number: int) -> Slide:
        """Return what stands on the slide."""
        self._slide = Slide(number)
        styles = self._file.main.find(f"{P}defaultTextStyle")
        self._colours = SlideColours((root, *self._layout.roots), self._layout.theme, styles)
        for one in reversed(self._layout.roots):
            for shape, place in _shapes(one.find(f"{P}cSld/{P}spTree"), _same, 0):
                if placeholder(shape) is None:
                    self._draw(shape, (), box_of(shape), place)
        moves = next(root.iter(f"{P}childTnLst"), None) is not None
        for shape, place in _shapes(root.find(f"{P}cSld/{P}spTree"), _same, 0):
            before = self._slide.shapes
            self._slide.shapes = []
            covered = self._shape(shape, place)
            if covered is not None and not moves:
                cover(before, covered, self._left_out.unseen.hide)
            self._slide.shapes = [*before, *self._slide.shapes]
        return self._slide

    def _draw(
        self, shape: Element, above: Sequence[Element], box: Box | None, place: Callable[[Box], Box]
    ) -> Box | None:
        """Draw a shape over those before it; return where it hides them."""
        fill = self._colours.fill(shape, above)
        drawn = None if box is None else place(box)
        self._colours.draw(fill, drawn, shape)
        return drawn if fill.colour is not None and is_rectangle(shape) else None

    def _shape(self, shape: Element, place: Callable[[Box], Box]) -> Box | None:
        """Take what a shape says; return where it hides what is under it."""
        one = placeholder(shape)
        if self._is_unseen(shape, one, place):
            self._left_out.unseen.hide(" ".join(filter(None, map(words, shape.iter(f"{A}p")))))
            return None
        above = tuple(self._layout.above(one)) if one else ()
        box = box_of(shape)
        if box is None and one is not None:
            box = self._layout.box(one)
        self._read_shape(shape, one, above, None if box is None else place(box))
        return self._draw(shape, above, box, place)

    def _read_shape(self, shape: Element, one: Placeholder | None, above: Sequence[Element], box: Box | None) -> None:
        """Take what a shape at a place says; `above` are the shapes that it follows."""
        ground = self._colours.ground(self._colours.fill(shape, above), box)
        kind = "" if one is None else "title" if one.type in TITLES else "body" if one.type in BODY_STYLED else ""
        shows = self._colours.words_on(ground, shape, above, kind, self._left_out.unseen.hide)
        if one is not None and one.type in FURNITURE:
            text = text_of(shape.find(f"{P}txBody"), shows)
            is_fixed = next(shape.iter(f"{A}fld"), None) is None
            if text and (one.type in ("ftr", "hdr") or (one.type == "dt" and is_fixed)):
                self.furniture.append(text)
        elif one is not None and one.type in TITLES and not self._slide.title:
            self._slide.title = text_of(shape.find(f"{P}txBody"), shows)
        else:
            blocks = list(self._blocks(shape, one, shows, box))
            if blocks:
                self._slide.shapes.append(Shape(blocks, box))

    def _is_unseen(self, shape: Element, one: Placeholder | None, place: Callable[[Box], Box]) -> bool:
        """Whether a shape is hidden, or stands beside the slide."""
        named = next(shape.iter(f"{P}cNvPr"), None)
        if named is not None and named.get("hidden") in ("1", "true"):
            return True
        box, edges = box_of(shape), self._edges
        if box is None or edges is None:
            return False
        if one is not None and one.type in TITLES:
            return False  # authors put titles there for the outline
        box = place(box)
        return box.right <= edges.left or box.left >= edges.right or box.bottom <= edges.top or box.top >= edges.bottom

    def _blocks(
        self, shape: Element, one: Placeholder | None, shows: Callable[[Element], Shows], box: Box | None
    ) -> Iterator[FlowBlock]:
        if shape.tag == f"{P}graphicFrame":
            found = list(self._framed(shape, box))
            yield from found or self._described(shape)
            return
        body = shape.find(f"{P}txBody")
        found = [] if body is None else list(self._paragraphs(shape, body, one, shows))
        yield from found or self._described(shape)

    def _described(self, shape: Element) -> Iterator[FlowBlock]:
        named = next(shape.iter(f"{P}cNvPr"), None)
        about = "" if named is None else description(named.get("descr"))
        drawn = next(shape.iter(f"{A}blip"), None) if shape.tag == f"{P}pic" else None
        part = "" if drawn is None else self._file.linked(self._name, drawn.get(R_EMBED))
        block = self._pictures.block(part, about)
        if block:
            yield block
        elif shape.tag == f"{P}pic":
            self._left_out.count("picture without a description")

    def _framed(self, shape: Element, box: Box | None) -> Iterator[FlowBlock]:
        ground = self._colours.ground(NOTHING, box)
        for one in shape.iter(f"{A}tbl"):
            block = table_block(one, self._colours.cells_on(one, ground, self._left_out.unseen.hide))
            if block:
                yield block
        for one in shape.iter(*CHARTS):
            yield from self._part(one.get(R_ID), chart)
        for one in shape.iter(DIAGRAM):
            yield from self._part(one.get(R_DATA), diagram)
        self.objects += next(shape.iter(f"{P}oleObj"), None) is not None

    def _part(self, id_: str | None, read_part: Callable[[Element], Iterable[FlowBlock]]) -> list[FlowBlock]:
        name = self._file.linked(self._name, id_)
        try:
            found = list(read_part(self._file.xml(name))) if name else []
        except NoText:
            found = []
        self._left_out.count("chart or diagram that cannot be read", int(not found))
        return found

    def _paragraphs(
        self, shape: Element, body: Element, one: Placeholder | None, shows: Callable[[Element], Shows]
    ) -> Iterator[FlowBlock]:
        counts: dict[int, tuple[str, int]] = {}
        for paragraph in body.iterchildren(f"{A}p"):
            text = words(paragraph, shows(paragraph))
            if not text:
                continue
            properties = paragraph.find(f"{A}pPr")
            deep = None if properties is None else whole_number(properties.get("lvl", ""), digits=2)
            level = min((deep or 0) + 1, 9)
            bullet = bullet_in(properties)
            bullet = self._layout.bullet(shape, one, level) if bullet is None else bullet
            if bullet is None or bullet.tag == f"{A}buNone":
                counts.clear()
                yield _plain(paragraph, text)
                continue
            label = _number(bullet, counts, level)
            yield FlowBlock(Kind.LIST_ITEM, f"{label} {text}".strip(), level)


def _plain(paragraph: Element, text: str) -> FlowBlock:
    runs = [run for run in paragraph.iter(f"{A}r") if "".join(one.text or "" for one in run.iter(f"{A}t")).strip()]
    if not runs and next(paragraph.iter(FORMULA), None) is not None:
        return FlowBlock(Kind.FORMULA, text)
    properties = [run.find(f"{A}rPr") for run in runs]
    is_bold = bool(runs) and all(one is not None and one.get("b") in ("1", "true") for one in properties)
    return FlowBlock(Kind.PARAGRAPH, text, bold=is_bold)


def _number(bullet: Element, counts: dict[int, tuple[str, int]], level: int) -> str:
    """Count a paragraph and return the number before it: "1.", "(a)"; "" for a bullet."""
    for deeper in [one for one in counts if one > level]:
        del counts[deeper]
    if bullet.tag != f"{A}buAutoNum":
        counts.pop(level, None)
        return ""
    kind, first = bullet.get("type", ""), whole_number(bullet.get("startAt", "1"), digits=5)
    begun, value = counts.get(level, ("", 0))
    value = value + 1 if begun == kind else 1 if first is None else min(first, _LARGEST)
    counts[level] = (kind, value)
    form = next((_FORMS[name] for name in _FORMS if kind.startswith(name)), "decimal")
    before = "(" if kind.endswith("ParenBoth") else ""
    after = ")" if "Paren" in kind else "." if kind.endswith("Period") else ""
    return f"{before}{numeral(value, form)}{after}"


def _level(layout: Layout, number: int) -> int:
    """Return the level of a slide's title: the first may name the whole, some begin a section."""
    if layout.type == "title":
        return 1 if number == 1 else 3
    return 3 if layout.type == "secHead" else 4


def _shapes(
    tree: Element | None, place: Callable[[Box], Box], depth: int
) -> Iterator[tuple[Element, Callable[[Box], Box]]]:
    """Yield the shapes in a tree, those of groups one by one, each with how its box stands on the slide."""
    for shape in tree if tree is not None and depth < _DEEPEST else ():
        if shape.tag == f"{P}grpSp":
            yield from _shapes(shape, _inside(shape, place), depth + 1)
        elif shape.tag == ALTERNATE:
            yield from _shapes(next((one for one in shape if len(one)), shape), place, depth + 1)
        elif shape.tag in _READ:
            yield shape, place


def _same(box: Box) -> Box:
    return box


def _inside(group: Element, place: Callable[[Box], Box]) -> Callable[[Box], Box]:
    """Return how a box in a group's own units stands on the slide."""
    outer = box_of(group)
    frame = group.find(f"{P}grpSpPr/{A}xfrm")
    start = None if frame is None else frame.find(f"{A}chOff")
    size = None if frame is None else frame.find(f"{A}chExt")
    if outer is None or start is None or size is None:
        return place
    x, y, wide, high = coordinate(start, "x"), coordinate(start, "y"), coordinate(size, "cx"), coordinate(size, "cy")
    across = (outer.right - outer.left) / wide if wide else 1.0
    down = (outer.bottom - outer.top) / high if high else 1.0

    def moved(box: Box) -> Box:
        return place(
            Box(
                outer.left + (box.left - x) * across,
                outer.top + (box.top - y) * down,
                outer.left + (box.right - x) * across,
                outer.top + (box.bottom - y) * down,
            )
        )

    return moved


_READ = frozenset(P + name for name in ("sp", "pic", "graphicFrame", "cxnSp", "contentPart"))
