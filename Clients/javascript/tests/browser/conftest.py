"""Serves the package to Chromium, with responses for the replica that the tests script in the page."""
import functools
import http.server
import os
import pathlib
import threading

import pytest
from playwright.sync_api import sync_playwright

FOLDER = pathlib.Path(__file__).resolve().parents[2]
CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="session")
def address():
    """The address of a server with the files of the package, on a secure origin."""
    handler = functools.partial(Handler, directory=FOLDER)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def context(chromium, address):
    """A browser context with a storage of its own."""
    context = chromium.new_context()
    context.set_default_timeout(20_000)
    yield context
    context.close()


@pytest.fixture
def open_page(context, address):
    """Opens pages with the functions of scripted-page.js; fails the test if a page has thrown an error."""
    errors = []

    def open_page():
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{address}/tests/browser/page.html")
        page.wait_for_function("window.isReady")
        return page

    yield open_page
    assert errors == []
