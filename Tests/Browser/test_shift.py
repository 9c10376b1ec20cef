"""A floor that was moved as a whole, as after the map was georeferenced anew."""
import json
import math
import re
import zipfile

import pytest
from playwright.sync_api import expect

from desk import open_desk
from service import edited_archive

FILES = ("unit", "opening", "fixture", "amenity", "anchor", "kiosk", "section", "detail")
RENAMED = {"en": "Renamed room", "ja": "改名した部屋"}


def moved(coordinates, east, north):
    if coordinates and isinstance(coordinates[0], (int, float)):
        scale = 111_320 * math.cos(math.radians(coordinates[1]))
        return [round(coordinates[0] + east / scale, 7), round(coordinates[1] + north / 111_320, 7)]
    return [moved(part, east, north) for part in coordinates]


def shifted_archive(archive, target, east, north):
    """A copy in which all features of the first floor were moved, and one of its units was renamed too. Returns the level and the unit."""
    with zipfile.ZipFile(archive) as old:
        files = {name: json.loads(old.read(f"{name}.geojson"))["features"] for name in ("level", *FILES) if f"{name}.geojson" in old.namelist()}
    level = files["level"][0]["id"]
    units = {unit["id"] for unit in files["unit"] if unit["properties"]["level_id"] == level}
    [renamed, *_] = sorted(units)

    def edit(features):
        for feature in features:
            properties = feature["properties"]
            if properties.get("level_id") != level and properties.get("unit_id") not in units or not feature["geometry"]:
                continue
            for point in filter(None, (feature["geometry"], properties.get("display_point"))):
                point["coordinates"] = moved(point["coordinates"], east, north)
            if feature["id"] == renamed:
                properties["name"] = RENAMED

    edited_archive(archive, target, {f"{name}.geojson": edit for name in files if name != "level"})
    return level, renamed


@pytest.mark.parametrize(("locale", "sentence"), [
    ("en", r"This floor was moved 3.2 m to the north-east ({} features)."), ("ja", "このフロアは北東へ 3.2 m 移動しました（{} 件）。"),
])
def test_floor_that_was_moved_as_a_whole_is_one_sentence(windows, service, venue_key, locale, sentence):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24, "--seed", 7)
    level, renamed = shifted_archive(archive, service.folder / f"{venue_key}-moved.zip", 3.2 * math.sqrt(0.5), 3.2 * math.sqrt(0.5))
    service.run_venue("push", service.folder / f"{venue_key}-moved.zip", "--to", venue_key, "--hold")
    [waiting] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    count = len(service.get_json(f"/uploads/{waiting['id']}/changes?level={level}&limit=1000")["changes"])
    assert count > 20
    page = open_desk(windows, venue_key, f"/uploads/{waiting['id']}", locale=locale)
    shift = page.locator(".floor-shift")
    expect(shift.locator("> summary")).to_contain_text(sentence.format(count))
    # What changed besides the position has an entry of its own, without the move.
    own = page.locator(".change-pane > .changes > li > .change")
    expect(own).to_have_count(1)
    assert own.get_attribute("data-id") == renamed
    own.locator("summary").click()
    expect(own.locator(".fields tbody th").first).to_be_visible()
    paths = own.locator(".fields tbody th").all_inner_texts()
    assert paths and all(path.startswith("name") for path in paths), paths
    expect(page.locator(".diff-arrow")).to_have_count(1)
    expect(page.locator(".diff-symbol")).to_have_count(2)
    # By keyboard, the sentence opens to the features that only moved; so does a feature that is selected on the map.
    shift.locator("> summary").focus()
    page.keyboard.press("Enter")
    expect(shift.locator(".change").first).to_be_visible()
    page.keyboard.press("Enter")
    expect(shift.locator(".change").first).not_to_be_visible()
    shape = page.locator(".diff-after .diff-shape.diff-is-moved").last
    shape.dispatch_event("click")
    expect(shift.locator(f".change[data-id='{shape.get_attribute('data-id')}']")).to_have_attribute("open", "")
    page.locator(".diff-chip.diff-is-moved").click()
    expect(shift).to_be_hidden()


@pytest.fixture(scope="module")
def large_shift(service):
    """The staged upload of a venue whose only floor, with thousands of features, was moved."""
    archive = service.create_venue("large-shift", "--levels", 1, "--units", 3500, "--seed", 7)
    level, _ = shifted_archive(archive, service.folder / "large-shift-moved.zip", 2, 0)
    service.run_venue("push", service.folder / "large-shift-moved.zip", "--to", "large-shift", "--hold")
    [waiting] = service.get_json("/venues/large-shift/uploads?state=staged")["uploads"]
    [summary] = [each for each in waiting["changes"]["levels"] if each["level_id"] == level]
    assert summary["changed"] > 6_000
    return waiting, summary


