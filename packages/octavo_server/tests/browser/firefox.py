"""Firefox, driven over WebDriver BiDi, which it speaks itself: keys and pointer as the system gives them.

What it needs is a WebSocket to the loopback address, in the few lines below: no package that the tests have brings one.
"""

from __future__ import annotations

import base64
import json
import os
import queue
import re
import shutil
import socket
import struct
import subprocess
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any

PROGRAM = next(filter(None, map(shutil.which, ("firefox-esr", "firefox"))), None)
_PREFERENCES = {
    "app.update.auto": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.homepage_override.mstone": "ignore",
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.telemetry.enabled": False,
}
_LISTENS = re.compile(r"WebDriver BiDi listening on ws://([\d.]+):(\d+)")
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "Down": "\ue015", "End": "\ue010", "Control": "\ue009"}


class _WebSocket:
    """The client's half of RFC 6455, as much of it as texts need."""

    def __init__(self, host: str, port: int, path: str) -> None:
        self._socket = socket.create_connection((host, port), timeout=300)
        key = base64.b64encode(os.urandom(16)).decode()
        head = f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        self._socket.sendall(f"{head}Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        self._file = self._socket.makefile("rb")
        status = self._file.readline()
        assert b" 101 " in status, status
        while self._file.readline() not in (b"\r\n", b""):
            pass

    def send(self, text: str) -> None:
        body, mask = text.encode(), os.urandom(4)
        size = len(body)
        length = bytes([0x80 | size]) if size < 126 else b"\xfe" + struct.pack(">H", size)
        if size > 0xFFFF:
            length = b"\xff" + struct.pack(">Q", size)
        masked = bytes(byte ^ mask[at & 3] for at, byte in enumerate(body))
        self._socket.sendall(b"\x81" + length + mask + masked)

    def receive(self) -> str:
        """Return the next text, its frames put together."""
        parts: list[bytes] = []
        while True:
            first, second = self._file.read(2)
            size = second & 0x7F
            if size > 125:
                size = int.from_bytes(self._file.read(2 if size == 126 else 8), "big")
            body = self._file.read(size)
            if first & 0x0F in (0, 1):
                parts.append(body)
                if first & 0x80:
                    return b"".join(parts).decode()

    def close(self) -> None:
        self._socket.close()


class Firefox:
    """One window. `told` collects what the page writes to the console as an error."""

    def __init__(self, host: str, port: int) -> None:
        self._socket = _WebSocket(host, port, "/session")
        self._last = 0
        self.told: list[str] = []
        self.call("session.new", {"capabilities": {}})
        self.call("session.subscribe", {"events": ["log.entryAdded"]})
        self._context = self.call("browsingContext.getTree", {})["contexts"][0]["context"]

    def __enter__(self) -> Firefox:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._socket.close()

    def call(self, method: str, params: dict[str, Any]) -> Any:
        self._last += 1
        self._socket.send(json.dumps({"id": self._last, "method": method, "params": params}))
        while True:
            found = json.loads(self._socket.receive())
            if found.get("method") == "log.entryAdded" and found["params"]["level"] == "error":
                self.told.append(str(found["params"].get("text")))
            if found.get("id") == self._last:
                assert found["type"] == "success", f"{method}: {found.get('message')}"
                return found["result"]

    def _here(self, **more: Any) -> dict[str, Any]:
        return {"context": self._context, **more}

    def open(self, address: str) -> None:
        self.call("browsingContext.navigate", self._here(url=address, wait="complete"))

    def size(self, width: int, height: int) -> None:
        self.call("browsingContext.setViewport", self._here(viewport={"width": width, "height": height}))

    def script(self, expression: str) -> Any:
        """Return the value of an expression of the page."""
        told = self._evaluated(f"(async () => JSON.stringify(await ({expression})) ?? 'null')()")
        return json.loads(told["value"])

    def _evaluated(self, expression: str) -> Any:
        found = self.call("script.evaluate", {"expression": expression, "target": self._here(), "awaitPromise": True})
        assert found["type"] == "success", found.get("exceptionDetails", {}).get("text")
        return found["result"]

    def wait(self, expression: str, seconds: float = 120) -> Any:
        """Return the value of an expression as soon as it is true."""
        until = time.monotonic() + seconds
        while not (value := self.script(expression)):
            assert time.monotonic() < until, f"{expression} did not come true; the page said {self.told}"
            time.sleep(0.1)
        return value

    def seen(self, selector: str, text: str = "") -> str:
        """Return the text of the first element in sight that fits, once there is one."""
        found = self.wait(
            f"[({_FIRST})({json.dumps(selector)}, {json.dumps(text)})].map((one) => one && [one.textContent])[0]"
        )
        return found[0]

    def hover(self, selector: str, text: str = "") -> tuple[int, int]:
        """Point at the middle of the first element in sight that fits."""
        self.seen(selector, text)
        place = f"""(async () => {{
            const one = ({_FIRST})({json.dumps(selector)}, {json.dumps(text)});
            one.scrollIntoView({{block: 'center', behavior: 'instant'}});
            await new Promise((done) => setTimeout(done, 250));
            const box = one.getBoundingClientRect();
            return [Math.round(box.x + box.width / 2), Math.round(box.y + box.height / 2)];
        }})()"""
        x, y = self.script(place)
        self._act("pointer", [{"type": "pointerMove", "x": x, "y": y}])
        return x, y

    def click(self, selector: str, text: str = "") -> None:
        """Press the first element in sight that fits, with the pointer, in its middle."""
        x, y = self.hover(selector, text)
        place = {"type": "pointerMove", "x": x, "y": y}
        self._act("pointer", [place, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0}])

    def press(self, *keys: str, held: str = "") -> None:
        """Press keys one after another: names of `KEYS`, or letters."""
        acts: list[dict[str, Any]] = [{"type": "keyDown", "value": KEYS[held]}] if held else []
        for key in keys:
            acts += [{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")]
        self._act("key", [*acts, *([{"type": "keyUp", "value": KEYS[held]}] if held else [])])

    def type(self, text: str) -> None:
        self.press(*text)

    def _act(self, kind: str, acts: list[dict[str, Any]]) -> None:
        self.call("input.performActions", self._here(actions=[{"type": kind, "id": kind, "actions": acts}]))

    def choose_files(self, selector: str, *files: Path) -> None:
        field = self._evaluated(f"document.querySelector({json.dumps(selector)})")
        element = {"sharedId": field["sharedId"]}
        self.call("input.setFiles", self._here(element=element, files=[str(file) for file in files]))

    def printed(self) -> bytes:
        """Return the page as a PDF."""
        return base64.b64decode(self.call("browsingContext.print", self._here())["data"])

    def picture(self) -> bytes:
        return base64.b64decode(self.call("browsingContext.captureScreenshot", self._here())["data"])


_FIRST = """(selector, text) => [...document.querySelectorAll(selector)].find((one) =>
    one.checkVisibility() && one.getClientRects().length
    && (one.textContent + ' ' + (one.ariaLabel ?? '')).includes(text))"""


@contextmanager
def firefox(profile: Path) -> Iterator[Firefox]:
    """Start Firefox with a profile of its own and without a window on the screen."""
    assert PROGRAM is not None
    profile.mkdir(parents=True, exist_ok=True)
    lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});" for name, value in _PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines))
    process = subprocess.Popen(
        [
            PROGRAM,
            "--headless",
            "--no-remote",
            "--profile",
            str(profile),
            "--remote-debugging-port",
            "0",
            "about:blank",
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(profile)},
    )
    found: queue.Queue[tuple[str, int]] = queue.Queue()
    threading.Thread(target=_listen, args=(process, found), daemon=True).start()
    try:
        with Firefox(*found.get(timeout=300)) as window:
            yield window
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _listen(process: subprocess.Popen[str], found: queue.Queue[tuple[str, int]]) -> None:
    """Read what Firefox says to its end, so that it never waits for a reader, and tell where it listens."""
    assert process.stderr is not None
    for line in process.stderr:
        if match := _LISTENS.search(line):
            found.put((match[1], int(match[2])))
