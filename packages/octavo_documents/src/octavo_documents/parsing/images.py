"""Pictures as scanned pages, read by OCR: PNG, JPEG, TIFF with many pages, WebP, BMP, GIF.

A page is as large as the dots per inch of the file make it, else as a scan of 150. How large a picture unpacks to be is
told from its head before anything is unpacked.
"""

from __future__ import annotations

import contextlib
import importlib
import math
import re
import warnings
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from octavo_documents.document.page_words import PageWords
from octavo_documents.errors import SourceError
from octavo_documents.models.ports import LayoutRegion, Raster
from octavo_documents.parsing import DEFAULT_LIMITS, Limits
from octavo_documents.parsing.content import Box, Graphic, PageContent, SourceContent, Spot, TextLine, saved_pages
from octavo_documents.parsing.layout_regions import Detection
from octavo_documents.parsing.page_checks import check_file_size, check_page, check_page_count
from octavo_documents.parsing.recognition import (
    POINTS_PER_INCH,
    OcrMode,
    Progress,
    Recognize,
    is_blank,
    ocr_scale,
    recognized_page,
    unknown_script,
)
from octavo_documents.parsing.scanned_rules import rules_of_scan
from octavo_documents.parsing.word_boxes import Word, words_read

if TYPE_CHECKING:
    from PIL.Image import Image

_MOST_PIXELS = 150_000_000
"""Pixels of one picture: an A0 sheet at 300 dots per inch."""
_ASSUMED_DPI = 150.0
_PLAUSIBLE_DPI = (100.0, 2400.0)
"""Dots per inch that are believed: cameras and screens write 72 or 96 whatever the size of the picture."""
_LONGEST_SIDE = 3400.0
"""Points of the longer side of an A0 sheet."""
_LEGIBLE_SIDE = 2000
"""Pixels of the longer side up to which OCR is shown a picture as it is: screenshots have small print."""
_FORMATS = ("PNG", "JPEG", "TIFF", "WEBP", "BMP", "GIF")
_HEIF = re.compile(rb"....ftyp(?:hei[cfmsx]|hev[cmsx]|mif1|msf1)", re.DOTALL)
"""How a HEIC picture begins."""
_PAGES = ("TIFF",)
"""Formats whose further frames are pages; those of others are moving pictures."""
_TURNED = 0x0112
"""The EXIF tag of how a picture is to be turned."""
_DEEP_MODES = ("I", "I;16", "I;16B", "I;16L", "F")
"""Modes of more than eight bits, which are spread over the range of the picture."""


def start() -> None:
    """Load what every child is to have when it is forked: nothing, as few files are pictures."""


def extract(
    path: Path,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    ocr: OcrMode = "auto",
    recognize: Recognize | None = None,
    layout: Detection | None = None,
    progress: Progress | None = None,
) -> SourceContent:
    """Read a file of pictures, each a scanned page; without a recogniser, or with `ocr` "never", pages are empty.

    Raises SourceError (`missing`, `empty`, `format`, `damaged`, `too_large`, `too_many_pages`).
    """
    del password
    with _opened(path, limits) as file:
        reading = _Reading(file, limits, None if ocr == "never" else recognize, layout)
        pages: list[PageContent] = []
        for number in range(1, file.count + 1):
            pages.append(reading.page(number))
            if progress:
                progress(number, file.count)
        if len(reading.warnings) == file.count:
            raise SourceError("damaged", f"{path} is cut off or damaged; copy or download it again")
        damage = saved_pages(file.count - len(reading.warnings), file.count)
        if reading.unknown:
            reading.warnings.append(unknown_script(reading.unknown))
        return SourceContent(tuple(pages), warnings=tuple(reading.warnings), damage=damage)


