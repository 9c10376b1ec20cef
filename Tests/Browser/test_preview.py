"""The preview of a first upload: its map in the review, and the link that shows it to anybody until it ends. What the pages say and ask for:
Tests/Console/upload-preview.test.js and preview-page.test.js."""
from playwright.sync_api import expect

from accessibility import findings
from desk import expect_upload_state, open_desk


def test_first_upload_is_a_map_that_a_link_shows_until_it_is_discarded(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 2, "--units", 20, "--seed", 3)
    service.run_venue("push", archive, "--to", venue_key, "--new", "--hold")
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]

    # The review has the visitors' map, with the key of the operator, and the list behind a button.
    page = open_desk(windows, venue_key, f"/uploads/{upload['id']}")
    preview = page.locator(".upload-preview")
    expect(preview.locator(".live-state")).to_have_text("Preview – not published")
    expect(preview.locator(".floors button")).to_have_count(2)
    expect(preview.locator(".maplibregl-canvas")).to_be_visible()
    expect(page.locator(".bar")).to_be_visible()
    expect(page.locator(".comparison-view")).to_have_count(0)
    assert not findings(page)
    preview.get_by_role("button", name="List of what would be added").click()
    expect(page.locator(".comparison-panes")).to_be_visible()
    preview.get_by_role("button", name="Create a link for one day").click()
    link = preview.get_by_label("Link to the preview").input_value()
    assert link.startswith(f"{service.address}/#/{venue_key}/preview/{upload['id']}?token=vsp_")

    # Anybody can open the link, and gets nothing else.
    windows.urls.clear()
    visitor = windows.open(link.removeprefix(f"{service.address}/"))
    expect(visitor.locator(".preview-note")).to_contain_text("Preview – not published")
    expect(visitor.locator(".floors button")).to_have_count(2)
    name = visitor.locator(".place-name").first.inner_text()
    visitor.locator("#search").fill(name)
    expect(visitor.locator(".place-name").first).to_have_text(name)
    assert not findings(visitor)
    asked = {url.split("?")[0].removeprefix(service.address) for url in windows.urls if "/uploads/" in url or "/venues" in url}
    assert f"/uploads/{upload['id']}/preview" in asked
    token = link.split("token=")[1]
    for path in (f"/uploads/{upload['id']}/changes?token={token}", f"/venues/{venue_key}?token={token}"):
        assert visitor.request.get(f"{service.address}{path}").status == 401

    # It ends with the decision.
    page.locator(".decision").get_by_role("button", name="Discard").click()
    page.locator("dialog footer button").last.click()
    expect_upload_state(page, "Discarded")
    expect(page.locator(".upload-preview")).to_have_count(0)
    visitor.reload()
    expect(visitor.get_by_role("heading", name="This preview has ended")).to_be_visible()
    expect(visitor.locator(".map-page")).to_have_count(0)
