"""The map on a kiosk, in the frame of another page, and with three-dimensional walls."""
import re

import pytest
from playwright.sync_api import expect

from map_page import expect_floor, metres, settle

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


@pytest.mark.parametrize(("is_asleep", "motion"), [(False, "reduce"), (True, "reduce"), (False, "no-preference")])
def test_kiosk_returns_to_its_start_view_when_nobody_uses_it(windows, service, mall, is_asleep, motion):
    page = windows.open(api_key=service.admin_key, reduced_motion=motion)
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
    if is_asleep:
        page.clock.fast_forward(600_000)  # The timers fire once, as after a sleep.
    else:
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


def test_kiosk_waits_while_somebody_types_on_the_keyboard_of_the_screen(windows, service, mall):
    """Such keyboards need not send events of keys or of pointers to the page."""
    page = windows.open(api_key=service.admin_key, reduced_motion="reduce")
    page.clock.install()
    page.goto(f"{service.address}/?again#/{mall}?kiosk&floor=0&idle=30")
    page.wait_for_selector(".live-state.live", state="attached")
    page.click(".floors [data-ordinal='1']")
    expect_floor(page, 1)
    for text in ("r", "re", "res"):
        page.clock.run_for(20_000)
        page.locator("#search").fill(text)
    page.clock.run_for(20_000)
    expect(page.locator("#search")).to_have_value("res")
    expect_floor(page, 1)
    page.clock.run_for(15_000)
    expect(page.locator("#search")).to_have_value("")
    expect_floor(page, 0)


def test_kiosk_after_a_reload_keeps_its_own_floor(windows, service, mall):
    page = open_kiosk(windows, service, mall)
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    page.reload()
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(page.locator(".you-are-here")).to_be_hidden()
    page.click(".floors [data-ordinal='0']")
    expect(page.locator(".you-are-here")).to_be_visible()


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


@pytest.mark.parametrize("viewport", [SCREEN, PHONE], ids=["screen", "phone"])
@pytest.mark.parametrize("east, north, distance", [(-1, 1, 0), (-1, 0, 15), (1, 0, 15), (0, -1, 15), (0, 1, 15)],
                         ids=["corner", "west", "east", "south", "north"])
def test_start_view_of_a_kiosk_shows_where_the_screen_is(windows, service, mall, viewport, east, north, distance):
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


def test_start_view_of_a_kiosk_is_its_floor_if_its_position_is_far_away(windows, service, mall):
    cameras = []
    for at in ("", "&at=139.8,35.5"):
        page = windows.open(f"#/{mall}?kiosk&floor=0{at}", api_key=service.admin_key, reduced_motion="reduce")
        page.wait_for_selector(".live-state.live", state="attached")
        settle(page)
        cameras.append(page.evaluate(CAMERA))
    assert cameras[0] == cameras[1]


def test_kiosk_offers_nothing_that_leaves_the_map(windows, service, mall):
    page = open_kiosk(windows, service, mall)
    expect(page.get_by_role("banner")).to_be_hidden()
    assert page.locator("a:visible").count() == 0
    for index in range(3):
        page.locator(".place").nth(index).click()
        expect(page.locator(".place-card")).to_be_visible()
        assert page.locator("a:visible").count() == 0
        page.click(".place-card .back")
    assert not [url for url in windows.urls if "/console/" not in url and re.search("/(overrides|uploads)", url)]


def test_kiosk_ignores_long_touches_and_links_in_texts(windows, service, mall):
    page = open_kiosk(windows, service, mall)
    is_prevented = """(name) => {
        const link = document.querySelector(".panel-body").appendChild(document.createElement("a"));
        link.href = "#/~/keys";
        return !link.dispatchEvent(new MouseEvent(name, { bubbles: true, cancelable: true }));
    }"""
    for name in ("contextmenu", "click"):
        assert page.evaluate(is_prevented, name), name
    assert "kiosk" in page.url


def test_link_on_a_kiosk_is_for_the_phones_of_others(windows, service, mall):
    page = open_kiosk(windows, service, mall, permissions=["clipboard-read", "clipboard-write"])
    page.evaluate("navigator.clipboard.writeText('before')")
    page.click("[data-tool=share]")
    dialog = page.get_by_role("dialog")
    expect(dialog.locator("svg, canvas, img").first).to_be_visible()
    expect(dialog.locator("#share-link")).to_have_count(0)
    expect(page.locator(".toast")).to_have_count(0)
    assert page.evaluate("navigator.clipboard.readText()") == "before"


def test_time_after_which_a_kiosk_returns_is_a_minute_unless_the_address_has_a_usable_one(windows):
    page = windows.open()
    times = page.evaluate("""async (texts) => {
        const { mapMode } = await import("/console/map/map-mode.js");
        return texts.map((text) => mapMode(new URLSearchParams(`kiosk${text}`)).idleTime);
    }""", ["", "&idle=30", "&idle=1", "&idle=0", "&idle=-5", "&idle=", "&idle=soon", "&idle=Infinity"])
    assert times == [60, 30, 1, 60, 60, 60, 60, 60]


