"""What visitors rely on: facilities, search, hours, and what strangers see."""
import io
import re

import pytest
from PIL import Image
from playwright.sync_api import expect

from map_page import expect_floor, settle, show_whole_list
from service import edited_archive
from toasts import expect_toast


def create_edited(service, venue_key, edits, *arguments):
    """Creates a venue from a sample mall after edits of its files."""
    source = service.generate(f"{venue_key}-source.zip", *(arguments or ("--levels", 2, "--units", 24, "--seed", 7)))
    service.run_venue("push", edited_archive(source, service.folder / f"{venue_key}.zip", edits), "--to", venue_key, "--new")


def test_facilities_that_are_units_have_filters_and_pictograms(windows, service, venue_key):
    create_edited(service, venue_key, {"amenity.geojson": lambda features: [
        each for each in features if not re.match("restroom|elevator|stairs|escalator", each["properties"]["category"])]})
    page = windows.map(venue_key)
    for kind in ("restroom", "elevator", "stairs", "escalator"):
        expect(page.locator(f"[data-chip={kind}]")).to_be_visible()
    page.click("[data-chip=restroom]")
    expect(page.locator(".list-title")).to_have_text(re.compile(r"^[1-9]\d* found$"))
    settle(page)
    drawn = page.evaluate("document.querySelector('.map-page').venueMap.labels.map(({ place }) => place.facility)")
    assert "restroom" in drawn


def test_stairs_of_several_floors_are_listed_once_on_each(windows, service, venue_key):
    """An amenity with units on several floors is on no level."""
    def rename(features):
        spanning = [each for each in features if len(each["properties"]["unit_ids"]) > 1]
        assert [each["properties"]["category"] for each in spanning] == ["stairs", "stairs"]
        for each, name in zip(spanning, ("North Stairs", "South Stairs")):
            each["properties"]["name"] = {"en": name}

    create_edited(service, venue_key, {"amenity.geojson": rename})
    page = windows.map(venue_key)
    chip = page.locator("[data-chip=stairs]")
    for ordinal in (1, 0):
        page.click(f".floors [data-ordinal='{ordinal}']")
        expect_floor(page, ordinal)
        chip.click()
        # Not also the units that the amenity names.
        expect(page.locator(".list-title")).to_have_text("2 found")
        assert sorted(page.locator(".place-name").all_inner_texts()) == ["North Stairs", "South Stairs"]
        expect(page.locator(".places-floor, .search-elsewhere")).to_have_count(0)
        chip.click()


def test_walls_with_a_name_are_no_places(windows, service, venue_key):
    def name_units(features):
        rooms = [each for each in features if each["properties"]["category"] == "storage"]
        for number, each in enumerate(rooms):
            each["properties"].update(category=["wall", "office"][number % 2], name={"en": ["Partition", "Back office"][number % 2]})
        assert len(rooms) > 1

    create_edited(service, venue_key, {"unit.geojson": name_units})
    page = windows.map(venue_key)
    show_whole_list(page)
    names = page.locator(".place-name").all_inner_texts()
    assert "Back office" in names
    assert "Partition" not in names
    drawn = page.evaluate("document.querySelector('.map-page').venueMap.labels.map(({ place }) => place.name)")
    assert "Partition" not in drawn


def test_nearest_facility_is_searched_on_other_floors_if_the_floor_has_none(windows, service, venue_key):
    level = []

    def only_upstairs(features):
        return [each for each in features if not each["properties"]["category"].startswith("restroom")]

    def rename(features):
        for each in features:
            if each["properties"]["category"].startswith("restroom") and each["properties"]["level_id"] in level:
                each["properties"]["category"] = "room"

    def ground(features):
        level.extend(each["id"] for each in features if each["properties"]["ordinal"] == 0)

    source = service.generate(f"{venue_key}-source.zip", "--levels", 2, "--units", 24, "--seed", 7)
    edited_archive(source, service.folder / f"{venue_key}-levels.zip", {"level.geojson": ground})
    archive = edited_archive(source, service.folder / f"{venue_key}.zip", {"unit.geojson": rename, "amenity.geojson": only_upstairs})
    service.run_venue("push", archive, "--to", venue_key, "--new")
    page = windows.map(venue_key)
    page.locator(".place").first.click()
    page.get_by_role("button", name="Nearest restroom").click()
    expect(page.locator(".list-title")).to_have_text(re.compile(r"^[1-9]\d* found$"))
    expect(page.locator(".places-floor")).to_have_count(1)
    expect(page.locator(".search-elsewhere")).to_contain_text("On other floors")


