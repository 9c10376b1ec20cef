"""The labels of places on the map. Where they fit, and when they are laid out, is tested in Tests/Console."""
import math

import pytest

from map_page import settle
from test_visitors import OUTSIDE, create_edited


# What reaches beyond its area, and covers the area of another place along its middle, or is under the panel.
OVER_OTHERS = """() => {
    const { venueMap } = document.querySelector(".map-page");
    const { mapLibre: map, labels } = venueMap;
    const layers = map.getStyle().layers.map(({ id }) => id).filter((id) => /[/]unit[/]fill$/.test(id));
    const panel = document.querySelector(".panel").getBoundingClientRect().right - map.getContainer().getBoundingClientRect().left;
    const beyond = labels.filter(({ isBeyond, image }) => isBeyond && !image.mark);
    const wrong = beyond.filter(({ x, y, angle, width, left, place }) => {
        // The halo of the letters at both ends may be over the wall.
        const end = width / 2 - 8;
        const points = [-end, 0, end].map((along) => [x + along * Math.cos(angle), y + along * Math.sin(angle)]);
        const others = new Set(venueMap.places.filter((each) => each.unit && each.unit !== place.unit && each.isNamed && !each.isBackOfHouse)
            .map(({ unit }) => unit));
        return left < panel || points.some((point) => map.queryRenderedFeatures(point, { layers }).some(({ properties }) => others.has(properties.id)));
    });
    return { beyond: labels.filter(({ isBeyond }) => isBeyond).length, wrong: wrong.map(({ place }) => place.name) };
}"""
# The share of places with a name whose name is on the map.
NAMED = """() => {
    const { labels, places } = document.querySelector(".map-page").venueMap;
    const named = places.filter((each) => each.isNamed && !each.isMarked && !each.isBackOfHouse && each.kind !== "amenity");
    const shown = new Set(labels.filter(({ image }) => image.isName).map(({ place }) => place.id));
    return named.filter(({ id }) => shown.has(id)).length / named.length;
}"""


# The labels that are under buttons, the panel or another control, at least in part.
UNDER_CONTROLS = """() => {
    const map = document.querySelector(".map-page");
    const { left: x, top: y } = map.querySelector(".map-canvas").getBoundingClientRect();
    const covers = [...map.querySelectorAll(".panel > *, .map-side > *, .map-corner > *")].map((each) => each.getBoundingClientRect());
    const isCovered = ({ left, top, right, bottom }) => covers.some((cover) => cover.width * cover.height > 0
        && left + x < cover.right && cover.left < right + x && top + y < cover.bottom && cover.top < bottom + y);
    return { count: map.venueMap.labels.length, covered: map.venueMap.labels.filter(isCovered).map(({ place }) => place.name) };
}"""


@pytest.mark.parametrize("more, width, height", [("", 1280, 800), ("?kiosk", 1080, 1920), ("?kiosk", 1920, 1080), ("", 390, 844)])
def test_no_label_is_under_controls(windows, service, venue_key, more, width, height):
    service.create_venue(venue_key, "--levels", 3, "--units", 60, "--seed", 7)
    page = windows.open(f"#/{venue_key}{more}", viewport=(width, height), api_key=service.admin_key)
    page.wait_for_selector(".live-state.live", state="attached")
    # So near that the map is everywhere on the screen.
    for zoom in (0, 1.5):
        page.evaluate("(by) => document.querySelector('.map-page').venueMap.zoom(by)", zoom)
        settle(page)
        found = page.evaluate(UNDER_CONTROLS)
        assert found["count"] > 5 and found["covered"] == [], found


def test_overview_of_a_dense_floor_has_names(windows, service, venue_key):
    """Pictograms alone had 12 % of the names."""
    service.create_venue(venue_key, "--levels", 1, "--units", 120, "--seed", 7)
    page = windows.map(venue_key)
    settle(page)
    assert page.evaluate(NAMED) > 0.35
    found = page.evaluate(OVER_OTHERS)
    assert found["beyond"] > 5 and found["wrong"] == []


