"""The example page against a running service."""
import functools
import http.server
import pathlib
import re
import sys
import threading

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[4]
sys.path.insert(0, str(ROOT / "Tests/Browser"))
from playwright.sync_api import expect
from service import Service


# Long, because a retry may come late on a busy machine.
expect.set_options(timeout=60_000)


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


@pytest.fixture(scope="module")
def service():
    service = Service()
    service.stop()
    service.environment["VENUE_ALLOWED_ORIGINS"] = "*"
    service.start()
    yield service
    service.stop()


@pytest.fixture(scope="module")
def site():
    """The address of a server with the files of the repository."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=ROOT)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}/Clients/javascript/example/"
        server.shutdown()


@pytest.mark.parametrize("library", ["with-map", "without-map"])
def test_example_shows_floors_changes_search_and_starts_without_a_network(service, site, context, library):
    venue = f"mall-{library}"
    archive = service.create_venue(venue)
    errors = []
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.add_init_script(f"sessionStorage.setItem('key', '{service.admin_key}')")
    maplibre = "" if library == "with-map" else "&maplibre=/nothing"
    page.goto(f"{site}?server={service.address}&venue={venue}{maplibre}")
    expect(page.locator("#connection")).to_have_text(re.compile("Up to date"))
    expect(page.locator("#floors button")).to_have_count(len({
        level["ordinal"] for level in service.get_json(f"/venues/{venue}")["levels"] if level["level_id"]}))
    expect(page.locator("#places li").first).to_be_visible()
    if library == "with-map":
        assert page.evaluate("document.querySelector('canvas') !== null")
    before = page.locator("#places").inner_text()
    service.publish_edit(venue, archive, "rename=40")
    expect(page.locator("#places")).not_to_have_text(before, use_inner_text=True)
    name = page.locator("#places li").first.inner_text().split("\n")[0]
    page.locator("#search").fill(name)
    expect(page.locator("#places li").first).to_contain_text(name)
    page.locator("#search").fill("")
    now = page.locator("#places").inner_text()
    service.stop()
    page.reload()
    expect(page.locator("#connection")).to_have_text(re.compile("offline"))
    expect(page.locator("#places")).to_have_text(now, use_inner_text=True)
    service.start()
    expect(page.locator("#connection")).to_have_text(re.compile("Up to date"))
    page.close()
    assert errors == []


def test_example_shows_why_there_are_no_venues(service, site, context):
    page = context.new_page()
    page.goto(f"{site}?server={service.address}&maplibre=/nothing")
    expect(page.locator("#connection")).to_have_text("Enter a key, or name a public venue in the address")
    page.locator("#key").fill("wrong")
    page.locator("#sign-in button").click()
    expect(page.locator("#connection")).to_have_text(re.compile("the key is missing, wrong or revoked"))
    page.goto(f"{site}?server=http://127.0.0.1:9&maplibre=/nothing")
    expect(page.locator("#connection")).to_have_text(re.compile("the server does not respond: .+"))
    page.goto(f"{site}?server=maps.example&maplibre=/nothing")
    expect(page.locator("#connection")).to_have_text(re.compile("“maps.example” is not the address of a server"))
    page.close()


# Records the box that the map is fitted to.
RECORD_BOX = """
    let library;
    Object.defineProperty(window, "maplibregl", {
        get: () => library,
        set: (value) => {
            library = value;
            const { fitBounds } = value.Map.prototype;
            value.Map.prototype.fitBounds = function (box, ...rest) {
                window.fittedBox = box;
                return fitBounds.call(this, box, ...rest);
            };
        },
    });
"""


def box_of(feature):
    positions = [position for ring in feature["geometry"]["coordinates"] for position in ring]
    if feature["geometry"]["type"] == "MultiPolygon":
        positions = [position for ring in positions for position in ring]
    longitudes, latitudes = zip(*(position[:2] for position in positions))
    return min(longitudes), min(latitudes), max(longitudes), max(latitudes)


def test_example_fits_all_levels_of_a_floor(service, site, context):
    service.create_venue("buildings")
    floor = [box_of(level) for level in service.features("buildings", 1, "level") if level["properties"]["ordinal"] == 0]
    assert len(floor) > 1
    page = context.new_page()
    page.add_init_script(f"sessionStorage.setItem('key', '{service.admin_key}')")
    page.add_init_script(RECORD_BOX)
    page.goto(f"{site}?server={service.address}&venue=buildings")
    page.wait_for_function("window.fittedBox !== undefined")
    west, south, east, north = page.evaluate("window.fittedBox")
    for box in floor:
        assert west <= box[0] and south <= box[1] and box[2] <= east and box[3] <= north
    page.close()
