"""A floor that was moved as a whole, as after the map was georeferenced anew. How it is found: Tests/Console/shift.test.js; large floors:
comparison.test.js."""
import json
import math
import zipfile

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


def test_floor_that_was_moved_as_a_whole_is_one_sentence(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24, "--seed", 7)
    level, renamed = shifted_archive(archive, service.folder / f"{venue_key}-moved.zip", 3.2 * math.sqrt(0.5), 3.2 * math.sqrt(0.5))
    service.run_venue("push", service.folder / f"{venue_key}-moved.zip", "--to", venue_key, "--hold")
    [waiting] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    count = len(service.get_json(f"/uploads/{waiting['id']}/changes?level={level}&limit=1000")["changes"])
    assert count > 20
    page = open_desk(windows, venue_key, f"/uploads/{waiting['id']}")
    shift = page.locator(".floor-shift")
    expect(shift.locator("> summary")).to_contain_text(f"This floor was moved 3.2 m to the north-east ({count} features).")
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
