"""Opening hours by keyboard, for one shop and for several at once, against a running service. What the rows mean is tested in Tests/Console."""
import pytest
from playwright.sync_api import expect

import edits
from edits import open_card, open_form, proceed, publish, undo
from test_edits_map import check_controls


@pytest.fixture
def mall_shops(service, venue_key):
    """A new venue, and the shops on its ground floor."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    return venue_key, edits.shops(service, venue_key)


def hours_of(service, venue, shops):
    return [edits.properties(service, venue, shop["id"])["hours"] for shop in shops]


def test_hours_are_entered_in_rows_by_keyboard(windows, service, mall_shops):
    venue, [shop, *_] = mall_shops
    edits.patch(service, venue, shop["id"], {"hours": "Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00"})
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    weekend = page.get_by_role("group", name="Sat–Sun")
    weekend.get_by_label("Closes at").focus()
    page.keyboard.type("0700PM")
    page.get_by_role("button", name="Add days").focus()
    page.keyboard.press("Enter")
    added = page.get_by_role("group", name="Public holidays")
    expect(added.get_by_role("button", name="Monday")).to_be_focused()
    for _ in range(7):
        page.keyboard.press("Tab")
    expect(added.get_by_role("button", name="Public holidays", exact=True)).to_be_focused()
    expect(added.get_by_role("button", name="Public holidays", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Tab")
    expect(added.get_by_role("button", name="Remove the row: Public holidays")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("C")
    expect(page.locator("#edit-hours")).to_have_value("Mo-Fr 10:00-20:00; Sa,Su 10:00-19:00; PH off")
    weekend.get_by_role("button", name="Friday").focus()
    page.keyboard.press("Space")
    proceed(page)
    expect(page.locator(".step-dialog > form > .error-message")).to_contain_text("In another row, too: Fri.")
    expect(page.get_by_role("group", name="Mon–Fri").get_by_role("button", name="Monday")).to_be_focused()
    page.get_by_role("group", name="Fri–Sun").get_by_role("button", name="Friday").click()
    publish(page)
    assert hours_of(service, venue, [shop]) == ["Mo-Fr 10:00-20:00; Sa,Su 10:00-19:00; PH off"]


def test_hours_of_several_shops_are_one_revision(windows, service, mall_shops):
    venue, shops = mall_shops
    before = hours_of(service, venue, shops)
    page = windows.map(venue)
    page.get_by_role("button", name="Set opening hours").click()
    check_controls(page, ".step-dialog")
    page.get_by_role("button", name=f"Select all {len(shops)}").click()
    page.locator(f".shop-list input[value='{shops[0]['id']}']").uncheck()
    expect(page.locator(".shop-tools")).to_contain_text(f"{len(shops) - 1} places selected")
    proceed(page)
    page.fill("#edit-hours", "Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00; PH off")
    expect(page.locator(".hours-row")).to_have_count(3)
    check_controls(page, ".step-dialog")
    proceed(page)
    expect(page.locator(".change-table tbody tr")).to_have_count(len(shops) - 1)
    assert edits.head(service, venue) == 1, "nothing is published before the review was confirmed"
    proceed(page)
    expect(page.locator(".step-dialog")).to_have_count(0)
    expect(page.locator("[data-id=shop-hours]")).to_be_focused()
    assert edits.head(service, venue) == 2
    assert hours_of(service, venue, shops) == [before[0]] + ["Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00; PH off"] * (len(shops) - 1)
    undo(page)
    assert hours_of(service, venue, shops) == before and edits.overrides(service, venue) == []
