"""The page that a chat shows beside an answer, in a chat of the reference package, over a server as it runs."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from browser.conftest import Server, indexed, octavo, serving
from browser.test_answers import SWELL
from browser.test_hostile import PAYLOADS
from browser.test_quality import violations

WEB = Path(__file__).parents[4] / "web"
BRIDGE = WEB / "node_modules" / "@modelcontextprotocol" / "ext-apps"
POLICY = (
    "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    "media-src 'self' data:; connect-src 'none'; frame-src 'self'"
)
"""The strictest that a host has to bear, and the frame within it."""
EVERYTHING = {"openLinks": {}, "serverTools": {}, "serverResources": {}}

pytestmark = [
    pytest.mark.allow_hosts(["127.0.0.1"]),
    pytest.mark.skipif(
        shutil.which("node") is None or not BRIDGE.exists(), reason="ext-apps is not installed (npm ci in web/)"
    ),
]


class Tools:
    """The tools of a server, for a browser that waits: each call in a thread of its own."""

    def __init__(self, server: Server) -> None:
        self._address, self._key = server.origin, server.link.partition("token=")[2]
        self._thread = ThreadPoolExecutor(1)
        self.asked: list[str] = []

    def __call__(self, method: str, params: dict[str, Any]) -> str:
        """Return what the server gives as JSON, or its error."""
        self.asked.append(method)
        return self._thread.submit(anyio.run, self._call, method, params).result()

    async def _call(self, method: str, params: dict[str, Any]) -> str:
        http = httpx2.AsyncClient(headers={"Authorization": f"Bearer {self._key}"}, timeout=120)
        async with http, Client(streamable_http_client(f"{self._address}/mcp", http_client=http)) as client:
            try:
                if method == "resources/read":
                    told = await client.read_resource(params["uri"])
                else:
                    told = await client.call_tool(params["name"], params.get("arguments"))
            except MCPError as error:
                return json.dumps({"error": error.message})
        return json.dumps({"result": told.model_dump(mode="json", by_alias=True, exclude_none=True)})

    def call(self, tool: str, **arguments: Any) -> Any:
        return json.loads(self("tools/call", {"name": tool, "arguments": arguments}))["result"]


def _is_inner(frame: Any) -> bool:
    return bool(frame.url == "about:srcdoc")


class Chat:
    """A chat with the page of a tool in it."""

    def __init__(self, page: Any, tools: Tools) -> None:
        self.page, self.tools = page, tools

    def show(self, capabilities: Any = None, *, is_patient: bool = True, **context: Any) -> None:
        """Have the page stand in the chat, which is told nothing yet; one that is not patient waits for no answer."""
        found = json.loads(self.tools("resources/read", {"uri": "ui://octavo/pages.html"}))["result"]["contents"][0]
        assert found["mimeType"] == "text/html;profile=mcp-app"
        text = found["text"]
        if not is_patient:
            assert text.count("45e3") == 1
            text = re.sub("'sha256-[^']+'", "'unsafe-inline'", text.replace("45e3", "1"))
        host = {"html": text, "csp": found["_meta"]["ui"]["csp"], "context": context}
        self.page.evaluate("host => chat.show(host)", {**host, "capabilities": capabilities or EVERYTHING})
        self.tools.asked.clear()

    def told(self, result: Any) -> None:
        """Give the page the result of a tool."""
        self.page.evaluate("result => chat.bridge.sendToolResult(result)", result)

    @property
    def inner(self) -> Any:
        """The frame of the page; a browser that has much to do tells of it after the chat has."""
        found = next(filter(_is_inner, self.page.frames), None)
        return found or self.page.wait_for_event("framenavigated", _is_inner)


Opened = Callable[..., Chat]


@pytest.fixture(scope="module")
def host_script(tmp_path_factory: pytest.TempPathFactory) -> str:
    built = tmp_path_factory.mktemp("host") / "host.js"
    bundler = WEB / "node_modules" / ".bin" / "esbuild"
    command = [str(bundler), "test/chat-host.ts", "--bundle", f"--outfile={built}", "--log-level=warning"]
    subprocess.run(command, cwd=WEB, check=True)
    return built.read_text("utf-8")


@pytest.fixture
def chat(chromium: Any, host_script: str) -> Iterator[Opened]:
    """Open a chat. Afterwards the console may hold no error, and nothing was asked but the chat's own files."""
    contexts, said, asked = [], [], []

    def opened(server: Server, width: int = 760, **how: Any) -> Chat:
        context = chromium.new_context(viewport={"width": width, "height": 900}, reduced_motion="reduce", **how)
        contexts.append(context)
        pages = {
            "http://host.test/": {"path": WEB / "test" / "chat-host.html"},
            "http://host.test/host.js": {"body": host_script, "content_type": "text/javascript"},
            "http://host.test/favicon.ico": {"status": 204},
            "http://sandbox.test/": {
                "body": (WEB / "test" / "chat-sandbox.html").read_text("utf-8"),
                "headers": {"Content-Type": "text/html", "Content-Security-Policy": POLICY},
            },
        }
        context.route(
            "**/*",
            lambda route: (
                route.fulfill(**pages[route.request.url])
                if route.request.url in pages
                else (asked.append(route.request.url), route.abort())
            ),
        )
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", lambda told: said.append(told.text) if told.type == "error" else None)
        page.on("pageerror", lambda error: said.append(str(error)))
        tools = Tools(server)
        page.expose_function("server", tools)
        page.goto("http://host.test/")
        return Chat(page, tools)

    yield opened
    for context in contexts:
        context.close()
    assert said == [] and asked == []


