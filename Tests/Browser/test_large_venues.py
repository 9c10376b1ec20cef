"""Search of venues that are too large to be loaded as a whole."""
import re
import uuid

import pytest
from playwright.sync_api import expect

from map_page import expect_floor, some_feature


def open_large(windows, service, venue_key, **options):
    """A window with the map of a venue that says that it has many features, so that floors are not loaded for a search."""
    page = windows.open(api_key=service.admin_key, **options)

    def enlarge(route):
        response = route.fetch()
        document = response.json()
        document["levels"][0]["features"] = 30_000
        route.fulfill(response=response, json=document)

    page.route(f"**/venues/{venue_key}", enlarge)
    page.evaluate(f"location.hash = '#/{venue_key}'")
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
