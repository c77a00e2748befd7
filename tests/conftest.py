"""Settings all tests share."""

from __future__ import annotations

import signal

from hypothesis import HealthCheck, settings

settings.register_profile("octavo", max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("octavo")

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell that runs them in the background had it ignored