def drawn(chat: Chat) -> None:
    chat.inner.wait_for_function("() => [...document.images].some(one => one.complete && one.naturalWidth)")


def test_an_answer_shows_its_pages_with_what_is_cited(server: Server, chat: Opened) -> None:
    shown = chat(server)
    shown.show()
    assert "Waiting" in shown.inner.locator("[role=status]").inner_text()
    answer = shown.tools.call("search", query=SWELL)
    assert "_meta" not in answer or "octavo/shown" not in answer["_meta"]
    answer = shown.tools.call("ask", question=SWELL)
    places = answer["_meta"]["octavo/shown"]["places"]
    shown.tools.asked.clear()
    shown.told(answer)
    drawn(shown)
    inner = shown.inner
    assert inner.locator("h1").inner_text().startswith("An answer (")
    assert "page 22 (28 of 44)" in inner.locator(".fate.sure").inner_text()
    assert "Swell height" in inner.locator("blockquote").inner_text()
    assert inner.locator("svg rect.mark").count() == 4
    box = inner.locator("svg rect.mark").last.bounding_box()
    frame = inner.locator(".frame").bounding_box()
    assert frame["y"] < box["y"] and box["y"] + box["height"] < frame["y"] + frame["height"]
    assert frame["x"] < box["x"] and box["x"] + box["width"] < frame["x"] + frame["width"]
    inner.locator("footer a").click()
    assert shown.page.evaluate("chat.opened") == [f"{server.origin}/c/{places[0]['id']}"]
    assert {*shown.tools.asked} == {"resources/read"}
    height = shown.page.locator("iframe").bounding_box()["height"]
    assert abs(height - inner.locator("main").bounding_box()["height"]) < 4


