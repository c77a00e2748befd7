"""Reading a file with `octavo_documents.read`, and what is made of it: outline, tables, Markdown, JSON, the program."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import octavo_documents
from octavo_documents import Kind, SourceError, reading
from octavo_documents.command import run

HANDBOOK = Path(__file__).parents[3] / "examples" / "handbook.pdf"
MARKDOWN = """\
# Tides of the skerry

Notes for the harbour.

## Gauges

1. Read the staff.
2. Write it down.

| Gauge | Height, m |
| --- | --- |
| North \\| south | 1.2 |
| East | 0.8 |

```
print("`tide`")
```

### Errors

- A *small* one
"""


@pytest.fixture(scope="module")
def handbook() -> octavo_documents.Document:
    return octavo_documents.read(HANDBOOK)


@pytest.fixture
def note(tmp_path: Path) -> Path:
    path = tmp_path / "tides.md"
    path.write_text(MARKDOWN, encoding="utf-8")
    return path


def test_the_outline_nests_and_says_where_sections_stand(handbook: octavo_documents.Document) -> None:
    station = next(one for one in handbook.outline if one.title.endswith("The Station"))
    site = next(one for one in station.sections if one.title.endswith("Site"))
    assert station.level + 1 == site.level
    assert station.page <= site.page <= site.end_page <= station.end_page
    assert station.row < site.row < site.end <= station.end
    assert handbook.blocks.kind_of(site.row) == Kind.HEADING


def test_tables_have_cells_a_box_and_their_caption(handbook: octavo_documents.Document) -> None:
    (landing,) = (table for table in handbook.tables if "Limits for landing" in table.caption)
    rows = landing.grid.rows()
    assert rows[0] == ["Condition", "South Slip", "North Gut", "Helipad"]
    assert ["Swell height, m", "0.8", "1.2", "none"] in rows
    x0, y0, x1, y1 = landing.box
    assert 0 < x0 < x1 < 700
    assert 0 < y0 < y1 < 900
    assert landing.page == 28


def test_json_has_every_block_with_page_and_box(handbook: octavo_documents.Document) -> None:
    told = json.loads(json.dumps(handbook.to_json()))
    assert len(told["blocks"]) == len(handbook.blocks)
    assert {"kind", "page", "box", "text", "section"} <= told["blocks"][0].keys()
    assert "blocks" not in handbook.to_json(blocks=False)


def test_markdown_reads_back_as_it_was(note: Path, tmp_path: Path) -> None:
    first = octavo_documents.read(note)
    again = tmp_path / "again.md"
    again.write_text(first.to_markdown(), encoding="utf-8")
    second = octavo_documents.read(again)
    assert list(first.blocks.text) == list(second.blocks.text)
    assert first.blocks.kind.tolist() == second.blocks.kind.tolist()
    assert first.blocks.level.tolist() == second.blocks.level.tolist()
    assert "| North \\| south | 1.2 |" in first.to_markdown()


def test_a_paragraph_over_two_pages_is_one_unless_pages_are_shown(handbook: octavo_documents.Document) -> None:
    assert "reverse osmosis (see Section 3.4)" in handbook.to_markdown()
    paged = handbook.to_markdown(pages=True)
    assert "reverse osmosis (see\n\n<!-- page 8 -->\n\nSection 3.4)" in paged
    assert [f"<!-- page {number} -->" in paged for number in (7, 28)] == [True, True]


def test_a_line_that_markdown_would_take_for_something_else_is_escaped(tmp_path: Path) -> None:
    path = tmp_path / "plain.txt"
    path.write_text("# is the sign of a number in some countries and nothing else, as everyone there knows well.\n")
    document = octavo_documents.read(path)
    assert document.blocks.kind.tolist() == [Kind.PARAGRAPH]
    assert document.to_markdown().startswith("\\# is the sign")


def test_without_ocr_a_picture_gives_one_warning_with_the_mend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import numpy as np
    from PIL import Image

    path = tmp_path / "scan.png"
    Image.fromarray(np.full((400, 300, 3), 255, np.uint8)).save(path)
    monkeypatch.setattr(reading, "_recognizer", lambda: None)
    document = octavo_documents.read(path)
    (warning,) = document.metadata.warnings
    assert "pip install 'octavo-documents[ocr]'" in warning
    assert len(document.pages) == 1


def test_what_cannot_be_read_says_why(tmp_path: Path) -> None:
    with pytest.raises(SourceError) as missing:
        octavo_documents.read(tmp_path / "nowhere.pdf")
    assert missing.value.reason == "missing"
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(SourceError) as damaged:
        octavo_documents.read(tmp_path / "broken.pdf")
    assert damaged.value.reason == "damaged"


def test_the_program(note: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run([str(note)]) == 0
    assert capsys.readouterr().out.startswith("# Tides of the skerry\n")
    assert run([str(note), "--outline"]) == 0
    assert "Gauges  (1)" in capsys.readouterr().out
    assert run([str(note), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["document"] == "tides.md"
    assert run([str(note), str(tmp_path / "nowhere.pdf"), "--out", str(tmp_path / "made")]) == 1
    out, err = capsys.readouterr()
    assert out.strip() == str(tmp_path / "made" / "tides.md.md")
    assert err.count("\n") == 1
    assert run([]) == 2
    assert run(["--formats"]) == 0
    assert ".pdf" in capsys.readouterr().out


def test_importing_it_loads_nothing_heavy() -> None:
    code = (
        "import sys, octavo_documents; print([m for m in ('numpy', 'lxml', 'pypdfium2', 'octavo') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_reading_needs_no_part_of_octavo(note: Path) -> None:
    code = f"import sys, octavo_documents; octavo_documents.read({str(note)!r}); print('octavo' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
