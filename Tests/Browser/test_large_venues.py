"""Search of venues that are too large to be loaded as a whole."""
import datetime
import re
import urllib.parse
import uuid

import pytest
from playwright.sync_api import expect

import edits
from archives import push_new, with_positions
from map_page import expect_floor, metres, show_whole_list, some_feature
from service import edited_archive


def open_large(windows, service, venue_key, query="", **options):
    """A window with the map of a venue that says that it has many features, so that floors are not loaded for a search."""
    page = windows.open(api_key=service.admin_key, **options)

    def enlarge(route):
        response = route.fetch()
        document = response.json()
        document["levels"][0]["features"] = 30_000
        route.fulfill(response=response, json=document)

    page.route(f"**/venues/{venue_key}", enlarge)
    page.evaluate(f"location.hash = '#/{venue_key}{query}'")
    page.wait_for_selector(".live-state.live")
    return page


def test_search_of_a_large_venue_names_the_floors_that_it_does_not_cover(windows, service, venue_key):
    service.create_venue(venue_key)
    page = open_large(windows, service, venue_key)
    page.route(f"**/venues/{venue_key}/search?*", lambda route: route.abort())
    upstairs = some_feature(service, venue_key, 1)
    page.fill("#search", upstairs["properties"]["name"]["en"])
    expect(page.locator(".search-scope")).to_contain_text("Not searched")
    page.locator(".search-scope button").click()
    expect(page.locator(f".place[data-id='{upstairs['id']}']")).to_be_visible()
    expect(page.locator(".search-scope")).to_have_count(0)


@pytest.mark.parametrize("locale, language", [("en-US", "en"), ("ja-JP", "ja")])
def test_search_of_a_large_venue_asks_the_server_for_the_other_floors(windows, service, mall, locale, language):
    upstairs = some_feature(service, mall, 1)
    page = open_large(windows, service, mall, locale=locale)
    with page.expect_response("**/search?*") as response:
        page.fill("#search", upstairs["properties"]["name"][language])
    assert "level=ordinal%3A1" in response.value.url and f"lang={language}" in response.value.url
    row = page.locator(f".place[data-id='{upstairs['id']}']")
    expect(row.locator(".place-name")).to_have_text(upstairs["properties"]["name"][language])
    expect(page.locator(".search-scope")).to_have_count(0)
    expect(page.locator(".floors [data-ordinal='1']")).to_have_attribute("data-found", re.compile("[1-9]"))
    assert not [url for url in windows.urls if "sync" in url and "level=ordinal%3A1" in url], "the floor is not loaded for the search"
    page.locator("#search").press("Enter")
    expect(page.locator(".place").first).to_be_focused()
    row.click()
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"][language])
    expect_floor(page, 1)
    expect(page.locator("#place-name")).to_be_focused()
    page.go_back()
    expect_floor(page, 0)
    expect(row).to_have_count(1)


def test_search_of_a_large_venue_lists_every_place_once(windows, service, mall):
    page = open_large(windows, service, mall)
    with page.expect_response("**/search?*") as response:
        page.fill("#search", "toilet")
    assert {each["level_id"] for each in response.value.json()["results"]}, "the server finds some"
    expect(page.locator(".places-floor")).to_have_count(3)
    before = page.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id).sort()")
    assert len(before) == len(set(before))
    expect(page.locator(".list-title")).to_have_text(f"{len(before)} found")
    windows.open(f"#/{mall}", api_key=service.admin_key)  # A venue that loads all floors finds the same.
    other = windows.contexts[-1].pages[0]
    other.wait_for_selector(".live-state.live")
    other.fill("#search", "toilet")
    expect(other.locator(".places-floor")).to_have_count(3)
    expect(other.locator(".search-scope")).to_have_count(0)
    assert before == other.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id).sort()")


