"""What the console's tests share. Whatever a test does, its pages may ask no other host, break no policy and fail nowhere."""
import os
import uuid

import pytest
from playwright.sync_api import expect, sync_playwright

from service import Service

# As long as whatever is done may take: two windows that draw a map and a worker share two cores.
expect.set_options(timeout=20_000)

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
FLAGS = ["--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--no-sandbox"]

WATCH = """
window.offences = [];
document.addEventListener("securitypolicyviolation", (event) =>
    window.offences.push(`${event.violatedDirective}: ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`));
"""


@pytest.fixture(scope="session")
def service():
    service = Service()
    yield service
    service.stop()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        yield browser
        browser.close()


class Windows:
    """Opens windows, and keeps what they asked and complained about."""

    def __init__(self, chromium, service):
        self.chromium, self.service = chromium, service
        self.contexts, self.urls, self.complaints = [], [], []

    def open(self, path="", api_key=None, viewport=(1280, 800), locale="en-US", **options):
        context = self.chromium.new_context(
            viewport={"width": viewport[0], "height": viewport[1]}, locale=locale, **options)
        context.set_default_timeout(20_000)
        context.add_init_script(WATCH)
        if key:
            context.add_init_script(f"sessionStorage.getItem('asked') ?? sessionStorage.setItem('venuesync.key', '{key}');"
                                    "sessionStorage.setItem('asked', 'once')")
        self.contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: self.urls.append(request.url))
        page.on("pageerror", lambda error: self.complaints.append(f"{error}"))
        page.on("console", lambda message: "Content Security Policy" in message.text and self.complaints.append(message.text))
        page.goto(f"{self.service.address}/{path}")
        return page

    def map(self, venue, query="", **options):
        """A window that shows the map of a venue and is told of news."""
        page = self.open(f"#/{venue}{query}", api_key=options.pop("key", self.service.admin_key), **options)
        page.wait_for_selector(".live-state.live")
        return page

    def close(self):
        for context in self.contexts:
            for page in context.pages:
                self.complaints += page.evaluate("window.offences ?? []")
            context.close()


@pytest.fixture
def windows(chromium, service):
    windows = Windows(chromium, service)
    yield windows
    windows.close()
    assert windows.complaints == []
    foreign = [url for url in windows.urls if not url.startswith((service.address, "blob:", "data:"))]
    assert foreign == [], "another host was asked"
    assert not [url for url in windows.urls if service.admin_key in url], "the key stands in an address"


@pytest.fixture
def key():
    """The key of a venue that no other test has."""
    return f"mall-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="session")
def mall(service):
    """A venue that nobody changes."""
    service.create_venue("mall")
    return "mall"
