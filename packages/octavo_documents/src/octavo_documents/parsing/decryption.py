"""Office files under a password (MS-OFFCRYPTO, OpenDocument), opened where msoffcrypto-tool is installed."""

from __future__ import annotations

import importlib
import io
from typing import Any

from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.odf_decryption import opened_archive
from octavo_documents.parsing.package import ENCRYPTED_STREAM, OLE_MARK, ZIP_MARK

_CHECKED = {"OOXMLFile": {"verify_password": True}}
"""What has the password checked before anything is read with it; other kinds check it in any case."""
_MISSING = "it is encrypted, and what opens such files is not installed: pip install 'octavo-documents[encrypted]'"
_MANIFEST = b"META-INF/manifest.xml"


def opened(data: bytes, password: str | None) -> bytes:
    """Return what an office file holds under its password; any other, and any without a password given, as it is.

    Raises NoText (`password`, `encrypted`, `damaged`).
    """
    if password is None:
        return data
    if data.startswith(ZIP_MARK) and _MANIFEST in data:
        try:
            return opened_archive(data, password)
        except ImportError:
            raise NoText(_MISSING, "encrypted") from None
    return _opened_compound(data, password) if data.startswith(OLE_MARK) else data


def _opened_compound(data: bytes, password: str) -> bytes:
    try:
        office: Any = importlib.import_module("msoffcrypto")
        errors: Any = importlib.import_module("msoffcrypto.exceptions")
    except ImportError:
        if ENCRYPTED_STREAM not in data:
            return data
        raise NoText(_MISSING, "encrypted") from None
    found = io.BytesIO()
    try:
        file = office.OfficeFile(io.BytesIO(data))
        if not file.is_encrypted():
            return data
        file.load_key(password=password, **_CHECKED.get(type(file).__name__, {}))
        file.decrypt(found)
    except errors.InvalidKeyError:
        raise NoText("the password is wrong", "password") from None
    except (MemoryError, RecursionError):
        raise
    except Exception as error:  # noqa: BLE001 - it raises errors of any kind for damaged files
        if ENCRYPTED_STREAM not in data:
            return data  # a message, or another compound file, which its own reader knows
        raise _refused(error) from None
    return found.getvalue()


def _refused(error: Exception) -> NoText:
    """Return the error of a wrong password, which some encryption shows by nonsense alone, or of a way not known."""
    if "password" in str(error).lower() or "key" in str(error).lower():
        return NoText("the password is wrong", "password")
    return NoText(f"it is encrypted in a way that is not read ({str(error)[:200]})", "encrypted")
