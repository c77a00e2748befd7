"""The inked characters of a PDF page as arrays: codes, boxes, sizes, styles.

Characters keep the order of the content stream. Text that is not written from left to right on the page as displayed
gets boxes in a frame of its own, turned so that it reads left to right; `angle` says by how much.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

import numpy as np
import numpy.typing as npt

from octavo_documents.parsing.content import MIRRORED
from octavo_documents.parsing.pdf import pdfium
from octavo_documents.parsing.pdf.fonts import ObjectLooks, Style, is_invisible, read_colors, read_fonts
from octavo_documents.parsing.pdf.frame import Frame
from octavo_documents.parsing.pdf.ligatures import LOST, with_ligatures
from octavo_documents.parsing.pdf.mirrored_signs import as_drawn
from octavo_documents.parsing.pdf.pdfium import Boxes
from octavo_documents.parsing.pdf.vertical_writing import DOWNWARDS, column_boxes, in_columns, may_be_vertical

Integers = npt.NDArray[np.int64]
Mask = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]

_STRIDE = 16
_SAMPLE = 64
_MOSTLY = 0.5
DESCENT, _ASCENT = 0.22, 0.78
_X_HEIGHT = 0.6
_TALLEST_FONT = 5.0
_SAME_DIRECTION = 2.0
_GLYPHWISE = 0.7
_MANY_OBJECTS = 300
_LINE_END = 0x0A
_FEWEST_CONTROLS = 8


class UnreadableText(Exception):
    """The page has a text layer from which no reader could tell the text: its glyphs are not mapped to characters."""


@dataclass(frozen=True, slots=True)
class Characters:
    """The inked characters of a page in content order; all arrays have one entry (row) per character.

    `boxes` are (n, 4) points in the reading frame of `angle` (displayed page coordinates where it is 0), `sizes` are
    font sizes in points, `spaced` says that white space stands before the character, `style` indexes `styles`, `angle`
    is that of `TextLine`, `object` numbers the text objects of the page, `index` is the character's place in the text
    page, `line` numbers what PDFium takes for lines. `handles`, `alphas` (0..255, how opaque) and `is_invisible` (no
    ink) have an entry for each text object.
    """

    codes: Integers
    boxes: Boxes
    sizes: Numbers
    spaced: Mask
    style: Integers
    angle: Integers
    styles: tuple[Style, ...]
    object: Integers
    index: Integers
    line: Integers
    handles: Integers
    alphas: Integers
    is_invisible: Mask

    def __len__(self) -> int:
        return len(self.codes)

    @property
    def angles(self) -> list[int]:
        """Return the angles that there are."""
        return np.unique(self.angle).tolist() if self.angle.any() else [0]

    def take(self, rows: Mask) -> Characters:
        """Return some of the characters; white space before what is left out stands before what follows it."""
        kept = np.flatnonzero(rows)
        counts = np.concatenate(([0], np.cumsum(self.spaced)))
        before = np.concatenate(([0], kept[:-1] + 1))
        return dataclasses.replace(
            self,
            codes=self.codes[kept],
            boxes=self.boxes[kept],
            sizes=self.sizes[kept],
            spaced=counts[kept + 1] > counts[before],
            style=self.style[kept],
            angle=self.angle[kept],
            object=self.object[kept],
            index=self.index[kept],
            line=self.line[kept],
        )


def read_characters(text: pdfium.Handle, frame: Frame, *, most: int) -> Characters | None:
    """Read at most `most` characters of an open text page; None when there are none.

    Raises:
        UnreadableText: there are, but they mean nothing.
    """
    count = min(int(pdfium.count_characters(text)), most)
    codes = _codes(text, count)
    if count:
        codes = with_ligatures(text, codes)
    codes[(codes == 2) | (codes == LOST)] = 0x2D  # PDFium's marks for a hyphen at the end of a line
    if is_right_to_left(codes).any():
        codes = as_drawn(codes)
    is_ink = (codes > 32) & (codes != 0xA0) & ~_is_blank(codes)
    ink = np.flatnonzero(is_ink)
    if not len(ink):
        return None
    if _is_unmapped(codes, len(ink)) or is_garbage(text, codes[ink], ink):
        raise UnreadableText
    objects = _objects(text, ink)
    known = objects > 0
    ink, objects = ink[known], objects[known]
    if not len(ink):
        return None
    return _assemble(text, frame, _Inked(codes, ink, objects, is_ink))


def _is_unmapped(codes: Integers, inked: int) -> bool:
    """Return whether a font's own numbers of its glyphs stand for most letters: as many control characters as signs."""
    is_control = (codes > 2) & (codes < 0x20) & ~np.isin(codes, (0x09, 0x0A, 0x0D))
    return int(is_control.sum()) > max(inked, _FEWEST_CONTROLS)


