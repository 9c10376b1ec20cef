"""Downloads and rollbacks with the service. The log and the pages: Tests/Console/history.test.js and rollback.test.js."""
from playwright.sync_api import expect

from desk import head_revision, open_desk


def test_download_of_revision_is_an_equal_archive(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key, "/history")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == f"{venue_key}-1.zip"
    target = service.folder / f"{venue_key}-download.zip"
    download.value.save_as(target)
    service.run_venue("push", target, "--to", venue_key)
    assert head_revision(service, venue_key) == 1, "the download is equal to the published revision"


def test_rollback_of_entangled_floors_offers_to_add_floors(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    service.publish_edit(venue_key, archive, "relevel=2")
    moved = next(change for change in service.get_json(f"/venues/{venue_key}/diff?from=1&to=2")["changes"] if "level" in change["classes"])
    page = open_desk(windows, venue_key, "/restore?to=1")
    page.check("#scope-some")
    page.check(f"#level-{moved['level_id']}")
    explanation = page.locator(".preview .decision.is-guarded")
    expect(explanation).to_contain_text("cannot be rolled back separately")
    explanation.locator(".primary").click()
    expect(page.locator(".preview h3")).to_contain_text("from revision 2 to 1")
    assert page.locator(".level-checkboxes input:checked").count() > 1
    # It names the floors.
    expect(page.locator(".preview .desk-actions .primary")).to_contain_text("to revision 1")
    page.locator(".preview .desk-actions .primary").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#revision-3")).to_be_visible()
