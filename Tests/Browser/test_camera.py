"""What the map shows of a floor: turned so that the building fits, with a scale, and a transition between floors."""
import math

import pytest

from screenshot_state import wait_until_still

CAMERA = """async ([positions, box]) => {
    const { cameraFor } = await import("/console/map/camera.js");
    return cameraFor(positions, box);
}"""
# What the scale says, in metres, and the distance on the ground between its ends.
SCALE = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    const scale = document.querySelector(".map-scale");
    const { left, right } = scale.getBoundingClientRect();
    const { clientWidth, clientHeight } = mapLibre.getContainer();
    const [from, to] = [-0.5, 0.5].map((half) => mapLibre.unproject([clientWidth / 2 + half * (right - left), clientHeight / 2]));
    return [Number.parseInt(scale.textContent.replaceAll(",", "")), from.distanceTo(to)];
}"""


def rectangle(length, width, degrees):
    """The corners of a building in Tokyo of a size in metres, whose long side is turned from east to north."""
    angle = math.radians(degrees)
    longitude, latitude = 139.7, 35.6
    corners = [(x * length / 2, y * width / 2) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    turned = [(x * math.cos(angle) - y * math.sin(angle), x * math.sin(angle) + y * math.cos(angle)) for x, y in corners]
    return [[longitude + x / 111_320 / math.cos(math.radians(latitude)), latitude + y / 111_320] for x, y in turned]


@pytest.mark.parametrize("degrees", [30, -30, 75])
def test_long_building_is_turned_so_that_it_fits(windows, mall, degrees):
    page = windows.map(mall)
    box = {"width": 900, "height": 250}
    straight, diagonal = (page.evaluate(CAMERA, [rectangle(400, 60, each), box]) for each in (0, degrees))
    assert straight["bearing"] == 0
    # It is as large as if its long side were horizontal.
    assert abs(diagonal["bearing"]) == pytest.approx(abs(degrees), abs=0.5)
    assert diagonal["zoom"] == pytest.approx(straight["zoom"], abs=0.02)
    assert page.evaluate(CAMERA, [[], box]) is None


def test_building_that_fits_stays_with_north_above(windows, mall):
    page = windows.map(mall)
    camera = page.evaluate(CAMERA, [rectangle(100, 95, 4), {"width": 900, "height": 600}])
    assert camera["bearing"] == 0


def test_scale_is_true(windows, mall):
    page = windows.map(mall)
    wait_until_still(page)
    for _ in range(3):
        said, real = page.evaluate(SCALE)
        assert real == pytest.approx(said, rel=0.02)
        page.get_by_role("button", name="Zoom in").click()
        wait_until_still(page)


@pytest.mark.parametrize("motion, seconds", [("no-preference", 0.22), ("reduce", 0.00001)])
def test_floors_change_with_a_short_transition(windows, mall, motion, seconds):
    page = windows.map(mall, "?floor=0", reduced_motion=motion)
    wait_until_still(page)
    middle = page.evaluate("document.querySelector('.map-page').venueMap.center")
    page.click(".floors [data-ordinal='1']")
    page.wait_for_selector(".floors [data-ordinal='1'][aria-current]")
    name, duration = page.evaluate("""() => {
        const container = document.querySelector(".map-page").venueMap.mapLibre.getCanvasContainer();
        const { animationName, animationDuration } = getComputedStyle(container);
        return [animationName, animationDuration];
    }""")
    assert name == "floor-up" and float(duration.removesuffix("s")) == pytest.approx(seconds)
    wait_until_still(page)
    # The floors have the same outline, so the map shows the same part.
    assert page.evaluate("document.querySelector('.map-page').venueMap.center") == pytest.approx(middle, abs=1e-4)
