"""What visitors see on the screen: doors, names, labels. What the page says of facilities, search and hours is in Tests/Console."""
import io

from PIL import Image
from playwright.sync_api import expect

from map_page import settle
from service import edited_archive


def create_edited(service, venue_key, edits, *arguments):
    """Creates a venue from a sample mall after edits of its files."""
    source = service.generate(f"{venue_key}-source.zip", *(arguments or ("--levels", 2, "--units", 24, "--seed", 7)))
    service.run_venue("push", edited_archive(source, service.folder / f"{venue_key}.zip", edits), "--to", venue_key, "--new")


def test_doors_are_gaps_in_walls(windows, service, mall):
    """On the screen: the middle of a door has the colour of the floor, the wall beside it has not."""
    page = windows.map(mall, reduced_motion="reduce")
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        check_doors(page, service, mall)


def check_doors(page, service, mall):
    levels = {each["id"] for each in service.features(mall, 1, "level") if each["properties"]["ordinal"] == 0}
    doors = [each["geometry"]["coordinates"] for each in service.features(mall, 1, "opening") if each["properties"]["level_id"] in levels]
    page.evaluate("document.querySelector('.label-overlay').style.visibility = 'hidden'")
    names = ["level", "walkway", "outline", "wall", "food", "shop", "service", "room", "private", "vertical", "restroom"]
    colours = page.evaluate("""(names) => Object.fromEntries(names.map((name) =>
        [name, getComputedStyle(document.documentElement).getPropertyValue(`--map-${name}`).trim()]))""", names)
    nearest = []
    for start, end in (doors[index] for index in (0, len(doors) // 2, -1)):
        middle = [(a + b) / 2 for a, b in zip(start, end)]
        # As far from the end of the door as its middle.
        beside = [b + (b - a) / 2 for a, b in zip(start, end)]
        page.evaluate("(center) => document.querySelector('.map-page').venueMap.mapLibre.jumpTo({ center, zoom: 22, bearing: 0 })", middle)
        settle(page)
        picture = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        points = page.evaluate("""(positions) => {
            const { left, top } = document.querySelector(".map-canvas").getBoundingClientRect();
            return positions.map((each) => document.querySelector(".map-page").venueMap.mapLibre.project(each))
                .map(({ x, y }) => [Math.round(x + left), Math.round(y + top)]);
        }""", [middle, beside])
        nearest.append([nearest_colour(picture.getpixel(tuple(point)), colours) for point in points])
    assert [door for door, _ in nearest] == ["level"] * 3 and {wall for _, wall in nearest} <= {"wall", "outline"}, nearest


def nearest_colour(pixel, colours):
    """The name of the most similar colour; the walkway has that of the floor."""
    def difference(name):
        return sum((int(colours[name][start:start + 2], 16) - part) ** 2 for start, part in zip((1, 3, 5), pixel))
    return min(colours, key=difference).replace("walkway", "level")


def test_venue_without_levels_says_so(windows, service, venue_key):
    others = ["level", "unit", "section", "anchor", "amenity", "kiosk", "fixture", "detail", "opening", "occupant", "geofence",
              "footprint", "relationship"]
    create_edited(service, venue_key, {f"{name}.geojson": lambda features: [] for name in others})
    page = windows.map(venue_key)
    expect(page.locator(".panel-body")).to_contain_text("no floors")
    expect(page.locator(".map-note")).to_contain_text("no floors")
    for part in (".map-side", ".map-scale"):
        expect(page.locator(part)).to_have_count(1)
        expect(page.locator(part)).to_be_hidden()


def test_names_in_other_writing_directions_do_not_reverse_rows(windows, service, venue_key):
    def rename(features):
        for each in features:
            each["properties"]["name"] = {"en": "\u202eמקס 12", "ar": "مقهى 5", "he": "קפה 7"}

    create_edited(service, venue_key, {"occupant.geojson": rename})
    page = windows.map(venue_key)
    row = page.locator(".place", has_text="מקס").first
    assert row.locator(".place-name").evaluate("each => getComputedStyle(each).unicodeBidi") in ("isolate", "plaintext")
    assert row.locator(".swatch").bounding_box()["x"] < row.locator(".place-name").bounding_box()["x"]
    row.click()
    # The names in other languages, too, are one after the other.
    expect(page.locator(".place-card .other-names bdi")).to_have_text(["مقهى 5", "קפה 7"])
    first, second = (page.locator(".place-card .other-names bdi").nth(index).bounding_box()["x"] for index in (0, 1))
    assert first < second


def test_map_library_is_requested_by_the_map_only(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    expect(page.locator(".cards")).to_be_visible()
    for path, content in ((f"#/{mall}/desk", ".desk-tabs"), ("#/~/calendar", "h1")):
        page.goto(f"{service.address}/cartography.json")
        page.goto(f"{service.address}/{path}")
        expect(page.locator(content).first).to_be_visible()
    assert not [url for url in windows.urls if "maplibre" in url or "/map/venue-map.js" in url]


# The names of the places whose labels cross a wall.
OUTSIDE = """() => {
    const { venueMap } = document.querySelector(".map-page");
    const map = venueMap.mapLibre;
    return venueMap.labels.filter(({ place, isBeyond, left, right, top, bottom }) => {
        if (place.kind === "amenity" || !place.unit || isBeyond) return false;
        const points = [[left + 4, top + 4], [right - 4, top + 4], [left + 4, bottom - 4], [right - 4, bottom - 4]];
        const layers = map.getStyle().layers.map(({ id }) => id).filter((id) => /[/](unit|kiosk)[/]fill$/.test(id));
        return points.some((point) => !map.queryRenderedFeatures(point, { layers }).some(({ id, properties }) => properties.id === place.unit));
    }).map(({ place }) => place.name);
}"""


def test_labels_stay_inside_their_units(windows, mall):
    page = windows.map(mall)
    settle(page)
    assert page.evaluate("document.querySelector('.map-page').venueMap.labels.length") > 5
    assert page.evaluate(OUTSIDE) == []


# The sizes of all texts that are on the screen, and of the names of the bar.
TEXT_SIZES = """() => {
    const size = (element) => parseFloat(getComputedStyle(element).fontSize);
    const hasText = (element) => [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== "");
    const isShown = (element) => element.checkVisibility() && Math.min(element.offsetWidth, element.offsetHeight) > 1;
    const texts = [...document.querySelectorAll("body *")].filter((each) => hasText(each) && isShown(each));
    const [name, signIn] = [".breadcrumb bdi", "button:last-child"].map((each) => document.querySelector(`#bar ${each}`));
    const others = texts.filter((each) => each !== name && each !== signIn);
    return {
        name: isShown(name) ? size(name) : 0, isCut: name.scrollHeight > name.clientHeight + 1, signIn: size(signIn),
        others: others.map(size), bar: others.filter((each) => each.closest("#bar")).map(size),
    };
}"""


def test_name_of_the_venue_is_the_largest_text_of_a_visitors_page_and_signing_in_the_smallest(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, "public=true")
    for viewport in ((1440, 900), (390, 844)):
        page = windows.map(venue_key, viewport=viewport, api_key=None)
        sizes = page.evaluate(TEXT_SIZES)
        assert len(sizes["others"]) > 5 and sizes["bar"], viewport
        assert sizes["name"] > max(sizes["others"]) and not sizes["isCut"], (viewport, sizes)
        assert sizes["signIn"] < min(sizes["bar"]), (viewport, sizes)