def test_keys_lead_through_the_citations(server: Server, chat: Opened) -> None:
    shown = chat(server, 390)
    shown.show()
    quotes = ("Swell height", "Surge, m", "Visibility, m")
    found = [shown.tools.call("verify_quote", quote=one, documents=["handbook.pdf"]) for one in quotes]
    ids = [place for one in found for place in one["_meta"]["octavo/shown"]["places"]]
    count = len(ids)
    assert count > 2
    shown.told({"content": [], "_meta": {"octavo/shown": {"verdict": "", "places": ids}}})
    drawn(shown)
    inner = shown.inner
    inner.locator("h1").click()
    steps = [*(("ArrowRight", at) for at in range(2, count + 1)), ("ArrowRight", count), ("ArrowLeft", count - 1)]
    for key, at in steps:
        shown.page.keyboard.press(key)
        inner.locator("nav span[aria-live]", has_text=f"{at} of {count}").wait_for()
    drawn(shown)
    shown.page.keyboard.press("z")
    inner.locator("button[aria-pressed=true]").wait_for()
    assert inner.locator("button[aria-pressed=true]").inner_text() == "Whole page"
    sheet, frame = inner.locator(".sheet").bounding_box(), inner.locator(".frame").bounding_box()
    assert sheet["height"] <= frame["height"] + 2 and sheet["width"] <= frame["width"] + 2
    shown.page.keyboard.press("o")
    shown.page.wait_for_function("chat.opened.length === 1")


def test_a_chat_that_passes_on_tools_alone_shows_pages_by_them(server: Server, chat: Opened) -> None:
    shown = chat(server)
    shown.show({"serverTools": {}})
    shown.told(shown.tools.call("ask", question=SWELL))
    drawn(shown)
    assert "resources/read" not in shown.tools.asked
    assert shown.inner.locator("img").get_attribute("src").startswith("data:image/png")
    assert "Swell height" in shown.inner.locator("blockquote").inner_text()
    assert shown.inner.locator("footer a").count() == 0


def test_a_page_that_a_tool_showed_is_asked_for_no_second_time(server: Server, chat: Opened) -> None:
    shown = chat(server)
    shown.show({"message": {}})
    place = shown.tools.call("ask", question=SWELL)["_meta"]["octavo/shown"]["places"][0]
    page = shown.tools.call("show_page", citation=place["id"])
    shown.tools.asked.clear()
    shown.told(page)
    drawn(shown)
    assert shown.tools.asked == []


def test_what_goes_wrong_is_one_line_and_leaves_the_rest(examples: Path, tmp_path: Path, chat: Opened) -> None:
    """A document is removed while a chat shows an answer from it; an answer never comes; a tool fails."""
    corpus = Path(shutil.copytree(examples, tmp_path / "corpus"))
    note = tmp_path / "note.md"
    note.write_text("# Berth\n\nThe berth at Hollow Quay is 41 metres long.\n")
    indexed(corpus, note)
    with serving(corpus) as server:
        shown = chat(server)
        shown.show()
        kept = shown.tools.call("verify_quote", quote="Swell height")["_meta"]["octavo/shown"]["places"][0]
        gone = shown.tools.call("verify_quote", quote="The berth at Hollow Quay is 41 metres long.")
        lost = gone["_meta"]["octavo/shown"]["places"][0]
        shown.told({"content": [], "_meta": {"octavo/shown": {"verdict": "Two places", "places": [kept, lost]}}})
        drawn(shown)
        removed = octavo("remove", "--corpus", str(corpus), "--yes", "note.md")
        told, _ = removed.communicate(timeout=60)
        assert removed.returncode == 0, told
        shown.inner.get_by_label("Next citation").click()
        alert = shown.inner.locator("[role=alert]")
        alert.wait_for()
        assert alert.locator("p").inner_text() == "The document is no longer in the library."
        assert alert.get_by_role("button").inner_text() == "Try again"
        shown.inner.get_by_label("Citation before").click()
        drawn(shown)
        shown.told(shown.tools.call("ask", question="How long?", documents=["nowhere.pdf"]))
        assert shown.inner.locator("[role=status]").inner_text() == (
            "there is no document 'nowhere.pdf'; list_documents shows all"
        )
        shown.page.evaluate("chat.bridge.sendToolCancelled({reason: 'user action'})")
        shown.inner.get_by_text("It was stopped before an answer came.").wait_for()


