"""Running a server: uvicorn on one address, until a signal ends it."""

from __future__ import annotations

import socket
from collections.abc import Callable

from octavo.corpus import Corpus
from octavo.errors import OctavoError
from octavo.server.settings import ServerSettings


def serve(corpus: Corpus, settings: ServerSettings, announce: Callable[[str], None]) -> None:
    """Serve a corpus until SIGINT or SIGTERM; `announce` is told the address once the server listens there.

    Raises OctavoError where the address is taken.
    """
    import uvicorn

    from octavo.server.app import application

    listening = _bound(settings.host, settings.port)
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    config = uvicorn.Config(
        application(corpus, settings),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=int(settings.grace) - 2,
        timeout_keep_alive=30,
        h11_max_incomplete_event_size=64 << 10,
    )
    announce(f"http://{shown}:{port}/")
    uvicorn.Server(config).run(sockets=[listening])


def _bound(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(2048)
    except (OSError, OverflowError) as error:
        listening.close()
        why = getattr(error, "strerror", None) or str(error)
        raise OctavoError(f"{host}:{port}: {why}; choose another port with --port") from error
    return listening
