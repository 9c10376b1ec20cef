"""Editing what a place says, against a running service, and by keyboard. The steps of the editor are tested in Tests/Console."""
import pytest
from playwright.sync_api import expect

import edits
from edits import open_card, open_form, proceed, undo


@pytest.fixture
def mall_shop(service, venue_key):
    """A new venue, and a shop on its ground floor."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    return venue_key, edits.shops(service, venue_key)[0]


def test_edit_is_reviewed_published_and_undone(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-name-en", "Blue Door Books")
    page.fill("#edit-phone", "+81312345678")
    page.fill("#edit-message", "Called the shop: 3+1 phones & a fax")
    proceed(page)
    rows = page.locator(".change-table tbody tr")
    expect(rows).to_have_count(2)
    assert rows.all_inner_texts() == [
        f"Name (English)\t{shop['properties']['name']['en']}\tBlue Door Books", f"Phone\t{shop['properties']['phone']}\t+81312345678"]
    expect(page.locator(".step-dialog")).to_contain_text("1 shop renamed")
    assert edits.head(service, venue) == 1, "nothing is published before the review was confirmed"
    proceed(page)
    expect(page.locator("#place-name")).to_have_text("Blue Door Books")
    expect(page.locator("[data-pointer='/properties/phone']")).to_contain_text("edited by admin")
    expect(page.locator("[data-pointer='/properties/phone']")).to_contain_text(shop["properties"]["phone"])
    [newest] = service.get_json(f"/venues/{venue}/revisions?limit=1")["revisions"]
    assert (newest["kind"], newest["message"]) == ("edit", "Called the shop: 3+1 phones & a fax")
    undo(page)
    expect(page.locator("#place-name")).to_have_text(shop["properties"]["name"]["en"])
    expect(page.locator(".override-note")).to_have_count(0)
    assert edits.properties(service, venue, shop["id"]) == shop["properties"] and edits.overrides(service, venue) == []


def test_edit_by_keyboard_alone_asks_before_discarding(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    page.focus("[data-id=edit-edit]")
    page.keyboard.press("Enter")
    expect(page.locator("#edit-name-en")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".step-dialog")).to_have_count(0)
    expect(page.locator("[data-id=edit-edit]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#edit-name-en")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("By keyboard")
    page.keyboard.press("Escape")
    expect(page.locator(".discard-question")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#edit-name-en")).to_be_focused()
    expect(page.locator("#edit-name-en")).to_have_value("By keyboard")
    page.keyboard.press("Enter")
    page.wait_for_selector(".change-table")
    for _ in range(4):  # Close, Cancel, Back and Publish.
        page.keyboard.press("Tab")
    expect(page.locator(".step-dialog footer .primary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#place-name")).to_have_text("By keyboard")
    expect(page.locator("[data-id=edit-edit]")).to_be_focused()
    assert edits.properties(service, venue, shop["id"])["name"]["en"] == "By keyboard"


def test_edit_that_an_upload_contests_is_marked_on_the_open_card(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    shop = edits.shops(service, venue_key)[0]
    edits.patch(service, venue_key, shop["id"], {"phone": "+81300000001"})
    page = open_card(windows, venue_key, shop["id"])
    note = page.locator("[data-pointer='/properties/phone']")
    expect(note).to_contain_text(f"In the source: “{shop['properties']['phone']}”")
    change = edits.with_properties({shop["id"]: {"phone": "+81399999999", "website": "https://new.example.com/"}})
    service.run_venue("push", edits.changed_archive(archive, service.folder / f"{venue_key}-2.zip", change), "--to", venue_key)
    expect(note).to_contain_text("In the source now: “+81399999999”")
    note.get_by_role("link", name="Decide").click()
    expect(page.locator(".override.is-contested")).to_have_count(1)
    expect(page.locator(".tab-badge")).to_contain_text("1")
