"""OpenDocument files under a password: with each cipher that programs write, and hostile ones."""

from __future__ import annotations

import base64
import hashlib
import sys
import zlib
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.argon2 import Argon2id

from octavo_documents.errors import SourceError
from octavo_documents.parsing.decryption import opened
from octavo_documents.parsing.flow import NoText
from octavo_documents.parsing.package import Package
from octavo_documents.reading import read
from office_files import archive, opendocument

SALT, VECTOR = bytes(range(16)), bytes(range(16, 32))
_NAMES = 'xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" xmlns:loext="urn:org:documentfoundation"'
BODY = "<text:p>The mooring costs 275 francs.</text:p>"


def _coded(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _manifest(path: str, algorithm: str, vector: bytes, derivation: str, checksum: str) -> str:
    return (
        f'<manifest:manifest {_NAMES}><manifest:file-entry manifest:full-path="{path}" manifest:size="9">'
        f"<manifest:encryption-data {checksum}>"
        f'<manifest:algorithm manifest:algorithm-name="{algorithm}" '
        f'manifest:initialisation-vector="{_coded(vector)}"/>'
        f'<manifest:key-derivation {derivation} manifest:key-size="32" manifest:salt="{_coded(SALT)}"/>'
        '<manifest:start-key-generation manifest:start-key-generation-name="http://www.w3.org/2000/09/xmldsig#sha256"/>'
        "</manifest:encryption-data></manifest:file-entry></manifest:manifest>"
    )


def _packed(data: bytes) -> bytes:
    packing = zlib.compressobj(wbits=-15)
    return packing.compress(data) + packing.flush()


def _by_parts(content: bytes, *, rounds: int = 1000, padding: int | None = None) -> bytes:
    """Return a file whose content is enciphered with AES in CBC, as programs have written since version 1.2."""
    packed = _packed(content)
    short = 16 - len(packed) % 16
    key = hashlib.pbkdf2_hmac("sha1", hashlib.sha256(b"harbour").digest(), SALT, 1000, 32)
    cipher = Cipher(algorithms.AES(key), modes.CBC(VECTOR)).encryptor()
    held = cipher.update(packed + bytes(short - 1) + bytes([short if padding is None else padding])) + cipher.finalize()
    told = _manifest(
        "content.xml",
        "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
        VECTOR,
        f'manifest:key-derivation-name="PBKDF2" manifest:iteration-count="{rounds}"',
        'manifest:checksum-type="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#sha256-1k" '
        f'manifest:checksum="{_coded(hashlib.sha256(packed[:1024]).digest())}"',
    )
    return archive({"content.xml": held, "META-INF/manifest.xml": told})


def _as_one(whole: bytes, *, is_led: bool) -> bytes:
    """Return a file that is enciphered as one, as LibreOffice has written since 2024."""
    key = Argon2id(salt=SALT, length=32, iterations=3, lanes=4, memory_cost=256).derive(
        hashlib.sha256(b"harbour").digest()
    )
    vector = VECTOR[:12]
    held = (vector if is_led else b"") + AESGCM(key).encrypt(vector, _packed(whole), None)
    told = _manifest(
        "encrypted-package",
        "http://www.w3.org/2009/xmlenc11#aes256-gcm",
        vector,
        'manifest:key-derivation-name="urn:org:documentfoundation:names:experimental:office:manifest:argon2id" '
        'loext:argon2-iterations="3" loext:argon2-memory="256" loext:argon2-lanes="4"',
        "",
    )
    return archive({"encrypted-package": held, "META-INF/manifest.xml": told})


def _content() -> bytes:
    return Package(opendocument("text", BODY)).read("content.xml")


FILES = {
    "parts": _by_parts(_content()),
    "one": _as_one(opendocument("text", BODY), is_led=False),
    "led": _as_one(opendocument("text", BODY), is_led=True),
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_opens_with_its_password_alone(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "a.odt"
    path.write_bytes(FILES[kind])
    assert list(read(path, password="harbour").blocks.text) == ["The mooring costs 275 francs."]
    for password, reason in ((None, "encrypted"), ("quay", "password")):
        with pytest.raises(SourceError) as caught:
            read(path, password=password)
        assert caught.value.reason == reason
        assert ("--password" in str(caught.value)) == (password is None)


def test_without_the_library_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.ciphers", None)
    with pytest.raises(NoText, match=r"octavo-documents\[encrypted\]"):
        opened(FILES["parts"], "harbour")


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (_by_parts(_content(), rounds=10**9), "encrypted"),
        (_by_parts(_content(), rounds=0), "encrypted"),
        (_by_parts(_content(), padding=200), "password"),
        (_by_parts(b"<a/>" + b" " * (300 << 20)), "too_large"),
        (FILES["parts"].replace(b"PK\x05\x06", b"PK\x05\x07"), "damaged"),
    ],
)
def test_hostile_files_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(NoText) as caught:
        opened(data, "harbour")
    assert caught.value.reason == reason


def test_a_file_without_a_password_is_read_with_one() -> None:
    data = opendocument("text", BODY)
    assert opened(data, "harbour") == data
