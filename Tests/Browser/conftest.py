"""Fixtures of the browser tests. After each test they check that its pages contacted no other host, violated no content security
policy, and threw no error."""
import os
import uuid

import pytest
from playwright.sync_api import expect, sync_playwright

from service import Service
from toasts import RECORD_TOASTS

# Long, because a test machine may have two cores for two windows that draw maps and a worker.
expect.set_options(timeout=20_000)

CHROMIUM = os.environ.get("CHROMIUM", "/usr/bin/chromium")
# WebGL without a graphics card, by Mesa, which takes half the time of the library that Chromium brings.
FLAGS = [
    "--use-gl=angle", "--use-angle=gl-egl", "--ignore-gpu-blocklist", "--no-sandbox",
    # Pages themselves are drawn as without a graphics card: Chromium would let the same library draw them, too.
    "--disable-gpu-rasterization", "--disable-accelerated-2d-canvas",
]

RECORD_VIOLATIONS = """
window.policyViolations = [];
document.addEventListener("securitypolicyviolation", (event) =>
    window.policyViolations.push(`${event.violatedDirective}: ${event.blockedURI} at ${event.sourceFile}:${event.lineNumber}`));
"""


def pytest_collection_modifyitems(items):
    """The tests of a file share what they prepare, so one process runs them, unless they are marked to be on their own."""
    for item in items:
        if not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group(item.path.stem))


@pytest.fixture(scope="session")
def service():
    service = Service()
    yield service
    service.stop()


@pytest.fixture(scope="session")
def playwright():
    with sync_playwright() as playwright:
        yield playwright


@pytest.fixture(scope="session")
def chromium(playwright):
    browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield browser
    browser.close()


class Windows:
    """Opens browser windows, and records the URLs that they request and their errors."""

    def __init__(self, chromium, service):
        self.chromium, self.service = chromium, service
        self.contexts, self.urls, self.errors = [], [], []
        self.other_origins = set()

    def open(self, path="", api_key=None, viewport=(1280, 800), locale="en-US", hosts=None, now=None, **options):
        """`hosts` are other hosts that the page may contact: functions that respond to a Playwright route, by origin. `now` is the time of the page,
        which then stays; without it, opening hours are those of the time at which the test runs."""
        # The service worker would answer requests that tests look at.
        options.setdefault("service_workers", "allow" if self.service.is_installed else "block")
        context = self.chromium.new_context(
            viewport={"width": viewport[0], "height": viewport[1]}, locale=locale, **options)
        context.set_default_timeout(20_000)
        context.add_init_script(RECORD_VIOLATIONS)
        context.add_init_script(RECORD_TOASTS)
        for origin, respond in (hosts or {}).items():
            self.other_origins.add(origin)
            context.route(f"{origin}/**", respond)
        if api_key:
            # Only once, so that a page that signs out stays signed out after a reload.
            context.add_init_script(
                f"sessionStorage.getItem('signedIn') ?? sessionStorage.setItem('venuesync.key', '{api_key}');"
                "sessionStorage.setItem('signedIn', 'once')")
        self.contexts.append(context)
        page = context.new_page()
        if now:
            page.clock.set_fixed_time(now)
        page.on("request", lambda request: self.urls.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(f"{error}"))
        page.on("console", lambda message: "Content Security Policy" in message.text and self.errors.append(message.text))
        # Playwright intercepts file choosers only some time after the first listener was added. A file chooser before that is lost.
        page.on("filechooser", lambda _: None)
        page.goto(f"{self.service.address}/{path}")
        return page

    def map(self, venue, query="", **options):
        """A window with the map of a venue, connected for changes."""
        page = self.open(f"#/{venue}{query}", api_key=options.pop("api_key", self.service.admin_key), **options)
        page.wait_for_selector(".live-state.live")
        return page

    def close(self):
        for context in self.contexts:
            for page in context.pages:
                self.errors += page.evaluate("window.policyViolations ?? []")
                # A handler that still waits for a response would fail in the next test.
                page.unroute_all(behavior="ignoreErrors")
            context.close()


@pytest.fixture
def windows(chromium, service):
    windows = Windows(chromium, service)
    yield windows
    windows.close()
    assert windows.errors == []
    foreign = [url for url in windows.urls if not url.startswith((service.address, "blob:", "data:", *windows.other_origins))]
    assert foreign == [], "requests to other hosts"
    assert not [url for url in windows.urls if service.admin_key in url], "the key is in a URL"


@pytest.fixture
def venue_key():
    """The venue key of a venue that only this test uses."""
    return f"mall-{uuid.uuid4().hex[:8]}"


@pytest.fixture(scope="session")
def mall(service):
    """A venue that no test changes."""
    service.create_venue("mall")
    return "mall"
