"""The calendar: what happens at a set time in all venues."""
import re

import pytest
from playwright.sync_api import expect

import edits


@pytest.mark.parametrize(("locale", "publishes", "ends", "days", "title"), [
    ("en", "Will be published", "Edit ends", ["Saturday, January 5, 2199", "Tuesday, January 8, 2199"], "Calendar"),
    ("ja", "公開予定", "編集の終了", ["2199年1月5日土曜日", "2199年1月8日火曜日"], "予定表"),
])
def test_calendar_lists_timed_uploads_and_edits_by_day(windows, service, venue_key, locale, publishes, ends, days, title):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    shop = edits.shops(service, venue_key)[0]
    edits.patch(service, venue_key, shop["id"], {"hours": "off"}, message="Renovation", until="2199-01-05T18:00:00+09:00")
    edits.patch(service, venue_key, shop["id"], {"phone": "+81312345678"}, message="No end")
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 3)
    service.run_venue("push", following, "--to", venue_key, "--at", "2199-01-07T21:00:00Z", "--message", "Winter")
    page = windows.open(api_key=service.admin_key, locale=locale, timezone_id="Asia/Tokyo")
    link = page.get_by_role("link", name=title)
    link.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text(title)
    rows = page.locator(f".desk-row[href*='{venue_key}']")
    expect(rows).to_have_count(2)
    own = rows.all()
    assert [row.locator("time").get_attribute("datetime") for row in own] == ["2199-01-05T09:00:00.000Z", "2199-01-07T21:00:00.000Z"]
    assert [row.locator("xpath=ancestor::section/h2").inner_text() for row in own] == days
    assert [row.locator(".tag").inner_text() for row in own] == [ends, publishes]
    assert "Renovation" in own[0].inner_text() and "Winter" in own[1].inner_text()
    assert ("18:00" if locale == "ja" else "6:00 PM") in own[0].inner_text().replace("\u202f", " ")
    own[1].click()
    expect(page.locator(".upload-header")).to_be_visible()
    page.go_back()
    page.locator(f".desk-row[href*='{venue_key}?feature=']").click()
    expect(page.locator(".map-pin")).to_be_visible()


def test_calendar_lists_the_first_publication_of_a_venue(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 8)
    service.run_venue("push", archive, "--to", venue_key, "--new", "--at", "2199-02-03T09:00:00Z")
    page = windows.open("#/~/calendar", api_key=service.admin_key, timezone_id="Asia/Tokyo")
    row = page.locator(f".desk-row[href*='{venue_key}']")
    expect(row.locator(".tag")).to_have_text("Will be published")
    expect(row.locator(".desk-row-facts bdi")).to_have_text(venue_key)
    assert row.locator("time").get_attribute("datetime") == "2199-02-03T09:00:00.000Z"
    page.goto(f"{service.address}/#/")
    expect(page.locator(".venue-card", has_text=venue_key)).to_contain_text("Will be published Sun, Feb 3, 2199")


@pytest.mark.parametrize(("locale", "text"), [
    ("en-US", "What is scheduled for {} could not be loaded."), ("ja-JP", "{}の予定を読み込めませんでした。"),
])
def test_calendar_names_the_venues_that_it_could_not_load(windows, service, venue_key, locale, text):
    following = service.generate(f"{venue_key}-2.zip", "--levels", 1, "--units", 8)
    for key in (venue_key, f"{venue_key}-west"):
        service.run_venue("push", following, "--to", key, "--new", "--at", "2199-02-03T09:00:00Z")
    page = windows.open(api_key=service.admin_key, locale=locale)
    page.route(re.compile(rf"/venues/{venue_key}/uploads\?"), lambda route: route.fulfill(status=500, json={}))
    page.evaluate("location.hash = '#/~/calendar'")
    notice = page.get_by_role("alert")
    expect(notice).to_contain_text(text.format(venue_key))
    expect(page.locator(f".desk-row[href*='/{venue_key}/']")).to_have_count(0)
    expect(page.locator(f".desk-row[href*='/{venue_key}-west/']")).to_have_count(1)
    page.unroute_all(behavior="ignoreErrors")
    notice.get_by_role("button").click()
    expect(page.locator(f".desk-row[href*='/{venue_key}/']")).to_have_count(1)
    expect(notice).to_have_count(0)


def test_calendar_needs_a_key_and_says_that_nothing_is_scheduled(windows, service):
    page = windows.open("#/~/calendar")
    expect(page.get_by_role("button", name="Sign in").first).to_be_visible()
    created = edits.call(service, "POST", "/keys", {"name": "calendar reader", "role": "publish", "venues": ["nowhere"]})
    page = windows.open("#/~/calendar", api_key=created["secret"])
    expect(page.locator(".state")).to_contain_text("Nothing is scheduled")
