"""A venue with 30 floors of 1,000 units: opened, searched, and changed by an upload."""
from playwright.sync_api import expect

from desk import expect_upload_state, stage_upload
from map_page import expect_floor, some_feature

LEVELS, UNITS = 30, 1_000


def test_thirty_floors_of_a_thousand_units_are_opened_searched_and_reviewed(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", LEVELS, "--units", UNITS)
    page = windows.open(f"#/{venue_key}", api_key=service.admin_key)
    page.set_default_timeout(60_000)
    page.wait_for_selector(".live-state.live")
    expect(page.locator(".floors [data-ordinal]")).to_have_count(LEVELS, timeout=60_000)
    expect_floor(page, 0, timeout=60_000)
    assert page.evaluate("document.querySelector('.map-page').venueMap.places.length") > UNITS / 2
    # Far away; only that floor is loaded.
    top = max(int(each.get_attribute("data-ordinal")) for each in page.locator(".floors [data-ordinal]").all())
    page.locator(f".floors [data-ordinal='{top}']").click()
    expect_floor(page, top, timeout=60_000)
    page.wait_for_function("() => document.querySelector('.map-page').venueMap.labelCount > 0")
    # On a floor that was not opened.
    shop = some_feature(service, venue_key, 17)
    # The first search makes the index of 30,000 units, which may take longer in a debug build than a page waits for any response.
    service.get_json(f"/venues/{venue_key}/search?q=shop", timeout=300)
    page.fill("#search", shop["properties"]["name"]["en"])
    page.locator(f".place[data-id='{shop['id']}']").click()
    expect_floor(page, 17, timeout=60_000)
    expect(page.locator(".place-card h2")).to_have_text(shop["properties"]["name"]["en"], timeout=60_000)
    loaded = {url for url in windows.urls if f"/{venue_key}/sync" in url}
    assert len(loaded) < LEVELS, "most floors were not loaded"

    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page.goto(f"{service.address}/#/{venue_key}/desk/uploads/{waiting}")
    page.wait_for_selector(".diff-map .diff-shape, .diff-map .diff-symbol", state="attached")
    page.locator(".decision").get_by_role("button", name="Publish").click()
    page.locator("dialog").get_by_role("button", name="Publish").click()
    expect_upload_state(page, "Published")
    page.goto(f"{service.address}/#/{venue_key}")
    page.wait_for_selector(".live-state[data-revision='2']")
