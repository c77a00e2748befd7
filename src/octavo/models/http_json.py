"""JSON sent to a model server and JSON read back.

Redirects are refused: they would carry a key to another host.
"""

from __future__ import annotations

import http.client
import json
import math
import socket
import time
import urllib.error
import urllib.request
from typing import Any

from octavo.errors import ModelError
from octavo.models.language import FaultKind, ModelFault

ATTEMPTS = 4
"""As often as the gateway tries (`gateway.Limits`)."""
_AGAIN = {408, 409, 425, 429, 500, 502, 503, 504, 529}
_MOST_BYTES = 256_000_000
"""Of a reply: more than the vectors of any batch, and what memory stands."""
_LONGEST_WAIT = 30.0
"""Seconds between two attempts, whatever the server asks for."""
_SERVER_ERRORS = 500
_KINDS = {
    401: FaultKind.AUTH,
    403: FaultKind.AUTH,
    404: FaultKind.UNKNOWN_MODEL,
    408: FaultKind.TIMEOUT,
    413: FaultKind.CONTEXT,
    429: FaultKind.RATE_LIMIT,
    503: FaultKind.OVERLOADED,
    529: FaultKind.OVERLOADED,
}
"""What a status means; others from 500 on are the server's fault, the rest that of the request."""


def _opener() -> urllib.request.OpenerDirector:
    """Return what opens addresses, by HTTP alone and without what follows redirects."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPErrorProcessor(),
        urllib.request.HTTPDefaultErrorHandler(),
    ):
        opener.add_handler(handler)
    return opener


def post(url: str, body: object, *, key: str = "", timeout: float = 60.0) -> Any:
    """Return what a server answers to `body`, after up to 4 attempts. Raises ModelError, without the key."""
    wrong = ""
    for attempt in range(ATTEMPTS):
        try:
            return _once(url, json.dumps(body).encode("utf-8"), key, timeout)
        except urllib.error.HTTPError as error:
            wrong = f"HTTP {error.code}"
            if error.code not in _AGAIN:
                break
            wait = _wait(error.headers.get("Retry-After"), attempt)
        except (OSError, http.client.HTTPException) as error:
            wrong = str(getattr(error, "reason", "") or error) or type(error).__name__
            wait = _wait(None, attempt)
        except ValueError:
            wrong, wait = "no JSON in the reply", _wait(None, attempt)
        if attempt + 1 < ATTEMPTS:
            time.sleep(wait)
    said = f"{url} does not answer as it should ({wrong}): check the address, the model's name and the key"
    raise ModelError(said.replace(key, "[secret]") if key else said)


def attempt(url: str, body: object, *, key: str = "", timeout: float = 60.0) -> Any:
    """Return what a server answers to `body`, after one attempt. Raises ModelFault, without the key."""
    try:
        return _once(url, json.dumps(body).encode("utf-8"), key, timeout)
    except urllib.error.HTTPError as error:
        kind = _KINDS.get(error.code, FaultKind.SERVER if error.code >= _SERVER_ERRORS else FaultKind.REQUEST)
        raise ModelFault(
            kind, f"{url}: HTTP {error.code}", retry_after=_asked(error.headers.get("Retry-After"))
        ) from None
    except TimeoutError:
        raise ModelFault(FaultKind.TIMEOUT, f"{url}: no reply within {timeout:g} seconds") from None
    except (OSError, http.client.HTTPException) as error:
        late = isinstance(getattr(error, "reason", None), TimeoutError)
        said = str(getattr(error, "reason", "") or error) or type(error).__name__
        said = said.replace(key, "[secret]") if key else said
        is_sent = not isinstance(getattr(error, "reason", None), ConnectionRefusedError | socket.gaierror)
        kind = FaultKind.TIMEOUT if late else FaultKind.CONNECTION
        raise ModelFault(kind, f"{url}: {said}", is_sent=is_sent) from None
    except ValueError:
        raise ModelFault(FaultKind.MALFORMED, f"{url}: no JSON in the reply") from None


def get(url: str, *, key: str = "", timeout: float = 60.0) -> Any:
    """Return what a server answers, after one attempt. Raises ModelError, without the key."""
    try:
        return _once(url, None, key, timeout)
    except urllib.error.HTTPError as error:
        wrong = f"HTTP {error.code}"
    except (OSError, http.client.HTTPException) as error:
        wrong = str(getattr(error, "reason", "") or error) or type(error).__name__
    except ValueError:
        wrong = "no JSON in the reply"
    raise ModelError(f"{url} does not answer as it should ({wrong})")


def _once(url: str, body: bytes | None, key: str, timeout: float) -> Any:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "User-Agent": "octavo"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    # The scheme is http or https: base URLs are checked where they are named.
    asked = urllib.request.Request(url, body, headers)  # noqa: S310
    with _opener().open(asked, timeout=timeout) as reply:
        content = reply.read(_MOST_BYTES + 1)
    if len(content) > _MOST_BYTES:
        raise ValueError("too long")
    return json.loads(content)


def _wait(said: str | None, attempt: int) -> float:
    wanted = _asked(said)
    return min(max(0.5 * 2**attempt if wanted is None else wanted, 0.0), _LONGEST_WAIT)


def _asked(said: str | None) -> float | None:
    """Return the seconds a server asks to wait, None when it says none."""
    try:
        wanted = float(said or "")
    except ValueError:
        return None
    return wanted if math.isfinite(wanted) else None
