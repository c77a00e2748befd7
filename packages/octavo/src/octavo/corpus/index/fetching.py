"""Documents at addresses: found in object storage, fetched into temporary files within caps on size and time.

What a name resolves to is checked, and the connection goes to what was checked: an address of this machine or of its
network is refused, after every redirect too, unless the caller allows it. Knows nothing of the store.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import http.client
import ipaddress
import mimetypes
import re
import socket
import ssl
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, BinaryIO
from urllib.parse import quote, urljoin, urlsplit

from octavo.corpus.index.sources import FoundFile
from octavo.corpus.store import Source
from octavo.corpus.store.paths import name_of_address
from octavo.errors import FULL, KINDS, OFFLINE, SourceError, UsageError
from octavo_documents.parsing.articles import is_container
from octavo_documents.parsing.formats import SUFFIXES

if TYPE_CHECKING:
    from obstore.store import ObjectStore

_MOST_BYTES = 512 << 20
"""Of one document."""
_BYTES_AT_ONCE = 1 << 30
"""Of all documents that lie in a folder, which may be more where it is one alone."""
_MOST_SECONDS = 300.0
"""For one document, redirects included."""
_SILENCE_SECONDS = 20.0
"""Without a byte."""
_MOST_REDIRECTS = 5
_CHUNK = 1 << 16
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_WEB = ("https", "http")
_BUSY = frozenset({408, 425, 429})
"""Answers of a server that pass, as those from 500 on do."""
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT})
_NO_NETWORK = frozenset({socket.EAI_AGAIN, errno.ENETUNREACH, errno.ENETDOWN, errno.EHOSTUNREACH})
_SAID_OFFLINE = ("Temporary failure in name resolution", "NetworkUnreachable", "HostUnreachable")
"""What object storage says of the same."""
_SAID_PASSING = ("HTTP error", " retries")
"""In what object storage says when the network failed, or the server after it was asked again and again."""
_HEADERS = {"User-Agent": "octavo", "Accept": "*/*", "Accept-Encoding": "identity"}
_BUCKET = re.compile(r"([^:]+://[^/]*)/*(.*)", re.DOTALL)
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
"""Addresses of IPv4 as a network without IPv4 reaches them; their last 32 bits are the address."""
_PUBLIC_IPV6 = ipaddress.ip_network("2000::/3")
"""What is given out of IPv6; all else is local, of this machine, or an address of IPv4 in one of several forms."""
_ISATAP = (0x00005EFE, 0x02005EFE)
"""Before the 32 bits of an IPv4 address at the end of one of IPv6 (RFC 5214)."""
_PLAIN = "!#$%&'()*+,/:;=?@[]~"
"""Signs that stand in an address as they are; others are written with %."""


def listed(address: str) -> Iterator[FoundFile]:
    """Yield the documents at an address: a page or file of the web, an object, or all objects below one.

    Raises SourceError (`missing`).
    """
    try:
        parts = urlsplit(address)
    except ValueError as error:
        raise SourceError("missing", f"{address} is no address ({error})") from error
    if parts.scheme in _WEB:
        if parts.username is not None:
            raise SourceError("missing", f"{parts.hostname}: an address that holds a password is not read")
        yield FoundFile(parts._replace(fragment="").geturl(), is_named=True)
        return
    store, path = _opened(address)
    with _explained(address):
        if path and _is_object(store, path):
            yield FoundFile(address, is_named=True)
            return
        start = address.removesuffix(path).rstrip("/") + "/"
        documents = 0
        for page in store.list(f"{path.rstrip('/')}/" if path else None):  # pyright: ignore[reportUnknownMemberType]
            for name in (item["path"] for item in page):
                is_document = name.lower().endswith(SUFFIXES)
                documents += is_document
                yield FoundFile(start + name, "" if is_document else "format")
    if not documents:
        raise SourceError("missing", f"{address} holds no document ({KINDS}): check the address")


@dataclass(frozen=True, slots=True)
class _Looks:
    """How a document at an address looks: its size, -1 where that is not said, and what changes when it does."""

    size: int
    stamp: int

    @staticmethod
    def of(size: int | None, *signs: object) -> _Looks:
        said = "\n".join(str(sign) for sign in signs if sign)
        if not said:
            return _Looks(-1 if size is None else size, time.time_ns())  # like no other: it is fetched each time
        digest = hashlib.sha256(said.encode()).digest()
        return _Looks(-1 if size is None else size, int.from_bytes(digest[:7], "big"))

    def are_those_of(self, source: Source) -> bool:
        return self.stamp == source.mtime_ns and self.size in (-1, source.size)


class PutOff(Exception):
    """There is no room for a document beside those that lie there: it is to be fetched when these have gone."""


class Fetcher:
    """Fetches documents into a folder, up to a number of bytes in all. Threads may share it."""

    def __init__(self, folder: Path, *, allow_private: bool = False) -> None:
        """Take the folder, and whether addresses of this machine and of its network, and http, are allowed."""
        self._folder, self._allow_private = folder, allow_private
        self._lock = threading.Lock()
        self._open: set[http.client.HTTPConnection] = set()
        self._count = self._bytes = 0
        self._is_stopped = False

    def stop(self) -> None:
        """End what is being fetched: it raises SourceError."""
        with self._lock:
            self._is_stopped = True
            for connection in self._open:
                _cut(connection)

    def fetch(self, address: str, before: Source | None = None) -> Source | None:
        """Return a document in a file of the folder, None where it still looks as `before`.

        Raises SourceError (`missing`, `too_large`, `format`, and `PASSING` when it may be had another time) and PutOff.
        """
        try:
            if urlsplit(address).scheme in _WEB:
                return self._from_web(address, before)
            return self._from_storage(address, before)
        except TimeoutError as error:
            raise SourceError("unreachable", f"{address} took too long: try again later") from error
        except ValueError as error:
            raise SourceError("missing", f"{address} leads to what is no address ({error})") from error

    # Object storage

    def _from_storage(self, address: str, before: Source | None) -> Source | None:
        deadline = time.monotonic() + _MOST_SECONDS
        store, path = _opened(address)
        with _explained(address):
            found = store.get(path)
            looks = _Looks.of(found.meta["size"], found.meta["e_tag"], found.meta["last_modified"])
            if before and looks.are_those_of(before):
                return None
            return self._keep(address, "", looks, (bytes(chunk) for chunk in found.stream(_CHUNK)), deadline)

    # The web

    def _from_web(self, address: str, before: Source | None) -> Source | None:
        deadline = time.monotonic() + _MOST_SECONDS
        at = address
        for _ in range(_MOST_REDIRECTS + 1):
            with self._asked(at, address, deadline) as answer:
                if answer.status in _REDIRECTS:
                    led = answer.headers.get("Location", "").encode("latin-1", "replace")  # as it came
                    at = urljoin(at, quote(led, safe=_PLAIN))
                    continue
                if answer.status != 200:
                    reason = "unreachable" if answer.status in _BUSY or answer.status >= 500 else "missing"
                    raise SourceError(reason, f"{address} is not to be had ({answer.status} {answer.reason})")
                said = answer.headers
                size = answer.length
                looks = _Looks.of(size, said.get("ETag"), said.get("Last-Modified"))
                if before and looks.are_those_of(before):
                    return None
                kind = mimetypes.guess_extension(said.get_content_type()) or ""
                return self._keep(address, kind, looks, _chunks(answer), deadline)
        raise SourceError("missing", f"{address} leads from one address to the next without end")

    @contextlib.contextmanager
    def _asked(self, at: str, address: str, deadline: float) -> Generator[http.client.HTTPResponse]:
        """Ask for an address; `address` is what messages call it. The connection is cut when its time is over."""
        parts = urlsplit(at)
        if parts.scheme != "https" and not (parts.scheme == "http" and self._allow_private):
            advice = ": give --allow-private where that is meant" if at == address else ""
            told = address if at == address else f"{address} leads to {at[:80]}, which"
            raise SourceError("missing", f"{told} is no https:// address, and only such are fetched{advice}")
        host = parts.hostname or ""
        connection = http.client.HTTPConnection("")  # who is asked is told below, in the header and by the socket
        watch = threading.Timer(max(0.0, deadline - time.monotonic()), _cut, (connection,))
        watch.daemon = True
        try:
            connection.sock = self._connected(host, parts.port or {"https": 443}.get(parts.scheme, 80), address)
            with self._lock:
                self._open.add(connection)
            watch.start()
            if parts.scheme == "https":
                connection.sock = ssl.create_default_context().wrap_socket(connection.sock, server_hostname=host)
            target = parts._replace(scheme="", netloc="", fragment="", path=parts.path or "/").geturl()
            connection.request(
                "GET", quote(target, safe=_PLAIN), headers={**_HEADERS, "Host": parts.netloc.rpartition("@")[2]}
            )
            yield connection.getresponse()
        except TimeoutError:
            raise
        except (http.client.IncompleteRead, ConnectionError) as error:
            raise _cut_off(address, deadline, error) from error
        except (http.client.HTTPException, ValueError) as error:  # so is a certificate of somebody else
            raise SourceError("missing", f"{address} does not answer as it should ({error})") from error
        except OSError as error:
            raise _cut_off(address, deadline, error) from error
        finally:
            watch.cancel()
            with self._lock:
                self._open.discard(connection)
            connection.close()

    def _connected(self, host: str, port: int, address: str) -> socket.socket:
        """Return a connection to what a name means, where all of that may be connected to."""
        if self._is_stopped:
            raise SourceError("missing", f"{address} was not fetched: it was interrupted")
        found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        for number in found:
            if not self._allow_private and not is_public(number):
                raise SourceError(
                    "missing",
                    f"{address} leads to {number}, which is no address of the public internet: "
                    "give --allow-private where that is meant",
                )
        problem: OSError | None = None
        for number in found:
            try:
                return socket.create_connection((number, port), timeout=_SILENCE_SECONDS)
            except OSError as error:
                problem = problem or error  # those that no way leads to are named last
        raise problem or OSError("its name means nothing")

    def _keep(self, address: str, kind: str, looks: _Looks, chunks: Iterator[bytes], deadline: float) -> Source:
        """Write a document into a file whose name ends as its format does."""
        with self._lock:
            self._count += 1
            number = self._count
        name = name_of_address(address)
        ending = PurePosixPath(name).suffix.lower()
        if ending not in SUFFIXES and is_container(name):
            raise _holds_many(address)
        file = self._folder / f"{number}{ending if ending in SUFFIXES else kind}"
        size = 0
        if looks.size > _MOST_BYTES:
            raise _too_large(address)
        with self._written(file) as (out, make_room):
            make_room(looks.size)
            for chunk in chunks:
                size += len(chunk)
                if size > _MOST_BYTES:
                    raise _too_large(address)
                make_room(size)
                out.write(chunk)
                if time.monotonic() > deadline or self._is_stopped:
                    raise TimeoutError
            if time.monotonic() > deadline or self._is_stopped:  # what came may have been cut
                raise TimeoutError
            if looks.size not in (-1, size):
                said = f"{address} broke off after {size:,} of {looks.size:,} bytes: try again"
                raise SourceError("unreachable", said)
        if is_container(str(file)):
            raise _holds_many(address)
        return Source(address, size, looks.stamp, file=str(file))

    @contextlib.contextmanager
    def _written(self, file: Path) -> Generator[tuple[BinaryIO, Callable[[int], None]]]:
        """Give a file that is gone after an error, and what makes room in it for so many bytes at least."""
        mine = 0

        def make_room(size: int) -> None:
            nonlocal mine
            more = max(0, size - mine)
            with self._lock:
                if self._bytes > mine and self._bytes + more > _BYTES_AT_ONCE:
                    raise PutOff
                self._bytes += more
            mine += more

        try:
            with file.open("wb") as out:
                yield out, make_room
        except BaseException:
            file.unlink(missing_ok=True)
            with self._lock:
                self._bytes -= mine
            raise


def is_public(number: str) -> bool:
    """Whether an IP address is one of the public internet, and so is an IPv4 address inside it."""
    if "%" in number:  # a zone: an address of a network that this machine is in
        return False
    try:
        at = ipaddress.ip_address(number)
    except ValueError:  # a number in a form that only resolvers take
        return False
    if isinstance(at, ipaddress.IPv6Address):
        return _is_public_ipv6(at)
    return at.is_global and not at.is_multicast


def _is_public_ipv6(at: ipaddress.IPv6Address) -> bool:
    """Whether an address is given out, with no address of IPv4 inside that is not public."""
    last = ipaddress.IPv4Address(int(at) & 0xFFFFFFFF)
    if at in _NAT64:
        return is_public(str(last))
    inner = [at.sixtofour, *(at.teredo or ())]
    if (int(at) >> 32) & 0xFFFFFFFF in _ISATAP:
        inner.append(last)
    return at in _PUBLIC_IPV6 and at.is_global and all(one is None or is_public(str(one)) for one in inner)


def _cut_off(address: str, deadline: float, error: Exception) -> Exception:
    """Return the error to raise for a failure on the way; after the deadline it is this side that has cut it off."""
    if time.monotonic() >= deadline:
        return TimeoutError()
    number = error.errno if isinstance(error, OSError) else None
    if number in _NO_ROOM:
        return _no_room(address)
    reason = OFFLINE if number in _NO_NETWORK else "unreachable"
    return SourceError(reason, f"{address} cannot be fetched ({getattr(error, 'strerror', '') or error})")


def _cut(connection: http.client.HTTPConnection) -> None:
    with contextlib.suppress(OSError, AttributeError):  # it may be closed just now
        connection.sock.shutdown(socket.SHUT_RDWR)


def _chunks(answer: http.client.HTTPResponse) -> Iterator[bytes]:
    while chunk := answer.read1(_CHUNK):
        yield chunk


def _no_room(address: str) -> SourceError:
    return SourceError(FULL, f"{address} was not fetched: no space left in {tempfile.gettempdir()}")


def _too_large(address: str) -> SourceError:
    return SourceError("too_large", f"{address} has more than {_MOST_BYTES:,} bytes, which is the most that is fetched")


def _holds_many(address: str) -> SourceError:
    return SourceError("format", f"{address} holds many documents: save it as a file and add that")


def _opened(address: str) -> tuple[ObjectStore, str]:
    """Return the bucket of an address in object storage, and the path in it."""
    try:
        from octavo.corpus.store.object_storage import store_at
    except ImportError as error:
        raise UsageError(f"{address} needs what talks to object storage: pip install 'octavo[cluster]'") from error
    found = _BUCKET.match(address)
    bucket, path = found.groups() if found else (address, "")
    with _explained(address):
        return store_at(bucket), path


def _is_object(store: ObjectStore, path: str) -> bool:
    try:
        store.head(path)
    except FileNotFoundError:
        return False
    return True


@contextlib.contextmanager
def _explained(address: str) -> Generator[None]:
    """Turn what object storage says into a SourceError."""
    from obstore import exceptions

    from octavo.corpus.store.object_storage import said

    try:
        yield
    except TimeoutError:
        raise
    except FileNotFoundError as error:
        raise SourceError("missing", f"{address} is not there: check the address") from error
    except (exceptions.PermissionDeniedError, exceptions.UnauthenticatedError, PermissionError) as error:
        raise SourceError("missing", f"{address} may not be read ({said(error)}): check the account") from error
    except (exceptions.BaseError, OSError, ValueError) as error:
        if isinstance(error, OSError) and error.errno in _NO_ROOM:  # here, where it is written
            raise _no_room(address) from error
        signs = {OFFLINE: _SAID_OFFLINE, "unreachable": _SAID_PASSING}
        reasons = (reason for reason, words in signs.items() if any(word in str(error) for word in words))
        raise SourceError(next(reasons, "missing"), f"{address} cannot be read ({said(error)})") from error
