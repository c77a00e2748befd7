"""Doubtful headings of files that are added: put to a model named for that decision, else left to the rules."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import numpy as np
import pytest

import storing
from octavo.corpus import Corpus
from octavo.layers import LAYERS, OPTIONAL_LAYERS
from octavo.models.gateway import Caps
from octavo.models.language import FaultKind, LanguageModel, ModelFault, Request
from octavo.models.scripted import ScriptedModel
from octavo_documents.document import Document
from storing import write

BODY = "The harbour is seven metres deep and holds forty boats in summer, fewer in winter when the ice comes."
TEXT = f"# Harbour\n{BODY}\n*Mooring fees\n{BODY}\n# Length\n{BODY}"


class BoldParser(storing.TextParser):
    """Sets lines that begin with "*" in bold, all of them in one size."""

    def parse(self, path: str, **how) -> bytes:
        plain = Document.from_bytes(super().parse(path, **how))
        blocks = plain.blocks
        bold = np.array([text.startswith("*") for text in blocks.text])
        size = np.full(len(blocks), 10.0, np.float32)
        made = dataclasses.replace(plain, blocks=dataclasses.replace(blocks, bold=bold, size=size))
        return made.to_bytes()


@pytest.fixture
def log() -> list[str]:
    return []


def opened(folder: Path, log: list[str], **models: LanguageModel) -> Corpus:
    def builders():
        return dataclasses.replace(storing.builders(), parser=lambda workers: BoldParser(workers, log))

    return Corpus(folder / "corpus", models=models, builders=builders)


def saying(level: int, name: str = "scripted") -> ScriptedModel:
    def reply(request: Request) -> str:
        numbers = re.findall(r"<item id=(\d+)>", request.turns[0].text)
        return json.dumps({"items": [{"id": int(number), "level": level} for number in numbers]})

    return ScriptedModel(reply, name)


def failing() -> ScriptedModel:
    return ScriptedModel(lambda _request: ModelFault(FaultKind.CONTEXT, "too long"))


def titles(corpus: Corpus) -> list[str]:
    blocks = corpus.document("a.pdf").blocks
    return [blocks.text[row] for row in blocks.headings().tolist()]


RULED = ["Harbour", "Length"]
JUDGED = ["Harbour", "*Mooring fees", "Length"]


def test_a_model_named_for_the_decision_settles_the_headings_of_what_is_added(tmp_path: Path, log: list[str]) -> None:
    write(tmp_path, a=TEXT)
    with opened(tmp_path, log, level_headings=saying(1)) as corpus:
        assert corpus.add(tmp_path).usage.calls == 1
        assert titles(corpus) == JUDGED
        assert corpus.add(tmp_path).unchanged


def test_a_model_for_everything_is_not_asked_by_adding_files(tmp_path: Path, log: list[str]) -> None:
    write(tmp_path, a=TEXT)
    model = saying(1)
    with opened(tmp_path, log, language=model) as corpus:
        corpus.add(tmp_path)
        assert titles(corpus) == RULED
    assert not model.calls


@pytest.mark.parametrize("system", ["bookrag", "bookrag-paper"])
@pytest.mark.needs("octavo_methods")
def test_a_model_for_everything_is_asked_where_files_are_added_for_a_system_that_filters_sections(
    tmp_path: Path, log: list[str], system: str
) -> None:
    write(tmp_path, a=TEXT)
    asked: list[str] = []

    def reply(request: Request) -> str | ModelFault:
        asked.append(request.decision)
        return saying(1)._script(request) if request.decision == "level_headings" else "no"  # type: ignore[operator]

    def builders():
        made = storing.builders()
        return dataclasses.replace(
            made, parser=lambda workers: BoldParser(workers, log), layers=LAYERS, optional=OPTIONAL_LAYERS
        )

    with Corpus(tmp_path / "corpus", models=ScriptedModel(reply), builders=builders) as corpus:
        [document] = [part for part in corpus.plan(tmp_path, systems=system).parts if part.part == "document"]
        assert document.models == ("scripted:test",)
        corpus.add(tmp_path, systems=system)
        assert titles(corpus) == JUDGED
    assert "level_headings" in asked
    asked.clear()
    with Corpus(tmp_path / "another", models=ScriptedModel(reply), builders=builders) as corpus:
        corpus.add(tmp_path, systems="ladrag")
        assert titles(corpus) == RULED
    assert "level_headings" not in asked


def test_another_model_indexes_again_without_reading_the_file_again_where_the_rules_have_read_it(
    tmp_path: Path, log: list[str]
) -> None:
    write(tmp_path, a=TEXT)
    for models, expected in (({}, RULED), ({"level_headings": saying(1)}, JUDGED)):
        with opened(tmp_path, log, **models) as corpus:
            assert corpus.add(tmp_path).added
            assert titles(corpus) == expected
    assert log == ["a.pdf"]
    with opened(tmp_path, log, level_headings=saying(0, "other")) as corpus:
        assert corpus.add(tmp_path).added
        assert titles(corpus) == []
    with opened(tmp_path, log) as corpus:
        assert corpus.add(tmp_path).added
        assert titles(corpus) == RULED


def test_what_the_rules_say_stands_where_the_model_fails_and_the_next_run_asks_again(
    tmp_path: Path, log: list[str]
) -> None:
    write(tmp_path, a=TEXT)
    with opened(tmp_path, log, level_headings=failing()) as corpus:
        assert corpus.add(tmp_path).added
        assert titles(corpus) == RULED
        assert corpus.add(tmp_path).unchanged
    with opened(tmp_path, log, level_headings=saying(1)) as corpus:
        assert corpus.add(tmp_path).added
        assert titles(corpus) == JUDGED
    assert log == ["a.pdf"]


def test_at_a_cap_the_rules_stand_and_the_report_names_it(tmp_path: Path, log: list[str]) -> None:
    write(tmp_path, a=TEXT)
    with opened(tmp_path, log, level_headings=saying(1)) as corpus:
        assert corpus.add(tmp_path, caps=Caps(calls=0)).stopped
        assert titles(corpus) == RULED
        assert corpus.add(tmp_path).added
        assert titles(corpus) == JUDGED


def test_a_plan_names_the_model_and_asks_it_nothing(tmp_path: Path, log: list[str]) -> None:
    write(tmp_path, a=TEXT)
    model = saying(1)
    with opened(tmp_path, log, level_headings=model) as corpus:
        [document] = [part for part in corpus.plan(tmp_path).parts if part.part == "document"]
        assert (document.models, document.calls) == ((model.id,), None)
    assert not model.calls


def test_what_is_lost_of_a_judged_document_is_built_again(tmp_path: Path, log: list[str]) -> None:
    write(tmp_path, a=TEXT)
    with opened(tmp_path, log, level_headings=saying(1)) as corpus:
        corpus.add(tmp_path)
        with corpus._opened().store.connections.writing() as connection:
            connection.execute("DELETE FROM parts WHERE name = 'terms'")
        assert all(finding.repaired for finding in corpus.check(repair=True).findings)
        corpus.add(tmp_path)
        assert titles(corpus) == JUDGED