# The height of the name of a place in the list, and the width of a pictogram on the map.
SIZES = """() => [
    document.querySelector(".place-name").getBoundingClientRect().height,
    document.querySelector(".map-page").venueMap.labels.find(({ place }) => place.isMarked && place.facility).image.width,
]"""


def test_kiosk_is_large_and_speaks_both_languages(windows, service, mall):
    page = open_kiosk(windows, service, mall)
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


@pytest.mark.parametrize("mode", ["embed", "kiosk"])
def test_embedded_map_and_kiosk_add_nothing_to_the_history(windows, service, mall, mode):
    """Back would leave the kiosk, or go back in the map instead of in the page around it."""
    page = windows.open(f"#/{mall}?{mode}", api_key=service.admin_key)
    expect(page.locator(".place").first).to_be_visible()
    length = page.evaluate("history.length")
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    page.click(".floors [data-ordinal='1']")
    expect_floor(page, 1)
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    assert page.evaluate("history.length") == length and "place=" in page.url
    assert page.locator("a:visible:not([target=_blank], [href^='tel:'])").count() == 0


def test_page_for_frames_takes_the_venue_from_its_path(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    page.route(f"**/embed/{mall}*", lambda route: route.fulfill(response=route.fetch(url=f"{service.address}/")))
    page.goto(f"{service.address}/embed/{mall}?floor=1")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(page.get_by_role("banner")).to_be_hidden()
    page.click(".floors [data-ordinal='0']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    page.reload()
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    assert page.url.startswith(f"{service.address}/embed/{mall}")


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


def test_compass_resets_the_view_in_3d(windows, service, mall):
    page = windows.map(mall, reduced_motion="reduce")
    page.click("[data-tool=walls]")
    settle(page)
    page.evaluate("document.querySelector('.map-page').venueMap.mapLibre.jumpTo({ bearing: 40, pitch: 20 })")
    page.click("[data-tool=north]")
    settle(page)
    assert page.evaluate(CAMERA)[3:] == [0, 45]
    expect(page.locator("[data-tool=north]")).to_be_hidden()


RESTROOMS = """() => document.querySelector(".map-page").venueMap.places
    .filter(({ facility }) => facility === "restroom").map(({ id, point }) => [id, point])"""
LISTED = "all => all.map((each) => [each.dataset.id, each.querySelector('.distance')?.textContent ?? null])"


def nearest(restrooms, at):
    """`[[id, distance], …]` as the list shows them."""
    found = sorted((metres(at, point), id) for id, point in restrooms)
    return [[id, distance] for distance, id in found]


def expect_nearest_from(page, restrooms, at):
    """The first places of the list are the restrooms, by their distance from a position."""
    expected = nearest(restrooms, at)
    listed = page.locator(".place").evaluate_all(LISTED)[:len(expected)]
    assert [id for id, _ in listed] == [id for id, _ in expected], "the nearest ones first"
    for (_, text), (_, distance) in zip(listed, expected):
        assert abs(float(text.removesuffix(" m")) - distance) <= 1 + distance / 100, (text, distance)


@pytest.mark.parametrize("parameters", ["kiosk&at={},{}&floor=0", "at={},{}&floor=0"], ids=["kiosk", "pin"])
def test_distances_are_measured_from_the_position_of_the_address(windows, service, mall, parameters):
    own = windows.map(mall, reduced_motion="reduce")
    ground = own.evaluate(RESTROOMS)
    # Beside one restroom, so that the order differs from that of the middle of the map and of any other part.
    west, east = (f([point for _, point in ground]) for f in (min, max))
    assert len(ground) > 1 and nearest(ground, west)[0][0] != nearest(ground, east)[0][0]
    for at, away in [(west, east), (east, west)]:
        page = windows.open(f"#/{mall}?{parameters.format(*at)}", api_key=service.admin_key, reduced_motion="reduce")
        page.wait_for_selector(".live-state.live", state="attached")
        settle(page)
        page.evaluate("(at) => document.querySelector('.map-page').venueMap.mapLibre.jumpTo({ center: at, zoom: 21 })", away)
        page.click("[data-chip=restroom]")
        expect_nearest_from(page, ground, at)
        # Upstairs, those of the floor of the position are still the nearest.
        page.click(".floors [data-ordinal='1']")
        expect_floor(page, 1)
        expect(page.locator(".places-floor").nth(1)).to_be_visible()
        expect_nearest_from(page, ground, at)
        assert {text for _, text in page.locator(".place").evaluate_all(LISTED)[len(ground):]} == {None}
        page.context.close()


def test_distances_are_measured_from_the_map_after_the_pin_was_removed(windows, service, mall):
    ground = windows.map(mall).evaluate(RESTROOMS)
    west, east = (f([point for _, point in ground]) for f in (min, max))
    page = windows.map(mall, f"?at={west[0]},{west[1]}&floor=0", reduced_motion="reduce")
    settle(page)
    page.click("[data-chip=restroom]")
    expect_nearest_from(page, ground, west)
    page.click(".map-pin")
    page.evaluate("(at) => document.querySelector('.map-page').venueMap.mapLibre.jumpTo({ center: at, zoom: 21 })", east)
    page.click("[data-chip=restroom]")
    page.click("[data-chip=restroom]")
    assert page.locator(".place").first.get_attribute("data-id") == nearest(ground, east)[0][0]
