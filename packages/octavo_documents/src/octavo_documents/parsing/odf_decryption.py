"""OpenDocument files under a password (version 1.3, part 2, 3.4), opened by cryptography where it is installed.

Each part is packed and then enciphered by itself; LibreOffice also enciphers the whole archive as one part of another.
"""

from __future__ import annotations

import binascii
import hashlib
import importlib
import io
import zipfile
import zlib
from dataclasses import dataclass
from typing import Any

from octavo_documents.parsing import MEBIBYTE
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.open_xml import attribute
from octavo_documents.parsing.package import ZIP_MARK, Element, Package, name_of

_MANIFEST = "META-INF/manifest.xml"
_WHOLE = "encrypted-package"
_MOST_BYTES = 256 * MEBIBYTE
"""Bytes of all parts together, unpacked."""
_MOST_ROUNDS = 5_000_000
_MOST_MEMORY = 256 * 1024
"""KiB that deriving a key may take."""
_CHECKED = 1024
"""Bytes of a part whose sum is told."""
_TAG = 16
"""Bytes of the tag behind what AES-GCM enciphers."""


@dataclass(frozen=True, slots=True)
class _Told:
    """What the manifest tells of how a part is enciphered; names in small letters, up to their last sign."""

    cipher: str
    vector: bytes
    derivation: str
    size: int
    rounds: int
    memory: int
    lanes: int
    salt: bytes
    start: str
    checksum: str
    expected: bytes


def is_encrypted(package: Package) -> bool:
    """Whether a file in OpenDocument is under a password."""
    return _WHOLE in package or (_MANIFEST in package and b"encryption-data" in package.read(_MANIFEST))


def opened_archive(data: bytes, password: str) -> bytes:
    """Return a file in OpenDocument without its password, any other as it is.

    Raises NoText (`password`, `encrypted`, `damaged`, `too_large`); ImportError where the library is not installed.
    """
    package = Package(data)
    if not is_encrypted(package):
        return data
    entries = {
        attribute(one, "full-path"): inner
        for one in package.xml(_MANIFEST, doctype=True)
        for inner in one
        if name_of(inner) == "encryption-data"
    }
    if _WHOLE in entries and _WHOLE in package:
        return _part(package.read(_WHOLE), _told(entries[_WHOLE]), password, _MOST_BYTES)
    kept, left = io.BytesIO(), _MOST_BYTES
    with zipfile.ZipFile(kept, "w") as archive:
        for name in package.names():
            if name.lower() == _MANIFEST.lower():
                continue
            part = package.read(name)
            if name in entries:
                part = _part(part, _told(entries[name]), password, left)
            left -= len(part)
            if left < 0:
                raise NoText("it holds too much to be deciphered", "too_large")
            archive.writestr(name, part)
    return kept.getvalue()


def _told(data: Element) -> _Told:
    found = {name_of(one): one for one in data}
    try:
        algorithm, derivation = found["algorithm"], found["key-derivation"]
        start = attribute(found["start-key-generation"], "start-key-generation-name") if len(found) > 2 else "sha1"
        told = _Told(
            _last(attribute(algorithm, "algorithm-name")),
            binascii.a2b_base64(attribute(algorithm, "initialisation-vector")),
            _last(attribute(derivation, "key-derivation-name")),
            int(attribute(derivation, "key-size") or "16"),
            int(attribute(derivation, "iteration-count") or attribute(derivation, "argon2-iterations") or "0"),
            int(attribute(derivation, "argon2-memory") or "0"),
            int(attribute(derivation, "argon2-lanes") or "0"),
            binascii.a2b_base64(attribute(derivation, "salt")),
            _last(start),
            _last(attribute(data, "checksum-type")),
            binascii.a2b_base64(attribute(data, "checksum")),
        )
    except (KeyError, ValueError, binascii.Error):
        raise NoText("what it says of its password is damaged", "damaged") from None
    if not (0 < told.rounds <= _MOST_ROUNDS and told.memory <= _MOST_MEMORY and told.size in (16, 24, 32)):
        raise NoText("it is encrypted in a way that is not read", "encrypted")
    return told


