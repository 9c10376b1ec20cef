"""Search of venues that are too large to be loaded as a whole: the server finds what a venue finds whose floors are all loaded. What the page
asks for and says is tested in Tests/Console."""
import datetime
import re
import urllib.parse

from playwright.sync_api import expect

from archives import push_new
from map_page import expect_floor, show_whole_list, some_feature
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


def test_search_of_a_large_venue_asks_the_server_for_the_other_floors(windows, service, mall):
    locale, language = "ja-JP", "ja"
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


IDS = "all => all.map(({ dataset }) => dataset.id).sort()"


def create_without_restrooms_on(service, venue_key, ordinals):
    """A venue without restrooms on some floors."""
    source = service.generate(f"{venue_key}-source.zip", "--levels", 3, "--units", 24, "--seed", 7)
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

    push_new(service, venue_key, edited_archive(source, service.folder / f"{venue_key}.zip", {
        "level.geojson": read_levels, "unit.geojson": edit_units,
        "amenity.geojson": lambda features: [each for each in features if not (
            each["properties"]["category"].startswith("restroom") and floor_of(each) in ordinals)],
    }))


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
