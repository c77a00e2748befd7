"""Who may do what, and the outermost layer of the server, which checks where a request comes from and who sends it.

Names the server answers to, keys and their scopes, the cookie of a browser, safe headers. What passes is counted.
"""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
import hmac
import ipaddress
import re
import secrets
import threading
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from octavo.errors import CorpusError, OctavoError, UsageError
from octavo_documents.wording import CATALOGUES, ENGLISH, of_header, speak
from octavo_server.admission import Admission
from octavo_server.problems import Problem, problem_of
from octavo_server.routes import answered
from octavo_server.scopes import ADMIN, GRANTED, HOLDER, SCOPES, unknown_caller
from octavo_server.sessions import LASTS, Sessions
from octavo_server.store import Key, Store

if TYPE_CHECKING:
    from starlette.datastructures import Headers
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from octavo_server import ServerSettings
    from octavo_server.services import Services

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]{2,45}\]|[A-Za-z0-9._-]{1,255})(:[0-9]{0,5})?", re.ASCII)
"""The header Host: a name or an address and a port, and nothing else, such as what stands before an @."""
_KEY_BYTES = 32
_KEY_START = "octavo_"
_KEPT_SECONDS = 2.0
"""How long keys that were read are used: one that is removed stops working after it."""
HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "require-trusted-types-for 'script'; trusted-types 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
"""What every response carries."""


def _language(request: Request) -> str:
    """Return the language of whoever asks: the one that was chosen on the page, else what the browser prefers."""
    chosen = request.cookies.get("language", "")
    return (
        chosen if chosen in CATALOGUES or chosen == ENGLISH else of_header(request.headers.get("accept-language", ""))
    )


def new_key() -> str:
    """Return a key that nobody guesses."""
    return _KEY_START + secrets.token_urlsafe(_KEY_BYTES)


def digest_of(secret: str) -> bytes:
    """Return what is stored of a key. It has 256 random bits, so that one hash is enough."""
    return hashlib.sha256(secret.encode("utf-8", "replace")).digest()


def add_key(store: Store, name: str, scope: str) -> str:
    """Make a key and return it; it is shown this once. Raises UsageError for a bad name or scope, or one there is."""
    if scope not in SCOPES:
        raise UsageError(f"there is no scope {scope!r}: choose one of {', '.join(SCOPES)}")
    if not name.strip() or len(name) > 100 or not name.isprintable():
        raise UsageError("a key needs a name of 1 to 100 letters, such as the program that uses it")
    if any(key.name == name for key in store.all_keys()):
        raise UsageError(f"there is a key called {name!r} already: choose another name, or remove it first")
    secret = new_key()
    store.add_key(name, digest_of(secret), scope)
    return secret


