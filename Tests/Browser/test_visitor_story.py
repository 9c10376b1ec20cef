"""A visitor from start to end: on a phone with a finger, with a mouse, and with a keyboard only."""
import re

import pytest
from playwright.sync_api import expect

from map_page import expect_floor, settle, short_id, some_feature
from test_operator_keyboard import Keyboard, evaluate

# The middle of a label of a shop that nothing covers.
TAPPABLE_SHOP = """() => {
    const canvas = document.querySelector(".map-canvas");
    const { left, top } = canvas.getBoundingClientRect();
    for (const label of document.querySelector(".map-page").venueMap.labels) {
        const [x, y] = [left + (label.left + label.right) / 2, top + (label.top + label.bottom) / 2];
        if (label.place.kind === "shop" && canvas.contains(document.elementFromPoint(x, y))) return { x, y, name: label.place.name };
    }
    return null;
}"""
# Which of the colours of the page is the darker one.
IS_DARK = """() => {
    const brightness = (colour) => colour.match(/[\\d.]+/g).slice(0, 3).reduce((sum, each) => sum + Number(each), 0);
    const { color, backgroundColor } = getComputedStyle(document.body);
    return brightness(backgroundColor) < brightness(color);
}"""
# Phones open the dialog of the system.
RECORD_SHARED = "navigator.share = async (data) => { window.shared = data; };"
ENGLISH, JAPANESE = ("en-US", "en", "Open"), ("ja-JP", "ja", "開く")


@pytest.fixture(scope="module")
def public_mall(service):
    """A public venue that no test changes."""
    service.create_venue("public-mall")
    service.run_venue("set", "public-mall", "public=on")
    return "public-mall"


def expect_fits(page):
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "no horizontal scrolling"


def test_visitor_uses_the_map_with_a_finger(windows, service, public_mall):
    (locale, language, open_label), scheme, motion = JAPANESE, "dark", "no-preference"
    page = windows.open(
        viewport=(390, 844), locale=locale, has_touch=True, is_mobile=True, device_scale_factor=2, color_scheme=scheme, reduced_motion=motion)
    page.evaluate(RECORD_SHARED)
    page.locator("#venue").tap()
    page.locator("#venue").fill(public_mall)
    page.get_by_role("button", name=open_label, exact=True).tap()
    page.wait_for_selector(".live-state.live", state="attached")
    settle(page)
    assert page.evaluate(IS_DARK) == (scheme == "dark")
    expect_fits(page)

    # A shop on the map, and its sheet.
    page.wait_for_function(f"() => ({TAPPABLE_SHOP})() !== null")
    shop = page.evaluate(TAPPABLE_SHOP)
    page.touchscreen.tap(shop["x"], shop["y"])
    card = page.locator(".place-card")
    expect(card.locator("h2")).to_have_text(shop["name"])
    expect(card.locator("h2")).to_be_in_viewport()
    expect(card.locator(".place-hours")).not_to_be_empty()
    expect_fits(page)
    card.locator(".back").tap()
    expect(card).to_have_count(0)

    # Another floor.
    if page.locator("[data-chip=list][aria-pressed=true]").count():
        page.locator("[data-chip=list]").tap()
    page.locator(".floors [data-ordinal='1']").tap()
    expect_floor(page, 1)

    # A shop on the first floor, found by its name.
    wanted = some_feature(service, public_mall, 0)
    name = wanted["properties"]["name"][language]
    page.locator("#search").tap()
    page.locator("#search").fill(name)
    page.locator(f".place[data-id='{wanted['id']}']").tap()
    expect(card.locator("h2")).to_have_text(name)
    expect_floor(page, 0)
    expect_fits(page)

    # The link that is shared opens the shop.
    card.locator("[data-action=share]").tap()
    page.wait_for_function("() => window.shared")
    shared = page.evaluate("window.shared")
    assert shared["title"] == name and shared["url"].endswith(f"/#/{public_mall}/{short_id(wanted['id'])}")
    card.locator(".back").tap()
    expect(card).to_have_count(0)
    page.locator("#search").fill("")
    expect_fits(page)
    other = windows.map(public_mall, shared["url"].partition(f"#/{public_mall}")[2], api_key=None, locale=locale)
    expect(other.locator(".place-card h2")).to_have_text(name)


