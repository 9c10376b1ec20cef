"""The calendar, from the list of venues to what it leads to. What it lists: Tests/Console/calendar.test.js."""
from playwright.sync_api import expect

import edits


def test_calendar_lists_timed_uploads_and_edits_by_day(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    shop = edits.shops(service, venue_key)[0]
    edits.patch(service, venue_key, shop["id"], {"hours": "off"}, message="Renovation", until="2199-01-05T18:00:00+09:00")
    edits.patch(service, venue_key, shop["id"], {"phone": "+81312345678"}, message="No end")
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 3)
    service.run_venue("push", following, "--to", venue_key, "--at", "2199-01-07T21:00:00Z", "--message", "Winter")
    page = windows.open(api_key=service.admin_key, timezone_id="Asia/Tokyo")
    link = page.get_by_role("link", name="Calendar")
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Calendar")
    rows = page.locator(f".desk-row[href*='{venue_key}']")
    expect(rows).to_have_count(2)
    own = rows.all()
    assert [row.locator("time").get_attribute("datetime") for row in own] == ["2199-01-05T09:00:00.000Z", "2199-01-07T21:00:00.000Z"]
    assert [row.locator("xpath=ancestor::section/h2").inner_text() for row in own] == ["Saturday, January 5, 2199", "Tuesday, January 8, 2199"]
    assert [row.locator(".tag").inner_text() for row in own] == ["Edit ends", "Will be published"]
    assert "Renovation" in own[0].inner_text() and "Winter" in own[1].inner_text()
    assert "18:00" in own[0].inner_text().replace("\u202f", " ")
    own[1].click()
    expect(page.locator(".upload-header")).to_be_visible()
    page.go_back()
    page.locator(f".desk-row[href*='{venue_key}?feature=']").click()
    expect(page.locator(".map-pin")).to_be_visible()
