"""The system's Chromium for tests of pages: what a page shows, and every complaint of its console.

Where there is no Chromium, a module of tests that imports this one is skipped as a whole.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

PROGRAMS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
DESKTOP = (1280, 900)
PHONE = (390, 844)


def _program() -> str:
    path = next((found for found in map(shutil.which, PROGRAMS) if found), None)
    if path is None:
        pytest.skip("no Chromium (Debian and Ubuntu: apt install chromium)", allow_module_level=True)
    return path


PROGRAM = _program()


@contextmanager
def chromium() -> Iterator[Browser]:
    """The browser."""
    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=PROGRAM, args=list(FLAGS))
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def opened(browser: Browser, path: Path, size: tuple[int, int] = DESKTOP) -> Iterator[Page]:
    """A page of a file; at the end it must have logged nothing and asked for nothing but itself."""
    complaints: list[str] = []
    asked: list[str] = []
    page: Any = browser.new_page(viewport={"width": size[0], "height": size[1]})
    page.on("console", lambda message: complaints.append(message.text))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: asked.append(request.url))
    try:
        page.goto(path.as_uri())
        yield page
        assert complaints == []
        assert [url for url in asked if url != path.as_uri() and not url.startswith("data:")] == []
    finally:
        page.close()