def is_garbage(text: pdfium.Handle, codes: Integers, indices: Integers) -> bool:
    """Return whether a text layer has no meaning: mostly private-use, replacement or unmapped codes."""
    private = ((codes >= 0xE000) & (codes <= 0xEFFF)) | (codes == 0xFFFD) | (codes >= 0xF0000)
    if private.mean() > _MOSTLY:
        return True
    sample: list[int] = indices[:: max(1, len(indices) // _SAMPLE)].tolist()
    unmapped = sum(value == 1 for value in map(pdfium.is_unmapped, repeat(text), sample))
    return unmapped > _MOSTLY * len(sample)


@dataclass(frozen=True, slots=True)
class _Inked:
    codes: Integers
    index: Integers
    objects: Integers
    is_ink: Mask


def _assemble(text: pdfium.Handle, frame: Frame, inked: _Inked) -> Characters:
    index = inked.index
    first = np.concatenate(([0], np.flatnonzero(inked.objects[1:] != inked.objects[:-1]) + 1))
    owner = np.repeat(np.arange(len(first)), np.diff(np.append(first, len(index))))
    fonts, font = read_fonts(inked.objects[first].tolist())
    loose = _loose_boxes(text, index, owner, is_right_to_left(inked.codes[index]))
    is_alike = _is_alike(loose, index, first, font)
    setting = _read_setting(text, index[first], is_alike)
    leaders: list[int] = inked.objects[first[~is_alike]].tolist()
    colors, alphas = read_colors(leaders)
    source = np.cumsum(~is_alike) - 1
    looks = ObjectLooks(fonts, font, colors[source])
    object_sizes, extents = _in_ems(setting.sizes, looks.extents())
    sizes = object_sizes[owner]
    boxes, is_flat = _flat_boxes(loose, sizes, extents[owner])
    is_flat &= setting.is_level[owner] & (frame.turns == 0)
    shown, angle = frame.boxes(boxes), np.zeros(len(index), np.int64)
    if not is_flat.all():
        rows = np.flatnonzero(~is_flat)
        shown[rows], angle[rows] = _turned(text, frame, index[rows], sizes[rows], setting, owner[rows])
    joined = np.flatnonzero(is_right_to_left(inked.codes[index]) & (angle == 0))
    if len(joined):
        pens = _pens(text, index[joined])
        shown[joined, 0] = frame.boxes(np.hstack((pens, pens)))[:, 0]
    if may_be_vertical(inked.codes[index]):
        pens, is_upright = _pens(text, index), setting.is_level[owner]
        rows = np.flatnonzero(in_columns(inked.codes[index], pens, sizes, is_upright))
        shown[rows], angle[rows] = column_boxes(pens[rows], sizes[rows]), (DOWNWARDS - 90 * frame.turns) % 360
    style, styles = looks.styles(object_sizes)
    return Characters(
        codes=inked.codes[index],
        boxes=_spread(shown, owner, inked.codes[index]),
        sizes=sizes,
        spaced=_spaced(inked),
        style=style[owner],
        angle=angle,
        styles=styles,
        object=owner,
        index=index,
        line=np.cumsum(inked.codes == _LINE_END)[index],
        handles=inked.objects[first],
        alphas=alphas[source],
        is_invisible=is_invisible(leaders)[source],
    )


def is_right_to_left(codes: Integers) -> Mask:
    """Return which characters are of the blocks of right-to-left scripts."""
    is_presented = ((codes >= 0xFB1D) & (codes <= 0xFDFF)) | ((codes >= 0xFE70) & (codes <= 0xFEFC))
    return ((codes >= 0x590) & (codes <= 0x8FF)) | is_presented


def _pens(text: pdfium.Handle, index: Integers) -> Numbers:
    """Return the (n, 2) places on the page where characters begin, whatever other places their strokes reach."""
    points = np.zeros((len(index), 2), np.float64)
    pdfium.fill_fields(pdfium.character_origin, index.tolist(), points, owner=text)
    return points


def _loose_boxes(text: pdfium.Handle, index: Integers, owner: Integers, is_leftward: Mask) -> Boxes:
    """Return (n, 4) loose boxes (left, top, right, bottom), asked for at the ends of words only.

    Inside a word of one text object there are no gaps that matter (PDFium has put a space in each), so the letters
    between the first and the last share the room evenly. Where the last does not stand right of the first, and where
    some are written from right to left, all are asked for.
    """
    starts = np.concatenate(([0], np.flatnonzero((np.diff(index) != 1) | (np.diff(owner) != 0)) + 1))
    stops = np.append(starts[1:], len(index))
    boxes = np.zeros((len(index), 4), np.float64)
    is_end = np.zeros(len(index), np.bool_)
    is_end[starts] = is_end[stops - 1] = True
    ends = np.flatnonzero(is_end)
    boxes[ends] = pdfium.fill_indexed(pdfium.character_loose_box, text, index[ends].tolist())
    inner = stops - starts - 2
    room = boxes[stops - 1, 0] - boxes[starts, 2]
    is_odd = (inner > 0) & ((room <= 0) | (boxes[stops - 1] != boxes[starts])[:, (1, 3)].any(axis=1))
    word = np.repeat(np.arange(len(starts)), stops - starts)
    is_odd[word[is_leftward]] = True
    asked = is_odd[word]
    asked[ends] = False
    boxes[asked] = pdfium.fill_indexed(pdfium.character_loose_box, text, index[asked].tolist())
    shared = ~asked
    shared[ends] = False
    word = word[shared]
    place = np.flatnonzero(shared) - starts[word] - 1
    step = room[word] / inner[word]
    left = boxes[starts[word], 2] + place * step
    boxes[shared] = np.stack((left, boxes[starts[word], 1], left + step, boxes[starts[word], 3]), axis=1)
    return boxes


def _is_alike(loose: Boxes, index: Integers, first: Integers, font: Integers) -> Mask:
    """Return which text objects go on a word as the one before: same font, height and baseline, right beside.

    Some producers make an object of every glyph; what those of a word share is asked for once. Where objects are
    longer, one may be a link in the middle of a word, and each is asked.
    """
    glyphs = np.diff(np.append(first, len(index)))
    if len(first) < _MANY_OBJECTS or float((glyphs == 1).mean()) < _GLYPHWISE:
        return np.zeros(len(first), bool)
    before, after = loose[np.maximum(first - 1, 0)], loose[first]
    height = after[:, 1] - after[:, 3]
    alike = (index[first] == index[np.maximum(first - 1, 0)] + 1) & (font == np.roll(font, 1)) & (height > 0)
    alike &= np.abs(after[:, 0] - before[:, 2]) < 0.5 * height
    alike &= np.abs(after[:, (1, 3)] - before[:, (1, 3)]).max(axis=1) < 0.005 * height
    return alike


@dataclass(frozen=True, slots=True)
class _Setting:
    """How text objects are set: size as displayed, direction, whether mirrored, and whether plainly left to right."""

    sizes: Numbers
    radians: Numbers
    is_mirrored: Mask
    is_level: Mask


def _read_setting(text: pdfium.Handle, leaders: Integers, is_alike: Mask) -> _Setting:
    """Read size and direction of text objects from the first character of each, unless it is as the one before."""
    places: list[int] = leaders[~is_alike].tolist()
    matrices = pdfium.fill_indexed(pdfium.character_matrix, text, places, columns=6).astype(np.float64)
    nominal = np.fromiter(map(pdfium.character_size, repeat(text), places), np.float64, len(places))
    # A negative size turns glyphs, which a matrix that turns them too sets upright again.
    a, b, c, d = (matrices[:, :4] * np.where(nominal < 0, -1.0, 1.0)[:, None]).T
    # Across the direction of writing, since slanted type (italics made by skewing) is no larger for it.
    heights = np.abs(a * d - b * c) / np.maximum(np.hypot(a, b), 1e-9)
    sizes = np.maximum(np.abs(nominal) * heights, 0.1)
    is_level = (a > 0) & (d > 0) & (np.maximum(np.abs(b), np.abs(c)) < 0.02 * d)
    source = np.cumsum(~is_alike) - 1
    is_mirrored = a * d - b * c < 0
    return _Setting(sizes[source], np.arctan2(b, a)[source], is_mirrored[source], is_level[source])


def _in_ems(sizes: Numbers, extents: Boxes) -> tuple[Numbers, Boxes]:
    """Return type sizes and extents of text objects whose font counts in other units than ems (drawn as pictures).

    Such a font says that it is many ems high; what it calls an em is then no size of type.
    """
    ems = extents[:, 0] - extents[:, 1]
    scale = np.where(ems > _TALLEST_FONT, ems, 1.0)
    return sizes * scale, extents / scale[:, None]


def _flat_boxes(loose: Boxes, sizes: Numbers, extents: Boxes) -> tuple[Boxes, Mask]:
    """Return (n, 4) boxes in page coordinates, advance width by font size, and which of them can be trusted.

    PDFium's loose boxes are as high as the font's ascent and descent, from which the baseline follows; where they are
    not, it had no width for the character and gives its ink instead.
    """
    left, top, right, bottom = loose.T
    ascent, descent = extents.T
    height = (ascent - descent) * sizes
    is_loose = (height > 0) & (np.abs(top - bottom - height) < 0.02 * sizes) & (right >= left)
    baseline = bottom - descent * sizes
    return np.stack((left, baseline - DESCENT * sizes, right, baseline + _ASCENT * sizes), axis=1), is_loose


def _spread(boxes: Boxes, owner: Integers, codes: Integers) -> Boxes:
    """Give the letters of a ligature, which all come with its box, a share of it each; none that is read leftwards."""
    is_same = (np.abs(boxes[1:] - boxes[:-1]).max(axis=1, initial=0.0) < 1e-3) & (owner[1:] == owner[:-1])
    is_same &= ~is_right_to_left(codes[1:])
    if not is_same.any():
        return boxes
    starts = np.flatnonzero(np.concatenate(([True], ~is_same)))
    counts = np.diff(np.append(starts, len(boxes)))
    place = np.arange(len(boxes)) - np.repeat(starts, counts)
    share = (boxes[:, 2] - boxes[:, 0]) / np.repeat(counts, counts)
    spread = boxes.copy()
    spread[:, 0] = boxes[:, 0] + place * share
    spread[:, 2] = spread[:, 0] + share
    return spread


def _spaced(inked: _Inked) -> Mask:
    """White space stands before an inked character when the characters in front of it up to the last ink are blank."""
    before = np.concatenate(([0], inked.index[:-1] + 1))
    blanks = np.concatenate(([0], np.cumsum(_is_space(inked.codes))))
    return blanks[inked.index] > blanks[before]


def _codes(text: pdfium.Handle, count: int) -> Integers:
    """Return the code points: from one call for the whole page where its units stand one to one for characters."""
    buffer = np.zeros(count + 1, np.uint16)
    written = int(pdfium.get_text(text, 0, count, buffer.ctypes.data)) if count else 0
    units = buffer[:count]
    if written == count + 1 and not ((units >= 0xD800) & (units < 0xE000)).any():
        return units.astype(np.int64)
    return np.fromiter(map(pdfium.character_code, repeat(text), range(count)), np.int64, count)


def _is_blank(codes: Integers) -> Mask:
    return (
        _is_space(codes)
        | ((codes >= 0x7F) & (codes < 0xA0))
        | ((codes >= 0x200B) & (codes <= 0x200F))
        | (codes == 0xFEFF)
        | ((codes >= 0xD800) & (codes < 0xE000))
        | (codes == 0xFFFE)
        | (codes == 0xFFFF)
    )


def _is_space(codes: Integers) -> Mask:
    return (
        (codes == 32)
        | ((codes >= 9) & (codes <= 13))
        | (codes == 0xA0)
        | ((codes >= 0x2000) & (codes <= 0x200B))
        | (codes == 0x202F)
        | (codes == 0x3000)
    )


def _objects(text: pdfium.Handle, index: Integers) -> Integers:
    """Return each character's text object, asking only for as many characters as needed.

    The characters of an object stand together, so between two of the same object all belong to it.
    """
    objects = np.zeros(len(index), np.int64)
    asked = np.zeros(len(index), bool)
    step = _STRIDE
    _ask(text, index, objects, np.append(np.arange(0, len(index), step), len(index) - 1), asked)
    while step > 1:
        step //= 2
        middle = np.arange(step, len(index), step)
        middle = middle[~asked[middle]]
        low, high = middle - step, np.minimum(middle + step, len(index) - 1)
        same = objects[low] == objects[high]
        objects[middle[same]] = objects[low[same]]
        asked[middle[same]] = True
        _ask(text, index, objects, middle[~same], asked)
    return objects


def _ask(text: pdfium.Handle, index: Integers, objects: Integers, rows: Integers, asked: Mask) -> None:
    places: list[int] = index[rows].tolist()
    objects[rows] = np.fromiter(map(pdfium.character_object, repeat(text), places), np.int64, len(rows))
    asked[rows] = True


def _turned(
    text: pdfium.Handle, frame: Frame, index: Integers, sizes: Numbers, setting: _Setting, owner: Integers
) -> tuple[Boxes, Integers]:
    """Return boxes and angles of characters whose loose boxes do not do, from their origins and their ink."""
    places: list[int] = index.tolist()
    radians, is_mirrored = setting.radians[owner], setting.is_mirrored[owner]
    along, up = _origins(text, places, radians)
    near, far, middle = _extent(text, places, radians, sizes)
    if is_mirrored.any() and np.median((middle - up)[is_mirrored]) > 0:
        is_mirrored = np.zeros_like(is_mirrored)  # a font of glyphs that are drawn upside down, set upright
    above, below = (np.where(is_mirrored, one, other) for one, other in ((DESCENT, _ASCENT), (_ASCENT, DESCENT)))
    boxes = np.stack(
        (np.minimum(along, near), -(up + above * sizes), np.maximum(along, far), -(up - below * sizes)), axis=1
    )
    angle = (np.degrees(radians).round().astype(np.int64) - 90 * frame.turns) % 360
    for right_angle in (0, 90, 180, 270, 360):
        angle[np.abs(angle - right_angle) <= _SAME_DIRECTION] = right_angle % 360
    angle[is_mirrored] += MIRRORED
    upright = angle == 0
    boxes[upright] = frame.boxes(unturned(boxes[upright], 90 * frame.turns))
    return boxes, angle


def _origins(text: pdfium.Handle, places: Sequence[int], radians: Numbers) -> tuple[Numbers, Numbers]:
    points = _pens(text, np.array(places, np.int64))
    cosine, sine = np.cos(radians), np.sin(radians)
    return points[:, 0] * cosine + points[:, 1] * sine, points[:, 1] * cosine - points[:, 0] * sine


def _extent(
    text: pdfium.Handle, places: Sequence[int], radians: Numbers, sizes: Numbers
) -> tuple[Numbers, Numbers, Numbers]:
    """Return where the ink of characters starts and ends along their direction, and its middle across it.

    Its boxes stand upright. Of a character at an oblique angle the box alone does not tell the width, so its height is
    taken for granted.
    """
    tight = np.zeros((len(places), 4), np.float64)
    pdfium.fill_fields(pdfium.character_box, places, tight, owner=text)
    left, right, bottom, top = tight.T
    middle_x, middle_y = (left + right) / 2, (bottom + top) / 2
    cosine, sine = np.cos(radians), np.sin(radians)
    half = np.abs((right - left) / 2 * cosine) + np.abs((top - bottom) / 2 * sine)
    width = (right - left + top - bottom) / (np.abs(cosine) + np.abs(sine)) - _X_HEIGHT * sizes
    half = np.where(np.abs(cosine * sine) > 0.1, np.maximum(width / 2, 0.05 * sizes), half)
    middle = middle_x * cosine + middle_y * sine
    return middle - half, middle + half, middle_y * cosine - middle_x * sine


def unturned(boxes: Boxes, degrees: float) -> Boxes:
    """Turn (n, 4) boxes of a reading frame at `degrees` back to page coordinates (their bounding boxes there)."""
    radians = np.radians(degrees)
    cosine, sine = np.cos(radians), np.sin(radians)
    along = boxes[:, (0, 2, 0, 2)]
    up = -boxes[:, (1, 1, 3, 3)]
    x, y = along * cosine - up * sine, along * sine + up * cosine
    return np.stack((x.min(axis=1), y.min(axis=1), x.max(axis=1), y.max(axis=1)), axis=1)