def test_visitor_uses_the_map_with_a_mouse(windows, service, public_mall):
    (locale, language, open_label), scheme, motion = ENGLISH, "light", "reduce"
    page = windows.open(locale=locale, color_scheme=scheme, reduced_motion=motion)
    page.fill("#venue", public_mall)
    page.get_by_role("button", name=open_label, exact=True).click()
    page.wait_for_selector(".live-state.live")
    settle(page)
    assert page.evaluate(IS_DARK) == (scheme == "dark")

    # A shop on the map, and its card.
    page.wait_for_function(f"() => ({TAPPABLE_SHOP})() !== null")
    shop = page.evaluate(TAPPABLE_SHOP)
    page.mouse.click(shop["x"], shop["y"])
    card = page.locator(".place-card")
    expect(card.locator("h2")).to_have_text(shop["name"])
    expect(card.locator(".place-hours")).not_to_be_empty()
    assert not page.evaluate("document.querySelector('.map-page').venueMap.mapLibre.isMoving()"), "the map moves at once"
    card.locator(".back").click()
    expect(card).to_have_count(0)

    # The wheel and the buttons zoom, and the whole floor returns.
    zoom = lambda: page.evaluate("document.querySelector('.map-page').venueMap.mapLibre.getZoom()")
    settle(page)
    before = zoom()
    box = page.locator(".map-canvas").bounding_box()
    page.mouse.move(box["x"] + box["width"] * 0.6, box["y"] + box["height"] / 2)
    page.mouse.wheel(0, -400)
    page.wait_for_function("(before) => document.querySelector('.map-page').venueMap.mapLibre.getZoom() > before + 0.2", arg=before)
    settle(page)
    page.click("[data-tool=fit]")
    settle(page)
    assert abs(zoom() - before) < 0.1

    # Another floor, and a shop on the first one, found by its name.
    page.locator(".floors [data-ordinal='1']").click()
    expect_floor(page, 1)
    wanted = some_feature(service, public_mall, 0)
    name = wanted["properties"]["name"][language]
    page.fill("#search", name)
    page.locator(f".place[data-id='{wanted['id']}']").click()
    expect(card.locator("h2")).to_have_text(name)
    expect_floor(page, 0)

    # Its link opens it.
    card.locator("[data-action=share]").click()
    link = page.locator("#share-link").input_value()
    assert link.endswith(f"/#/{public_mall}/{short_id(wanted['id'])}")
    page.keyboard.press("Escape")
    other = windows.map(public_mall, link.partition(f"#/{public_mall}")[2], api_key=None, locale=locale, color_scheme=scheme)
    expect(other.locator(".place-card h2")).to_have_text(name)


def test_visitor_uses_the_map_with_a_keyboard(windows, service, public_mall):
    (locale, language, _), scheme, motion = ENGLISH, "dark", "reduce"
    page = windows.open(locale=locale, color_scheme=scheme, reduced_motion=motion)
    keyboard = Keyboard(page)
    keyboard.go_to(page.locator("#venue"))
    page.keyboard.type(public_mall)
    keyboard.press("Enter")
    page.wait_for_selector(".live-state.live")
    assert page.evaluate(IS_DARK) == (scheme == "dark")

    # A shop of the list, and its card.
    place = page.locator(".place").first
    name = place.locator(".place-name").inner_text()
    keyboard.activate(place)
    expect(page.locator("#place-name")).to_be_focused()
    expect(page.locator("#place-name")).to_have_text(name)
    expect(page.locator(".place-hours")).not_to_be_empty()

    # Its link.
    share = page.locator("[data-action=share]")
    keyboard.activate(share)
    expect(page.get_by_role("dialog")).to_be_visible()
    keyboard.go_to(page.locator("#share-link"))
    assert re.search(rf"/#/{public_mall}/[\w-]{{22}}$", page.locator("#share-link").input_value())
    keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(share).to_be_focused()
    keyboard.press("Escape")
    expect(place).to_be_focused()

    # Another floor.
    keyboard.go_to(page.locator(".floors [aria-current]"))
    keyboard.press("ArrowUp", "Enter")
    expect_floor(page, 1)
    expect(page.locator(".floors [aria-current]")).to_be_focused()

    # A shop on the first floor, found by its name.
    wanted = some_feature(service, public_mall, 0)
    name = wanted["properties"]["name"][language]
    keyboard.go_to(page.locator("#search"), backwards=True)
    page.keyboard.type(name)
    row = page.locator(f".place[data-id='{wanted['id']}']")
    expect(row).to_be_visible()
    keyboard.press("Enter")
    for _ in range(20):
        if evaluate(row, "(element) => element === document.activeElement"):
            break
        keyboard.press("ArrowDown")
    keyboard.press("Enter")
    expect(page.locator("#place-name")).to_have_text(name)
    expect(page.locator("#place-name")).to_be_focused()
    expect_floor(page, 0)
    keyboard.press("Escape")
    expect(row).to_be_focused()