def is_loopback(host: str) -> bool:
    """Whether an address is this machine's own, to be reached from it alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Access:
    """Decides for requests. Thread-safe."""

    def __init__(self, store: Store, settings: ServerSettings, cookie: str) -> None:
        """Take the keys, the settings, and the name of the cookie."""
        self._store, self._settings, self.cookie = store, settings, cookie
        self._sessions = Sessions(store)
        self._token = digest_of(settings.token) if settings.token else None
        self._lock = threading.Lock()
        self._keys: tuple[float, tuple[Key, ...]] = (-_KEPT_SECONDS, ())

    def check_origin(self, headers: Headers) -> None:
        """Raise Problem 403 for a name this server is not called by, or a request from another site's page.

        An address in numbers is answered: no other site can pass for it, as it can for a name (DNS rebinding).
        """
        host = headers.get("host", "")
        if not _HOST.fullmatch(host):
            raise Problem(403, "host", "The header Host names no server: send a name or an address, and a port.")
        name = _name_of(host)
        known = ("localhost", *(one.lower() for one in self._settings.hosts))
        if not (_is_address(name) or name in known):
            raise Problem(403, "host", f"This server is not called {name!r}; start it with --name {name} if it is.")
        origin = headers.get("origin")
        if origin is not None and urlsplit(origin).netloc.lower() != host.lower() and not self._is_named(origin):
            raise Problem(403, "origin", "Pages of other sites may not call this server.")

    def _is_named(self, origin: str) -> bool:
        """Whether an origin is a name that was set for the server: behind a proxy ports may differ."""
        return _name_of(urlsplit(origin).netloc) in [one.lower() for one in self._settings.hosts]

    def granted(self, headers: Headers, cookies: Mapping[str, str]) -> str | None:
        """Return the scope of a request by its key or cookie, None for none; raises as `holder` does."""
        found = self.holder(headers, cookies)
        return None if found is None else self.scope_of_hash(found)

    def holder(self, headers: Headers, cookies: Mapping[str, str]) -> bytes | None:
        """Return the hash of the key that a request has, or that its session was begun with; None for none.

        Raises CorpusError (`gone`) where the file that keys and sessions are kept in was deleted or moved away.
        """
        self._store.check_place()
        if is_by_key(headers):
            secret = headers["authorization"].partition(" ")[2].strip()
            return digest_of(secret) if secret else None
        holders = (self._sessions.holder(cookies.get(name, "")) for name in (_HOST_PREFIX + self.cookie, self.cookie))
        return next((one for one in holders if one is not None), None)

    def begin(self, secret: str) -> str | None:
        """Return the secret of a session for whoever has a key or the link's token, None for anybody else."""
        return None if self.scope_of(secret) is None else self._sessions.begin(digest_of(secret))

    def end(self, cookies: Mapping[str, str]) -> tuple[str, ...]:
        """End the sessions of a browser; return the names of the cookies that hold them."""
        held = tuple(name for name in (_HOST_PREFIX + self.cookie, self.cookie) if name in cookies)
        for name in held:
            self._sessions.end(cookies[name])
        return held

    def check_sender(self, method: str, headers: Headers) -> None:
        """Raise Problem 403 for a change by cookie alone that no page of this server asks for.

        A cookie comes along with what other sites send too, in browsers that do not keep it back.
        """
        is_own = "origin" in headers or headers.get("sec-fetch-site") == "same-origin"  # whose origin was checked
        if method not in _SAFE and not is_by_key(headers) and not is_own:
            told = "A change by cookie needs the header Origin; programs send 'Authorization: Bearer KEY'."
            raise Problem(403, "origin", told)

    def scope_of(self, secret: str) -> str | None:
        """Return the scope of a key or of the link's token, None for anything else."""
        return self.scope_of_hash(digest_of(secret)) if secret else None

    def scope_of_hash(self, digest: bytes) -> str | None:
        """Return the scope of a key or of the link's token by its hash, None for anything else."""
        found = None
        if self._token is not None and hmac.compare_digest(digest, self._token):
            found = ADMIN
        for key in self._known():
            if hmac.compare_digest(digest, key.digest):
                found = key.scope
        return found

    def _known(self) -> tuple[Key, ...]:
        with self._lock:
            read, keys = self._keys
            if time.monotonic() - read >= _KEPT_SECONDS:
                with contextlib.suppress(CorpusError):  # a file that is busy for once: what was read before holds
                    keys = self._store.all_keys()
                self._keys = time.monotonic(), keys
            return keys


_HOST_PREFIX = "__Host-"
"""Begins the name of a cookie that browsers take from this host alone, and over TLS alone."""
_SAFE = ("GET", "HEAD", "OPTIONS")
"""Methods that change nothing."""


def is_by_key(headers: Headers) -> bool:
    """Whether a request names its key itself, which no browser does for another site."""
    return headers.get("authorization", "").partition(" ")[0].lower() == "bearer"


def give_cookie(request: Request, response: Response, access: Access, session: str) -> None:
    """Add the cookie of a session. Links of other sites bring it along (`Lax`); what they embed or send does not."""
    is_secure = request.url.scheme == "https" or request.headers.get("x-forwarded-proto") == "https"
    name = (_HOST_PREFIX if is_secure else "") + access.cookie
    response.set_cookie(name, session, max_age=LASTS, httponly=True, samesite="lax", secure=is_secure, path="/")


