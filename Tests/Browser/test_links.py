"""Links to places, in new tabs and in those that show the venue already, and the way back."""
import uuid

import pytest
from playwright.sync_api import expect

from map_page import expect_floor, metres, settle, short_id, some_feature, visible_middle
from toasts import expect_toast


@pytest.mark.parametrize("query", ["/{short}", "?place={id}", "?floor=0&place={id}"])
def test_link_to_a_place_finds_its_floor_and_centres_on_it(windows, service, mall, query):
    upstairs = service.get_json(f"/venues/{mall}/revisions/1/features?level=ordinal:1&type=occupant")["features"][0]
    page = windows.map(mall, query.format(id=upstairs["id"], short=short_id(upstairs["id"])))
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    settle(page)
    point = page.evaluate("(id) => document.querySelector('.map-page').venueMap.places.find((each) => each.id === id).point", upstairs["id"])
    assert metres(point, visible_middle(page)) < 3


def test_link_without_a_floor_loads_only_the_floor_of_its_place(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall, f"/{short_id(upstairs['id'])}")
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    assert [url for url in windows.urls if "/sync" in url and "ordinal%3A1" in url]
    assert not [url for url in windows.urls if "/sync" in url and "ordinal%3A0" in url]


def test_short_ids_are_those_of_links(windows):
    page = windows.open()
    ids = [str(uuid.UUID(int=0)), str(uuid.UUID(int=2**128 - 1)), *(str(uuid.uuid4()) for _ in range(200))]
    short = page.evaluate("async (ids) => { const { shortID } = await import('/console/map/short-id.js'); return ids.map(shortID); }", ids)
    assert short == [short_id(each) for each in ids]
    texts = [*short, "desk", "", short[0][:-1], short[0] + "A", "!" * 22]
    read = page.evaluate("async (texts) => { const { idOfShort } = await import('/console/map/short-id.js'); return texts.map(idOfShort); }", texts)
    assert read == [*ids, None, None, None, None, None]


def test_link_to_a_missing_place_says_so(windows, mall):
    page = windows.map(mall, "?place=00000000-0000-4000-8000-000000000000")
    expect_toast(page, "no longer exists")


def test_back_returns_to_what_the_map_showed_before(windows, mall):
    page = windows.map(mall)
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    page.go_back()
    expect(page.locator(".place-card")).to_have_count(0)
    expect(page.locator(".list-title")).to_be_visible()
    page.go_forward()
    expect(page.locator(".place-card")).to_be_visible()
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    page.go_back()
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    expect(page.locator(".place-card")).to_be_visible()


@pytest.mark.parametrize("query", ["/{short}", "?place={id}", "?floor=0&place={id}", "?floor=-1&place={id}"])
def test_link_opened_in_the_tab_of_the_venue_finds_the_floor_of_its_place(windows, service, mall, query):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}{query.format(id=upstairs['id'], short=short_id(upstairs['id']))}")
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


def test_link_to_a_missing_place_in_the_tab_of_the_venue_says_so(windows, mall):
    page = windows.map(mall, locale="ja-JP")
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}?place=00000000-0000-4000-8000-000000000000")
    expect_toast(page, "リンク先の場所はもうありません。", exact=True)
    expect(page.locator(".place-card")).to_have_count(0)
    assert page.url.endswith(f"#/{mall}?floor=0")


