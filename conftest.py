"""Settings all tests share."""

from __future__ import annotations

import os
import signal
from importlib.util import find_spec

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("octavo", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("octavo")

os.environ["OCTAVO_LANGUAGE"] = "en"  # whoever runs them may speak another language
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs them in the background had it ignored

pytest_plugins = ["corpus_fixtures"] if find_spec("octavo") else []
"""octavo-documents is tested where nothing stands over it, too."""


_LONG = ("octavo_cluster/tests", "tests/browser", "tests/test_docs", "tests/test_indexing", "tests/test_printed_pages")
"""Files whose tests take long, by a part of their paths."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Have long files begin first: two processes share the files, and the last one should be short."""
    items.sort(key=lambda item: not any(part in item.nodeid for part in _LONG))


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out what a package that is not installed brings: each is tested without those above it, too."""
    for mark in item.iter_markers("needs"):
        if find_spec(mark.args[0]) is None:
            pytest.skip(f"{mark.args[0]} is not installed")
