"""Office files printed to PDF by LibreOffice, where it is installed.

Run as a program it confines itself to one folder and then becomes LibreOffice: it may write there alone, read its own
installation, fonts and that folder, and open no connection, as far as the kernel can see to it. Macros, updates of
links and linked files are off besides.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

from octavo_documents.errors import SourceError
from octavo_documents.parsing import MEBIBYTE
from octavo_documents.parsing.jail import confine_to

PRINTED = frozenset(
    (
        *(".doc", ".dot", ".ppt", ".pps", ".pot"),
        *(".docx", ".dotx", ".docm", ".odt", ".ott", ".fodt", ".rtf"),
        *(".pptx", ".pptm", ".ppsx", ".ppsm", ".potx", ".odp", ".otp", ".fodp"),
        *(".xlsx", ".xlsm", ".xltx", ".xltm", ".xlsb", ".xls", ".xlt", ".ods", ".ots", ".fods"),
    )
)
"""Endings of files that LibreOffice prints, in lower case."""
_SECONDS = 180.0
"""That printing a file may take."""
_MEMORY = 4096 * MEBIBYTE
_FILE_BYTES = 1024 * MEBIBYTE
_STARTED_ANEW = 81
"""Exit status of LibreOffice when it wants to be started again: it has set up a new profile."""
_STARTS = 3
_SET = (
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Writer/Content/Update", "Link", "0"),
    ("Calc/Content/Update", "Link", "1"),
)
"""Macros are never run, files that a document names are never loaded."""
_READ = (
    *("/usr", "/lib", "/lib64", "/bin", "/opt", "/nix", "/etc/fonts", "/etc/libreoffice", "/var/cache/fontconfig"),
    *("/var/lib/libreoffice", "/var/spool/libreoffice", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/localtime"),
    *("/etc/locale.alias", "/etc/nsswitch.conf", "/etc/passwd", "/proc"),
    *("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random"),
)
"""What LibreOffice may read besides its folder."""
_SOCKETS = "/tmp"  # noqa: S108  (where LibreOffice makes the socket by which a second one would find it)


def office() -> str:
    """Return the program of LibreOffice, "" where it is not installed."""
    found = shutil.which("soffice") or shutil.which("libreoffice")
    if not found:
        return ""
    # The wrapper starts it again by itself, which the confinement does not let it
    program = Path(found).resolve().with_name("soffice.bin")
    return str(program if program.exists() else Path(found))


def version() -> str:
    """Return what printed pages depend on, "" where LibreOffice is not installed."""
    program = office()
    if not program:
        return ""
    look = Path(program).stat()
    return hashlib.sha256(f"{program} {look.st_size} {look.st_mtime_ns}".encode()).hexdigest()[:12]


def is_printed(path: str | Path) -> bool:
    """Whether LibreOffice prints a file, by its name."""
    return Path(path).suffix.lower() in PRINTED


@contextlib.contextmanager
def printed(path: str | Path) -> Generator[Path]:
    """Print a file and give the PDF, which is there until the context ends.

    Raises SourceError: `missing` without LibreOffice, `timeout`, and `crashed` where no PDF comes of it.
    """
    program = office()
    if not program:
        raise SourceError("missing", "LibreOffice is not installed")
    with tempfile.TemporaryDirectory(prefix="octavo-print-", ignore_cleanup_errors=True) as made:
        folder = Path(made).resolve()
        source = folder / f"document{Path(path).suffix.lower()}"
        shutil.copyfile(path, source)
        settings = folder / "profile" / "user"
        settings.mkdir(parents=True)
        (settings / "registrymodifications.xcu").write_text(_registry(), "utf-8")
        _run(program, source, folder)
        target = source.with_suffix(".pdf")
        if not target.is_file() or not target.stat().st_size:
            raise SourceError("crashed", "LibreOffice could not print it")
        yield target


def _registry() -> str:
    """Return the settings of a profile as LibreOffice stores them."""
    items = (
        f'<item oor:path="/org.openoffice.Office.{path}"><prop oor:name="{name}" oor:op="fuse"><value>{value}</value>'
        "</prop></item>"
        for path, name, value in _SET
    )
    root = 'oor:items xmlns:oor="http://openoffice.org/2001/registry"'
    return f'<?xml version="1.0" encoding="UTF-8"?>\n<{root}>\n{"".join(items)}\n</oor:items>\n'


def _run(program: str, source: Path, folder: Path) -> None:
    command = [sys.executable, "-P", "-m", __name__, program, str(source), str(folder)]
    socket = socket_of(folder)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    for _ in range(_STARTS):
        quiet = subprocess.DEVNULL
        with subprocess.Popen(
            command, stdin=quiet, stdout=quiet, stderr=quiet, env=environment, start_new_session=True
        ) as process:
            try:
                status = process.wait(_SECONDS)
            except subprocess.TimeoutExpired:
                raise SourceError("timeout", f"LibreOffice took more than {_SECONDS:.0f} s to print it") from None
            finally:
                _end(process)
                socket.unlink(missing_ok=True)
        if status != _STARTED_ANEW:
            return


def _end(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, 9)
        else:
            process.kill()


def socket_of(folder: Path) -> Path:
    """Return the socket that LibreOffice makes when it works in a folder; it is called by the profile's address."""
    digest = hashlib.md5(_profile(folder).encode("utf-16-le"), usedforsecurity=False).digest()
    user = os.getuid() if hasattr(os, "getuid") else 0
    # The bytes of the digest are written without leading zeros
    return Path(_SOCKETS) / f"OSL_PIPE_{user}_SingleOfficeIPC_{''.join(f'{byte:x}' for byte in digest)}"


def _profile(folder: Path) -> str:
    return (folder / "profile").as_uri()


def _become_office(program: str, source: str, folder: str) -> None:
    """Confine this process to its folder and become LibreOffice."""
    home = Path(program).resolve().parent.parent
    confine_to(
        folder, reads=[*_READ, str(home)], sockets=_SOCKETS, memory=_MEMORY, seconds=_SECONDS, file_bytes=_FILE_BYTES
    )
    environment = {
        "HOME": folder,
        "TMPDIR": folder,
        "XDG_RUNTIME_DIR": folder,
        "PATH": "/usr/bin:/bin",
        "LANG": "C.UTF-8",
        "SAL_USE_VCLPLUGIN": "svp",
    }
    options = "--headless --norestore --nologo --nodefault --nolockcheck --nofirststartwizard --convert-to pdf --outdir"
    profile = f"-env:UserInstallation={_profile(Path(folder))}"
    os.chdir(folder)
    os.execve(program, [program, profile, *options.split(), folder, source], environment)  # noqa: S606


if __name__ == "__main__":
    _become_office(*sys.argv[1:4])
