"""Makes a clean picture look scanned, and binds pictures into a PDF without any text layer."""

from __future__ import annotations

from io import BytesIO

import numpy as np
from PIL import Image, ImageFilter
from reportlab.lib.utils import ImageReader
from reportlab.pdfgen.canvas import Canvas

PAGE_SIZE = (720.0, 540.0)
GREATEST_SKEW = 0.5
QUALITY = 58


def scanned(picture: Image.Image, seed: int) -> bytes:
    """Return a JPEG of the picture turned by up to half a degree, softened, unevenly lit and noisy."""
    random = np.random.default_rng(seed)
    skew = float(random.uniform(-GREATEST_SKEW, GREATEST_SKEW))
    turned = picture.rotate(skew, Image.Resampling.BICUBIC, fillcolor="#d8d6cf").filter(ImageFilter.GaussianBlur(0.7))
    width, height = turned.size
    light = np.linspace(1.0, float(random.uniform(0.95, 0.97)), width)[None, :, None]
    # Noise in lightness alone, as a sensor has it: colour noise would cost a third more bytes.
    noise = random.normal(0.0, 2.6, (height, width, 1))
    pixels = np.clip(np.asarray(turned, dtype=np.float32) * light + noise, 0, 255).astype(np.uint8)
    target = BytesIO()
    Image.fromarray(pixels).save(target, "JPEG", quality=QUALITY, dpi=(144, 144))
    return target.getvalue()


def bind(pictures: list[bytes], title: str) -> bytes:
    """Return a PDF with one JPEG to a page and nothing else on it."""
    target = BytesIO()
    canvas = Canvas(target, pagesize=PAGE_SIZE, invariant=1)
    canvas.setTitle(title)
    for picture in pictures:
        canvas.drawImage(ImageReader(BytesIO(picture)), 0, 0, *PAGE_SIZE)
        canvas.showPage()
    canvas.save()
    return target.getvalue()
