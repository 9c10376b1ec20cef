"""The log, downloads and rollbacks."""
from playwright.sync_api import expect

from desk import head_revision, open_desk


def create_three_revisions(service, venue_key):
    archive = service.create_venue(venue_key)
    following = service.publish_edit(venue_key, archive, "rename=5,move=2")
    service.publish_edit(venue_key, following, "rename=3", seed=8)


def test_log_shows_author_time_message_and_changes(windows, service, venue_key):
    create_three_revisions(service, venue_key)
    page = open_desk(windows, venue_key, "/history")
    expect(page.locator(".revision")).to_have_count(3)
    assert page.locator(".revision h3").all_inner_texts() == ["Revision 3", "Revision 2", "Revision 1"]
    descriptions = service.get_json(f"/venues/{venue_key}/revisions/2")["changes"]["words"]
    for description in descriptions[:3]:
        expect(page.locator("#revision-2")).to_contain_text(description)
    expect(page.locator("#revision-3")).to_contain_text("Newest")
    page.check("#compare-1")
    page.check("#compare-3")
    page.get_by_role("link", name="Compare 1 and 3").click()
    expect(page.get_by_role("heading", name="Revision 1 → 3")).to_be_visible()
    page.get_by_role("button", name="Swap").click()
    expect(page.get_by_role("heading", name="Revision 3 → 1")).to_be_visible()


def test_comparison_with_missing_revision_shows_error_and_form(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12)
    service.publish_edit(venue_key, archive, "rename=2")
    page = open_desk(windows, venue_key, "/compare?from=1&to=99")
    expect(page.get_by_role("alert")).to_contain_text("no such revision")
    page.fill("#compare-to", "2")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".change").first).to_be_visible()
    page.fill("#compare-from", "2")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".desk-empty")).to_contain_text("No differences")


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


def test_rollback_shows_preview_first(windows, service, venue_key):
    create_three_revisions(service, venue_key)
    digest = service.get_json(f"/venues/{venue_key}/revisions/1")["digest"]
    page = open_desk(windows, venue_key, "/history")
    page.locator("#revision-1").get_by_role("link", name="Roll back to this revision").click()
    expect(page.locator(".preview h3")).to_contain_text("from revision 3 to 1")
    expect(page.locator(".preview .level-table")).to_be_visible()
    assert head_revision(service, venue_key) == 3, "the preview changes nothing"
    page.fill("#restore-message", "Too early")
    page.get_by_role("button", name="Roll back to revision 1").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#revision-4")).to_contain_text("Too early")
    expect(page.locator("#revision-4")).to_contain_text("Rolled back to revision 1")
    assert service.get_json(f"/venues/{venue_key}")["digest"] == digest


def test_rollback_of_one_floor_leaves_the_others_unchanged(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    service.publish_edit(venue_key, archive, "rename=14")
    levels = service.get_json(f"/venues/{venue_key}/revisions/2")["changes"]["levels"]
    floor = next(level["level_id"] for level in levels if level["level_id"])
    others = [level["level_id"] for level in levels if level["level_id"] not in (None, floor)]
    page = open_desk(windows, venue_key, "/restore?to=1")
    page.check("#scope-some")
    expect(page.locator(".preview")).to_contain_text("Select the floors")
    page.check(f"#level-{floor}")
    expect(page.locator(".preview .level-table tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Roll back to revision 1").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#revision-3")).to_be_visible()
    since_first, since_second = (service.get_json(f"/venues/{venue_key}/diff?from={number}&to=3&bodies=false")["changes"] for number in (1, 2))
    assert {change["level_id"] for change in since_second} == {floor}
    assert {change["level_id"] for change in since_first} == set(others)


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
    page.get_by_role("button", name="Roll back to revision 1").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#revision-3")).to_be_visible()


def test_rollback_to_equal_state_has_nothing_to_do(windows, service, venue_key):
    service.create_venue(venue_key)
    page = open_desk(windows, venue_key, "/restore?to=1")
    expect(page.locator(".preview .notice")).to_contain_text("nothing to roll back")


def test_rollback_preview_is_updated_after_a_publish(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    following = service.publish_edit(venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, "/restore?to=1")
    expect(page.locator(".preview h3")).to_contain_text("from revision 2")
    service.publish_edit(venue_key, following, "rename=2", seed=6)
    expect(page.locator(".preview h3")).to_contain_text("from revision 3")
