"""What the map shows of a floor: turned so that the building fits, with a scale, a transition between floors, and a middle that stays."""
import math

import pytest
from playwright.sync_api import expect

from archives import push_new, with_positions
from map_page import metres, settle, visible_middle
from screenshot_state import wait_until_still

# What the scale says, in metres, and the distance on the ground between its ends.
SCALE = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    const scale = document.querySelector(".map-scale");
    const { left, right } = scale.getBoundingClientRect();
    const { clientWidth, clientHeight } = mapLibre.getContainer();
    const [from, to] = [-0.5, 0.5].map((half) => mapLibre.unproject([clientWidth / 2 + half * (right - left), clientHeight / 2]));
    return [Number.parseInt(scale.textContent.replaceAll(",", "")), from.distanceTo(to)];
}"""


def test_scale_is_true(windows, mall):
    page = windows.map(mall)
    wait_until_still(page)
    for _ in range(3):
        said, real = page.evaluate(SCALE)
        assert real == pytest.approx(said, rel=0.02)
        page.get_by_role("button", name="Zoom in").click()
        wait_until_still(page)


def test_floors_change_with_a_short_transition(windows, mall):
    page = windows.map(mall, "?floor=0")
    wait_until_still(page)
    middle = page.evaluate("document.querySelector('.map-page').venueMap.center")
    for motion, seconds, ordinal, expected in [("no-preference", 0.22, 1, "floor-up"), ("reduce", 0.00001, 0, "floor-down")]:
        page.emulate_media(reduced_motion=motion)
        page.click(f".floors [data-ordinal='{ordinal}']")
        page.wait_for_selector(f".floors [data-ordinal='{ordinal}'][aria-current]")
        name, duration = page.evaluate("""() => {
            const container = document.querySelector(".map-page").venueMap.mapLibre.getCanvasContainer();
            const { animationName, animationDuration } = getComputedStyle(container);
            return [animationName, animationDuration];
        }""")
        assert name == expected and float(duration.removesuffix("s")) == pytest.approx(seconds)
        wait_until_still(page)
        # The floors have the same outline, so the map shows the same part.
        assert page.evaluate("document.querySelector('.map-page').venueMap.center") == pytest.approx(middle, abs=1e-4)


# The corners of the outline of the shown floor, and the part of the map that nothing covers, in pixels of the window.
CORNERS = """(positions) => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const canvas = box(".map-canvas");
    const corners = positions.map((position) => mapLibre.project(position)).map(({ x, y }) => [x + canvas.left, y + canvas.top]);
    return { corners, free: [box(".panel").right, canvas.top, box(".map-side").left, canvas.bottom] };
}"""
VIEW = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    return [...mapLibre.getCenter().toArray(), mapLibre.getZoom(), mapLibre.getBearing()];
}"""


def outline(service, venue_key, ordinal):
    return [position for level in service.features(venue_key, 1, "level") if level["properties"]["ordinal"] == ordinal
            for position in level["geometry"]["coordinates"][0]]


def expect_fitted(page, corners):
    """All of the outline is in the free part, and as large as fits."""
    wait_until_still(page)
    found = page.evaluate(CORNERS, corners)
    left, top, right, bottom = found["free"]
    xs, ys = zip(*found["corners"])
    assert left < min(xs) and max(xs) < right and top < min(ys) and max(ys) < bottom, found
    assert max((max(xs) - min(xs)) / (right - left), (max(ys) - min(ys)) / (bottom - top)) > 0.75, found


def create_with(service, venue_key, position_of):
    source = service.generate(f"{venue_key}-source.zip", "--levels", 3, "--units", 24, "--seed", 7)
    push_new(service, venue_key, with_positions(source, service.folder / f"{venue_key}.zip", position_of))


def test_turned_building_is_shown_beside_the_panel_with_a_compass(windows, service, venue_key):
    angle = math.radians(30)

    def turned(east, north, _):
        # Longer, too, because a building that is as wide as it is long is not shown larger if it is turned.
        east *= 2
        return east * math.cos(angle) - north * math.sin(angle), east * math.sin(angle) + north * math.cos(angle)

    create_with(service, venue_key, turned)
    page = windows.map(venue_key, reduced_motion="reduce", viewport=(1600, 600))
    expect_fitted(page, outline(service, venue_key, 0))
    bearing = page.evaluate(VIEW)[3]
    assert abs(bearing) == pytest.approx(30, abs=1), "its long side is horizontal"
    compass = page.get_by_role("button", name="Turn north up")
    expect(compass).to_be_visible()
    # The needle points to the north of the map.
    assert float(compass.locator(".icon").evaluate("(icon) => icon.style.rotate").removesuffix("deg")) == pytest.approx(-bearing)
    compass.click()
    wait_until_still(page)
    assert page.evaluate(VIEW)[3] == pytest.approx(0)
    expect(compass).to_be_hidden()
    page.get_by_role("button", name="Whole floor").click()
    expect_fitted(page, outline(service, venue_key, 0))
    expect(compass).to_be_visible()