def test_no_payload_of_a_document_runs(tmp_path: Path, chat: Opened) -> None:
    texts = [
        f"# Limits {PAYLOADS[7]}",
        *(f"The limit of number {at} is {at}0 metres. {PAYLOADS[at]}" for at in range(40)),
    ]
    (tmp_path / "limits<img src=x onerror=window.__ran=1>.md").write_text("\n\n".join(texts), "utf-8")
    with serving(indexed(tmp_path / "corpus", *tmp_path.glob("*.md"))) as server:
        shown = chat(server)
        shown.show()
        for at in (3, 21, 38):
            found = shown.tools.call("verify_quote", quote=f"The limit of number {at} is {at}0 metres.")
            shown.told(found)
            shown.inner.locator(".words mark", has_text=f"number {at} is").wait_for()
            assert shown.inner.evaluate("document.querySelectorAll('img, iframe, script:not([type])').length") == 0
        bad = "javascript:window.__ran=1"
        page = {"document": bad, "page": 1, "pages": 1, "quote": PAYLOADS[3], "link": bad, "boxes": [[0, 0, "x", 1]]}
        image = {"type": "image", "mimeType": "image/svg+xml", "data": "PHN2Zy8+"}
        place = {"id": "<img src=x onerror=window.__ran=1>", "page": 1}
        shown.told({"content": [image], "_meta": {"octavo/shown": {"places": [place]}, "octavo/page": page}})
        shown.inner.get_by_text(PAYLOADS[3].strip().splitlines()[0][:20]).first.wait_for()
        assert shown.inner.locator("footer a, img").count() == 0
        assert [one.evaluate("window.__ran") for one in shown.page.frames] == [None, None, None]


def test_an_answer_that_never_comes_is_told_of(server: Server, chat: Opened) -> None:
    shown = chat(server)
    shown.show(is_patient=False)
    shown.page.evaluate("() => { window.server = () => new Promise(() => {}) }")
    shown.told({"content": [], "_meta": {"octavo/shown": {"verdict": "", "places": [{"id": "x", "page": 7}]}}})
    shown.inner.locator("[role=alert]", has_text="No answer came from the server.").wait_for()


def test_screenshot_of_the_documentation(server: Server, chat: Opened, request: pytest.FixtureRequest) -> None:
    folder = request.config.getoption("--screenshots")
    if folder is None:
        pytest.skip("only with --screenshots FOLDER")
    shown = chat(server, 1280, color_scheme="light")
    shown.show(theme="light", availableDisplayModes=["inline", "fullscreen"])
    shown.told(shown.tools.call("ask", question=SWELL))
    drawn(shown)
    shown.page.wait_for_timeout(400)
    shown.page.locator("iframe").screenshot(path=f"{folder}/chat-page.png")


@pytest.mark.skipif(
    not (WEB / "node_modules" / "axe-core").exists(), reason="axe-core is not installed (npm ci in web/)"
)
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_axe_finds_nothing(server: Server, chat: Opened, theme: str, width: int) -> None:
    shown = chat(server, width, color_scheme=theme)
    shown.show(theme=theme, availableDisplayModes=["inline", "fullscreen"])
    shown.told(shown.tools.call("ask", question=SWELL))
    drawn(shown)
    assert shown.inner.evaluate("document.documentElement.dataset.theme") == theme
    assert violations(shown.inner) == []
    shown.inner.get_by_role("button", name="Fill the window").click()
    shown.inner.locator("main.large").wait_for()
    assert violations(shown.inner) == []


def test_the_page_asks_for_nothing_and_names_nothing_outside() -> None:
    sources = "".join(one.read_text("utf-8") for one in (WEB / "src" / "mcp-app").iterdir())
    assert not re.search(
        r"innerhtml|insertadjacent|document\.write|fetch\(|xmlhttp|websocket|eval\(", sources.casefold()
    )
    text = (WEB.parent / "packages/octavo_server/src/octavo_server/pages/static/chat.html").read_text("utf-8")
    outside = {*re.findall(r"https?://[^\s\"'`)]+", text)}
    assert outside <= {
        "http://www.w3.org/2000/svg",
        "http://www.w3.org/1998/Math/MathML",
        "http://www.w3.org/1999/xhtml",
    }
    assert len(text.encode()) < 45_000
