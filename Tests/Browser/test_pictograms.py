"""The pictograms of places."""
import json
import re
import zipfile

from playwright.sync_api import expect

from map_page import settle
from test_visitors import create_edited


def test_every_place_of_a_known_group_has_a_pictogram(windows, service, mall):
    """Facilities have those of the cartography, with which tiles are drawn."""
    page = windows.map(mall)
    places = page.evaluate("""() => document.querySelector(".map-page").venueMap.places.map(
        ({ category, facility, group, pictogram }) => ({ category, facility, group, pictogram }))""")
    assert [place for place in places if place["group"] != "other" and place["pictogram"] == "other"] == []
    assert {place["group"] for place in places} >= {"food", "shop", "service", "restroom", "vertical"}
    categories = service.get_json("/cartography.json")["categories"]
    drawn = {place["category"]: place["pictogram"] for place in places if place["facility"]}
    icons = {category: categories[category]["icon"] for category in drawn if "icon" in categories.get(category, {})}
    assert len(icons) > 3 and icons == {category: drawn[category] for category in icons}


PLACES = """() => document.querySelector(".map-page").venueMap.places.map(
    ({ id, kind, category, facility, pictogram, isMarked, unit, point }) => ({ id, kind, category, facility, pictogram, isMarked, unit, point }))"""


def create_with_units(service, venue_key, categories):
    """A venue of one floor without amenities, whose unnamed rooms have these categories. Returns the ids of the units by category."""
    arguments = ("--levels", 1, "--units", 60, "--seed", 7)
    with zipfile.ZipFile(service.generate(f"{venue_key}-anchors.zip", *arguments)) as archive:
        anchors = json.loads(archive.read("anchor.geojson"))["features"]
    occupied = {each["properties"]["unit_id"] for each in anchors}
    units = {}

    def recategorise(features):
        free = [each for each in features if each["id"] not in occupied and each["properties"]["category"] != "walkway"]
        for each in free:
            each["properties"] |= {"category": "storage", "name": None}
        for each, category in zip(sorted(free, key=area, reverse=True), categories, strict=False):
            each["properties"]["category"] = category
            units[category] = each["id"]

    create_edited(service, venue_key, {"unit.geojson": recategorise, "amenity.geojson": lambda _: []}, *arguments)
    assert set(units) == set(categories)
    return units


def area(unit):
    points = unit["geometry"]["coordinates"][0]
    longitudes, latitudes = [x for x, _ in points], [y for _, y in points]
    return (max(longitudes) - min(longitudes)) * (max(latitudes) - min(latitudes))


def test_units_have_the_pictograms_that_tiles_draw_for_them(windows, service, venue_key):
    categories = service.get_json("/cartography.json")["categories"]
    marked = sorted(category for category, entry in categories.items() if entry.get("marks_units"))
    assert {"shower", "smokingarea", "lift", "staircase", "escalator", "wc", "nursingroom"} <= set(marked)
    units = create_with_units(service, venue_key, [*marked, "office", "library"])
    page = windows.map(venue_key, reduced_motion="reduce")
    places = {place["unit"]: place for place in page.evaluate(PLACES) if place["unit"]}
    for category in marked:
        place = places[units[category]]
        assert place["isMarked"] and place["facility"], category
        assert place["pictogram"] == categories[category]["icon"], category
    # Tiles do not mark these, although their categories have icons elsewhere.
    assert units["office"] not in places and units["library"] not in places
    for category in ("lift", "stairs", "escalator", "shower", "wc"):
        place = places[units[category]]
        page.evaluate("(center) => document.querySelector('.map-page').venueMap.mapLibre.jumpTo({ center, zoom: 21 })", place["point"])
        settle(page)
        [box] = page.evaluate(LABELS_OF, place["id"])
        assert box["width"] == box["height"] and box["distance"] < 1, "a pictogram in the unit"


LABELS_OF = """(id) => {
    const { labels, mapLibre } = document.querySelector(".map-page").venueMap;
    return labels.filter(({ place }) => place.id === id).map(({ place, image, left, right, top, bottom }) => {
        const { x, y } = mapLibre.project(place.point);
        return { width: image.width, height: image.height, distance: Math.hypot((left + right) / 2 - x, (top + bottom) / 2 - y) };
    });
}"""


def test_units_with_any_category_of_a_restroom_are_found_by_the_filter(windows, service, venue_key):
    categories = ["wc", "toilet", "toilets", "restroom.family"]
    units = create_with_units(service, venue_key, [*categories, "lift", "staircase", "escalator", "shower", "smokingroom"])
    page = windows.map(venue_key)
    for kind, expected in [("restroom", categories), ("elevator", ["lift"]), ("stairs", ["staircase"]), ("escalator", ["escalator"]),
                           ("shower", ["shower"]), ("smoking", ["smokingroom"])]:
        page.click(f"[data-chip={kind}]")
        expect(page.locator(".list-title")).to_have_text(f"{len(expected)} found")
        assert set(page.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id)")) == {units[each] for each in expected}


