"""The labels of places."""
import math
import random

import pytest

from map_page import settle
from test_visitors import OUTSIDE, create_edited


@pytest.mark.parametrize("area", ["none", "too small"])
@pytest.mark.parametrize("name", ["Tea", "Tea and Cakes from the Old Town Bakery", "Donaudampfschifffahrtsgesellschaft " * 2,
                                  "古い町のパン屋から来たお茶とケーキの専門店本館"])
def test_name_of_the_selected_place_is_always_shown(windows, mall, name, area):
    page = windows.map(mall)
    shown = page.evaluate("""async ([name, area]) => {
        const { layOut } = await import("/console/map/label-layout.js");
        const { LabelImages } = await import("/console/map/label-images.js");
        const place = { id: "a", name, kind: "shop", group: "food", pictogram: "food", rank: 1, isNamed: true, point: [100, 100] };
        const small = { center: [100, 100], rings: [[[99, 99], [101, 99], [101, 101], [99, 101], [99, 99]]] };
        const { boxes } = layOut({
            places: [place], areas: new Map(area === "none" ? [] : [["a", small]]), hidden: new Set(), selected: "a", results: null,
            visible: new Set(), images: new LabelImages(), colours: { halo: "#fff", label: "#000", selected: "#00f" },
            project: ([x, y]) => ({ x, y }), width: 400, height: 400,
        });
        return boxes.map(({ place, image }) => [place.id, image.width, image.canvas.width > 0]);
    }""", [name, area])
    assert len(shown) == 1
    [place, width, is_drawn] = shown[0]
    assert place == "a" and is_drawn
    assert 20 < width <= 200, "the name, within the widest label"


# Of boxes around the label point of a polygon: its half width and height, the point, and whether the map lets a label of that size be there.
FITS = """async ([geometry, sizes]) => {
    const { fitTest, labelArea } = await import("/console/map/label-fit.js");
    const { rings, center } = labelArea({ type: "unit", geometry, properties: {} });
    const [longitude, latitude] = geometry.coordinates[0][0];
    const project = ([x, y]) => ({ x: (x - longitude) * 1e6 * Math.cos((latitude * Math.PI) / 180), y: (latitude - y) * 1e6 });
    const fits = fitTest(rings, project(center), project);
    // Labels may reach over the wall by 3 pixels on each side.
    const answers = sizes.map(([width, height]) => fits(width + 6, height + 6));
    return { vertices: rings.flat().length, center: project(center), rings: geometry.coordinates.map((ring) => ring.map(project)), answers };
}"""


def ring(vertices, radius, roughness=0.0, seed=0, turns=1):
    """A closed ring around a position in Tokyo, in the sizes of a room, whose radius varies at random."""
    random_number = random.Random(seed)
    angles = [2 * math.pi * index / vertices * turns for index in range(vertices)]
    points = []
    for angle in angles:
        distance = radius * (1 + roughness * random_number.uniform(-1, 1))
        points.append([139.7 + distance * math.cos(angle) / 111_320 / math.cos(math.radians(35.6)), 35.6 + distance * math.sin(angle) / 111_320])
    return [*points, points[0]]


def is_inside(box, rings):
    """Whether a box is inside of a polygon: its corners are, and no vertex or side of the polygon is in it."""
    left, top, right, bottom = box
    edges = [(a, b) for each in rings for a, b in zip(each, each[1:])]

    def contains(x, y):
        return sum(1 for a, b in edges if (a["y"] > y) != (b["y"] > y)
                   and x < (b["x"] - a["x"]) * (y - a["y"]) / (b["y"] - a["y"]) + a["x"]) % 2 == 1

    # Points of the sides close to each other stand for all.
    steps = [index / 60 for index in range(61)]
    border = [(left + (right - left) * t, y) for t in steps for y in (top, bottom)] + [(x, top + (bottom - top) * t) for t in steps for x in (left, right)]
    return all(contains(*point) for point in border) and not any(
        left < vertex["x"] < right and top < vertex["y"] < bottom for each in rings for vertex in each)


@pytest.mark.parametrize("name, rings", [
    ("round", [ring(400, 8)]), ("traced", [ring(3_000, 8, 0.01)]), ("few vertices", [ring(7, 8)]), ("rough", [ring(40, 8, 0.3, 1)]),
    ("with a courtyard", [ring(300, 12), ring(200, 3)]), ("with columns", [ring(300, 12), *(
        [[x + 0.00002 * column, y + 0.00003] for x, y in ring(60, 0.4)] for column in range(-3, 4))]),
])
def test_labels_fit_only_where_no_wall_crosses_them(windows, mall, name, rings):
    page = windows.map(mall)
    sizes = [(width, height) for width in (4, 20, 40, 60, 80, 110, 140, 160) for height in (4, 15, 30, 60, 110)]
    found = page.evaluate(FITS, [{"type": "Polygon", "coordinates": rings}, sizes])
    assert found["vertices"] <= 121, "the work for every frame is bounded"
    center, polygon, answers = found["center"], found["rings"], []
    for (width, height), fits in zip(sizes, found["answers"]):
        # Simplified rings differ from the real ones by one hundredth of the size.
        smaller, larger = ([center["x"] - w / 2, center["y"] - h / 2, center["x"] + w / 2, center["y"] + h / 2] for w, h in (
            (max(1, width - 5), max(1, height - 5)), (width + 5, height + 5)))
        if fits:
            assert is_inside(smaller, polygon), (width, height)
        else:
            assert not is_inside(larger, polygon), (width, height)
        answers.append(fits)
    assert True in answers and False in answers


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
    texts = """() => document.querySelector(".map-page").venueMap.labels.filter(({ place, image }) => place.kind === "kiosk"
        && image.width !== image.height).map(({ place }) => place.id)"""
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
        return { distance, isName: box.image.width !== box.image.height, isInside: corners.every((each) => unitsAt(each).includes(box.place.surroundings)) };
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


def test_labels_are_laid_out_again_only_when_the_view_or_the_places_have_changed(windows, mall):
    page = windows.map(mall)
    settle(page)
    map = "venueMap.mapLibre"
    changes = {
        "": False, f"{map}.panBy([5, 0], {{ duration: 0 }})": True, f"{map}.setBearing(3)": True, f"{map}.setPitch(20)": True,
        f"{map}.setZoom({map}.getZoom() + 0.01)": True, "venueMap.select(venueMap.places[0])": True,
        "venueMap.showResults(venueMap.places.slice(0, 2))": True,
    }
    for change, expected in changes.items():
        is_new = page.evaluate(f"""async () => {{
            const {{ venueMap }} = document.querySelector(".map-page");
            const before = venueMap.labels;
            const rendered = new Promise((resolve) => venueMap.mapLibre.once("render", resolve));
            {change};
            venueMap.mapLibre.triggerRepaint();
            await rendered;
            return venueMap.labels !== before;
        }}""")
        assert is_new == expected, change