def test_large_floor_that_was_moved_as_a_whole_is_one_sentence(windows, large_shift):
    waiting, summary = large_shift
    page = open_desk(windows, "large-shift", f"/uploads/{waiting['id']}")
    expect(page.locator(".floor-shift > summary")).to_contain_text(
        f"This floor was moved 2 m to the east ({summary['changed']:,} features).", timeout=60_000)
    expect(page.locator(".change-pane > .changes > li > .change")).to_have_count(1)


def test_floor_with_too_many_changes_is_not_loaded_to_find_a_shift(windows, service, large_shift):
    waiting, summary = large_shift
    page = windows.open(api_key=service.admin_key)

    def enlarge(route):
        response = route.fetch()
        upload = response.json()
        for level in upload["changes"]["levels"]:
            level["changed"] = 30_000
        route.fulfill(response=response, json=upload)

    page.route(re.compile(f"/uploads/{waiting['id']}(\\?|$)"), enlarge)
    page.evaluate(f"location.hash = '#/large-shift/desk/uploads/{waiting['id']}'")
    expect(page.locator(".comparison > .help")).to_contain_text("1,000 changes", timeout=60_000)
    expect(page.locator(".floor-shift")).to_have_count(0)
    assert len([url for url in windows.urls if "/changes?" in url and summary["level_id"] in url]) == 1


# The shift of triangles on a grid, which `move` maps by a matrix [a, b, c, d] and a vector [e, f] in metres; the first `kept` stay.
CHANGES = """
async ({ longitude, latitude, move, count = 40, kept = 0 }) => {
    const { shiftOf } = await import("/console/desk/diff/shift.js");
    const scale = 111320 * Math.cos(latitude * Math.PI / 180), wrap = (degrees) => degrees - 360 * Math.round(degrees / 360);
    const [a, b, c, d, e, f] = move;
    const position = ([x, y]) => [+wrap(longitude + x / scale).toFixed(7), +(latitude + y / 111320).toFixed(7)];
    const changes = Array.from({ length: count }, (_, i) => {
        const [x, y] = [(i % 10) * 10, Math.floor(i / 10) * 10 % 200];
        const ring = [[x, y], [x + 8, y], [x + 8, y + 8], [x, y]];
        const body = (points) => ({ geometry: { type: "Polygon", coordinates: [points.map(position)] }, properties: {} });
        return { id: String(i), before: body(ring), after: body(i < kept ? ring : ring.map(([x, y]) => [a * x + b * y + e, c * x + d * y + f])) };
    });
    const start = performance.now();
    const shift = shiftOf(changes);
    return shift && { length: shift.length, direction: shift.direction, n: shift.ids.size, milliseconds: performance.now() - start };
}
"""


def test_shift_is_told_from_rotation_and_from_single_moves(windows, service):
    page = windows.open()
    by = lambda east, north: [1, 0, 0, 1, east, north]
    find = lambda **given: page.evaluate(CHANGES, {"longitude": 139.7, "latitude": 35.6, **given})
    for move, length, direction in ((by(3, 0), 3, "east"), (by(0, -0.5), 0.5, "south"), (by(-900, 900), 1272.8, "northWest")):
        for longitude in (139.7, 179.9998, -179.9999):
            shift = find(move=move, longitude=longitude)
            assert (shift["direction"], shift["n"]) == (direction, 40) and abs(shift["length"] - length) < 0.02 * max(1, length / 100), shift
    assert find(move=[0.99995, -0.01, 0.01, 0.99995, 0, 0]) is None, "a rotation"
    assert find(move=[1.01, 0, 0, 1.01, 0, 0]) is None, "another scale"
    assert find(move=by(0.05, 0)) is None, "rounding"
    assert find(move=by(3, 0), kept=3)["n"] == 37
    assert find(move=by(3, 0), kept=20) is None, "a half"
    assert find(move=by(3, 0), count=4) is None, "single features"
    # The fastest of several, because other processes may use the machine.
    large = [find(move=by(3, 0), count=100_000) for _ in range(3)]
    assert all(each["n"] == 100_000 for each in large) and min(each["milliseconds"] for each in large) < 5_000, large
