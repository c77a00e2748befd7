"""Images of a PDF page by how they are packed: photographs need more bytes for a pixel than drawings do.

Owns the telling of photographs without unpacking an image. Knows nothing about where images stand.
"""

from __future__ import annotations

import numpy as np

from octavo.parsing import pdfium

_LEAST = {b"DCTDecode": 0.11, b"DCT": 0.11, b"JPXDecode": 0.05}
_LEAST_LOSSLESS = 0.8
_LEAST_PIXELS = 64 * 64
_LONGEST_FILTER = 32


def is_photographic(image: pdfium.Handle) -> bool:
    """Tell whether an image is packed as photographs are: more bytes a pixel than flat colours and lines take."""
    size = np.zeros(2, np.uint32)
    pdfium.image_pixels(image, size.ctypes.data, size.ctypes.data + size.itemsize)
    pixels = int(size[0]) * int(size[1])
    if pixels < _LEAST_PIXELS:
        return False
    return int(pdfium.image_data(image, 0, 0)) >= _LEAST.get(_last_filter(image), _LEAST_LOSSLESS) * pixels


def _last_filter(image: pdfium.Handle) -> bytes:
    """Return the name of the filter that packs the pixels; others may be laid over it."""
    count = int(pdfium.count_filters(image))
    name = np.zeros(_LONGEST_FILTER, np.uint8)
    if count < 1 or pdfium.image_filter(image, count - 1, name.ctypes.data, len(name)) > len(name):
        return b""
    return name.tobytes().rstrip(b"\0")
