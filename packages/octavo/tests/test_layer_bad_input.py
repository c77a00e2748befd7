"""Odd documents: every layer ends, empty or full, and never in an exception."""

from __future__ import annotations

import pytest

from indexed import FakeEmbedder
from octavo.corpus.index.builders import Builders
from octavo.evidence import View
from octavo.evidence.layer_tables import (
    COMMUNITIES_TABLE,
    DESCRIPTIONS_TABLE,
    ENTITIES_TABLE,
    LINKS_TABLE,
    SUMMARIES_TABLE,
    TOPOLOGY_TABLE,
)
from octavo.layers import LAYERS, OPTIONAL_LAYERS, LayerInputs
from octavo_documents.document import Document, Kind
from synthetic import Row, document

P, H, T, F, C = Kind.PARAGRAPH, Kind.HEADING, Kind.TABLE, Kind.FIGURE, Kind.CAPTION
SCRIPTS = {
    "Chinese": "北京大学发布了二〇一五年年度报告。表1列出了各部门的收入。见第三章。",
    "Arabic": "أصدرت الجامعة تقريرها السنوي لعام ٢٠١٥. انظر الجدول ١ أدناه. وقد ارتفعت الإيرادات.",
    "Devanagari": "विश्वविद्यालय ने २०१५ की वार्षिक रिपोर्ट प्रकाशित की। तालिका १ देखें। आय बढ़ी।",
    "Thai": "มหาวิทยาลัยได้เผยแพร่รายงานประจำปี๒๕๕๘ดูตารางที่๑รายได้เพิ่มขึ้นทุกปีและค่าใช้จ่ายลดลง",
}


def in_script(text: str) -> Document:
    rows: list[Row] = []
    for page in range(1, 5):
        rows += [(H, text[:14], page, 1), (P, f"{text} " * 5, page, 0)]
        rows += [(C, text[:20], page, 0), (T, f"{text[:6]} | {text[6:12]}\n{text[12:18]} | {page}", page, 0)]
    return document(rows)


ODD = {
    "no page": document([]),
    "no block": document([], pages=3),
    "no text": document([(F, "", 1, 0), (F, "", 2, 0), (T, "", 2, 0)]),
    "one block": document([(P, "x", 1, 0)]),
    "one heading": document([(H, "Alone", 1, 1)]),
    "one table": document([(T, "", 1, 0)]),
    "a page of 5,000 words": document([(P, "Grey Heron sails to Harwick at noon. " * 715, 1, 0)]),
    "a word without an end": document([(P, "harbour" * 5000, 1, 0)]),
    "a text said again and again": document([(P, "The same text stands here.", page, 0) for page in range(1, 400)]),
    "marks only": document([(P, "((((( ]]] ... ··· --- ‘’“”", page, 0) for page in range(1, 9)]),
    "broken letters": document([(H, "\ud800", 1, 1), (P, "The \ud800 Grey Heron ﬁrst \x00\x07 sails", 1, 0)]),
    **{name: in_script(text) for name, text in SCRIPTS.items()},
}


def built(source: Document) -> dict[str, bytes]:
    stored: dict[str, bytes] = {}
    for name, layer in {**LAYERS, **Builders.default().in_build_order([*OPTIONAL_LAYERS])}.items():
        reads = {read: stored[read] for read in layer.reads}
        stored[name] = layer.build(LayerInputs(source, reads, embedder=FakeEmbedder))
    return stored


class Stored:
    """Layers of one document."""

    def __init__(self, source: Document) -> None:
        self._built = built(source)

    def load(self, document_id: str, layer: str) -> bytes | None:
        del document_id
        return self._built[layer]


@pytest.mark.parametrize("name", ODD)
def test_every_layer_ends_and_can_be_read(name: str) -> None:
    source = ODD[name]
    view = View([source], Stored(source))
    assert len(view.layer(COMMUNITIES_TABLE)) == len(source.blocks)
    assert view.layer(ENTITIES_TABLE).check() is None
    assert set(view.layer(LINKS_TABLE).kind.tolist()) <= set(range(7))
    vectors = {
        "vectors": len(view.passages),
        "entity_vectors": len(view.layer(ENTITIES_TABLE)),
        "summary_vectors": len(view.layer(SUMMARIES_TABLE)),
        "element_vectors": len(view.layer(DESCRIPTIONS_TABLE)),
        "topology_vectors": len(view.layer(TOPOLOGY_TABLE)),
    }
    assert {layer: len(view.vectors(layer)) for layer in vectors} == vectors


@pytest.mark.parametrize("script", SCRIPTS)
def test_text_in_any_script_is_clustered_and_summed_up(script: str) -> None:
    source = ODD[script]
    view = View([source], Stored(source))
    text = SCRIPTS[script]
    assert any(part in summary for summary in view.layer(SUMMARIES_TABLE).text for part in (text[:14], text[15:30]))
    assert int(view.layer(TOPOLOGY_TABLE).nodes.level.max()) >= 1
    assert {"page", "section", "element"} == set(view.layer(SUMMARIES_TABLE).target)
