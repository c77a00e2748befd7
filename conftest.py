"""Settings all tests share."""

from __future__ import annotations

import signal
from importlib.util import find_spec

from hypothesis import HealthCheck, settings

settings.register_profile("octavo", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("octavo")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs them in the background had it ignored

pytest_plugins = ["corpus_fixtures"] if find_spec("octavo") else []
"""octavo-documents is tested where nothing stands over it, too."""
