"""Peak memory of this process and its children.

Owns one question to the operating system.
"""

from __future__ import annotations

import sys


def peak() -> int | None:
    """Return bytes: this process at its largest plus its largest finished child; None where nobody counts."""
    try:
        import resource
    except ImportError:
        return None
    unit = 1 if sys.platform == "darwin" else 1024
    whose = (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
    return sum(resource.getrusage(who).ru_maxrss for who in whose) * unit
