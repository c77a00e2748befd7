"""Who may read what a corpus keeps: the user alone, or the group of a folder that was made for a group.

A folder is a group's where the group may write in it or hands itself on (setgid); what is in it is the group's as well.
What others may do is never added to, and what is there already keeps its permissions.
"""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, where there are none, that the user or the group of the one above may enter.

    Raises OSError.
    """
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(mode=0o700, exist_ok=True)
    if group := _group_of(folder.parent):
        _allow(folder, 0o700 | group | stat.S_ISGID)


def make_file(file: Path) -> None:
    """Make an empty file, where there is none, that the user alone, or the group of its folder, may read and write.

    Raises OSError.
    """
    try:
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    seal(file)


def seal(file: Path) -> None:
    """Let the user alone, or the group of its folder, read and write a file that was just made."""
    _allow(file, 0o600 | (_group_of(file.parent) & 0o060))


def _group_of(folder: Path) -> int:
    """Return what the group may do in a folder that is a group's, 0 in any other."""
    try:
        mode = folder.stat().st_mode
    except OSError:
        return 0
    return mode & stat.S_IRWXG if mode & (stat.S_IWGRP | stat.S_ISGID) else 0


def _allow(path: Path, mode: int) -> None:
    with contextlib.suppress(OSError):  # a file system without permissions
        path.chmod(mode)
