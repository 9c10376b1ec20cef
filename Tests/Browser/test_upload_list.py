"""The list of all uploads of a venue. Filters, pages and discarding of many: Tests/Console/upload-list.test.js."""
import re

from playwright.sync_api import expect

from accessibility import findings
from desk import count_in_view, open_desk, stage_upload


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


def test_about_twenty_uploads_are_on_a_laptop_the_most_urgent_first(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    stage_upload(service, venue_key, archive, "rename=2")
    [staged] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    states = ["published", "rejected", "published", "discarded", "rejected"]
    many = [{**staged, "id": f"{n:08d}" + staged["id"][8:], "message": f"Upload {n}", "state": states[n % 5],
             "received_at": f"2026-03-{28 - n // 2:02d}T0{9 - n % 2}:00:00.000Z"} for n in range(1, 41)]
    waiting = {**staged, "received_at": "2026-01-01T09:00:00.000Z", "message": "Old, and waiting"}
    page = windows.open(api_key=service.admin_key, viewport=(1440, 900), bypass_csp=True)
    page.route(re.compile(rf"/venues/{venue_key}/uploads\?"), lambda route: route.fulfill(
        json={"uploads": [waiting] if "state=staged" in route.request.url else many, "next": None}))
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads'")
    rows = page.locator(".desk-row")
    expect(rows).to_have_count(41)
    assert count_in_view(page, ".desk-row") >= 20
    # A decision, a failure since the last publication, and then the others, newest first.
    titles = page.locator(".desk-row-title").all_inner_texts()
    assert titles[:4] == ["Old, and waiting", "Upload 1", "Upload 2", "Upload 3"]
    assert rows.first.locator("time").get_attribute("title")
    assert not findings(page)
    rows.first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    expect(rows.last).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Home")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/desk/uploads/{waiting['id']}")