def test_occupants_that_are_facilities_are_found_by_the_filter(windows, service, venue_key):
    changed = []

    def recategorise(features):
        for each, category in zip(features, ("restroom.female", "wc")):
            each["properties"]["category"] = category
            changed.append(each["id"])

    create_edited(service, venue_key, {
        "occupant.geojson": recategorise, "amenity.geojson": lambda _: [],
        "unit.geojson": lambda features: [each["properties"].update(category="room") for each in features
                                          if each["properties"]["category"].startswith("restroom")] and None,
    }, "--levels", 1, "--units", 24, "--seed", 7)
    page = windows.map(venue_key)
    page.locator(".place").nth(5).click()
    page.get_by_role("button", name="Nearest restroom").click()
    expect(page.locator(".list-title")).to_have_text("2 found")
    assert set(page.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id)")) == set(changed)


def test_occupants_that_are_lifts_stairs_or_restrooms_are_found_once_with_the_nearest_first(windows, service, venue_key):
    """Some in a room, others in a unit of the same kind, which is the same facility."""
    arguments = ("--levels", 1, "--units", 120, "--seed", 7)
    with zipfile.ZipFile(service.generate(f"{venue_key}-occupants.zip", *arguments)) as archive:
        units = {each["id"]: each["properties"]["unit_id"] for each in json.loads(archive.read("anchor.geojson"))["features"]}
        occupants = json.loads(archive.read("occupant.geojson"))["features"]
    kinds = {
        "elevator": ["elevator", "lift"], "stairs": ["stairs", "staircase"], "escalator": ["escalator"], "restroom": ["restroom.unisex", "wc"],
    }
    # Of each kind, those of even numbers are in a room.
    wanted = {kind: occupants[4 * index:4 * index + 4] for index, kind in enumerate(kinds)}
    category_of, category_of_unit = {}, {}
    for kind, all_of_kind in wanted.items():
        for number, each in enumerate(all_of_kind):
            category_of[each["id"]] = kinds[kind][number % len(kinds[kind])]
            category_of_unit[units[each["properties"]["anchor_id"]]] = "room" if number % 2 == 0 else kinds[kind][0]

    def edit_occupants(features):
        for each in features:
            if each["id"] in category_of:
                each["properties"] |= {"category": category_of[each["id"]], "validity": None}

    def edit_units(features):
        for each in features:
            usual = each["properties"]["category"]
            facility = usual.partition(".")[0] in kinds
            each["properties"]["category"] = category_of_unit.get(each["id"], "room" if facility else usual)
            if each["id"] in category_of_unit:
                each["properties"]["name"] = None

    create_edited(service, venue_key, {"occupant.geojson": edit_occupants, "unit.geojson": edit_units, "amenity.geojson": lambda _: []}, *arguments)
    page = windows.map(venue_key)
    for kind, all_of_kind in wanted.items():
        chip = page.locator(f"[data-chip={kind}]")
        chip.click()
        expect(page.locator(".list-title")).to_have_text("4 found")
        assert set(page.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id)")) == {each["id"] for each in all_of_kind}
        distances = [int(re.sub(r"\D", "", text)) for text in page.locator(".distance").all_inner_texts()]
        assert len(distances) == 4 and distances == sorted(distances)
        chip.click()
    # The card of a place leads to the restrooms, except that of a restroom.
    page.locator(".place").first.click()
    page.get_by_role("button", name="Nearest restroom").click()
    expect(page.locator(".list-title")).to_have_text("4 found")
    page.locator(".place").first.click()
    expect(page.get_by_role("button", name="Nearest restroom")).to_have_count(0)


def test_label_of_an_amenity_is_where_it_is(windows, service, venue_key):
    """Not in the middle of the unit that it names, which may be a long walkway."""
    walkways = []

    def collect(features):
        walkways.extend(each["id"] for each in features if each["properties"]["category"] == "walkway")

    def rename(features):
        for each in features:
            if each["properties"]["name"] is None:
                each["properties"]["unit_ids"] = walkways[:1]

    create_edited(service, venue_key, {"unit.geojson": collect, "amenity.geojson": rename}, "--levels", 1, "--units", 24, "--seed", 7)
    page = windows.map(venue_key)
    settle(page)
    amenities = [place for place in page.evaluate(PLACES) if place["kind"] == "amenity"]
    boxes = [box | {"isMarked": each["isMarked"]} for each in amenities for box in page.evaluate(LABELS_OF, each["id"])]
    assert len(boxes) > 3 and all(box["distance"] < 1 for box in boxes)
    assert {box["isMarked"] for box in boxes} == {True, False}, "pictograms and names"