def test_opening_states_without_a_time_zone_are_unknown(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, "time_zone=null")
    page = windows.map(venue_key)
    expect(page.locator(".state-text.unknown").first).to_contain_text("no time zone")
    expect(page.locator(".state-text.open, .state-text.closed")).to_have_count(0)
    page.click("[data-chip=open]")
    expect(page.locator(".panel-body .empty")).to_have_text("It is not known what is open now, because the venue has no time zone.")
    expect(page.locator(".list-title")).to_have_text("Open now")
    page.click("[data-chip=open]")
    page.goto(f"{service.address}/#/{venue_key}/desk")
    expect(page.locator(".time-zone-notice")).to_contain_text("no time zone")


def test_public_venue_shows_strangers_no_log(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    service.run_venue("set", venue_key, "public=on")
    service.publish_edit(venue_key, archive, "rename=2")
    page = windows.map(venue_key, api_key=None)
    expect(page.get_by_role("link", name="Manage")).to_have_count(0)
    for view in ("", "/history", "/compare?from=1&to=2", "/uploads"):
        page.goto(f"{service.address}/?{len(view)}#/{venue_key}/desk{view}")
        expect(page.get_by_role("alert")).to_contain_text("A key is required")
        expect(page.locator(".timeline, .desk-tabs")).to_have_count(0)
    assert not [url for url in windows.urls if "/revisions?" in url or "/diff" in url], "not even requested"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_doors_are_gaps_in_walls(windows, service, mall, scheme):
    """On the screen: the middle of a door has the colour of the floor, the wall beside it has not."""
    page = windows.map(mall, color_scheme=scheme, reduced_motion="reduce")
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


@pytest.mark.parametrize(("locale", "language"), [("en-US", "en"), ("ja-JP", "ja")])
def test_page_has_the_name_of_the_venue_before_the_map_is_drawn(windows, service, mall, locale, language):
    names = service.get_json(f"/venues/{mall}")["name"]
    page = windows.open(api_key=service.admin_key, locale=locale)
    held = []
    page.route("**/maplibre-gl.js", lambda route: held.append(route))
    page.evaluate("""() => {
        window.titles = [];
        new MutationObserver(() => window.titles.push(document.title)).observe(document.querySelector("title"), { childList: true });
    }""")
    page.evaluate(f"location.hash = '#/{mall}'")
    expect(page).to_have_title(f"{names[language]} · VenueSync")
    expect(page.locator(".breadcrumb")).to_have_text(names[language])
    assert not page.locator(".map-page").count()
    held[0].continue_()
    page.wait_for_selector(".live-state.live")
    other = "ja" if language == "en" else "en"
    page.get_by_role("button", name={"ja": "日本語", "en": "English"}[other]).click()
    expect(page).to_have_title(f"{names[other]} · VenueSync")
    expect(page.locator(".breadcrumb")).to_have_text(names[other])
    assert not [title for title in page.evaluate("window.titles") if mall in title]
    # Operators work with the key.
    page.goto(f"{service.address}/#/{mall}/desk")
    expect(page.locator(".breadcrumb")).to_have_text(mall)


def test_categories_are_never_shown_as_they_are_written(windows, service, venue_key):
    def recategorise(features):
        for index, each in enumerate(features):
            each["properties"]["category"] = ["boardinggate.aircraft", "zzunknown.thing"][index % 2]

    create_edited(service, venue_key, {"occupant.geojson": recategorise})
    page = windows.map(venue_key)
    show_whole_list(page)
    texts = page.locator(".panel-body").inner_text()
    assert "Boarding gate" in texts and "boardinggate" not in texts.lower() and "zzunknown" not in texts.lower()
    assert "Place" in texts and "group." not in texts, "no key of a message that is missing"
    assert page.locator(".place .swatch.other").count() > 0, "not a shop"
    settle(page)
    groups = page.evaluate("""() => document.querySelector(".map-page").venueMap.mapLibre.queryRenderedFeatures()
        .filter(({ properties }) => properties.feature_type === "unit").map(({ properties }) => properties.group)""")
    assert "other" in groups and "shop" not in groups


def test_floors_with_equal_names_are_distinguished(windows, service, venue_key):
    def rename(features):
        for each in features:
            if each["properties"]["ordinal"] in (1, 2):
                each["properties"]["short_name"] = {"en": "3", "ja": "3"}

    create_edited(service, venue_key, {"level.geojson": rename}, "--levels", 4, "--units", 8, "--seed", 7)
    page = windows.map(venue_key)
    names = page.locator(".floors button").all_inner_texts()
    assert len(set(names)) == len(names) > 2, names


def test_floors_of_buildings_with_different_numbers_have_all_their_names(windows, service, venue_key):
    """Most buildings call two floors the third one."""

    def rename(features):
        for ordinal, other in ((0, "2"), (1, "4")):
            first, *levels = sorted((each for each in features if each["properties"]["ordinal"] == ordinal), key=lambda each: each["id"])
            for level in (first, *levels[:-1]):
                level["properties"]["short_name"] = {"en": "3"}
            levels[-1]["properties"]["short_name"] = {"en": other}

    create_edited(service, venue_key, {"level.geojson": rename})
    page = windows.map(venue_key)
    expect(page.locator(".floors [data-ordinal='0']")).to_have_text("2 · 3")
    # What is longer than the name has room in the title.
    expect(page.locator(".floors [data-ordinal='0']")).to_have_attribute("title", "Floor 1 / Harbour Plaza")
    expect(page.locator(".floors [data-ordinal='1']")).to_have_text("3 · 4")


def test_search_knows_synonyms_and_forgives_a_mistake(windows, service, venue_key):
    names = [("boardinggate", {"en": "5"}), ("coffee", {"en": "Starbucks"}), ("restaurant", {"ja": "寿司処", "en": "Midori"})]

    def rename(features):
        for each, (category, name) in zip(features, names):
            each["properties"].update(category=category, name=name)

    create_edited(service, venue_key, {"occupant.geojson": rename})
    page = windows.map(venue_key)
    page.focus("#search")
    for typed, expected in [("toilet", "restroom"), ("トイレ", "restroom"), ("gate 5", "5"), ("starbuks", "Starbucks"), ("すし", "Midori")]:
        page.fill("#search", typed)
        expect(page.locator(".place-name", has_text=expected).first).to_be_visible()
    page.fill("#search", "toilet")
    expect(page.locator(".list-title")).to_contain_text("found")
    assert set(page.locator(".place .swatch").evaluate_all("all => all.map((each) => each.classList[1])")) == {"restroom"}


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


def test_counts_of_one_are_singular(windows):
    page = windows.open()
    text = page.evaluate("""async () => (await import("/console/localization/localization.js"))
        .localized("venues.facts", { levels: 1, features: "1" })""")
    assert text == "1 floor · 1 feature"


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
    return venueMap.labels.filter(({ place, left, right, top, bottom }) => {
        if (place.kind === "amenity" || !place.unit) return false;
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


def test_place_is_shared_as_a_link(windows, mall):
    page = windows.map(mall, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".place").first.click()
    page.locator("[data-action=share]").click()
    expect_toast(page, "copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.search(rf"/#/{mall}/[\w-]{{22}}$", link)


def test_embedded_map_has_no_bar(windows, service, mall):
    page = windows.open(f"#/{mall}?embed", api_key=service.admin_key)
    expect(page.locator(".place").first).to_be_visible()
    expect(page.get_by_role("banner")).to_be_hidden()
    page.locator(".place").first.click()
    assert "embed" in page.url
    page.reload()
    expect(page.locator(".place-card")).to_be_visible()
    expect(page.get_by_role("banner")).to_be_hidden()
    page.wait_for_selector(".live-state.live", state="attached")
    assert not [url for url in windows.urls if "/overrides?" in url], "nothing can be edited, whatever the key may"


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_facilities_of_other_floors_can_be_asked_for_on_a_floor_without_any(windows, service, venue_key, locale):
    floors = {}

    def read_levels(features):
        floors.update({each["id"]: each["properties"]["ordinal"] for each in features})

    def on_top_only(features):
        for each in features:
            if each["properties"]["category"].startswith("restroom") and floors[each["properties"]["level_id"]] != max(floors.values()):
                each["properties"]["category"] = "room"

    def without_restrooms(features):
        return [each for each in features if not each["properties"]["category"].startswith(("restroom", "atm"))]

    create_edited(service, venue_key, {
        "level.geojson": read_levels, "unit.geojson": on_top_only, "amenity.geojson": without_restrooms,
        "occupant.geojson": lambda features: [each for each in features if not each["properties"]["category"].startswith("atm")],
    }, "--levels", 3, "--units", 24, "--seed", 7)
    page = windows.map(venue_key, locale=locale)
    chip = page.locator("[data-chip=restroom]")
    chip.click()
    expect(page.locator(".places-floor")).to_have_count(1)
    expect(page.locator(".place").first).to_be_visible()
    expect(page.locator(".search-elsewhere")).to_be_visible()
    expect(page.locator(f".floors [data-ordinal='{max(floors.values())}']")).to_have_attribute("data-found", re.compile("[1-9]"))
    # All floors are known now: what none of them has is not offered.
    expect(page.locator("[data-chip=shower]")).to_have_count(0)
    # Another floor without restrooms still offers them.
    chip.click()
    page.click(f".floors [data-ordinal='{min(floors.values())}']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", str(min(floors.values())))
    chip.click()
    expect(page.locator(".places-floor")).to_have_count(1)
