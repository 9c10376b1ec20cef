"""Editing on the map: moving and adding, with the keyboard and the pointer, and the layout of the dialogs."""
import pytest
from playwright.sync_api import expect

import edits
from edits import open_card, proceed, publish, undo


@pytest.fixture
def mall_shop(service, venue_key):
    """A new venue, and a shop on its ground floor."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    return venue_key, edits.shops(service, venue_key)[0]


def position_of(service, venue, shop):
    anchor = service.get_json(f"/venues/{venue}/features/{shop['properties']['anchor_id']}")
    return anchor["geometry"]["coordinates"]


def unprojected(page, shop, dx, dy):
    """The position so many pixels from that of a shop."""
    return page.evaluate("""([id, dx, dy]) => {
        const { venueMap } = document.querySelector(".map-page");
        const { x, y } = venueMap.mapLibre.project(venueMap.places.find((place) => place.id === id).point);
        return venueMap.mapLibre.unproject([x + dx, y + dy]).toArray();
    }""", [shop["id"], dx, dy])


def wait_until_still(page):
    page.wait_for_function("() => !document.querySelector('.map-page').venueMap.mapLibre.isMoving()")


def test_edit_moves_a_shop_with_the_arrow_keys(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    page.click("[data-id=edit-move]")
    expect(page.locator(".map-handle")).to_be_focused()
    wait_until_still(page)
    for key in ("ArrowRight", "ArrowRight", "ArrowDown", "ArrowLeft"):
        page.keyboard.press(key)
    expect(page.locator(".moved")).to_contain_text("Moved by")
    expected = unprojected(page, shop, 2, 2)
    page.get_by_role("button", name="Review changes").click()
    expect(page.locator(".change-table")).to_contain_text("Position")
    assert position_of(service, venue, shop) != pytest.approx(expected, abs=1e-8)
    proceed(page)
    expect(page.locator(".toast button")).to_be_visible()
    assert position_of(service, venue, shop) == pytest.approx(expected, abs=1e-7)
    expect(page.locator(".override-note")).to_contain_text("Position")
    undo(page)
    assert edits.overrides(service, venue) == []


def handle_center(page):
    """The position of the handle of a place that is being moved, in pixels."""
    box = page.locator(".map-handle").bounding_box()
    return (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)


def test_edit_moves_a_shop_by_dragging(windows, service, mall_shop):
    venue, shop = mall_shop
    before = position_of(service, venue, shop)
    page = open_card(windows, venue, shop["id"])
    page.click("[data-id=edit-move]")
    page.wait_for_selector(".map-handle")
    wait_until_still(page)
    start = handle_center(page)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 10, start[1] + 3)
    page.mouse.move(start[0] + 24, start[1] + 12)
    page.mouse.up()
    expected = unprojected(page, shop, 24, 12)
    page.keyboard.press("Escape")
    expect(page.locator(".map-handle")).to_have_count(0)
    assert position_of(service, venue, shop) == before, "Escape leaves the position as it was"
    page.click("[data-id=edit-move]")
    page.wait_for_selector(".map-handle")
    wait_until_still(page)
    # The map may have moved back to the place.
    start = handle_center(page)
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0] + 24, start[1] + 12)
    page.mouse.up()
    page.get_by_role("button", name="Review changes").click()
    page.wait_for_selector(".change-table")
    proceed(page)
    expect(page.locator(".toast button")).to_be_visible()
    assert position_of(service, venue, shop) == pytest.approx(expected, abs=1e-7)


@pytest.fixture
def empty_unit(service, mall_shop):
    """A venue in which the tenant of a unit was hidden, and the id of the unit."""
    venue, shop = mall_shop
    edits.call(service, "POST", f"/venues/{venue}/edits", {"edits": [{"hide": shop["id"]}]})
    anchor = service.get_json(f"/venues/{venue}/features/{shop['properties']['anchor_id']}")
    return venue, anchor["properties"]["unit_id"]


def test_edit_adds_a_shop_to_an_empty_unit_by_keyboard(windows, service, empty_unit):
    venue, unit = empty_unit
    page = windows.map(venue)
    page.get_by_role("button", name="Add a place").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choose-title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Add a place")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#choose-title")).to_be_focused()
    for _ in range(page.locator(".edit-panel button").count()):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.dataset.id") == unit:
            break
    expect(page.locator(f".edit-panel .place[data-id='{unit}']")).to_be_focused()
    page.keyboard.press("Enter")
    page.wait_for_selector(".place-form")
    proceed(page)
    expect(page.locator("#edit-name-problem")).to_have_text("Enter a name.")
    expect(page.locator("#edit-category-problem")).to_have_text("Enter a category.")
    page.fill("#edit-name-en", "Blue Door Books")
    page.fill("#edit-category", "books")
    page.fill("#edit-hours", "Mo-Su 10:00-20:00")
    publish(page)
    expect(page.locator("#place-name")).to_have_text("Blue Door Books")
    [override] = [each for each in edits.overrides(service, venue) if each["kind"] == "added" and each["feature_type"] == "occupant"]
    assert override["value"]["properties"]["hours"] == "Mo-Su 10:00-20:00"
    anchor = service.get_json(f"/venues/{venue}/features/{override['value']['properties']['anchor_id']}")
    assert anchor["properties"]["unit_id"] == unit
    undo(page)
    expect(page.locator(".list-title")).to_be_visible()
    assert [each["kind"] for each in edits.overrides(service, venue)] == ["hidden"]
    assert not edits.exists(service, venue, override["feature"])


def test_edit_chooses_an_empty_unit_on_the_map(windows, service, empty_unit):
    venue, unit = empty_unit
    page = windows.map(venue)
    page.get_by_role("button", name="Add a place").click()
    page.locator(f".edit-panel .place[data-id='{unit}']").focus()
    wait_until_still(page)
    x, y = page.evaluate("""async (id) => {
        const { labelPointOf } = await import("/console/client/map/label-point.js");
        const { venueMap } = document.querySelector(".map-page");
        const features = venueMap.mapLibre.queryRenderedFeatures();
        const [unit] = features.filter(({ properties }) => properties.id === id);
        const { x, y } = venueMap.mapLibre.project(labelPointOf({ geometry: unit.geometry }).position);
        const { left, top } = document.querySelector(".map-canvas").getBoundingClientRect();
        return [left + x, top + y];
    }""", unit)
    page.mouse.click(x, y)
    page.wait_for_selector(".place-form")
    expect(page.locator(".edit-panel")).to_have_count(0)
    page.fill("#edit-name-en", "Blue Door Books")
    page.fill("#edit-category", "books")
    publish(page)
    [anchor] = [each for each in edits.overrides(service, venue) if each["feature_type"] == "anchor"]
    assert anchor["value"]["properties"]["unit_id"] == unit


def test_edit_dialogs_fit_the_viewport_and_have_accessible_names(windows, service, mall_shop):
    venue, shop = mall_shop
    edits.patch(service, venue, shop["id"], {"phone": "+81300000001", "hours": "Mo-Su 10:00-15:00,16:00-19:00"})
    for viewport in [(390, 844), (1280, 800)]:
        page = open_card(windows, venue, shop["id"], viewport=viewport)
        check_controls(page, ".panel-body")
        for name in ("edit", "close", "hide"):
            page.click(f"[data-id=edit-{name}]")
            page.wait_for_selector(".step-dialog input")
            if name == "edit":
                page.get_by_role("button", name="Add days").click()
            check_controls(page, ".step-dialog")
            page.keyboard.press("Escape")
            if name == "edit":
                page.get_by_role("button", name="Discard").click()
            expect(page.locator(".step-dialog")).to_have_count(0)
        page.click("[data-id=edit-move]")
        page.wait_for_selector(".map-edit-bar")
        check_controls(page, ".map-edit-bar")


def check_controls(page, scope):
    # Waits for the element, whose module may still be loaded.
    found = page.locator(scope).evaluate("""(root) => {
        const controls = [...root.querySelectorAll("button, a, input, select")].filter((each) => each.offsetParent);
        return {
            nameless: controls.filter((each) => !(each.innerText || each.getAttribute("aria-label") || each.labels?.length)).map((each) => each.outerHTML),
            small: controls.filter((each) => !["radio", "checkbox"].includes(each.type) && each.tagName !== "A" && each.getBoundingClientRect().height < 32)
                .map((each) => each.outerHTML),
            beside: controls.filter((each) => !each.closest(".chips") && each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML),
            width: root.scrollWidth - root.clientWidth,
        };
    }""")
    assert found == {"nameless": [], "small": [], "beside": [], "width": 0}