def test_search_of_a_large_venue_lists_units_that_are_far_from_the_amenities_of_their_kind(windows, service, venue_key):
    """A unit without a name is left out only if an amenity of its kind is near, which is then the same facility."""
    def corner(unit):
        return unit["geometry"]["coordinates"][0][0]

    def add_restrooms(features):
        for level in {each["properties"]["level_id"] for each in features}:
            units = [each for each in features if each["properties"]["level_id"] == level]
            restrooms = [corner(each) for each in units if each["properties"]["category"].startswith("restroom")]
            rooms = [each for each in units if each["properties"]["category"] == "storage"]
            if restrooms and rooms:
                distance, room = max(((min(metres(corner(each), other) for other in restrooms), each) for each in rooms), key=lambda pair: pair[0])
                room["properties"]["category"] = "toilet"
                added.update({room["id"]: distance})

    added = {}
    source = service.generate(f"{venue_key}-source.zip", "--levels", 3, "--units", 48, "--seed", 7)
    push_new(service, venue_key, edited_archive(source, service.folder / f"{venue_key}.zip", {"unit.geojson": add_restrooms}))
    assert len(added) > 2 and max(added.values()) > 50
    page = open_large(windows, service, venue_key)
    page.fill("#search", "toilet")
    expect(page.locator(".places-floor")).to_have_count(3)
    assert {each for each, distance in added.items() if distance > 50} <= set(page.locator(".place").evaluate_all(IDS))


def test_search_of_a_large_venue_leaves_out_what_the_venue_hides(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, 'appearance={"hidden": ["restroom"]}')
    page = open_large(windows, service, venue_key)
    with page.expect_response("**/search?*") as response:
        page.fill("#search", "toilet")
    assert response.value.json()["results"], "the server finds them nevertheless"
    expect(page.locator(".panel-body .empty")).to_be_visible()
    expect(page.locator(".place")).to_have_count(0)
    expect(page.locator(".floors [data-found]")).to_have_count(0)


@pytest.mark.parametrize(("here", "there"), [("Midori", "Midory"), ("Midory", "Midori")], ids=["on another floor", "on this floor"])
def test_search_of_a_large_venue_forgives_mistakes_only_if_no_floor_has_what_was_typed(windows, service, venue_key, here, there):
    service.create_venue(venue_key)
    shops = {name: some_feature(service, venue_key, ordinal)["id"] for ordinal, name in enumerate((here, there))}
    for name, shop in shops.items():
        edits.patch(service, venue_key, shop, {"name": {"en": name}})
    page = open_large(windows, service, venue_key)
    with page.expect_response("**/search?*"):
        page.fill("#search", "Midory")
    expect(page.locator(".list-title")).to_have_text("1 found")
    expect(page.locator(".place")).to_have_attribute("data-id", shops["Midory"])


def test_search_on_the_server_ends_when_the_text_changes(windows, service, mall):
    page = open_large(windows, service, mall)
    page.route("**/search?q=sushi&*", lambda route: None)
    with page.expect_request("**/search?q=sushi&*"):
        page.fill("#search", "sushi")
    expect(page.locator(".panel-body")).to_contain_text("Searching the other floors")
    with page.expect_event("requestfailed", lambda request: "q=sushi" in request.url):
        page.fill("#search", "toilet")
    expect(page.locator(".places-floor")).to_have_count(3)
    expect(page.locator(".search-scope")).to_have_count(0)
    page.unroute_all(behavior="ignoreErrors")


def test_search_on_the_server_says_when_there_is_more_than_it_lists(windows, service, mall):
    page = open_large(windows, service, mall)

    def repeat(route):
        response = route.fetch()
        document = response.json()
        document["results"] = [{**document["results"][i % len(document["results"])], "id": str(uuid.UUID(int=i + 1))} for i in range(100)]
        document["more"] = True
        route.fulfill(response=response, json=document)

    page.route(f"**/venues/{mall}/search?*", repeat)
    page.fill("#search", "toilet")
    expect(page.locator(".search-scope")).to_contain_text("Only the best results of the other floors are listed")


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_search_of_a_large_venue_without_a_connection_names_what_it_does_not_cover(windows, service, mall, locale):
    page = open_large(windows, service, mall, locale=locale)
    upstairs = some_feature(service, mall, 1)
    page.context.set_offline(True)
    page.fill("#search", upstairs["properties"]["name"]["en"])
    expect(page.locator(".search-scope")).to_contain_text("検索" if locale == "ja-JP" else "Not searched")
    page.context.set_offline(False)
    expect(page.locator(f".place[data-id='{upstairs['id']}']")).to_be_visible()
    expect(page.locator(".search-scope")).to_have_count(0)