def test_floors_of_other_outlines_are_fitted_until_the_user_zooms(windows, service, venue_key):
    levels = {}

    def position_of(east, north, feature):
        if feature["feature_type"] == "level":
            levels[feature["id"]] = feature["properties"]["ordinal"]
        # The upper floor is a small part at one end.
        return (40 + east * 0.3, north * 0.3) if levels.get(feature["properties"].get("level_id", feature["id"])) == 1 else (east, north)

    create_with(service, venue_key, position_of)
    page = windows.map(venue_key, "?floor=0", reduced_motion="reduce")

    def open_floor(ordinal):
        page.click(f".floors [data-ordinal='{ordinal}']")
        page.wait_for_selector(f".floors [data-ordinal='{ordinal}'][aria-current]")
        wait_until_still(page)

    expect_fitted(page, outline(service, venue_key, 0))
    below = page.evaluate(VIEW)
    open_floor(1)
    expect_fitted(page, outline(service, venue_key, 1))
    above = page.evaluate(VIEW)
    assert above[2] > below[2] + 0.8, "the smaller floor is shown larger"
    open_floor(0)
    assert page.evaluate(VIEW) == pytest.approx(below, abs=1e-5)
    # What the user has chosen stays.
    page.get_by_role("button", name="Zoom in").click()
    wait_until_still(page)
    chosen = page.evaluate(VIEW)
    open_floor(1)
    assert page.evaluate(VIEW) == pytest.approx(chosen, abs=1e-5)
    page.mouse.move(800, 400)
    page.mouse.wheel(0, -240)
    page.wait_for_function(f"(zoom) => ({VIEW})()[2] > zoom + 0.1", arg=chosen[2])
    wait_until_still(page)
    chosen = page.evaluate(VIEW)
    open_floor(0)
    assert page.evaluate(VIEW) == pytest.approx(chosen, abs=1e-5)
    # Until the whole floor is shown again.
    page.get_by_role("button", name="Whole floor").click()
    wait_until_still(page)
    assert page.evaluate(VIEW) == pytest.approx(below, abs=1e-5)
    open_floor(1)
    assert page.evaluate(VIEW) == pytest.approx(above, abs=1e-5)


# Presses a zoom button twice in one task, so that the map still moves at the second press. Returns whether it did.
PRESS_TWICE = """(name) => {
    const button = document.querySelector(`[data-tool=${name}]`);
    button.click();
    const isMoving = document.querySelector(".map-page").venueMap.mapLibre.isMoving();
    button.click();
    return isMoving;
}"""


def test_second_press_of_a_zoom_button_during_the_animation_keeps_the_middle_of_the_visible_part(windows, service, mall):
    page = windows.map(mall)
    settle(page)
    before, corners = visible_middle(page), outline(service, mall, 0)
    for name in ("zoomOut", "zoomIn", "zoomIn", "zoomOut"):
        zoom = page.evaluate(VIEW)[2]
        assert page.evaluate(PRESS_TWICE, name), "the map still moves"
        settle(page)
        assert (page.evaluate(VIEW)[2] - zoom) * (1 if name == "zoomIn" else -1) > 1.9, "two levels"
        assert metres(before, visible_middle(page)) < 6
        # The building is beside the panel, and not below it.
        found = page.evaluate(CORNERS, corners)
        left, top, right, bottom = found["free"]
        xs, ys = zip(*found["corners"])
        assert left < (min(xs) + max(xs)) / 2 < right and top < (min(ys) + max(ys)) / 2 < bottom, found


def test_zoom_keys_keep_the_middle_of_the_visible_part(windows, mall):
    page = windows.map(mall)
    settle(page)
    before = visible_middle(page)
    zoom = page.evaluate("document.querySelector('.map-page').venueMap.mapLibre.getZoom()")
    page.focus(".map-canvas canvas")
    for key, by in (("+", 1), ("=", 2), ("-", 1)):
        page.keyboard.press(key)
        page.wait_for_function("(zoom) => Math.abs(document.querySelector('.map-page').venueMap.mapLibre.getZoom() - zoom) < 0.01", arg=zoom + by)
        settle(page)
    assert metres(before, visible_middle(page)) < 6


def test_compass_keeps_the_middle_of_the_visible_part(windows, mall):
    page = windows.map(mall, reduced_motion="reduce")
    page.click("[data-tool=walls]")
    settle(page)
    page.evaluate("document.querySelector('.map-page').venueMap.mapLibre.jumpTo({ bearing: 120 })")
    settle(page)
    before = visible_middle(page)
    page.click("[data-tool=north]")
    settle(page)
    assert metres(before, visible_middle(page)) < 6


def test_tilting_keeps_the_middle_of_the_visible_part_of_a_phone(windows, mall):
    """The search covers the top of the map."""
    page = windows.map(mall, viewport=(390, 844), reduced_motion="reduce")
    settle(page)
    middle = "document.querySelector('.map-page').venueMap.center"
    before = page.evaluate(middle)
    page.click("[data-tool=walls]")
    settle(page)
    assert metres(before, page.evaluate(middle)) < 1
