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
from collections.abc import Sequence
from pathlib import Path

from octavo_documents.parsing import Limits

_GRACE_SECONDS = 2
_OPEN_FILES = 64
_DIE_WITH_PARENT, _NO_NEW_PRIVILEGES = 1, 38
_CREATE_RULESET, _RESTRICT_SELF = 444, 446
_EXECUTE_AND_WRITE = 0b1_1111_1111_0011
"""Landlock's rights from ABI 1 but reading: execute, write, remove, make."""
_REFER, _TRUNCATE = 1 << 13, 1 << 14
_BIND_AND_CONNECT = 0b11
_EXECUTE, _WRITE, _READ_FILE, _READ_FOLDER, _MAKE_SOCKET = 1, 1 << 1, 1 << 2, 1 << 3, 1 << 9
_ADD_RULE, _BENEATH = 445, 1


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


def confine_to(
    folder: str, *, reads: Sequence[str], sockets: str, memory: int, seconds: float, file_bytes: int
) -> None:
    """Cap memory, time and the size of files, and let this process write in a folder alone, for good.

    It may read that folder and what `reads` names, run programs there, make sockets in the folder `sockets`, and open
    no TCP connection, where the kernel can see to it.
    """
    if sys.platform == "win32":
        return
    import resource

    caps = {
        resource.RLIMIT_AS: memory,
        resource.RLIMIT_CPU: int(seconds) + 1,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: file_bytes,
    }
    for what, most in caps.items():
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(what, (most, most))
    if sys.platform != "linux":
        return
    libc = ctypes.CDLL(None, use_errno=True)
    made = _ruleset(libc, _EXECUTE_AND_WRITE | _READ_FILE | _READ_FOLDER)
    if made is None:
        return
    ruleset, rights = made
    seen = _EXECUTE | _READ_FILE | _READ_FOLDER
    of_a_file = _EXECUTE | _READ_FILE | _WRITE | (_TRUNCATE & rights)
    allowed = [(folder, rights), *((path, seen) for path in reads), (sockets, _MAKE_SOCKET), ("/dev/null", of_a_file)]
    for path, given in allowed:
        with contextlib.suppress(OSError):  # what is not there needs no rule
            descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            here = given if Path(path).is_dir() else given & of_a_file
            rule = struct.pack("<Qi", here, descriptor)
            libc.syscall(_ADD_RULE, ruleset, _BENEATH, rule, 0)
            os.close(descriptor)
    _restrict(libc, ruleset)


def forbid_writes() -> bool:
    """Forbid this process to write, make or run files and to open TCP connections; tell whether the kernel can."""
    if sys.platform != "linux":
        return False
    libc = ctypes.CDLL(None, use_errno=True)
    made = _ruleset(libc, _EXECUTE_AND_WRITE)
    return _restrict(libc, made[0]) if made else False


def _ruleset(libc: ctypes.CDLL, files: int) -> tuple[int, int] | None:
    """Return a ruleset of Landlock that forbids rights on files and TCP, and which of them the kernel knows."""
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return None
    files |= (_REFER if version >= 2 else 0) | (_TRUNCATE if version >= 3 else 0)
    rules = struct.pack("<QQ", files, _BIND_AND_CONNECT) if version >= 4 else struct.pack("<Q", files)
    ruleset = libc.syscall(_CREATE_RULESET, rules, len(rules), 0)
    return None if ruleset < 0 else (ruleset, files)


def _restrict(libc: ctypes.CDLL, ruleset: int) -> bool:
    libc.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0)
    done = libc.syscall(_RESTRICT_SELF, ruleset, 0) == 0
    os.close(ruleset)
    return bool(done)
