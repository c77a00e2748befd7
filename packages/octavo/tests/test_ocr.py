"""OCR reads rendered text with its spaces, says where it stands, prints nothing and asks for nothing."""

from __future__ import annotations

import dataclasses
import io
import subprocess
import sys
from types import SimpleNamespace

import numpy as np
import pypdfium2
import pytest
from reportlab.pdfgen.canvas import Canvas

from octavo.errors import ModelError
from octavo.models.ports import Raster
from octavo_documents.models.ocr import DETECTION, RapidRecognizer
from octavo_documents.parsing.recognition import ocr_scale

LINE = "Net income for the year rose by 12.5% to $1,577.5 million"
SIZE = (720, 405)
SCALE = ocr_scale(*SIZE)


def render(*, turn: int = 0) -> Raster:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=SIZE)
    canvas.setFont("Helvetica", 18)
    if turn:
        canvas.translate(100, 40 if turn > 0 else 300)
        canvas.rotate(turn)
        canvas.drawString(0, 0, "Revenue by quarter")
    else:
        canvas.drawString(60, 300, LINE)
        canvas.setFont("Helvetica", 10)
        canvas.drawString(60, 100, "Source: annual report of the company")
    canvas.save()
    page = pypdfium2.PdfDocument(buffer.getvalue())[0]
    return np.ascontiguousarray(page.render(scale=SCALE, rev_byteorder=True).to_numpy()[:, :, :3])


@pytest.fixture(scope="module")
def recognizer() -> RapidRecognizer:
    return RapidRecognizer()


def test_long_and_short_lines_of_a_page_that_lies_askew_are_boxed_alike(recognizer: RapidRecognizer) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842))
    canvas.rotate(0.6)
    canvas.setFont("Times-Roman", 12)
    canvas.drawString(
        72, 700, "The tenant pays the rent in advance on the usual quarter days, and does so without being"
    )
    canvas.drawString(72, 660, "asked for it.")
    canvas.save()
    scale = ocr_scale(595, 842)
    page = pypdfium2.PdfDocument(buffer.getvalue())[0]
    raster = np.ascontiguousarray(page.render(scale=scale, rev_byteorder=True).to_numpy()[:, :, :3])
    heights = [(line.box[3] - line.box[1]) / scale for line in recognizer.read(raster)]
    assert len(heights) == 2
    assert heights[0] == pytest.approx(heights[1], rel=0.12)


@pytest.mark.parametrize("slope", [0.6, -0.8])
def test_cells_of_a_row_are_level_on_a_page_that_lies_askew(recognizer: RapidRecognizer, slope: float) -> None:
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(595, 842))
    canvas.rotate(slope)
    canvas.setFont("Times-Roman", 12)
    for at in range(6):
        canvas.drawString(
            72, 700 - 20 * at, f"{at + 1} The tenant pays the rent in advance on the usual quarter days and does so"
        )
    for x, cell in ((72, "Hall A"), (260, "ground floor"), (460, "storing boards")):
        canvas.drawString(x, 500, cell)
    canvas.save()
    scale = ocr_scale(595, 842)
    page = pypdfium2.PdfDocument(buffer.getvalue())[0]
    raster = np.ascontiguousarray(page.render(scale=scale, rev_byteorder=True).to_numpy()[:, :, :3])
    heights = [(line.box[1] + line.box[3]) / 2 / scale for line in recognizer.read(raster)[6:]]
    assert len(heights) == 3
    assert max(heights) - min(heights) < 1.5


def test_lines_keep_their_spaces_and_say_where_they_stand(
    recognizer: RapidRecognizer, capfd: pytest.CaptureFixture[str]
) -> None:
    found = {line.text: line for line in recognizer.read(render())}
    assert set(found) == {LINE, "Source: annual report of the company"}
    x0, y0, x1, y1 = (value / SCALE for value in found[LINE].box)
    baseline = SIZE[1] - 300
    assert x0 == pytest.approx(60, abs=6)
    assert y0 < baseline - 8 < y1
    assert x1 > 400
    assert found[LINE].confidence > 0.9
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("turn", [90, -90])
def test_text_turned_either_way_is_read(recognizer: RapidRecognizer, turn: int) -> None:
    (line,) = recognizer.read(render(turn=turn))
    assert line.text == "Revenue by quarter"
    assert line.box[3] - line.box[1] > line.box[2] - line.box[0]


@pytest.mark.parametrize(
    "shape", [(0, 0, 3), (1, 1, 3), (3, 2000, 3), (2000, 3, 3), (8, 2000, 3), (2000, 8, 3), (60, 60, 3)]
)
def test_images_without_text_of_any_shape_have_no_lines_and_print_nothing(
    recognizer: RapidRecognizer, capfd: pytest.CaptureFixture[str], shape: tuple[int, int, int]
) -> None:
    assert recognizer.read(np.full(shape, 255, np.uint8)) == ()
    assert capfd.readouterr() == ("", "")


def test_a_missing_model_is_named_with_its_mend() -> None:
    absent = dataclasses.replace(DETECTION, filename="models/absent.onnx")
    with pytest.raises(ModelError, match=r"absent\.onnx is missing: run `pip install --force-reinstall rapidocr"):
        RapidRecognizer(detection=absent).read(render())


def test_the_name_is_known_without_loading_and_tells_the_models_apart() -> None:
    assert RapidRecognizer().name == RapidRecognizer.name
    assert DETECTION.sha256[:4] in RapidRecognizer.name


def test_nothing_that_tells_others_of_its_use_is_loaded() -> None:
    # OpenVINO's converter would report every import to its makers.
    program = (
        "import sys, numpy; from octavo_documents.models.ocr import RapidRecognizer; "
        "RapidRecognizer().read(numpy.full((60, 200, 3), 255, numpy.uint8)); "
        "print('openvino' in sys.modules, *(name for name in sys.modules if 'telemetry' in name))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split()[1:] == []


@pytest.mark.parametrize(("read", "text"), [("•In July", "• In July"), ("• In July", "• In July"), ("o•In", "o•In")])
def test_a_bullet_stands_apart_from_its_word(monkeypatch: pytest.MonkeyPatch, read: str, text: str) -> None:
    corners = np.array([[[0, 0], [90, 0], [90, 20], [0, 20]]])
    found = SimpleNamespace(boxes=corners, txts=(read,), scores=(0.9,))
    monkeypatch.setattr("octavo_documents.models.ocr._open", lambda *_weights: lambda _image, use_det: found)
    (line,) = RapidRecognizer().read(np.zeros((100, 100, 3), np.uint8))
    assert line.text == text
