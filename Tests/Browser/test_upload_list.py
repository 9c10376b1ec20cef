"""The list of all uploads of a venue: filters, pages, and discarding of many."""
import re

import pytest
from playwright.sync_api import expect

import edits
from desk import open_desk, stage_upload
from service import edited_archive
from toasts import expect_toast


def create_venue_with_staged_uploads(service, venue_key, seeds=(4, 5)):
    """Each upload has the message “Spring” with its seed."""
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 4)
    for seed in seeds:
        following = service.generate(f"{venue_key}-{seed}.zip", "--next-of", archive, "--edit", "rename=1", "--seed", seed)
        service.run_venue("push", following, "--to", venue_key, "--hold", "--message", f"Spring {seed}")


def test_many_staged_uploads_leave_the_upload_form_in_view(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    stage_upload(service, venue_key, archive, "rename=2")
    staged = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"][0]
    many = [{**staged, "id": staged["id"][:-2] + f"{n:02d}", "message": f"Upload {n}"} for n in range(16)]
    page = windows.open(api_key=service.admin_key)
    page.route(re.compile(rf"/venues/{venue_key}/uploads\?(?!limit=1$)"), lambda route: route.fulfill(json={"uploads": many, "next": None}))
    page.evaluate(f"location.hash = '#/{venue_key}/desk'")
    page.wait_for_selector(".drop-zone")
    assert page.locator(".drop-zone").bounding_box()["y"] < 700
    page.get_by_role("link", name="All 16 waiting uploads").click()
    expect(page.locator(".desk-row")).to_have_count(16)


def test_uploads_are_filtered_and_several_are_discarded(windows, service, venue_key):
    create_venue_with_staged_uploads(service, venue_key, seeds=(4, 5, 6))
    page = open_desk(windows, venue_key)
    page.get_by_role("link", name="All uploads").click()
    expect(page.locator(".selectable .desk-row")).to_have_count(4)
    # Only what waits for a decision can be discarded.
    expect(page.get_by_role("checkbox")).to_have_count(3)
    page.get_by_role("button", name="Staged", exact=True).click()
    expect(page.locator(".desk-row")).to_have_count(3)
    page.reload()
    expect(page.locator(".desk-row")).to_have_count(3)
    page.get_by_label("Select “Spring 4”").check()
    page.get_by_role("button", name="Discard 1 upload").click()
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    expect(page.locator(".desk-row")).to_have_count(3)
    page.get_by_role("button", name="Select all 3 waiting uploads").click()
    page.get_by_role("button", name="Discard 3 uploads").click()
    page.locator("dialog footer .danger").click()
    expect(page.locator(".upload-list")).to_contain_text("No uploads in this state")
    assert [each["state"] for each in service.get_json(f"/venues/{venue_key}/uploads")["uploads"]].count("discarded") == 3


def test_uploads_cannot_be_selected_when_the_list_cannot_be_loaded(windows, service, venue_key):
    create_venue_with_staged_uploads(service, venue_key)
    page = open_desk(windows, venue_key, "/uploads?state=staged")
    page.get_by_label("Select “Spring 4”").check()
    actions = page.locator(".upload-actions button")
    expect(actions).to_have_count(2)
    problem = {"type": "about:blank", "title": "Unauthorized", "status": 401}
    page.route(re.compile(rf"/venues/{venue_key}/uploads\?"), lambda route: route.fulfill(status=401, json=problem, content_type="application/problem+json"))
    page.get_by_role("button", name="Staged", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("This key is not valid")
    expect(actions).to_have_count(0)


def test_uploads_that_were_decided_elsewhere_are_not_counted_as_discarded(windows, service, venue_key):
    create_venue_with_staged_uploads(service, venue_key)
    page = open_desk(windows, venue_key, "/uploads?state=staged")
    page.get_by_role("button", name="Select all 2 waiting uploads").click()
    [first, _] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    edits.call(service, "POST", f"/uploads/{first['id']}/publish?wait=30", {"base": 1, "confirm": []})
    page.get_by_role("button", name="Discard 2 uploads").click()
    page.locator("dialog footer .danger").click()
    expect_toast(page, "1 upload has been discarded.", exact=True)
    expect(page.locator(".upload-list")).to_contain_text("No uploads in this state")
    states = [each["state"] for each in service.get_json(f"/venues/{venue_key}/uploads?limit=2")["uploads"]]
    assert sorted(states) == ["discarded", "published"]


@pytest.mark.parametrize(("locale", "select_all", "discard", "warning"), [
    ("en-US", "Select all 2 waiting uploads", "Discard 3 uploads", "1 of these uploads is to be published at a set time."),
    ("ja-JP", "確認待ちの2件をすべて選択", "3件を破棄", "このうち1件は公開日時が決まっています。"),
])
def test_scheduled_uploads_are_discarded_only_on_purpose(windows, service, venue_key, locale, select_all, discard, warning):
    create_venue_with_staged_uploads(service, venue_key)
    scheduled = service.generate(f"{venue_key}-6.zip", "--next-of", service.folder / f"{venue_key}-5.zip", "--edit", "rename=1", "--seed", 6)
    service.run_venue("push", scheduled, "--to", venue_key, "--at", "2199-02-03T09:00:00Z", "--message", "Winter")
    page = windows.open(f"#/{venue_key}/desk/uploads?state=staged", api_key=service.admin_key, locale=locale)
    page.get_by_role("button", name=select_all).click()
    row = page.get_by_role("listitem").filter(has_text="Winter").get_by_role("checkbox")
    expect(row).not_to_be_checked()
    expect(page.get_by_role("checkbox", checked=True)).to_have_count(2)
    expect(page.get_by_role("button", name=select_all)).to_have_count(0)
    row.check()
    page.get_by_role("button", name=discard).click()
    expect(page.locator("dialog .notice")).to_have_text(warning)


def test_uploads_of_a_filter_that_was_left_are_not_added_to_the_list(windows, service, venue_key):
    create_venue_with_staged_uploads(service, venue_key)
    page = open_desk(windows, venue_key, "/uploads")
    rows = page.locator(".desk-row")
    expect(rows).to_have_count(3)
    held = []
    page.route(re.compile(r"/uploads\?.*state=staged"), lambda route: route.continue_() if held else held.append(route))
    with page.expect_request(re.compile(r"/uploads\?.*state=staged")):
        page.get_by_role("button", name="Staged", exact=True).click()
    page.get_by_role("button", name="All", exact=True).click()
    expect(rows).to_have_count(3)
    page.get_by_role("button", name="Staged", exact=True).click()
    expect(rows).to_have_count(2)
    with page.expect_response(re.compile(r"/uploads\?.*state=staged")):
        held[0].continue_()
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(rows).to_have_count(2)


def test_many_uploads_are_selected_and_discarded_over_several_pages(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 4)
    names = [f"Version {number:02d}" for number in range(16)]
    for name in names:
        def rename(features):
            features[0]["properties"]["name"] = {"en": name}

        following = edited_archive(archive, service.folder / f"{venue_key}-2.zip", {"occupant.geojson": rename})
        service.run_venue("push", following, "--to", venue_key, "--hold", "--message", name)
    page = windows.open(api_key=service.admin_key)
    # Pages of ten, so that 16 uploads take two.
    page.route(re.compile(rf"/venues/{venue_key}/uploads\?"), lambda route: route.continue_(url=route.request.url.replace("limit=50", "limit=10")))
    page.evaluate(f"location.hash = '#/{venue_key}/desk'")
    expect(page.locator(".desk-waiting")).to_have_count(3)
    assert page.locator(".drop-zone").bounding_box()["y"] < 700
    page.get_by_role("link", name="All 16 waiting uploads").click()
    rows = page.locator(".desk-row")
    expect(rows).to_have_count(10)
    page.get_by_label(f"Select “{names[-1]}”").check()
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(16)
    expect(page.get_by_role("button", name="Show more")).to_have_count(0)
    # The selection of the first page is kept.
    expect(page.get_by_label(f"Select “{names[-1]}”")).to_be_checked()
    page.get_by_label(f"Select “{names[0]}”").check()
    page.get_by_role("button", name="Discard 2 uploads").click()
    page.locator("dialog footer .danger").click()
    expect_toast(page, "2")
    states = {each["message"]: each["state"] for each in service.get_json(f"/venues/{venue_key}/uploads?limit=100")["uploads"]}
    assert [name for name in names if states[name] == "discarded"] == [names[0], names[-1]]
    expect(rows).to_have_count(10)
    page.get_by_role("button", name="Show more").click()
    expect(rows).to_have_count(14)
    page.get_by_role("button", name="Select all 14 waiting uploads").click()
    page.get_by_role("button", name="Discard 14 uploads").click()
    page.locator("dialog footer .danger").click()
    expect(page.locator(".upload-list")).to_contain_text("No uploads in this state", timeout=60_000)