def _name_of(host: str) -> str:
    """Return the name or address of a host header, without its port."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def check_framing(headers: Headers) -> None:
    """Raise Problem 400 for a body that is framed in two ways: what stands before the server may see another end of it.

    RFC 9112 section 6.1.
    """
    if "transfer-encoding" in headers and "content-length" in headers:
        told = "Send either Content-Length or Transfer-Encoding: with both it is not sure where the body ends."
        raise Problem(400, "framing", told, headers={"Connection": "close"})


_STATIC = ("/static/", "/favicon.ico")
"""Paths that are the same for everybody."""
_OPEN = "/sign-in"
"""The path that leads to a session; those of the route table say themselves what they need."""
_TOKEN = "token"  # noqa: S105  (the name of a parameter)
_UPLOADS = "/v1/documents"
"""Where bodies larger than JSON may go; the handler counts them itself."""
_BODY_SECONDS = 60.0
"""From the headers of a request until the whole of its body is there, but for uploads."""
Refused = Callable[[Request, int, str], Response]
"""Makes the page for people who are refused, by the status and the reason in words."""


class Guard:
    """ASGI middleware around the whole application."""

    def __init__(self, app: ASGIApp, services: Services, table: frozenset[str], refused: Refused | None) -> None:
        """Take what is guarded, the services, the beginnings of paths in the route table, and pages for the refused."""
        self._app, self._services, self._refused = app, services, refused
        self._table = table

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or pass it on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started, begun = time.perf_counter(), list[tuple[int, float]]()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                begun.append((message["status"], time.perf_counter() - started))
                _secure(message)
            await send(message)

        request = Request(scope)
        try:
            speak(_language(request))
            found = self._checked(request)
            if found is not None:
                await found(scope, receive, sending)
            else:
                admission = self._admission(request)
                receive = admission.receiving(self._counted(request, receive))
                await self._app(scope, receive, admission.sending(sending))
        except Exception as error:  # noqa: BLE001  (the last place that can turn a failure into words)
            if not begun:
                await answered(error)(scope, receive, sending)
        finally:
            route = getattr(scope.get("route"), "path", "other")
            status, seconds = begun[0] if begun else (499, time.perf_counter() - started)
            self._services.metrics.request(scope["method"], route, status, seconds)

    def _checked(self, request: Request) -> Response | None:
        """Return the response to a request that is not passed on, None for one that is."""
        access, path = self._services.access, request.url.path
        try:
            check_framing(request.headers)
            access.check_origin(request.headers)
            is_in_table = any(path == start or path.startswith(f"{start}/") for start in self._table)
            if _TOKEN in request.query_params and not is_in_table:
                return self._enter(request)
            if path.startswith(_STATIC):
                return None
            holder = access.holder(request.headers, request.cookies)
            granted = request.scope[GRANTED] = None if holder is None else access.scope_of_hash(holder)
            request.scope[HOLDER] = "" if holder is None or granted is None else holder.hex()
            if granted is None and not is_in_table and not path.startswith(_OPEN):
                raise unknown_caller()
            if granted is not None:
                access.check_sender(request.method, request.headers)
        except OctavoError as error:
            return self._problem_response(request, problem_of(error))
        return None

    def _admission(self, request: Request) -> Admission:
        """Return what looks whether the caller may still do what it was let in for."""
        access, granted = self._services.access, request.scope.get(GRANTED)

        def holds() -> bool:
            try:
                return granted is None or access.granted(request.headers, request.cookies) == granted
            except CorpusError:  # keys cannot be looked up: what the request does next says why
                return True

        return Admission(holds)

    def _enter(self, request: Request) -> Response:
        """Begin a session for the secret of a link, and lead to the same address without it."""
        session = self._services.access.begin(request.query_params[_TOKEN])
        if session is None:
            raise unknown_caller()
        rest = urlencode([(name, value) for name, value in parse_qsl(request.url.query) if name != _TOKEN])
        path = "/" + request.url.path.lstrip("/\\")
        response = RedirectResponse(f"{path}?{rest}" if rest else path, 303)
        give_cookie(request, response, self._services.access, session)
        return response

    def _problem_response(self, request: Request, problem: Problem) -> Response:
        is_page = "text/html" in request.headers.get("accept", "")
        if self._refused is not None and is_page and not request.url.path.startswith("/v1/"):
            return self._refused(request, problem.status, problem.detail)
        return problem.response()

    def _counted(self, request: Request, receive: Receive) -> Receive:
        """Return `receive` with an end to how much a body has and how long it takes.

        Uploads are counted and timed where they are kept.
        """
        if request.method == "POST" and request.url.path == _UPLOADS:
            return receive
        most, size, is_whole = self._services.settings.max_body, 0, False
        until = asyncio.get_running_loop().time() + _BODY_SECONDS

        async def counted() -> Message:
            nonlocal size, is_whole
            if is_whole:
                return await receive()
            try:
                async with asyncio.timeout_at(until):
                    message = await receive()
            except TimeoutError:
                raise Problem(408, "timeout", "The body did not come within a minute; send it again.") from None
            is_whole = not message.get("more_body", False)
            size += len(message.get("body", b""))
            if size > most:
                raise Problem(413, "too_large", f"The body is larger than {most:,} bytes, the most that is taken here.")
            return message

        return counted


def _secure(message: Message) -> None:
    """Add the headers that every response carries, but for those it has."""
    headers = MutableHeaders(raw=list[tuple[bytes, bytes]](message["headers"]))
    for name, value in HEADERS.items():
        headers.setdefault(name, value)
    headers.setdefault("Cache-Control", "no-store")
    message["headers"] = headers.raw
