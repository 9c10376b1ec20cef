"""The map on a kiosk, and with three-dimensional walls."""
import re

import pytest
from playwright.sync_api import expect

from accessibility import findings
from map_page import expect_floor, settle

CAMERA = """() => {
    const map = document.querySelector(".map-page").venueMap.mapLibre;
    return [...map.getCenter().toArray(), map.getZoom(), map.getBearing(), map.getPitch()].map((each) => Math.round(each * 1e4) / 1e4);
}"""


def position_in(service, venue):
    point = service.get_json(f"/venues/{venue}/revisions/1/features?level=ordinal:0&type=anchor")["features"][0]
    return ",".join(str(each) for each in point["geometry"]["coordinates"])


def open_kiosk(windows, service, venue, more="", **options):
    page = windows.open(
        f"#/{venue}?kiosk&at={position_in(service, venue)}&floor=0{more}", api_key=service.admin_key, reduced_motion="reduce", **options)
    page.wait_for_selector(".live-state.live", state="attached")
    settle(page)
    return page


def test_kiosk_returns_to_its_start_view_when_nobody_uses_it(windows, service, mall):
    page = windows.open(api_key=service.admin_key, reduced_motion="no-preference")
    page.clock.install()
    page.goto(f"{service.address}/?again#/{mall}?kiosk&at={position_in(service, mall)}&floor=0&idle=300")
    page.wait_for_selector(".live-state.live", state="attached")
    marker = page.get_by_role("img", name="You are here")
    expect(marker).to_be_visible()
    before = page.evaluate(CAMERA)
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(marker).to_be_hidden()
    page.fill("#search", "a")
    page.locator(".place").first.click()
    page.get_by_role("button", name="日本語").click()
    page.locator(".legend summary").click()
    page.click("[data-tool=walls]")
    page.locator(".place-card [data-action=share]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    page.clock.run_for(200_000)
    expect(page.get_by_role("dialog")).to_be_visible()
    page.clock.run_for(150_000)
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    expect(page.locator("#search")).to_have_value("")
    expect(page.locator(".place-card")).to_have_count(0)
    expect(page.locator(".legend[open]")).to_have_count(0)
    expect(page.locator("[data-tool=walls]")).to_have_attribute("aria-pressed", "false")
    expect(page.locator("#search")).to_have_attribute("placeholder", re.compile("^Search"))
    assert page.evaluate("['venuesync.3d', 'venuesync.language'].map((name) => localStorage.getItem(name))") == [None, None]
    expect(marker).to_be_visible()
    page.clock.run_for(1_000)
    assert page.evaluate(CAMERA) == before
    assert "kiosk" in page.url and "floor=0" in page.url


# The mark of the screen, what covers the map, and the corners of the floor, in pixels of the window.
START_VIEW = """(positions) => {
    const box = (element) => (({ left, top, right, bottom }) => [left, top, right, bottom])(element.getBoundingClientRect());
    const boxes = (selector) => [...document.querySelectorAll(selector)].map(box);
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    const [canvas] = boxes(".map-canvas");
    const corners = positions.map((position) => mapLibre.project(position)).map(({ x, y }) => [canvas[0] + x, canvas[1] + y]);
    return { canvas, covers: boxes(".panel, .map-side, .map-corner"), mark: boxes(".you-are-here, .you-are-here span"), corners };
}"""
PHONE, SCREEN = (390, 844), (1280, 800)


def expect_visible(box, view):
    """Nothing covers a box, and it is on the map."""
    left, top, right, bottom = box
    assert view["canvas"][0] <= left and view["canvas"][1] <= top and right <= view["canvas"][2] and bottom <= view["canvas"][3], (box, view)
    for cover in view["covers"]:
        assert right <= cover[0] or cover[2] <= left or bottom <= cover[1] or cover[3] <= top, (box, cover)


def outline_of(service, venue):
    """The corners of the ground floor, and its edges: west, south, east, north."""
    corners = [position for level in service.features(venue, 1, "level") if level["properties"]["ordinal"] == 0
               for position in level["geometry"]["coordinates"][0]]
    longitudes, latitudes = zip(*corners)
    return corners, (min(longitudes), min(latitudes), max(longitudes), max(latitudes))


@pytest.mark.parametrize(("viewport", "east", "north", "distance"), [(SCREEN, -1, 1, 0), (PHONE, 0, -1, 15)], ids=["corner", "south on a phone"])
def test_start_view_of_a_kiosk_shows_where_the_screen_is(windows, service, mall, viewport, east, north, distance):
    """Other positions and sizes are tested in Tests/Console."""
    corners, edges = outline_of(service, mall)
    middle = [(edges[0] + edges[2]) / 2, (edges[1] + edges[3]) / 2]
    at = [middle[0] + east * ((edges[2] - edges[0]) / 2 + distance / 90_600),
          middle[1] + north * ((edges[3] - edges[1]) / 2 + distance / 111_320)]
    page = windows.open(f"#/{mall}?kiosk&at={at[0]},{at[1]}&floor=0", api_key=service.admin_key, reduced_motion="reduce", viewport=viewport)
    page.wait_for_selector(".live-state.live", state="attached")
    expect(page.locator(".chip").nth(3)).to_be_attached()
    settle(page)
    view = page.evaluate(START_VIEW, corners)
    assert len(view["mark"]) == 2
    for box in view["mark"]:
        expect_visible(box, view)
    for x, y in view["corners"]:
        expect_visible((x, y, x, y), view)
    # Also after another floor.
    before = page.evaluate(CAMERA)
    for ordinal in (1, 0):
        page.click(f".floors [data-ordinal='{ordinal}']")
        expect_floor(page, ordinal)
    settle(page)
    assert page.evaluate(CAMERA) == before


# The height of the name of a place in the list, and the width of a pictogram on the map.
SIZES = """() => [
    document.querySelector(".place-name").getBoundingClientRect().height,
    document.querySelector(".map-page").venueMap.labels.find(({ place }) => place.isMarked && place.facility).image.width,
]"""


def test_kiosk_is_large_and_speaks_both_languages(windows, service, mall):
    page = open_kiosk(windows, service, mall)
    expect(page.get_by_role("banner")).to_be_hidden()
    assert page.locator("a:visible").count() == 0
    for selector in (".floors button", ".map-tools button", ".place", ".chip"):
        box = page.locator(selector).locator("visible=true").first.bounding_box()
        assert box["height"] >= 48, (selector, box)
    # Texts and pictograms are larger than elsewhere.
    settle(page)
    settle(usual := windows.map(mall, "?floor=0", reduced_motion="reduce"))
    large, normal = (each.evaluate(SIZES) for each in (page, usual))
    assert all(one >= 1.3 * other > 0 for one, other in zip(large, normal)), (large, normal)
    assert page.get_by_role("button", name="日本語").is_visible()
    page.get_by_role("button", name="日本語").click()
    expect(page.get_by_role("img", name="現在地")).to_be_visible()
    # The whole floor is beside the panel.
    panel = page.locator(".panel").bounding_box()
    marker = page.locator(".you-are-here").bounding_box()
    assert marker["x"] > panel["x"] + panel["width"]


# The smallest key, and whether each is the topmost element in its middle; where the keyboard begins, and where the list ends.
KEYS = """() => {
    const boxes = [...document.querySelectorAll(".keyboard-key")].map((each) => [each, each.getBoundingClientRect()]);
    const isFree = ([each, { left, top, width, height }]) => each.contains(document.elementFromPoint(left + width / 2, top + height / 2));
    return {
        width: Math.min(...boxes.map(([, { width }]) => width)), height: Math.min(...boxes.map(([, { height }]) => height)),
        covered: boxes.filter((each) => !isFree(each)).map(([{ dataset }]) => dataset.key),
        top: document.querySelector(".screen-keyboard").getBoundingClientRect().top,
        listEnd: document.querySelector(".panel-body").getBoundingClientRect().bottom,
    };
}"""


@pytest.mark.parametrize(("viewport", "scheme", "locale", "keys", "options"), [
    (SCREEN, "light", "en-US", "escal", {}), (SCREEN, "dark", "ja-JP", ["と", "い", "れ"], {}), ((1080, 1920), "light", "en-US", "escal", {}),
    (PHONE, "dark", "en-US", "escal", {"has_touch": True}), (PHONE, "light", "ja-JP", ["と", "い", "れ"], {"has_touch": True}),
], ids=["screen", "Japanese in the dark", "upright", "phone in the dark", "Japanese on a phone"])
def test_keyboard_of_a_kiosk_types_into_the_search_and_is_hidden_by_a_result(windows, service, mall, viewport, scheme, locale, keys, options):
    page = open_kiosk(windows, service, mall, viewport=viewport, color_scheme=scheme, locale=locale, **options)
    press = (lambda selector: page.tap(selector)) if options else (lambda selector: page.click(selector))
    field, keyboard = page.locator("#search"), page.locator(".screen-keyboard")
    press("#search")
    expect(keyboard).to_be_visible()
    for key in keys:
        press(f"[data-key='{key}']")
        expect(field).to_be_focused()
    expect(field).to_have_value("".join(keys))
    expect(page.locator(".place").first).to_be_visible()
    measured = page.evaluate(KEYS)
    assert min(measured["width"], measured["height"]) >= 44 and measured["covered"] == [], measured
    assert measured["listEnd"] <= measured["top"], measured
    assert findings(page) == []
    name = page.locator(".place-name").first.text_content()
    press(".place")
    expect(page.locator("#place-name")).to_have_text(name)
    expect(keyboard).to_have_count(0)


def test_walls_in_3d_are_remembered_and_places_can_be_tapped(windows, service, mall):
    page = windows.map(mall, reduced_motion="reduce")
    settle(page)
    switch = page.locator("[data-tool=walls]")
    expect(switch).to_have_attribute("aria-pressed", "false")
    flat = page.evaluate(CAMERA)
    switch.click()
    settle(page)
    expect(switch).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(CAMERA)[4] == 45
    walls = """() => document.querySelector(".map-page").venueMap.mapLibre.getStyle().layers
        .filter(({ type, layout }) => type === "fill-extrusion" && layout?.visibility === "visible").length"""
    assert page.evaluate(walls) > 0
    # Labels are drawn above the walls.
    page.wait_for_function("() => document.querySelector('.map-page').venueMap.labelCount > 0")
    spot = page.evaluate("""() => {
        const { left, top } = document.querySelector(".map-canvas").getBoundingClientRect();
        const label = document.querySelector(".map-page").venueMap.labels.find(({ place }) => place.kind === "shop");
        return { x: left + (label.left + label.right) / 2, y: top + (label.top + label.bottom) / 2, id: label.place.id };
    }""")
    page.mouse.click(spot["x"], spot["y"])
    expect(page.locator(f".place-card[data-id='{spot['id']}']")).to_be_visible()
    page.reload()
    page.wait_for_selector(".live-state.live")
    expect(page.locator("[data-tool=walls]")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate(CAMERA)[4] == 45 and page.evaluate(walls) > 0
    page.locator("[data-tool=walls]").click()
    settle(page)
    assert page.evaluate(CAMERA)[4] == flat[4] == 0 and page.evaluate(walls) == 0
