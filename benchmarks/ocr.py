"""Seconds and words read right, by image size, on rendered slides and dense pages whose words are known.

Run: python benchmarks/ocr.py [--sides 1000 1280 1600 2000] [--json]
Or over real pages, whose text layer (if any) is not compared: python benchmarks/ocr.py --pdf FILE [--pages 6]
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pypdfium2
from reportlab.pdfgen.canvas import Canvas

from embedding import passages
from octavo.models.ports import Raster
from octavo_documents.models.ocr import RapidRecognizer

SIDE = 1280
"""Pixels on the long side at which Octavo reads slides."""


def drawn(size: tuple[int, int], points: int, lines: int, words: int) -> tuple[bytes, str]:
    """Return a one-page PDF of lines of text and that text."""
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=size)
    canvas.setFont("Helvetica", points)
    texts = [f"{index}. {text.capitalize()}" for index, text in enumerate(passages(lines, words), 1)]
    for index, text in enumerate(texts):
        canvas.drawString(40, size[1] - 50 - index * (size[1] - 80) / lines, text)
    canvas.save()
    return buffer.getvalue(), "\n".join(texts)


PAGES = {"slide": drawn((720, 405), 16, 11, 10), "dense page": drawn((595, 842), 10, 55, 15)}


def render(document: pypdfium2.PdfDocument, index: int, side: int) -> Raster:
    page = document[index]
    bitmap = page.render(scale=side / max(page.get_size()), rev_byteorder=True)
    return np.ascontiguousarray(bitmap.to_numpy()[:, :, :3])


def words(text: str) -> Counter[str]:
    return Counter(re.findall(r"\w{2,}", text))


def timed(recognizer: RapidRecognizer, raster: Raster, repeats: int = 2) -> tuple[str, dict[str, float]]:
    """Return the text and the best of some runs; the processor's time is as if every core were free."""
    clocks, used, text = [], [], ""
    for _ in range(repeats):
        clock, processor = time.perf_counter(), time.process_time()
        text = "\n".join(line.text for line in recognizer.read(raster))
        clocks.append(time.perf_counter() - clock)
        used.append((time.process_time() - processor) / (os.cpu_count() or 1))
    return text, {"seconds": min(clocks), "processor seconds by cores": min(used)}


def known(recognizer: RapidRecognizer, side: int) -> list[dict[str, float | str]]:
    rows: list[dict[str, float | str]] = []
    for name, (pdf, truth) in PAGES.items():
        text, figures = timed(recognizer, render(pypdfium2.PdfDocument(pdf), 0, side))
        right = (words(truth) & words(text)).total() / words(truth).total()
        rows.append({"page": name, "long side": side, **figures, "words right": right})
    return rows


def real(recognizer: RapidRecognizer, path: Path, pages: int, side: int) -> list[dict[str, float | str]]:
    document = pypdfium2.PdfDocument(path)
    chosen = np.linspace(0, len(document) - 1, min(pages, len(document))).astype(int).tolist()
    rows: list[dict[str, float | str]] = []
    for index in chosen:
        text, figures = timed(recognizer, render(document, index, side))
        rows.append({"page": f"page {index + 1}", "long side": side, **figures, "words": words(text).total()})
    return rows


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sides", type=int, nargs="+", default=[1000, SIDE, 1600, 2000])
    parser.add_argument("--pdf", type=Path)
    parser.add_argument("--pages", type=int, default=6)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    recognizer = RapidRecognizer()
    if options.pdf:
        rows = real(recognizer, options.pdf, options.pages, SIDE)
    else:
        rows = [row for side in options.sides for row in known(recognizer, side)]
    if options.json:
        print(json.dumps(rows))
        return
    for row in rows:
        print(
            "  ".join(
                f"{name} {value:.3f}" if isinstance(value, float) else f"{name} {value}" for name, value in row.items()
            )
        )


if __name__ == "__main__":
    main()