def render(
    path: Path,
    page: int,
    *,
    box: Box | None = None,
    dpi: float = 150.0,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Raster:
    """Return page `page` (1-based), or `box` on it in points, as (height, width, 3) uint8 RGB.

    Raises SourceError.
    """
    del password
    with _opened(path, limits) as file:
        frame = file.frame(page)
        x0, y0, x1, y1 = box or (0.0, 0.0, frame.width, frame.height)
        x0, y0, x1, y1 = max(0.0, x0), max(0.0, y0), min(frame.width, x1), min(frame.height, y1)
        if not (x1 > x0 and y1 > y0):
            raise SourceError("format", "the box to draw lies outside the page")
        scale = min(dpi / POINTS_PER_INCH, math.sqrt(limits.pixels / (x1 - x0) / (y1 - y0)))
        return frame.raster(scale, (x0, y0, x1, y1))


def words(
    path: Path,
    page: int,
    *,
    recognize: Recognize | None = None,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> PageWords:
    """Return the words that OCR reads on page `page` (1-based); none without a recogniser. Raises SourceError."""
    del password
    with _opened(path, limits) as file:
        frame = file.frame(page)
        scale = frame.ocr_scale(limits)
        raster = frame.raster(scale)
        found: list[Word] = []
        if recognize is not None and not is_blank(raster):
            for number, line in enumerate(line for line in recognize(raster) if line.text):
                found += words_read(raster, line, scale, number)
    return PageWords.of(found[: limits.glyphs_per_page], source="ocr")


def read_spots(
    path: Path,
    spots: Sequence[Spot],
    recognize: Recognize,
    *,
    password: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
    progress: Progress | None = None,
) -> list[tuple[TextLine, ...]]:
    """Return no lines for any box: the whole page has been read."""
    del path, recognize, password, limits, progress
    return [()] * len(spots)


def draw_spots(
    path: Path, spots: Sequence[Spot], *, dpi: float, password: str | None = None, limits: Limits = DEFAULT_LIMITS
) -> Iterator[tuple[Raster | None, float]]:
    """Yield each box as a picture, and its pixels a point. Raises SourceError."""
    for spot in spots:
        raster = render(path, spot.page, box=spot.box, dpi=dpi, password=password, limits=limits)
        yield raster, raster.shape[1] / max(spot.box[2] - spot.box[0], 1.0)


def to_read(path: Path, limits: Limits) -> Raster:
    """Return the first picture of a file at the size at which OCR is to see it. Raises SourceError."""
    with _opened(path, limits) as file:
        frame = file.frame(1)
        return frame.raster(frame.ocr_scale(limits))


@dataclass(frozen=True, slots=True)
class _Frame:
    """A picture, turned as it is to be seen, with the size of its page in points."""

    image: Image
    width: float
    height: float

    def ocr_scale(self, limits: Limits) -> float:
        """Return pixels per point at which OCR is shown the page."""
        longest = max(self.image.width, self.image.height)
        own = self.image.width / self.width
        least = own * min(1.0, _LEGIBLE_SIDE / longest)
        scale = max(ocr_scale(self.width, self.height), least)
        return min(scale, math.sqrt(limits.pixels / (self.width * self.height)))

    def raster(self, scale: float, box: Box | None = None) -> Raster:
        """Return the page, or a box on it, at so many pixels a point."""
        x0, y0, x1, y1 = box or (0.0, 0.0, self.width, self.height)
        size = max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale))
        across, down = self.image.width / self.width, self.image.height / self.height
        from PIL.Image import Resampling

        edges = (x0 * across, y0 * down, x1 * across, y1 * down)
        drawn = self.image.resize(size, Resampling.BICUBIC, box=edges, reducing_gap=2.0)
        return np.ascontiguousarray(np.asarray(drawn, np.uint8))


