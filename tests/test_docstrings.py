"""The examples in docstrings show what comes out."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest

_PACKAGES = Path(__file__).parents[1] / "packages"


def _modules() -> list[str]:
    """Return the modules that have examples, by name."""
    files = (file for file in _PACKAGES.glob("*/src/**/*.py") if "\n    >>> " in file.read_text(encoding="utf-8"))
    return sorted(".".join(file.relative_to(_PACKAGES).with_suffix("").parts[2:]) for file in files)


@pytest.mark.parametrize("name", _modules())
def test_examples_of_a_module_come_out_as_shown(name: str) -> None:
    failed, tried = doctest.testmod(importlib.import_module(name), optionflags=doctest.ELLIPSIS)
    assert tried
    assert not failed