def _last(name: str) -> str:
    """Return the end of a name: of "http://www.w3.org/2001/04/xmlenc#aes256-cbc" what stands after the "#"."""
    return name.lower().rpartition("#")[2].rpartition(":")[2]


def _part(data: bytes, told: _Told, password: str, most: int) -> bytes:
    """Return what a part holds. Raises NoText."""
    key = _key(told, password)
    if "gcm" in told.cipher:
        packed = _gcm(data, key, told.vector)
    else:
        packed = _deciphered(data, told, key)
        digest = hashlib.sha256 if "256" in told.checksum else hashlib.sha1
        if told.expected and digest(packed[:_CHECKED]).digest() != told.expected:
            raise NoText("the password is wrong", "password")
    if packed.startswith(ZIP_MARK):
        return packed
    unpacking = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        found = unpacking.decompress(packed, max(most, 1))
    except zlib.error:
        raise NoText("the password is wrong, or it is damaged", "password") from None
    if unpacking.unconsumed_tail:
        raise NoText("it holds too much to be deciphered", "too_large")
    return found


def _key(told: _Told, password: str) -> bytes:
    start = (hashlib.sha256 if "256" in told.start else hashlib.sha1)(password.encode()).digest()
    if "argon2" not in told.derivation:
        return hashlib.pbkdf2_hmac("sha1", start, told.salt, told.rounds, told.size)
    argon2: Any = importlib.import_module("cryptography.hazmat.primitives.kdf.argon2")
    try:
        return argon2.Argon2id(
            salt=told.salt, length=told.size, iterations=told.rounds, lanes=told.lanes, memory_cost=told.memory
        ).derive(start)
    except (ValueError, NotImplementedError):
        raise NoText("it is encrypted in a way that is not read here", "encrypted") from None
    except Exception as error:
        if type(error).__name__ != "UnsupportedAlgorithm":
            raise
        raise NoText("it is encrypted in a way that is not read here", "encrypted") from None


def _gcm(data: bytes, key: bytes, vector: bytes) -> bytes:
    """Return what AES-GCM holds, whose vector may stand before it as well."""
    aead: Any = importlib.import_module("cryptography.hazmat.primitives.ciphers.aead")
    errors: Any = importlib.import_module("cryptography.exceptions")
    for held in (data, data[len(vector) :]) if data.startswith(vector) else (data,):
        try:
            return aead.AESGCM(key).decrypt(vector, held, None)
        except (errors.InvalidTag, ValueError):
            continue
    raise NoText("the password is wrong", "password")


def _deciphered(data: bytes, told: _Told, key: bytes) -> bytes:
    ciphers: Any = importlib.import_module("cryptography.hazmat.primitives.ciphers")
    is_aes = told.cipher.startswith("aes") and "cbc" in told.cipher
    if not is_aes and "blowfish" not in told.cipher:
        raise NoText(f"it is encrypted in a way that is not read ({told.cipher[:50]})", "encrypted")
    kinds: Any = ciphers.algorithms
    if not is_aes:
        kinds = importlib.import_module("cryptography.hazmat.decrepit.ciphers.algorithms")
    try:
        mode = ciphers.modes.CBC(told.vector) if is_aes else _feedback(told.vector)
        with_key = ciphers.Cipher((kinds.AES if is_aes else kinds.Blowfish)(key), mode).decryptor()
        found = with_key.update(data) + with_key.finalize()
    except ValueError:
        raise NoText("what it says of its password is damaged", "damaged") from None
    return found[: -found[-1]] if is_aes and found else found


def _feedback(vector: bytes) -> Any:
    for module in ("cryptography.hazmat.decrepit.ciphers.modes", "cryptography.hazmat.primitives.ciphers.modes"):
        try:
            return importlib.import_module(module).CFB(vector)
        except (ImportError, AttributeError):
            continue
    raise NoText("it is encrypted in a way that is not read here", "encrypted")