@dataclass(frozen=True, slots=True)
class _File:
    path: Path
    image: Image
    count: int

    def frame(self, page: int) -> _Frame:
        """Return page `page` (1-based), unpacked. Raises SourceError."""
        check_page(self.path, page, self.count)
        with _read_errors(self.path):
            self.image.seek(page - 1)
            _check_size(self.path, self.image)
            width, height = self.image.size
            if self.image.format == "JPEG" and width * height > 4 * DEFAULT_LIMITS.pixels:
                self.image.draft("RGB", (width // 2, height // 2))
            points = _points(self.image, width, height)
            is_on_side = self.image.getexif().get(_TURNED) in (5, 6, 7, 8)
            shown = _plain(_turned(self.image))
        return _Frame(shown, *(reversed(points) if is_on_side else points))


@dataclass(frozen=True, slots=True)
class _Reading:
    file: _File
    limits: Limits
    recognize: Recognize | None
    layout: Detection | None
    warnings: list[str] = field(default_factory=list[str])
    unknown: list[int] = field(default_factory=list[int])
    """Numbers of the pages in a script that OCR does not know."""

    def page(self, number: int) -> PageContent:
        """Return a page; one that cannot be read is empty and told of."""
        try:
            frame = self.file.frame(number)
        except SourceError as error:
            if error.reason == "too_large":
                raise
            self.warnings.append(f"page {number} is damaged and was left empty")
            return PageContent(number, str(number), 612.0, 792.0, ())
        width, height = round(frame.width, 2), round(frame.height, 2)
        lines, rules = self._lines(frame, number)
        return PageContent(
            number=number,
            label=str(number),
            width=width,
            height=height,
            lines=lines,
            graphics=(Graphic("image", (0.0, 0.0, width, height)), *rules),
            is_scanned=True,
            regions=self._regions(frame),
        )

    def _lines(self, frame: _Frame, number: int) -> tuple[tuple[TextLine, ...], tuple[Graphic, ...]]:
        """Return the lines that OCR reads, and the rules of tables."""
        if self.recognize is None:
            return (), ()
        raster = frame.raster(frame.ocr_scale(self.limits))
        if is_blank(raster):
            return (), ()
        scale = raster.shape[1] / frame.width
        found = recognized_page(raster, self.recognize, scale=scale, width=frame.width, height=frame.height)
        if found is None:
            self.unknown.append(number)
        return found or (), rules_of_scan(raster, scale, found or ())

    def _regions(self, frame: _Frame) -> tuple[LayoutRegion, ...]:
        if self.layout is None:
            return ()
        most = math.sqrt(self.limits.pixels / (frame.width * frame.height))
        return self.layout.regions(frame.raster(min(self.layout.scale, most)), frame.width, frame.height)


@contextlib.contextmanager
def _opened(path: Path, limits: Limits) -> Generator[_File]:
    from PIL import Image, ImageFile

    ImageFile.LOAD_TRUNCATED_IMAGES = False
    try:
        size = path.stat().st_size
    except OSError as error:
        raise SourceError("missing", f"{path} cannot be read: {error.strerror}") from error
    if not size:
        raise SourceError("empty", f"{path} is empty: copy or download it again")
    check_file_size(path, size, limits)
    formats = (*_FORMATS, *_heif(path))
    with contextlib.ExitStack() as stack:
        with _read_errors(path, opening=True):
            image = stack.enter_context(Image.open(stack.enter_context(path.open("rb")), formats=formats))
            _check_size(path, image)
            count = int(getattr(image, "n_frames", 1)) if image.format in _PAGES else 1
        check_page_count(path, count, limits)
        yield _File(path, image, max(count, 1))


def _heif(path: Path) -> tuple[str, ...]:
    """Return the format of a HEIC picture, which takes a package of its own. Raises SourceError (`format`)."""
    with path.open("rb") as file:
        if not _HEIF.match(file.read(12)):
            return ()
    try:
        plugin: Any = importlib.import_module("pillow_heif")
    except ImportError:
        mend = "which is read where pillow-heif is installed: pip install pillow-heif"
        raise SourceError("format", f"{path} is a HEIC picture, {mend}") from None
    plugin.register_heif_opener()
    return ("HEIF",)


@contextlib.contextmanager
def _read_errors(path: Path, *, opening: bool = False) -> Generator[None]:
    """Turn what Pillow raises for bad files into SourceError."""
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of sizes, which are checked here, and of odd metadata
            yield
    except UnidentifiedImageError:
        raise SourceError("format", f"{path} is no picture of a known format, whatever its name says") from None
    except Image.DecompressionBombError:
        raise _too_many_pixels(path) from None
    except (SourceError, MemoryError):
        raise
    except Exception as error:  # noqa: BLE001 - its decoders raise errors of any kind
        what = "cannot be opened" if opening else "is cut off or damaged"
        raise SourceError("damaged", f"{path} {what} ({str(error)[:200]}); copy or download it again") from None


def _check_size(path: Path, image: Image) -> None:
    if image.width * image.height > _MOST_PIXELS:
        raise _too_many_pixels(path)


def _too_many_pixels(path: Path) -> SourceError:
    return SourceError("too_large", f"{path} has a picture of more than {_MOST_PIXELS:,} pixels; save it smaller")


def _turned(image: Image) -> Image:
    from PIL import ImageOps

    image.load()
    return ImageOps.exif_transpose(image)


def _plain(image: Image) -> Image:
    """Return a picture in red, green and blue, what is transparent on white."""
    from PIL import Image as Pictures

    if image.mode in _DEEP_MODES:
        values: Any = np.asarray(image, np.float32)
        low, high = float(np.nanmin(values)), float(np.nanmax(values))
        spread = np.nan_to_num((values - low) * (255.0 / max(high - low, 1e-6)))
        return Pictures.fromarray(spread.clip(0, 255).astype(np.uint8)).convert("RGB")
    if "A" in image.getbands() or "transparency" in image.info:
        shown = image.convert("RGBA")
        ground = Pictures.new("RGBA", shown.size, "white")
        return Pictures.alpha_composite(ground, shown).convert("RGB")
    return image.convert("RGB")


def _points(image: Image, width: int, height: int) -> tuple[float, float]:
    """Return the size of a page in points, before it is turned: by its dots per inch where they can be believed."""
    given: Any = image.info.get("dpi") or (0.0, 0.0)
    low, high = _PLAUSIBLE_DPI
    try:
        dpi = [float(one) for one in given]
    except (TypeError, ValueError, ZeroDivisionError):
        dpi = []
    is_plausible = len(dpi) == 2 and all(math.isfinite(one) and low <= one <= high for one in dpi)
    across, down = (dpi[0], dpi[1]) if is_plausible else (_ASSUMED_DPI, _ASSUMED_DPI)
    points = width * POINTS_PER_INCH / across, height * POINTS_PER_INCH / down
    shrink = min(1.0, _LONGEST_SIDE / max(points))
    return max(points[0] * shrink, 1.0), max(points[1] * shrink, 1.0)
