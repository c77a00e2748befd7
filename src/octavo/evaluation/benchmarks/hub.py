"""Questions from the hub, through the `datasets` package when it is installed.

Owns that one call. Knows nothing about what rows mean; documents always come from a local folder.
"""
# pyright: reportMissingImports=false, reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Iterator

from octavo.errors import UsageError
from octavo.evaluation.benchmarks.rows import Row


def rows(name: str, split: str) -> Iterator[Row]:
    """Yield the rows of a published set; raise UsageError when the package is not there or the set cannot be had."""
    try:
        from datasets import load_dataset
    except ImportError as missing:
        raise UsageError(
            f"the folder holds no questions, and reading {name} from the hub needs the package 'datasets': "
            "pip install datasets"
        ) from missing
    try:
        loaded = load_dataset(name, split=split)
    except (OSError, ValueError, RuntimeError) as wrong:
        raise UsageError(f"{name} cannot be read from the hub: {str(wrong).splitlines()[0]}") from wrong
    for number, fields in enumerate(loaded, start=1):
        yield Row(f"{name}, row {number}", dict(fields))
