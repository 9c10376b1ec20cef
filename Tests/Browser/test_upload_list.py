"""The list of all uploads of a venue. Filters, pages and discarding of many: Tests/Console/upload-list.test.js."""
import re

from playwright.sync_api import expect

from desk import open_desk, stage_upload


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
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 4)
    for seed in (4, 5, 6):
        following = service.generate(f"{venue_key}-{seed}.zip", "--next-of", archive, "--edit", "rename=1", "--seed", seed)
        service.run_venue("push", following, "--to", venue_key, "--hold", "--message", f"Spring {seed}")
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
