"""Editing on the map: opening hours, closing for a time, moving, adding and hiding."""

import pytest
from playwright.sync_api import expect

import edits
from edits import open_card, open_form, proceed, publish, undo


@pytest.fixture
def mall_shop(service, venue_key):
    """A new venue, and a shop on its ground floor."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    return venue_key, edits.shops(service, venue_key)[0]


HOURS = [
    "Mo-Fr 09:00-18:00; Sa,Su 10:00-17:00", "24/7", "Mo-Su 00:00-24:00", "Mo-Sa 17:00-26:00; Su,PH 16:00-24:00", "off",
    "Tu-Su 11:00-15:00,17:00-22:00; PH off; Jan 01 off", "Mo-Fr 10:00-20:00; Fr 18:00-03:00; Dec 24 10:00-14:00", "We off; Mo-Su 10:00-20:00",
]
# A comment, an uncertain state, times of the sun, a fallback, and a rule for a date before one for a weekday.
TOO_SPECIAL = [
    'Mo-Fr 10:00-20:00 "by appointment"', "Mo-Fr 08:00-18:00+", "sunrise-sunset", 'Mo-Fr 10:00-20:00 || "call us"', "Mo-Fr 10:00-20:00 unknown",
    "Mo-Fr 10:00-20:00; Dec 24 10:00-14:00; Fr 18:00-03:00",
]


def test_edit_hours_table_means_the_same_as_the_text(windows):
    page = windows.open()
    read = """async (texts) => {
        const { OpeningHours } = await import("/console/client/hours/opening-hours.js");
        const { gridOf, hoursTextOf } = await import("/console/map/editing/week-grid.js");
        return texts.map((text) => {
            const hours = OpeningHours.parse(text);
            const grid = gridOf(hours);
            if (!grid) return null;
            const again = OpeningHours.parse(hoursTextOf(grid));
            const instants = Array.from({ length: 9000 }, (_, i) => new Date(Date.UTC(2027, 0, 1) + i * 3_607_000));
            const holidays = { publicHolidays: new Set(["2027-05-03"]), schoolHolidays: new Set() };
            return instants.filter((each) => hours.state(each, "Asia/Tokyo", holidays) !== again.state(each, "Asia/Tokyo", holidays)).length;
        });
    }"""
    assert page.evaluate(read, HOURS) == [0] * len(HOURS)
    assert page.evaluate(read, TOO_SPECIAL) == [None] * len(TOO_SPECIAL)


def test_edit_hours_by_table_and_by_text(windows, service, mall_shop):
    venue, shop = mall_shop
    edits.patch(service, venue, shop["id"], {"hours": "Mo-Su 10:00-20:00; Jan 01 off"})
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    text, rows = page.locator("#edit-hours"), page.locator(".week-grid tr")
    expect(rows).to_have_count(7)
    expect(page.locator(".week-editor")).to_contain_text("Jan 01 off")
    # A closed day, another time, a second span.
    rows.nth(1).get_by_role("button", name="Remove these hours on Tue").click()
    expect(text).to_have_value("Mo,We-Su 10:00-20:00; Jan 01 off")
    expect(page.get_by_role("button", name="Add hours on Tue")).to_be_focused()
    rows.nth(5).get_by_label("Sat, closes at").fill("02:00")
    expect(text).to_have_value("Mo,We-Fr,Su 10:00-20:00; Sa 10:00-02:00; Jan 01 off")
    rows.nth(0).get_by_label("Mon, closes at").fill("15:00")
    page.get_by_role("button", name="Add hours on Mon").click()
    expect(text).to_have_value("Mo 10:00-15:00,16:00-19:00; We-Fr,Su 10:00-20:00; Sa 10:00-02:00; Jan 01 off")
    page.get_by_role("button", name="Same hours every day").click()
    expect(text).to_have_value("Mo-Su 10:00-15:00,16:00-19:00; Jan 01 off")
    # As people write it, in the standard form; what cannot be read is said.
    text.fill("whenever we like")
    expect(page.locator("#edit-hours-reading")).to_contain_text("cannot be read")
    expect(rows).to_have_count(0)
    text.fill("Mon-Fri 9am to 5pm, Sat closed")
    expect(page.locator("#edit-hours-reading")).to_contain_text("Mo-Fr 09:00-17:00")
    expect(rows.nth(5)).to_contain_text("Closed")
    text.fill('Mo-Fr 10:00-20:00 "by appointment"')
    expect(page.locator(".week-editor")).to_contain_text("more than a table can")
    expect(page.locator(".week-editor tr").first).to_contain_text("by appointment")
    text.fill("月〜金 10:00〜20:00")
    publish(page)
    assert edits.properties(service, venue, shop["id"])["hours"] == "Mo-Fr 10:00-20:00"


def test_edit_closes_a_place_until_a_time_of_the_venue(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"], timezone_id="America/New_York")
    page.click("[data-id=edit-close]")
    proceed(page)
    expect(page.locator(".step-dialog > form > .error-message")).to_have_text("Enter a date and a time.")
    page.fill("#edit-until", "2020-01-01T10:00")
    proceed(page)
    expect(page.locator(".step-dialog > form > .error-message")).to_have_text("This time has passed.")
    page.fill("#edit-until", "2199-12-24T18:00")
    page.fill("#edit-message", "Renovation")
    proceed(page)
    expect(page.locator(".step-dialog")).to_contain_text("Ends by itself on Tuesday, December 24, 2199 at 6:00 PM GMT+9")
    proceed(page)
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    expect(page.locator(".override-note").first).to_contain_text("Dec 24, 2199, 6:00 PM GMT+9")
    [override] = edits.overrides(service, venue)
    assert (override["value"], override["until"], override["message"]) == ("off", "2199-12-24T09:00:00.000Z", "Renovation")
    page.get_by_role("button", name="Reopen").click()
    page.wait_for_selector(".change-table")
    proceed(page)
    expect(page.get_by_role("button", name="Close until")).to_be_visible()
    assert edits.properties(service, venue, shop["id"]) == shop["properties"]


def test_edit_closing_covers_edited_hours_which_reopening_restores(windows, service, mall_shop):
    venue, shop = mall_shop
    edits.patch(service, venue, shop["id"], {"hours": "Mo-Fr 09:00-17:00"})
    page = open_card(windows, venue, shop["id"])
    page.click("[data-id=edit-close]")
    expect(page.locator(".step-dialog .notice")).to_contain_text("Mo-Fr 09:00-17:00")
    expect(page.locator(".step-dialog .notice")).to_contain_text("applies again")
    page.fill("#edit-until", "2199-12-24T18:00")
    proceed(page)
    proceed(page)
    expect(page.get_by_role("button", name="Reopen")).to_be_visible()
    [override] = edits.overrides(service, venue)
    assert (override["value"], [each["value"] for each in override["covered"]]) == ("off", ["Mo-Fr 09:00-17:00"])
    page.get_by_role("button", name="Reopen").click()
    page.wait_for_selector(".change-table")
    proceed(page)
    expect(page.get_by_role("button", name="Close until")).to_be_visible()
    [override] = edits.overrides(service, venue)
    assert (override["value"], override["until"], override["covered"]) == ("Mo-Fr 09:00-17:00", None, [])


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
    page.get_by_role("button", name="Add a shop").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#choose-title")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Add a shop")).to_be_focused()
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
    page.get_by_role("button", name="Add a shop").click()
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


def test_edit_hides_a_shop_and_undo_shows_it(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    page.click("[data-id=edit-hide]")
    expect(page.locator(".consequences")).to_contain_text("1 shop closed")
    assert edits.exists(service, venue, shop["id"])
    page.fill("#edit-message", "Moved out")
    proceed(page)
    expect(page.locator(f".place[data-id='{shop['id']}']")).to_have_count(0)
    expect(page.locator(".place-card")).to_have_count(0)
    assert not edits.exists(service, venue, shop["id"])
    undo(page)
    expect(page.locator(f".place[data-id='{shop['id']}']")).to_have_count(1)
    assert edits.properties(service, venue, shop["id"]) == shop["properties"]


def test_edit_tells_before_hiding_what_is_hidden_with_it(windows, service, mall_shop):
    venue, _ = mall_shop
    page = windows.map(venue)
    page.wait_for_selector(".list-edits")
    # A unit with a name and no shop is a place; an amenity refers to it.
    features = service.features(venue, 1, "unit", "amenity")
    inside = {each for feature in features for each in feature["properties"].get("unit_ids") or []}
    named = [each for each in features if each["feature_type"] == "unit" and each["properties"].get("name")]
    unit = next(each for each in named if each["id"] in inside)
    page.evaluate(f"location.hash = '#/{venue}?floor=0&place={unit['id']}'")
    page.click("[data-id=edit-hide]")
    expect(page.locator(".dependents li").first).to_be_visible()
    count = page.locator(".dependents li").count()
    proceed(page)
    expect(page.locator(".step-dialog > form > .error-message")).to_contain_text("Confirm")
    expect(page.locator("#edit-dependents")).to_be_focused()
    page.check("#edit-dependents")
    proceed(page)
    expect(page.locator(".toast button")).to_be_visible()
    hidden = edits.overrides(service, venue)
    assert len(hidden) == count + 1 and {each["kind"] for each in hidden} == {"hidden"}
    undo(page)
    assert edits.overrides(service, venue) == []


@pytest.mark.parametrize("viewport", [(390, 844), (1280, 800)])
def test_edit_dialogs_fit_the_viewport_and_have_accessible_names(windows, service, mall_shop, viewport):
    venue, shop = mall_shop
    edits.patch(service, venue, shop["id"], {"phone": "+81300000001", "hours": "Mo-Su 10:00-15:00,16:00-19:00"})
    page = open_card(windows, venue, shop["id"], viewport=viewport)
    check_controls(page, ".panel-body")
    for name in ("edit", "close", "hide"):
        page.click(f"[data-id=edit-{name}]")
        page.wait_for_selector(".step-dialog input")
        check_controls(page, ".step-dialog")
        page.keyboard.press("Escape")
        expect(page.locator(".step-dialog")).to_have_count(0)
    page.click("[data-id=edit-move]")
    page.wait_for_selector(".map-edit-bar")
    check_controls(page, ".map-edit-bar")


def check_controls(page, scope):
    found = page.evaluate("""(scope) => {
        const root = document.querySelector(scope);
        const controls = [...root.querySelectorAll("button, a, input, select")].filter((each) => each.offsetParent);
        return {
            nameless: controls.filter((each) => !(each.innerText || each.getAttribute("aria-label") || each.labels?.length)).map((each) => each.outerHTML),
            small: controls.filter((each) => !["radio", "checkbox"].includes(each.type) && each.tagName !== "A" && each.getBoundingClientRect().height < 32)
                .map((each) => each.outerHTML),
            beside: controls.filter((each) => !each.closest(".chips") && each.getBoundingClientRect().right > innerWidth).map((each) => each.outerHTML),
            width: root.scrollWidth - root.clientWidth,
        };
    }""", scope)
    assert found == {"nameless": [], "small": [], "beside": [], "width": 0}