IDS = "all => all.map(({ dataset }) => dataset.id).sort()"


def create_without_restrooms_on(service, venue_key, ordinals, levels=3, far=()):
    """A venue without restrooms on some floors. Those of the floors `far` are 300 m away."""
    source = service.generate(f"{venue_key}-source.zip", "--levels", levels, "--units", 24, "--seed", 7)
    floors, restrooms = {}, {}

    def read_levels(features):
        floors.update({each["id"]: each["properties"]["ordinal"] for each in features})

    def edit_units(features):
        for each in features:
            if each["properties"]["category"].startswith("restroom"):
                restrooms[each["id"]] = floors[each["properties"]["level_id"]]
                if restrooms[each["id"]] in ordinals:
                    each["properties"]["category"] = "room"

    def floor_of(feature):
        unit = feature["id"] if feature["feature_type"] == "unit" else (feature["properties"].get("unit_ids") or [None])[0]
        return restrooms.get(unit)

    archive = edited_archive(source, service.folder / f"{venue_key}-edited.zip", {
        "level.geojson": read_levels, "unit.geojson": edit_units,
        "amenity.geojson": lambda features: [each for each in features if not (
            each["properties"]["category"].startswith("restroom") and floor_of(each) in ordinals)],
    })
    push_new(service, venue_key, with_positions(
        archive, service.folder / f"{venue_key}.zip", lambda east, north, each: (east + 300 * (floor_of(each) in far), north)))
    return set(floors.values())


def open_usual(windows, service, venue_key):
    """A window that loads all floors for a search."""
    page = windows.open(f"#/{venue_key}", api_key=service.admin_key)
    page.wait_for_selector(".live-state.live")
    return page


def nearest_restrooms(page):
    page.locator(".place").first.click()
    page.get_by_role("button", name="Nearest restroom").click()


def loads_of_other_floors(windows):
    return [url for url in windows.urls if "/sync" in url and re.search(r"level=ordinal%3A-?[1-9]", url)]


def test_nearest_restroom_of_a_large_venue_is_found_on_floors_that_are_not_loaded(windows, service, venue_key):
    create_without_restrooms_on(service, venue_key, {0})
    page = open_large(windows, service, venue_key)
    with page.expect_response("**/search?*category=restroom&*") as response:
        nearest_restrooms(page)
    query = urllib.parse.parse_qs(urllib.parse.urlsplit(response.value.url).query)
    assert query["near_level"] == ["ordinal:0"] and len(query["near"][0].split(",")) == 2 and "ordinal:0" not in query["level"]
    expect(page.locator(".search-elsewhere")).to_contain_text("On other floors")
    expect(page.locator(".search-scope")).to_have_count(0)
    expect(page.locator(".places-floor")).to_have_count(2)
    assert not loads_of_other_floors(windows)
    other = open_usual(windows, service, venue_key)
    nearest_restrooms(other)
    expect(other.locator(".places-floor")).to_have_count(2)
    expected = other.locator(".place").evaluate_all(IDS)
    assert expected and page.locator(".place").evaluate_all(IDS) == expected
    # The first one is on the map when it is chosen.
    first = page.locator(".place").first
    name = first.locator(".place-name").inner_text()
    first.click()
    expect(page.locator(".place-card h2")).to_have_text(name)