def test_link_that_was_left_before_its_place_is_found_changes_nothing(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    held = []
    page.route(f"**/features/{upstairs['id']}/history*", lambda route: held.append(route))
    with page.expect_request(f"**/features/{upstairs['id']}/history*"):
        page.evaluate("(hash) => location.hash = hash", f"#/{mall}?place={upstairs['id']}")
    page.locator(".place").first.click()
    name = page.locator(".place-card h2").inner_text()
    with page.expect_response(f"**/features/{upstairs['id']}/history*"):
        held[0].continue_()
    settle(page)
    expect(page.locator(".place-card h2")).to_have_text(name)
    expect_floor(page, 0)


# Holds what follows the first drawing of the floor, when the map can be used already.
HOLD_AFTER_PAINTING = """() => Object.defineProperty(Element.prototype, "venueMap", {
    set(map) {
        Object.defineProperty(this, "venueMap", { value: map });
        const { painted } = map;
        map.painted = async function () {
            await painted.call(this);
            await new Promise((resolve) => { window.release = resolve; });
        };
    },
})"""


CAMERA = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    return [...mapLibre.getCenter().toArray(), mapLibre.getZoom(), mapLibre.getBearing()];
}"""


def tap_another_place(page, linked):
    """Taps the label of a shop; returns its id and its name."""
    place = page.evaluate("""(linked) => {
        const { venueMap } = document.querySelector(".map-page");
        const { left, right, top, bottom, place } = venueMap.labels.find(({ place }) => place.kind === "shop" && place.id !== linked);
        const canvas = document.querySelector(".map-canvas").getBoundingClientRect();
        return { x: canvas.left + (left + right) / 2, y: canvas.top + (top + bottom) / 2, id: place.id, name: place.name };
    }""", linked)
    page.mouse.click(place["x"], place["y"])
    expect(page.locator(".place-card h2")).to_have_text(place["name"])
    return place["id"], place["name"]


def open_something_else_while_a_link_loads(windows, service, link, linked, is_floor):
    """Opens another floor or another place before the link is followed, which waits for `window.release`. Returns the place; None for a floor."""
    page = windows.open(api_key=service.admin_key)
    page.evaluate(HOLD_AFTER_PAINTING)
    page.evaluate("(hash) => location.hash = hash", link)
    page.wait_for_function("() => window.release")
    settle(page)
    if not is_floor:
        return page, tap_another_place(page, linked)
    page.click(".floors [data-ordinal='1']")
    expect_floor(page, 1)
    return page, None


def expect_opened(page, place):
    """The page still shows the place, or the floor above without a place."""
    if place is None:
        expect_floor(page, 1)
        expect(page.locator(".place-card")).to_have_count(0)
        assert page.url.endswith("?floor=1")
    else:
        tapped, name = place
        expect(page.locator(".place-card h2")).to_have_text(name)
        assert page.url.endswith(f"?floor=0&place={tapped}")


@pytest.mark.parametrize("is_floor", [False, True], ids=["place", "floor"])
def test_link_does_not_replace_what_the_user_opens_while_it_loads(windows, service, mall, is_floor):
    linked = some_feature(service, mall, 0)["id"]
    page, opened = open_something_else_while_a_link_loads(windows, service, f"#/{mall}?floor=0&place={linked}", linked, is_floor)
    page.evaluate("window.release()")
    page.wait_for_selector(".live-state.live")
    settle(page)
    expect_opened(page, opened)


@pytest.mark.parametrize("is_floor", [False, True], ids=["place", "floor"])
def test_pin_of_a_link_does_not_appear_after_the_user_has_opened_something_else(windows, service, mall, is_floor):
    linked = some_feature(service, mall, 0)["id"]
    page, opened = open_something_else_while_a_link_loads(windows, service, f"#/{mall}?feature={linked}", linked, is_floor)
    settle(page)
    camera = page.evaluate(CAMERA)
    page.evaluate("window.release()")
    # The link is followed before the page is live.
    page.wait_for_selector(".live-state.live")
    settle(page)
    expect(page.locator(".map-pin")).to_have_count(0)
    assert page.evaluate(CAMERA) == camera
    expect_opened(page, opened)


def test_floor_of_a_link_is_not_shown_after_the_user_has_opened_a_place(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    settle(page)
    held = []
    page.route("**/sync*ordinal%3A1*", lambda route: held.append(route))
    with page.expect_request("**/sync*ordinal%3A1*"):
        page.evaluate("(hash) => location.hash = hash", f"#/{mall}?place={upstairs['id']}")
    expect(page.locator(".map-note")).not_to_be_empty()
    tapped, name = tap_another_place(page, upstairs["id"])
    expect(page.locator(".map-note")).to_be_empty()
    with page.expect_response("**/sync*ordinal%3A1*"):
        held[0].continue_()
    page.wait_for_function("() => document.querySelector('.floors [data-ordinal=\"1\"]')")
    settle(page)
    expect(page.locator(".place-card h2")).to_have_text(name)
    expect_floor(page, 0)
    assert page.url.endswith(f"?floor=0&place={tapped}")


def test_link_whose_place_cannot_be_asked_for_does_not_call_it_missing(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    page.route(f"**/features/{upstairs['id']}/history*", lambda route: route.abort())
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}?place={upstairs['id']}")
    expect_toast(page, "The server does not respond", "problem", exact=True)


def test_link_whose_place_cannot_be_asked_for_opens_the_map_nevertheless(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.open(api_key=service.admin_key)
    page.route(f"**/features/{upstairs['id']}/history*", lambda route: route.abort())
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}/{short_id(upstairs['id'])}")
    page.wait_for_selector(".live-state.live")
    expect_floor(page, 0)
    expect_toast(page, "The server does not respond", "problem", exact=True)


def test_back_from_a_result_on_another_floor_returns_to_the_search(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    page.focus("#search")
    page.fill("#search", upstairs["properties"]["name"]["en"])
    page.locator(f".place[data-id='{upstairs['id']}']").click()
    expect(page.locator(".place-card")).to_be_visible()
    page.go_back()
    expect(page.locator(".place-card")).to_have_count(0)
    expect_floor(page, 0)
    expect(page.locator(f".place[data-id='{upstairs['id']}']")).to_be_visible()
