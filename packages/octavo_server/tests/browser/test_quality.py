"""Accessibility by axe-core, the weight of the first view, and the pictures of the documentation."""

from __future__ import annotations

import gzip
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from browser.conftest import Server, Visit
from browser.test_answers import SWELL, ask, handbook, settled

ROOT = Path(__file__).parents[4]
AXE = ROOT / "web" / "node_modules" / "axe-core" / "axe.min.js"
STATIC = ROOT / "packages" / "octavo_server" / "src" / "octavo_server" / "pages" / "static"


def violations(page: Any) -> list[str]:
    """Return what axe-core finds; it comes in through the debugger, which no policy of the page stops."""
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")
    return [f"{one['id']}: {node['html'][:160]}" for one in found["violations"] for node in one["nodes"]]


@pytest.mark.skipif(not AXE.exists(), reason="axe-core is not installed (npm ci in web/)")
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 1024, 390])
def test_axe_finds_nothing_on_any_screen(server: Server, visit: Visit, scheme: str, width: int) -> None:
    page = visit(server, viewport={"width": width, "height": 900}, color_scheme=scheme, reduced_motion="reduce")
    page.wait_for_selector(".book")
    found = {"library": violations(page)}
    ask(page, SWELL)
    page.wait_for_timeout(300)
    found["answer"] = violations(page)
    page.locator(".numbers .num").first.click()
    settled(page)
    found["page"] = violations(page)
    if width > 700:
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("l")
        page.wait_for_selector(".blk")
        found["layout"] = violations(page)
        page.keyboard.press("?")
        found["help"] = violations(page)
    plain = visit(
        server,
        "/",
        java_script_enabled=True,
        viewport={"width": width, "height": 900},
        color_scheme=scheme,
        expects="Failed",
    )
    plain.route("**/static/*.js", lambda route: route.abort())
    plain.goto(server.origin + handbook(page) + "/28" if width > 1120 else page.url)
    found["plain"] = violations(plain)
    assert {name: one for name, one in found.items() if one} == {}


def test_the_first_view_is_at_most_100_kb(server: Server, visit: Visit) -> None:
    page = visit(server)
    page.wait_for_selector(".book")
    sizes: list[int] = []
    page.on("response", lambda got: None if "/image" in got.url else sizes.append(len(gzip.compress(got.body()))))
    page.goto(f"{server.origin}{handbook(page)}/28")
    page.wait_for_selector(".tree .here")
    assert 0 < sum(sizes) < 100_000


@pytest.mark.skipif(shutil.which("npm") is None or not AXE.exists(), reason="npm is not installed, or not run in web/")
def test_the_bundle_is_what_its_sources_give(tmp_path: Path) -> None:
    subprocess.run(["node", "build.mjs", str(tmp_path)], cwd=ROOT / "web", check=True, capture_output=True)
    for built in tmp_path.iterdir():
        assert (STATIC / built.name).read_bytes() == built.read_bytes(), f"{built.name}: run 'npm run build' in web/"


def test_screenshots_of_the_documentation(server: Server, visit: Visit, request: pytest.FixtureRequest) -> None:
    folder = request.config.getoption("--screenshots")
    if not folder:
        pytest.skip("no --screenshots FOLDER")
    from PIL import Image

    for name, width, scheme in (("light", 1280, "light"), ("dark", 1280, "dark"), ("phone", 390, "light")):
        page = visit(server, viewport={"width": width, "height": 800}, color_scheme=scheme)
        page.wait_for_selector(".book")
        page.goto(server.origin + handbook(page))
        if name == "phone":
            page.get_by_role("button", name="Back to the answer").click()
        ask(page, SWELL)
        page.wait_for_timeout(600)
        if name != "phone":
            settled(page)
        page.evaluate("document.activeElement.blur()")
        path = Path(folder) / f"server-{name}.png"
        page.screenshot(path=path)
        Image.open(path).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)
        assert path.stat().st_size < 250_000
