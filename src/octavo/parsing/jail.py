"""What a process that reads a hostile file may still do: little.

Each measure is taken where the system has it; the parent's timeouts hold everywhere.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import struct
import sys
from pathlib import Path

from octavo.parsing.limits import Limits

_GRACE_SECONDS = 2
_OPEN_FILES = 64
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_EXECUTE_AND_WRITE = 0b1_1111_1111_0011
"""Landlock's rights from ABI 1 but reading: execute, write, remove, make."""
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_BIND_AND_CONNECT = 0b11


def die_with_parent(parent: int) -> None:
    """Have the kernel end this process when `parent` (its process id) ends; Linux only."""
    if sys.platform != "linux":
        return
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:
        os._exit(1)


def confine(limits: Limits) -> None:
    """Give up memory, time, files and network beyond what reading one file needs; for this process and for good."""
    if sys.platform == "win32":
        return
    import resource

    caps = {
        resource.RLIMIT_AS: limits.memory,
        resource.RLIMIT_CPU: int(limits.seconds) + 1,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: _OPEN_FILES,
    }
    for what, most in caps.items():
        _, hard = resource.getrlimit(what)
        # The signal that names its cause, SIGXCPU, comes at the soft limit: the hard one, which kills, lies beyond.
        last = most + _GRACE_SECONDS if what == resource.RLIMIT_CPU else most
        soft, hard = (most, last) if hard == resource.RLIM_INFINITY else (min(most, hard), min(last, hard))
        with contextlib.suppress(OSError, ValueError):  # macOS knows RLIMIT_AS but may refuse to set it
            resource.setrlimit(what, (soft, hard))
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text("1000")
        forbid_writes()


def forbid_writes() -> bool:
    """Forbid this process to write, make or run files and to open TCP connections; tell whether the kernel can."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    files = _EXECUTE_AND_WRITE | (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    rules = struct.pack("<QQ", files, _BIND_AND_CONNECT) if version >= 4 else struct.pack("<Q", files)
    ruleset = libc.syscall(_CREATE_RULESET, rules, len(rules), 0)
    if ruleset < 0:
        return False
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    done = libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return bool(done)
