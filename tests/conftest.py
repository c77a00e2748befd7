"""Settings all tests share."""

from __future__ import annotations

import signal

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile("octavo", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("octavo")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs them in the background had it ignored


@pytest.fixture(autouse=True)
def no_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look for no model servers on the machine that runs the tests."""
    monkeypatch.setattr("octavo.models.model_servers.SERVERS", ())
