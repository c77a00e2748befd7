"""A document that has grown: the summaries of its cross-page tree that still hold are not paid for again."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

import storing
from octavo.corpus import Corpus
from octavo.evidence.layer_tables import TOPOLOGY_TABLE
from octavo.layers import OPTIONAL_LAYERS
from octavo.models.language import Request
from octavo.models.scripted import ScriptedModel
from octavo_documents.parsing.article_messages import ToRead

THEMES = {
    "harbour": "ferry quay berth tide pilot mooring anchor harbour",
    "kitchen": "oven flour butter sugar dough whisk recipe kitchen",
    "court": "judge appeal verdict statute counsel ruling evidence court",
    "garden": "tulip compost pruning seedling hedge watering soil garden",
}


def sentence(theme: str, number: int) -> str:
    words = np.random.default_rng(number).permutation(THEMES[theme].split() * 2).tolist()
    return f"The {' '.join(words)} had {number} of them."


def paragraph(theme: str, page: int) -> str:
    return " ".join(sentence(theme, 100 * page + one) for one in range(5))


def text(pages: int = 14) -> str:
    return "\f".join("\n".join(paragraph(theme, page) for theme in THEMES) for page in range(1, pages + 1))


def reply(request: Request) -> str:
    items = re.findall(r"<item id=(\d+)>\n(.*?)\n</item>", request.turns[0].text, re.S)
    return json.dumps(
        {"items": [{"id": int(number), "summary": " ".join(said.split()[:30])} for number, said in items]}
    )


def items(model: ScriptedModel) -> int:
    """Return how many summaries were paid for."""
    return sum(len(re.findall(r"<item id=", request.turns[0].text)) for request in model.requests)


def opened(folder: Path, model: ScriptedModel | None, version: str = "1") -> Corpus:
    optional = {name: OPTIONAL_LAYERS[name] for name in ("topology", "topology_vectors")}
    builders = replace(storing.builders(version=version), optional=optional)
    return Corpus(folder, models=model, builders=lambda: builders)


def test_text_that_was_added_to_a_file_is_all_that_is_summed_up_anew(tmp_path: Path) -> None:
    model, more = ScriptedModel(reply), ScriptedModel(reply)
    path = storing.write_file(tmp_path / "a.pdf", text())
    with opened(tmp_path / "corpus", model) as corpus:
        corpus.add(path, systems=["raptor"])
        storing.write_file(path, f"{text()}\f{paragraph('kitchen', 99)}")
    with opened(tmp_path / "corpus", more) as corpus:
        [info] = corpus.add(path, systems=["raptor"]).added
        assert 0 < items(more) < items(model) / 2
        assert corpus.layers()[info.id]["topology"] == "model"
        assert set(corpus.status().layers) == {"passages", "terms", "vectors", "topology", "topology_vectors"}
        assert corpus.check().is_sound
        tree = corpus.view().layer(TOPOLOGY_TABLE)
        assert tree.blocks_of(len(tree) - 1).tolist()[-1] == len(corpus.view()) - 1
        assert corpus.add(path, systems=["raptor"]).unchanged == (info,)


class TogetherParser(storing.TextParser):
    """Reads small files together too."""

    def read_batch(self, batch: Sequence[ToRead], path: str | Path) -> list[bytes]:
        self.log.append("together")
        return [self.parse(str(Path(path).parent / one.name), name=one.name, digest=one.digest) for one in batch]


def test_small_files_that_are_read_together_keep_what_was_paid_for_too(tmp_path: Path) -> None:
    model, more, log = ScriptedModel(reply), ScriptedModel(reply), list[str]()
    added = {"a": "kitchen", "b": "court"}

    def add(model: ScriptedModel) -> list[str]:
        builders = replace(
            storing.builders(),
            parser=lambda workers: TogetherParser(workers, log),
            optional={name: OPTIONAL_LAYERS[name] for name in ("topology", "topology_vectors")},
        )
        with Corpus(tmp_path / "corpus", models=model, builders=lambda: builders) as corpus:
            return [info.name for info in corpus.add(tmp_path / "files", systems=["raptor"]).added]

    for name in added:
        storing.write_file(tmp_path / "files" / f"{name}.md", f"{text()}\n{name}")
    assert add(model) == ["a.md", "b.md"]
    for name, theme in added.items():
        storing.write_file(tmp_path / "files" / f"{name}.md", f"{text()}\n{name}\f{paragraph(theme, 99)}")
    assert add(more) == ["a.md", "b.md"]
    assert 0 < items(more) < items(model) / 2
    assert log.count("together") == 2


def test_a_document_read_by_a_newer_version_into_the_same_text_pays_for_nothing(tmp_path: Path) -> None:
    model, again = ScriptedModel(reply), ScriptedModel(reply)
    path = storing.write_file(tmp_path / "a.pdf", text(5))
    with opened(tmp_path / "corpus", model) as corpus:
        corpus.add(path, systems=["raptor"])
    with opened(tmp_path / "corpus", again, version="2") as corpus:
        corpus.add(path, systems=["raptor"])
        assert (model.calls > 0, again.calls) == (True, 0)


def test_a_document_that_is_another_one_now_has_its_tree_built_anew(tmp_path: Path) -> None:
    model, other = ScriptedModel(reply), ScriptedModel(reply)
    path = storing.write_file(tmp_path / "a.pdf", text(5))
    with opened(tmp_path / "corpus", model) as corpus:
        corpus.add(path, systems=["raptor"])
    storing.write_file(path, "\f".join(paragraph("court", 50 + page) for page in range(12)))
    with opened(tmp_path / "corpus", other) as corpus:
        corpus.add(path, systems=["raptor"])
        assert all("ferry" not in node for node in corpus.view().layer(TOPOLOGY_TABLE).nodes.text)


def test_what_the_rules_made_is_built_anew_as_it_costs_nothing(tmp_path: Path) -> None:
    path = storing.write_file(tmp_path / "a.pdf", text(5))
    with opened(tmp_path / "corpus", None) as corpus:
        corpus.add(path, systems=["raptor"])
        storing.write_file(path, text(6))
        corpus.add(path, systems=["raptor"])
        grown = corpus.fingerprints()
    with opened(tmp_path / "fresh", None) as corpus:
        corpus.add(path, systems=["raptor"])
        assert corpus.fingerprints() == grown