def test_labels_stay_inside_round_rooms(windows, service, venue_key):
    """Outlines with many vertices, as traced from pictures."""

    def rounded(features):
        for each in features:
            if each["properties"]["category"] in ("walkway", "structure"):
                continue
            points = each["geometry"]["coordinates"][0]
            west, east = min(x for x, _ in points), max(x for x, _ in points)
            south, north = min(y for _, y in points), max(y for _, y in points)
            circle = [[(west + east) / 2 + (east - west) / 2 * math.cos(2 * math.pi * i / 300),
                       (south + north) / 2 + (north - south) / 2 * math.sin(2 * math.pi * i / 300)] for i in range(300)]
            each["geometry"] = {"type": "Polygon", "coordinates": [[*circle, circle[0]]]}
            each["properties"]["display_point"] = None

    create_edited(service, venue_key, {"unit.geojson": rounded}, "--levels", 1, "--units", 24, "--seed", 7)
    page = windows.map(venue_key)
    settle(page)
    assert page.evaluate("document.querySelector('.map-page').venueMap.labels.length") > 3
    assert page.evaluate(OUTSIDE) == []


def test_names_of_kiosks_stay_inside_them(windows, service, venue_key):
    """Kiosks without an occupant are places of their own."""
    kiosks, anchors = [], set()

    def rename(features):
        for each in features:
            anchors.add(each["properties"]["anchor_id"])
            each["properties"] |= {"name": {"en": "Information and tickets for everybody"}, "anchor_id": None}
            kiosks.append(each["id"])

    create_edited(service, venue_key, {
        "kiosk.geojson": rename,
        "occupant.geojson": lambda features: [each for each in features if each["properties"]["anchor_id"] not in anchors],
    }, "--levels", 1, "--units", 24, "--seed", 7)
    page = windows.map(venue_key)
    settle(page)
    texts = """() => document.querySelector(".map-page").venueMap.labels.filter(({ place, image, isBeyond }) => place.kind === "kiosk"
        && image.isName && !isBeyond).map(({ place }) => place.id)"""
    assert kiosks and page.evaluate(texts) == [], "the whole floor has no space for the names"
    assert page.evaluate(OUTSIDE) == []
    page.evaluate("""(id) => {
        const { mapLibre, places } = document.querySelector(".map-page").venueMap;
        mapLibre.jumpTo({ center: places.find((place) => place.id === id).point, zoom: 23 });
    }""", kiosks[0])
    settle(page)
    assert page.evaluate(texts) == kiosks[:1]
    assert page.evaluate(OUTSIDE) == []


def test_shop_on_a_walkway_is_labelled_where_it_is_and_inside_the_walkway(windows, service, venue_key):
    """A stand, for example, for which the archive has no kiosk."""
    anchors = set()

    def remove(features):
        anchors.update(each["properties"]["anchor_id"] for each in features)
        return []

    def rename(features):
        for each in features:
            if each["properties"]["anchor_id"] in anchors:
                each["properties"]["name"] = {"en": "Flowers and newspapers for everybody who passes by"}

    create_edited(service, venue_key, {"kiosk.geojson": remove, "occupant.geojson": rename}, "--levels", 1, "--units", 60, "--seed", 7)
    page = windows.map(venue_key)
    settle(page)
    stands = page.evaluate("""() => {
        const { venueMap } = document.querySelector(".map-page");
        const stands = venueMap.places.filter(({ kind, unit }) => kind === "shop" && !unit);
        return stands.map(({ id, point }) => [id, point]);
    }""")
    assert stands and anchors
    drawn = """(id) => {
        const { venueMap } = document.querySelector(".map-page");
        const box = venueMap.labels.find(({ place }) => place.id === id);
        if (!box) return null;
        const { x, y } = venueMap.mapLibre.project(box.place.point);
        const distance = Math.hypot((box.left + box.right) / 2 - x, (box.top + box.bottom) / 2 - y);
        const corners = [[box.left + 4, box.top + 4], [box.right - 4, box.top + 4], [box.left + 4, box.bottom - 4], [box.right - 4, box.bottom - 4]];
        const layers = venueMap.mapLibre.getStyle().layers.map(({ id }) => id).filter((id) => id.endsWith("/unit/fill"));
        const unitsAt = (point) => venueMap.mapLibre.queryRenderedFeatures(point, { layers }).map(({ properties }) => properties.id);
        return { distance, isName: box.image.isName && !box.isBeyond, isInside: corners.every((each) => unitsAt(each).includes(box.place.surroundings)) };
    }"""
    names = 0
    for id, point in stands:
        for zoom in (18, 19.5, 21, 22.5):
            page.evaluate("""([center, zoom]) => document.querySelector(".map-page").venueMap.mapLibre.jumpTo({ center, zoom, bearing: 0 })""",
                          [point, zoom])
            settle(page)
            label = page.evaluate(drawn, id)
            if label and label["isName"]:
                names += 1
                assert label["distance"] < 1 and label["isInside"], (id, zoom, label)
    assert names > 0
