"""What the guarded child processes do: the jobs of the table below, run as `python -m octavo.structuring.worker`.

Owns the table of jobs. Knows nothing about processes or the messages between them.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from octavo.parsing import formats, pdf, pdfium
from octavo.parsing.detected import Detection
from octavo.parsing.limits import Limits
from octavo.parsing.messages import pack_raster
from octavo.parsing.pdf_pictures import read_spots
from octavo.parsing.template import Caller, Job, Options, serve
from octavo.structuring.articles import articles, read_batch
from octavo.structuring.figures.text_in_figures import with_words
from octavo.structuring.flow import flowing
from octavo.structuring.layout import structured


def parse(options: Options, caller: Caller) -> tuple[bytes]:
    """Read a file and find its structure; the result is a packed `Document`."""
    path, limits = Path(options["path"]), Limits(**options["limits"])
    if path.exists() and formats.is_flowing(path):
        flow = formats.read_flow(path, limits)
        return (flowing(flow, name=options["name"], digest=options["digest"]).to_bytes(),)
    content = pdf.extract(
        path,
        password=options["password"],
        limits=limits,
        ocr=options["ocr"],
        recognize=caller.recognize if options["has_recognizer"] else None,
        layout=Detection(caller.detect, options["layout_dpi"]) if options["layout_dpi"] else None,
        progress=caller.progress,
    )
    document = structured(content, name=options["name"], digest=options["digest"])
    if options["has_recognizer"] and options["ocr"] != "never":
        read = partial(
            read_spots, path, recognize=caller.recognize, password=options["password"], limits=limits,
            progress=caller.figures,
        )  # fmt: skip
        document = with_words(document, read)
    return (document.to_bytes(),)


def render(options: Options, caller: Caller) -> tuple[bytes, memoryview]:
    """Draw a page or a box on it; the result is a packed raster."""
    del caller
    box = options["box"]
    raster = pdf.render(
        Path(options["path"]),
        options["page"],
        box=None if box is None else (box[0], box[1], box[2], box[3]),
        dpi=options["dpi"],
        password=options["password"],
        limits=Limits(**options["limits"]),
    )
    return pack_raster(raster)


JOBS: Mapping[str, Job] = {"parse": parse, "render": render, "articles": articles, "read_batch": read_batch}

if __name__ == "__main__":
    pdfium.start()
    serve(JOBS, sys.argv[1:])
