"""Word and PowerPoint files of 97 to 2003, converted to those of today, where the extra `legacy` is installed.

The conversion runs in a process of its own, which may write in one temporary folder alone and open no connection, as
far as the kernel can see to it: run as a program, this module becomes that process. What comes of it is read as any
other file, in a parser child.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Generator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from octavo_documents.errors import SourceError
from octavo_documents.parsing import Limits
from octavo_documents.parsing.jail import confine_to
from octavo_documents.parsing.package import OLE_MARK

_BY = {
    **dict.fromkeys((".doc", ".dot"), ("doc2docx", ".docx")),
    **dict.fromkeys((".ppt", ".pps", ".pot"), ("ppt2pptx", ".pptx")),
}
"""The package that converts files of an ending, in lower case, and what it makes of them."""
_MISSING = (
    "it is a file of Word or PowerPoint of before 2007: save it as .docx or .pptx, "
    "or pip install 'octavo-documents[legacy]'"
)
_ENCRYPTED = ("EncryptedDocumentError", "EncryptedPresentationError")
_REFUSED, _CLOSED = 3, 4
"""Exit statuses: it cannot be converted; its password is missing or wrong."""
_READ = ("/usr", "/lib", "/lib64", "/etc/ld.so.cache", "/etc/localtime", "/proc", "/dev/urandom")


@contextlib.contextmanager
def converted(path: Path, limits: Limits, password: str | None = None) -> Generator[Path]:
    """Give a file as it can be read: the converted one, there until the context ends, or any other file as it is.

    Raises SourceError: `format` where what converts is not installed or refuses it, `encrypted`, `password`, `timeout`.
    """
    by, ending = _BY.get(path.suffix.lower(), ("", ""))
    if not by or not _is_compound(path):
        yield path
        return
    if find_spec(by) is None:
        raise SourceError("format", f"{path} cannot be read: {_MISSING}")
    with tempfile.TemporaryDirectory(prefix="octavo-convert-", ignore_cleanup_errors=True) as made:
        target = Path(made).resolve() / f"document{ending}"
        _run(path, by, target, limits, password)
        try:
            yield target
        except SourceError as error:
            raise SourceError(error.reason, str(error).replace(str(target), str(path))) from None


def may_be_older(name: str) -> bool:
    """Whether a file is one of these by its name."""
    return Path(name).suffix.lower() in _BY


def _is_compound(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(OLE_MARK)) == OLE_MARK
    except OSError:
        return False  # whoever reads it says so


def _run(path: Path, by: str, target: Path, limits: Limits, password: str | None) -> None:
    most = [str(limits.memory), str(limits.seconds), str(limits.file_bytes)]
    command = [sys.executable, "-P", "-m", __name__, by, str(path.absolute()), str(target), *most]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(one for one in sys.path if one)}
    try:
        done = subprocess.run(
            command, input=(password or "").encode(), env=environment, capture_output=True, timeout=limits.seconds
        )
    except subprocess.TimeoutExpired:
        raise SourceError("timeout", f"{path} took more than {limits.seconds:.0f} s to convert") from None
    if done.returncode == _CLOSED:
        reason, said = ("password", "the password is wrong") if password else ("encrypted", "it is encrypted")
        raise SourceError(reason, f"{path} cannot be read: {said}")
    if done.returncode or not target.is_file():
        told = done.stdout.decode("utf-8", "replace").strip()[:200] if done.returncode == _REFUSED else ""
        why = f" ({told})" if told else ""
        raise SourceError("format", f"{path} cannot be converted{why}: save it as .docx or .pptx")


def _convert(by: str, source: str, target: str, password: str) -> int:
    """Convert a file; return the status to exit with."""
    library: Any = importlib.import_module(by)
    try:
        library.convert(source, target, password=password or None)
    except (MemoryError, RecursionError):
        raise
    except Exception as error:  # noqa: BLE001 - damaged files raise errors of any kind
        if type(error).__name__ in _ENCRYPTED:
            return _CLOSED
        print(error)  # noqa: T201 - for the process that started this one
        return _REFUSED
    return 0


def _become_converter(by: str, source: str, target: str, memory: str, seconds: str, file_bytes: str) -> None:
    """Confine this process to the folder of what it makes, and convert."""
    folder = str(Path(target).parent)
    importlib.import_module(by)
    homes = {sys.prefix, sys.base_prefix, *sysconfig.get_paths().values(), *filter(None, sys.path)}
    confine_to(
        folder,
        reads=[*_READ, *homes, source],
        sockets=folder,
        memory=int(memory),
        seconds=float(seconds),
        file_bytes=int(file_bytes),
    )
    tempfile.tempdir = folder
    sys.exit(_convert(by, source, target, sys.stdin.read()))


if __name__ == "__main__":
    _become_converter(*sys.argv[1:7])