def test_kinds_of_facilities_that_only_other_floors_have_are_offered_in_a_large_venue(windows, service, venue_key):
    create_without_restrooms_on(service, venue_key, {0})
    page = open_large(windows, service, venue_key)
    page.click("[data-chip=restroom]")
    expect(page.locator(".places-floor")).to_have_count(2)
    expect(page.locator(".search-elsewhere")).to_contain_text("On other floors")
    assert not loads_of_other_floors(windows)


def test_nearest_restroom_of_the_floor_is_not_asked_for(windows, service, mall):
    page = open_large(windows, service, mall)
    nearest_restrooms(page)
    expect(page.locator(".distance").first).to_be_visible()
    assert not [url for url in windows.urls if "/search?" in url]


def test_nearest_restroom_of_a_large_venue_names_the_floors_that_it_does_not_cover(windows, service, venue_key):
    create_without_restrooms_on(service, venue_key, {0})
    page = open_large(windows, service, venue_key)
    page.context.set_offline(True)
    nearest_restrooms(page)
    expect(page.locator(".search-scope")).to_contain_text("Not searched: 2 floors")
    page.context.set_offline(False)
    expect(page.locator(".places-floor")).to_have_count(2)


@pytest.mark.parametrize("is_large", [False, True])
def test_nearest_restroom_is_on_the_floor_that_is_fewer_floors_away(windows, service, venue_key, is_large):
    """Not on the one where it is nearer in a straight line."""
    assert create_without_restrooms_on(service, venue_key, {0, 1}, levels=4, far={-1}) == {-1, 0, 1, 2}
    page = open_large(windows, service, venue_key) if is_large else open_usual(windows, service, venue_key)
    nearest_restrooms(page)
    expect(page.locator(".places-floor")).to_have_count(2)
    names = {each["properties"]["ordinal"]: each["properties"]["name"]["en"] for each in service.features(venue_key, 1, "level")}
    headings = page.locator(".places-floor").all_inner_texts()
    assert [names[-1] in headings[0], names[2] in headings[1]] == [True, True], headings


def noon():
    """A time zone in which it is between 12:00 and 13:00 now, when shops are open: the server judges by its own clock."""
    hours = (12 - datetime.datetime.now(datetime.timezone.utc).hour + 12) % 24 - 12
    return f"Etc/GMT{-hours:+d}" if hours else "Etc/UTC"


def test_open_places_of_a_large_venue_are_found_on_floors_that_are_not_loaded(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, f"time_zone={noon()}")
    page = open_large(windows, service, venue_key)
    with page.expect_response("**/search?open_at=now&*"):
        page.click("[data-chip=open]")
    expect(page.locator(".search-elsewhere, .search-scope")).to_have_count(0)
    show_whole_list(page)
    expect(page.locator(".places-floor")).to_have_count(3)
    expect(page.locator(".places .state-text.open").last).to_contain_text("Open until")
    expect(page.locator(".places .state-text:not(.open)")).to_have_count(0)
    assert not loads_of_other_floors(windows)
    # A venue whose floors are all loaded finds the same.
    other = open_usual(windows, service, venue_key)
    other.click("[data-chip=open]")
    expect(other.locator(".search-elsewhere, .search-scope")).to_have_count(0)
    show_whole_list(other)
    expect(other.locator(".places-floor")).to_have_count(3)
    assert page.locator(".place").evaluate_all(IDS) == other.locator(".place").evaluate_all(IDS)
    # With a text, too.
    with page.expect_response("**/search?q=*&open_at=now&*"):
        page.fill("#search", "restaurant")
    expect(page.locator(".search-scope")).to_have_count(0)


def test_open_places_of_a_large_venue_without_a_connection_name_what_they_do_not_cover(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, f"time_zone={noon()}")
    page = open_large(windows, service, venue_key)
    page.route(f"**/venues/{venue_key}/search?*", lambda route: route.abort())
    page.click("[data-chip=open]")
    expect(page.locator(".search-scope")).to_contain_text("Not searched: 2 floors")
