"""`open_local`: the model at a path on this machine, with the engine that runs its files."""

from __future__ import annotations

from pathlib import Path

from octavo.models.genai_engine import genai_model
from octavo.models.local_files import local_files
from octavo.models.local_model import LocalModel
from octavo.models.torch_engine import torch_model


def open_local(path: Path, *, context_tokens: int = 0) -> LocalModel:
    """Return the model in a GGUF file, an OpenVINO folder or the folder of a trained router. Loads nothing.

    `context_tokens` is a cap, 0 for none. Raises ModelError when there is no such model, or what runs it is missing.
    """
    files = local_files(path)
    make = genai_model if files.adapter is None else torch_model
    return make(files, context_tokens=context_tokens)
