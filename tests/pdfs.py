"""Small PDF files for tests: good ones with reportlab, bad ones by hand."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Sequence
from io import BytesIO
from pathlib import Path

import pikepdf
from reportlab.pdfgen.canvas import Canvas

Draw = Callable[[Canvas], None]

WIDTH, HEIGHT = 612.0, 792.0
LETTER_SIZE = 11.0
"""Points of the type of `lettered`."""
Place = tuple[float, float, str]
"""Where a text begins on the page, and its characters from left to right."""


def write(path: Path, *pages: Draw, size: tuple[float, float] = (WIDTH, HEIGHT)) -> Path:
    """Draw each page with its function; coordinates are reportlab's (origin bottom left)."""
    canvas = Canvas(str(path), pagesize=size, invariant=True)
    for draw in pages:
        draw(canvas)
        canvas.showPage()
    canvas.save()
    return path


def say(*lines: str, font: str = "Helvetica", size: float = 11, x: float = 72, top: float = 72) -> Draw:
    """Return a page of lines, one below the other, the first baseline `top` below the upper edge."""

    def draw(canvas: Canvas) -> None:
        canvas.setFont(font, size)
        for row, line in enumerate(lines):
            canvas.drawString(x, HEIGHT - top - row * 1.4 * size, line)

    return draw


HELVETICA = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"


def raw_page(
    content: str | bytes, *, box: Sequence[float] = (0, 0, 612, 792), extra: str = "", font: str = HELVETICA
) -> bytes:
    """Return a PDF of one page with this content stream; /F is the font."""
    data = content.encode("latin-1") if isinstance(content, str) else content
    page = f"/MediaBox [{' '.join(map(str, box))}] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R {extra}"
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            f"<< /Type /Page /Parent 2 0 R {page} >>".encode("latin-1"),
            stream(data),
            font.encode(),
        ]
    )


def stream(data: bytes, entries: str = "") -> bytes:
    """Return a stream object of these bytes."""
    return f"<< /Length {len(data)} {entries} >>\nstream\n".encode() + data + b"\nendstream"


def assembled(objects: Iterable[bytes]) -> bytes:
    """Return a PDF of these objects, numbered from 1; the first is the catalogue."""
    out = BytesIO()
    out.write(b"%PDF-1.7\n")
    offsets: list[int] = []
    for number, body in enumerate(objects, 1):
        offsets.append(out.tell())
        out.write(f"{number} 0 obj\n".encode() + body + b"\nendobj\n")
    start = out.tell()
    out.write(f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n".encode())
    out.writelines(f"{offset:010d} 00000 n \n".encode() for offset in offsets)
    out.write(f"trailer\n<< /Size {len(offsets) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n".encode())
    return out.getvalue()


def bomb(*, layers: int = 2, size: int = 1 << 30) -> bytes:
    """Return a PDF of a few kilobytes whose content stream inflates, layer by layer, to `size` bytes."""
    data = deflated_spaces(size)
    for _ in range(layers - 1):
        data = zlib.compress(data, 9)
    filters = " ".join(["/FlateDecode"] * layers)
    return assembled(
        [
            b"<< /Type /Catalog /Pages 2 0 R >>",
            b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>",
            stream(data, f"/Filter [{filters}]"),
        ]
    )


def deflated_spaces(size: int) -> bytes:
    """Return `size` spaces, deflated, without ever holding them."""
    press = zlib.compressobj(9)
    piece = b" " * (1 << 20)
    return b"".join([press.compress(piece) for _ in range(size >> 20)]) + press.flush()


def many_pages(count: int) -> bytes:
    """Return a PDF of `count` empty pages."""
    kids = " ".join(f"{number} 0 R" for number in range(3, count + 3))
    page = b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"
    tree = f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode()
    return assembled([b"<< /Type /Catalog /Pages 2 0 R >>", tree, *[page] * count])


def encrypted(source: Path, target: Path, password: str) -> Path:
    """Write an encrypted copy."""
    with pikepdf.open(source) as pdf:
        pdf.save(target, encryption=pikepdf.Encryption(user=password, owner=password))
    return target


def outlined(entries: Sequence[str], *, pages: int = 1) -> bytes:
    """Return a PDF with these outline items: bodies of objects numbered from 100; the root is 99."""
    kids = " ".join(f"{number} 0 R" for number in range(3, pages + 3))
    first = [
        b"<< /Type /Catalog /Pages 2 0 R /Outlines 99 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode(),
        *[b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] >>"] * pages,
    ]
    filler = [b"null"] * (98 - len(first))
    root = b"<< /Type /Outlines /First 100 0 R /Last 100 0 R /Count 1 >>"
    return assembled([*first, *filler, root, *[entry.encode() for entry in entries]])


def lettered(path: Path, places: Sequence[Place], rules: Sequence[str] = ()) -> Path:
    """Write texts of any script at their places, each as one object, in letters of Courier mapped to theirs."""
    letters = sorted({one for _, _, text in places for one in text})
    codes = {one: 0x21 + at for at, one in enumerate(letters)}
    single = " ".join(f"<{code:02X}> <{ord(one):04X}>" for one, code in codes.items())
    cmap = (
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def 1 begincodespacerange "
        f"<00> <FF> endcodespacerange {len(codes)} beginbfchar {single} endbfchar endcmap end end"
    )
    shown = " ".join(
        f"BT /F {LETTER_SIZE} Tf {x} {y} Td <{''.join(f'{codes[one]:02X}' for one in text)}> Tj ET"
        for x, y, text in places
    )
    return mapped_page(path, " ".join([shown, *rules]), cmap, base="Courier")


def mapped_page(path: Path, content: str, cmap: str, *, base: str) -> Path:
    """Write a page whose content is in a font /F of one of the standard 14, `base`, with a map of its letters."""
    font = f"<< /Type /Font /Subtype /Type1 /BaseFont /{base} /Encoding /WinAnsiEncoding /ToUnicode 6 0 R >>"
    page = "/MediaBox [0 0 612 792] /Resources << /Font << /F 5 0 R >> >> /Contents 4 0 R"
    path.write_bytes(
        assembled(
            [
                b"<< /Type /Catalog /Pages 2 0 R >>",
                b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
                f"<< /Type /Page /Parent 2 0 R {page} >>".encode(),
                stream(content.encode("latin-1")),
                font.encode(),
                stream(cmap.encode()),
            ]
        )
    )
    return path
