"""The log, and the way back."""
from playwright.sync_api import expect

from desk import head, open_desk


def three_revisions(service, key):
    archive = service.make_venue(key)
    following = service.edit(key, archive, "rename=5,move=2")
    service.edit(key, following, "rename=3", seed=8)


def test_the_log_tells_who_when_why_and_what(windows, service, key):
    three_revisions(service, key)
    page = open_desk(windows, key, "/history")
    expect(page.locator(".revision")).to_have_count(3)
    assert page.locator(".revision h3").all_inner_texts() == ["Revision 3", "Revision 2", "Revision 1"]
    words = service.ask(f"/venues/{key}/revisions/2")["changes"]["words"]
    for sentence in words[:3]:
        expect(page.locator("#revision-2")).to_contain_text(sentence)
    expect(page.locator("#revision-3")).to_contain_text("Newest")
    page.check("#compare-1")
    page.check("#compare-3")
    page.get_by_role("link", name="Compare 1 with 3").click()
    expect(page.get_by_role("heading", name="Revision 1 → 3")).to_be_visible()
    page.get_by_role("button", name="Swap").click()
    expect(page.get_by_role("heading", name="Revision 3 → 1")).to_be_visible()


def test_a_revision_that_is_not_there_is_said_so_and_another_can_be_chosen(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 12)
    service.edit(key, archive, "rename=2")
    page = open_desk(windows, key, "/compare?from=1&to=99")
    expect(page.get_by_role("alert")).to_contain_text("no such revision")
    page.fill("#compare-to", "2")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".change").first).to_be_visible()
    page.fill("#compare-from", "2")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator(".desk-none")).to_contain_text("Nothing differs")


def test_a_revision_is_taken_home(windows, service, key):
    service.make_venue(key, "--levels", 1, "--units", 8)
    page = open_desk(windows, key, "/history")
    with page.expect_download() as download:
        page.get_by_role("button", name="Download").click()
    assert download.value.suggested_filename == f"{key}-1.zip"
    target = service.folder / f"{key}-home.zip"
    download.value.save_as(target)
    service.venue("push", target, "--to", key)
    assert head(service, key) == 1, "it says what the venue says"


def test_a_rollback_shows_first_what_it_would_change(windows, service, key):
    three_revisions(service, key)
    digest = service.ask(f"/venues/{key}/revisions/1")["digest"]
    page = open_desk(windows, key, "/history")
    page.locator("#revision-1").get_by_role("link", name="Roll back to this").click()
    expect(page.locator(".preview h3")).to_contain_text("From revision 3 back to 1")
    expect(page.locator(".preview .level-table")).to_be_visible()
    assert head(service, key) == 3, "a look changes nothing"
    page.fill("#restore-message", "Too early")
    page.get_by_role("button", name="Roll back to revision 1").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#revision-4")).to_contain_text("Too early")
    expect(page.locator("#revision-4")).to_contain_text("Rolled back to revision 1")
    assert service.ask(f"/venues/{key}")["digest"] == digest


def test_one_floor_goes_back_alone(windows, service, key):
    archive = service.make_venue(key)
    service.edit(key, archive, "rename=14")
    levels = service.ask(f"/venues/{key}/revisions/2")["changes"]["levels"]
    floor = next(level["level_id"] for level in levels if level["level_id"])
    others = [level["level_id"] for level in levels if level["level_id"] not in (None, floor)]
    page = open_desk(windows, key, "/restore?to=1")
    page.check("#scope-some")
    expect(page.locator(".preview")).to_contain_text("Tick the floors")
    page.check(f"#level-{floor}")
    expect(page.locator(".preview .level-table tbody tr")).to_have_count(1)
    page.get_by_role("button", name="Roll back to revision 1").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#revision-3")).to_be_visible()
    then, now = (service.ask(f"/venues/{key}/diff?from={number}&to=3&bodies=false")["changes"] for number in (1, 2))
    assert {change["level_id"] for change in now} == {floor}
    assert {change["level_id"] for change in then} == set(others)


def test_entangled_floors_are_explained_and_mended_with_one_click(windows, service, key):
    archive = service.make_venue(key)
    service.edit(key, archive, "relevel=2")
    moved = next(change for change in service.ask(f"/venues/{key}/diff?from=1&to=2")["changes"] if "level" in change["classes"])
    page = open_desk(windows, key, "/restore?to=1")
    page.check("#scope-some")
    page.check(f"#level-{moved['level_id']}")
    tangle = page.locator(".preview .decision.is-stopped")
    expect(tangle).to_contain_text("do not come apart")
    tangle.locator(".primary").click()
    expect(page.locator(".preview h3")).to_contain_text("From revision 2 back to 1")
    assert page.locator(".level-boxes input:checked").count() > 1
    page.get_by_role("button", name="Roll back to revision 1").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#revision-3")).to_be_visible()


def test_what_is_the_state_already_is_said_so(windows, service, key):
    service.make_venue(key)
    page = open_desk(windows, key, "/restore?to=1")
    expect(page.locator(".preview .notice")).to_contain_text("nothing to roll back")


def test_a_publish_meanwhile_renews_the_preview(windows, service, key):
    archive = service.make_venue(key)
    following = service.edit(key, archive, "rename=3")
    page = open_desk(windows, key, "/restore?to=1")
    expect(page.locator(".preview h3")).to_contain_text("From revision 2")
    service.edit(key, following, "rename=2", seed=6)
    expect(page.locator(".preview h3")).to_contain_text("From revision 3")
