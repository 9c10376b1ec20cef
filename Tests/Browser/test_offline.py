"""The console as it is built: few requests, addresses with a version, and maps that can be read without a network. What the service
worker answers, and when stored maps are shown and deleted, is tested in Tests/Console."""
import io
import json
import math
import pathlib
import re
import shutil
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import pytest
from PIL import Image
from playwright.sync_api import expect

from conftest import CHROMIUM, FLAGS
from service import ROOT, Service

# What came from the server, with the page itself; not what the cache of the browser had.
LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter(({ transferSize }) => transferSize > 0).map(({ name }) => name)"""
CACHES = """async () => {
    const names = await caches.keys();
    const urls = await Promise.all(names.map(async (name) => (await (await caches.open(name)).keys()).map(({ url }) => url)));
    return { names, urls: urls.flat() };
}"""
DATABASES = "async () => (await indexedDB.databases()).map(({ name }) => name)"


@pytest.fixture(scope="module")
def service():
    with tempfile.TemporaryDirectory(prefix="venue-library-") as folder, pytest.MonkeyPatch.context() as environment:
        library = pathlib.Path(folder)
        for source in (ROOT / ".map-library").glob("maplibre-gl.*"):
            shutil.copy(source, library)
        library.chmod(0o755)
        environment.setenv("VENUE_MAP_LIBRARY", folder)
        service = Service(is_installed=True)
        service.library = library
        service.create_venue("mall", "--levels", 3, "--units", 24, "--seed", 7)
        service.create_venue("park", "--levels", 2, "--units", 12, "--seed", 8)
        service.run_venue("set", "park", "public=on")
        yield service
        service.stop()


def wait_until(page, condition):
    """Waits for an asynchronous condition: `wait_for_function` takes its promise for a value that is true."""
    page.evaluate(f"""async () => {{
        const condition = {condition};
        const end = Date.now() + 20_000;
        while (!(await condition())) {{
            if (Date.now() > end) throw new Error("not true within 20 seconds");
            await new Promise((resolve) => setTimeout(resolve, 50));
        }}
    }}""")


def wait_for_worker(page):
    wait_until(page, "async () => (await navigator.serviceWorker.ready).active?.state === 'activated'")


def headers(service, path):
    with urllib.request.urlopen(service.address + path, timeout=30) as response:
        return response.headers


def version_of(page):
    return page.evaluate("document.documentElement.dataset.version")


def test_first_view_of_a_map_needs_few_requests_and_the_next_one_fewer(windows, service):
    page = windows.map("mall", service_workers="block")
    cold = page.evaluate(LOADED)
    assert len(cold) <= 16, cold
    page.reload()
    page.wait_for_selector(".live-state.live")
    warm = page.evaluate(LOADED)
    assert len(warm) <= 5, warm
    assert not [url for url in warm if "/console/" in url]


def test_files_below_the_version_are_immutable_and_the_page_is_not(service):
    with urllib.request.urlopen(f"{service.address}/", timeout=30) as response:
        version = re.search('data-version="([0-9a-f]{20})"', response.read().decode())[1]
    for name in ("app.js", "console.css", "library/maplibre-gl.js", "desk/desk-page.js", "icon-192.png"):
        assert headers(service, f"/console/{version}/{name}")["Cache-Control"] == "public, max-age=31536000, immutable"
        assert headers(service, f"/console/{'0' * 20}/{name}")["Cache-Control"] == "no-cache", "the newest file at an old address"
    assert headers(service, "/")["Cache-Control"] == "no-cache"
    worker = headers(service, "/console/service-worker.js")
    assert worker["Cache-Control"] == "no-cache" and worker["Service-Worker-Allowed"] == "/"
    assert headers(service, f"/console/{version}/manifest.webmanifest")["Content-Type"] == "application/manifest+json"
    with pytest.raises(urllib.error.HTTPError):
        headers(service, f"/console/{version}/nothing.js")


def test_bundles_evaluate_every_module_once(windows, service):
    page = windows.map("mall")
    # Both languages in lazily loaded modules, which share the session and the localization with the first bundle.
    page.goto(f"{service.address}/#/mall/desk")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("link", name="管理")).to_be_visible()
    for path in ("uploads", "history", "overrides", "settings", "compare"):
        page.goto(f"{service.address}/#/mall/desk/{path}")
        expect(page.locator("main :is(h1, h2)").first).to_be_visible()
    page.goto(f"{service.address}/#/~/keys")
    expect(page.locator("main :is(h1, h2)").first).to_be_visible()


def test_page_of_an_older_version_is_opened_again_when_it_loads_more(windows, service):
    page = windows.open("#/mall", api_key=service.admin_key, service_workers="block")
    old = "0" * 20
    version = version_of(page)
    # The page and the first bundle as another version has sent them.
    stale = [True]

    def replace(route):
        if not stale:
            return route.continue_()
        response = route.fetch()
        return route.fulfill(response=response, body=response.text().replace(version, old))

    page.route("**/", replace)
    page.route(f"**/console/{old}/app.js", replace)
    page.goto(f"{service.address}/?old#/mall")
    page.wait_for_selector(".live-state.live")
    page.route("**/?old", replace)
    page.reload()
    page.wait_for_selector(".live-state.live")
    assert version_of(page) == old
    stale.clear()
    page.evaluate("location.hash = '#/mall/desk'")
    page.wait_for_function(f"() => document.documentElement.dataset.version === '{version}'")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def test_map_is_readable_without_the_server(windows, service):
    page = windows.map("mall", timezone_id="Asia/Tokyo")
    wait_for_worker(page)
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    name = page.locator(".place-name").first.inner_text()
    service.stop()
    try:
        page.reload()
        expect(page.locator(".place-name").first).to_have_text(name)
        expect(page.locator(".live-state")).to_contain_text(re.compile(r"Offline, as of (?:[A-Z][a-z]{2} \d+, )?\d\d:\d\d GMT\+9"))
        page.click(".floors [data-ordinal='0']")
        expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
        page.fill("#search", name)
        expect(page.locator(".place-name", has_text=name).first).to_be_visible()
        # Another tab.
        other = page.context.new_page()
        other.goto(f"{service.address}/#/mall?floor=1")
        expect(other.locator(".place-name", has_text=name).first).to_be_visible()
        stored = page.evaluate(CACHES)
        assert stored["urls"] and not [url for url in stored["urls"] if "/mall" in url or "/sync?" in url]
        assert service.admin_key not in str(stored) + str(page.evaluate(DATABASES))
    finally:
        service.start()
    expect(page.locator(".live-state")).to_have_class("live-state live", timeout=60_000)
    other.close()


def test_public_venue_has_its_colours_without_a_network(windows, service):
    service.run_venue("set", "park", 'appearance={"accent": "#7a1fa2"}')
    page = windows.open("#/park")
    page.wait_for_selector(".live-state.live")
    wait_for_worker(page)
    accent = "getComputedStyle(document.documentElement).getPropertyValue('--accent-fill')"
    assert page.evaluate(accent) == "#7a1fa2"
    service.stop()
    try:
        page.reload()
        expect(page.locator(".live-state")).to_contain_text("Offline")
        assert page.evaluate(accent) == "#7a1fa2"
    finally:
        service.start()
    service.run_venue("set", "park", "appearance=null")
    page.reload()
    page.wait_for_selector(".live-state.live")
    # The stored colours are shown first, and go when the server has said that there are none.
    page.wait_for_function(f"() => {accent} !== '#7a1fa2' && localStorage.getItem('venuesync.appearance.park') === null")


def test_what_was_loaded_with_a_key_is_deleted_after_signing_out_and_after_the_tab_was_closed(windows, service):
    page = windows.map("mall")
    context = page.context
    wait_until(page, f"async () => (await ({DATABASES})()).some((name) => name.includes('/private/'))")
    # A visitor in another tab does not disturb the one that is signed in.
    visitor = context.new_page()
    visitor.add_init_script("sessionStorage.removeItem('venuesync.key')")
    visitor.goto(f"{service.address}/#/park")
    visitor.wait_for_selector(".live-state.live")
    assert any("/private/" in name for name in visitor.evaluate(DATABASES))
    page.close()
    visitor.reload()
    wait_until(visitor, f"async () => !(await ({DATABASES})()).some((name) => name.includes('/private/'))")
    page = windows.map("mall")
    wait_until(page, f"async () => (await ({DATABASES})()).some((name) => name.includes('/private/'))")
    page.get_by_role("button", name="Sign out").click()
    wait_until(page, f"async () => !(await ({DATABASES})()).some((name) => name.includes('/private/'))")


def test_failed_installation_is_repeated(windows, service):
    service.stop()  # It keeps the files that it has sent.
    service.start()
    script = service.library / "maplibre-gl.js"
    hidden = script.rename(service.library / "hidden")
    # This page installs no worker.
    page = windows.open("cartography.json")
    page.add_init_script("""
        const { register } = ServiceWorkerContainer.prototype;
        ServiceWorkerContainer.prototype.register = async function(...options) {
            const registration = await register.apply(this, options);
            const worker = registration.installing;
            const note = () => { window.hasFailed = worker.state === "redundant"; };
            worker.addEventListener("statechange", note);
            note();
            return registration;
        };
    """)
    page.goto(f"{service.address}/#/park")
    expect(page.locator(".state")).to_contain_text("map library")
    wait_until(page, "() => window.hasFailed")
    stored = page.evaluate(CACHES)
    assert stored["urls"] == [], "all files or none"
    hidden.rename(script)
    page.reload()
    page.wait_for_selector(".live-state.live")
    wait_for_worker(page)
    stored = page.evaluate(CACHES)
    assert len(stored["names"]) == 1 and any(url.endswith("/library/maplibre-gl.js") for url in stored["urls"])


def test_console_can_be_installed(playwright, service, tmp_path):
    """Chromium itself says so. It refuses in private windows, such as those of the other tests."""
    context = playwright.chromium.launch_persistent_context(tmp_path, executable_path=CHROMIUM, args=FLAGS)
    page = context.new_page()
    page.goto(f"{service.address}/")
    wait_for_worker(page)
    developer = context.new_cdp_session(page)
    manifest = developer.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert developer.send("Page.getInstallabilityErrors")["installabilityErrors"] == []
    icons = json.loads(manifest["data"])["icons"]
    for icon in icons:
        response = context.request.get(urllib.parse.urljoin(manifest["url"], icon["src"]))
        assert response.ok and response.headers["content-type"] == icon["type"]
        if icon["type"] == "image/png":
            picture = Image.open(io.BytesIO(response.body()))
            assert f"{picture.width}x{picture.height}" == icon["sizes"]
        if icon.get("purpose") == "maskable":
            # Systems cut off all but a circle of 80 % of the width, so the corners are filled and have no part of the sign.
            assert picture.convert("RGBA").getextrema()[3] == (255, 255)
            background = picture.convert("RGB").getpixel((0, 0))
            side = picture.width
            sign = [(x, y) for x in range(0, side, 4) for y in range(0, side, 4) if picture.convert("RGB").getpixel((x, y)) != background]
            assert sign and max(math.hypot(x - side / 2, y - side / 2) for x, y in sign) < side * 0.4
    assert any(icon.get("purpose") == "maskable" for icon in icons)
    context.close()
