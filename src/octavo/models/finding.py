"""Models that are already on this machine: those that servers here offer, and those in the folders of other programs.

Headers of files are read, nothing is loaded, started, or sent anywhere else.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, cast

from octavo.errors import ModelError
from octavo.models.gguf_header import family_of
from octavo.models.model_servers import FoundModel, is_other_use, models_of_servers
from octavo.models.spec import LOCAL

_DEEPEST = 6
"""Folders below the one that is searched."""
_MOST_FOLDERS, _MOST_MODELS = 20_000, 200
"""Folders looked into below a place and models told of it, at most: the list takes two seconds, whatever lies there."""
_LATER_PART = re.compile(r"-(?!0*1-)\d+-of-\d+\.gguf$", re.IGNORECASE)
_MODEL_LAYER = "application/vnd.ollama.image.model"
_PROJECTOR_LAYER = "application/vnd.ollama.image.projector"


@dataclass(frozen=True, slots=True)
class Place:
    """A folder and the program it belongs to."""

    title: str
    folder: Path


def find_models() -> tuple[FoundModel, ...]:
    """Return the models found here, those that can be asked at once first. Takes at most about two seconds."""
    served = models_of_servers()
    names = {model.name.partition("@")[0] for model in served}
    stored = [model for model in models_in_folders() if model.name not in names]
    return tuple(sorted((*served, *stored), key=lambda model: bool(model.problem)))


def places(environment: Mapping[str, str] | None = None, home: Path | None = None) -> tuple[Place, ...]:
    """Return the folders that are searched for GGUF files and folders of OpenVINO."""
    variables, own = os.environ if environment is None else environment, home or Path.home()
    caches = {
        "darwin": own / "Library" / "Caches",
        "win32": Path(variables.get("LOCALAPPDATA") or own / "AppData" / "Local"),
    }.get(sys.platform, Path(variables.get("XDG_CACHE_HOME") or own / ".cache"))
    hub = Path(variables.get("HF_HOME") or Path(variables.get("XDG_CACHE_HOME") or own / ".cache") / "huggingface")
    return (
        Place("LM Studio", own / ".lmstudio" / "models"),
        Place("LM Studio", own / ".cache" / "lm-studio" / "models"),
        Place("llama.cpp", Path(variables.get("LLAMA_CACHE") or caches / "llama.cpp")),
        Place("Hugging Face", Path(variables.get("HF_HUB_CACHE") or hub / "hub")),
    )


def models_in_folders(environment: Mapping[str, str] | None = None, home: Path | None = None) -> tuple[FoundModel, ...]:
    """Return the models in files, in the order of their folders and names."""
    found = (model for place in places(environment, home) for model in _models_in(place))
    return (*islice(found, _MOST_MODELS), *islice(_of_ollama(environment, home), _MOST_MODELS))


def _models_in(place: Place) -> Iterator[FoundModel]:
    for folder, names in _searched(place.folder):
        if "openvino_detokenizer.xml" in names and "openvino_model.bin" in names:
            yield _model(folder, place, _size(folder / "openvino_model.bin"))
        for name in names:
            if name.lower().endswith(".gguf") and not name.startswith("mmproj") and not _LATER_PART.search(name):
                yield from _gguf(folder / name, place)


def _searched(folder: Path) -> Iterator[tuple[Path, list[str]]]:
    """Yield folders and the names of the files in them, in order, down to a depth; links are not followed."""
    deepest = len(folder.parts) + _DEEPEST
    for place, below, names in islice(os.walk(folder), _MOST_FOLDERS):
        below[:] = sorted(name for name in below if name != "blobs") if len(Path(place).parts) < deepest else []
        yield Path(place), sorted(names)


def _gguf(path: Path, place: Place) -> Iterator[FoundModel]:
    try:
        if not is_other_use(path.name) and not is_other_use(family_of(path)):
            yield _model(path, place, _size(path))
    except ModelError:
        return  # One that is still being fetched, or no model at all.


def _model(path: Path, place: Place, size: int | None) -> FoundModel:
    from octavo.models.genai_engine import check_installed, problem_with
    from octavo.models.local_files import LocalFiles

    problem = problem_with(LocalFiles(path))
    try:
        check_installed()
    except ModelError as error:
        problem = problem or str(error)
    return FoundModel(f"{LOCAL}:{_short(path)}", f"{place.title}'s files", size, sees=False, problem=problem)


def _short(path: Path) -> Path:
    """Return a path as people write it; whoever reads the name of a model knows what "~" means."""
    home = Path.home()
    return Path("~") / path.relative_to(home) if path.is_relative_to(home) else path


def _size(path: Path) -> int | None:
    try:
        return path.stat().st_size
    except OSError:
        return None


def _of_ollama(environment: Mapping[str, str] | None, home: Path | None) -> Iterator[FoundModel]:
    """Yield what Ollama has fetched; it is asked for by name once Ollama runs."""
    variables, own = os.environ if environment is None else environment, home or Path.home()
    manifests = Path(variables.get("OLLAMA_MODELS") or own / ".ollama" / "models") / "manifests"
    for folder, names in _searched(manifests):
        for name in names:
            layers = _layers(folder / name)
            owner = folder.relative_to(manifests).parts[1:]
            called = f"{'/'.join(owner[1:] if owner[:1] == ('library',) else owner)}:{name}"
            if _MODEL_LAYER in layers and not is_other_use(called):
                sees = True if _PROJECTOR_LAYER in layers else None
                yield FoundModel(
                    f"ollama:{called}", "Ollama's files", layers[_MODEL_LAYER], sees, "Ollama is not running: start it"
                )


def _layers(manifest: Path) -> dict[str, int]:
    """Return the bytes of each kind of layer that a manifest names, {} for a file of another shape."""
    try:
        said: Any = json.loads(manifest.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    layers: Any = cast("dict[str, Any]", said).get("layers") if isinstance(said, dict) else None
    rows = cast("list[Any]", layers) if isinstance(layers, list) else []
    known = [cast("dict[str, Any]", row) for row in rows if isinstance(row, dict)]
    return {str(row.get("mediaType")): row["size"] for row in known if isinstance(row.get("size"), int)}
