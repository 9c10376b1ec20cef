"""Links to places, in new tabs and in those that show the venue already, and the way back. More of them are tested in Tests/Console."""
from playwright.sync_api import expect

from map_page import expect_floor, metres, settle, short_id, some_feature, visible_middle


def test_link_to_a_place_finds_its_floor_and_centres_on_it(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall, f"/{short_id(upstairs['id'])}")
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    settle(page)
    point = page.evaluate("(id) => document.querySelector('.map-page').venueMap.places.find((each) => each.id === id).point", upstairs["id"])
    assert metres(point, visible_middle(page)) < 3


def test_link_opened_in_the_tab_of_the_venue_finds_the_floor_of_its_place(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}?floor=0&place={upstairs['id']}")
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    expect_floor(page, 1)
    settle(page)
    point = page.evaluate("(id) => document.querySelector('.map-page').venueMap.places.find((each) => each.id === id).point", upstairs["id"])
    assert metres(point, visible_middle(page)) < 3
    assert page.url.endswith(f"?floor=1&place={upstairs['id']}"), "the address says where the place is"
    expect(page.locator(".toast")).to_have_count(0)
    page.go_back()
    expect(page.locator(".place-card")).to_have_count(0)
    expect_floor(page, 0)
    page.go_forward()
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    expect_floor(page, 1)
