"""Uploads with the service: progress, decisions, validation reports. The form and the page: Tests/Console/upload-form.test.js and
upload-page.test.js."""
import re

from playwright.sync_api import expect

from desk import archive_without, damaged_archive, expect_upload_state, head_revision, open_desk, submit_upload


def test_upload_is_published_with_progress(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=5,move=2,remint", "--seed", 4)
    page = open_desk(windows, venue_key)
    # Records every step, however briefly it was shown.
    page.evaluate("""() => {
        window.steps = new Set();
        new MutationObserver(() => {
            for (const each of document.querySelectorAll(".progress-text")) window.steps.add(each.textContent);
        }).observe(document.getElementById("main"), { subtree: true, childList: true, characterData: true });
    }""")
    submit_upload(page, following, "now", "Spring tenants")
    expect_upload_state(page, "Published")
    expect(page.locator(".outcome")).to_contain_text("Revision 2 has been published")
    expect(page.locator("#desk-header-revision")).to_have_text("Revision 2")
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)
    steps = page.evaluate("[...window.steps]")
    assert any("Sending" in step for step in steps), steps
    assert head_revision(service, venue_key) == 2
    log = service.get_json(f"/venues/{venue_key}/revisions/2")
    assert log["message"] == "Spring tenants"
    # All ids were new, but the features had the same content.
    expect(page.locator(".tiles")).to_contain_text("Same content")
    expect(page.locator("#findings")).to_contain_text("Rule book")


def test_transfer_shows_progress_and_can_be_stopped(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    # Large enough to be sent for two minutes.
    large = service.folder / f"{venue_key}-large.zip"
    large.write_bytes(archive.read_bytes() + bytes(2_000_000))
    page = open_desk(windows, venue_key)
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 16_000})
    page.set_input_files("#archive", str(large))
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".transfer .progress-text")).to_have_text(re.compile(r"[1-9]\d?% \(.+ of .+\)"))
    expect(page.locator(".transfer progress")).to_have_attribute("max", "1")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".transfer")).to_have_count(0)
    assert len(service.get_json(f"/venues/{venue_key}/uploads")["uploads"]) == 1, "a stopped transfer creates no upload"


def test_new_venue_is_created_by_its_first_archive(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 8)
    page = windows.open("#/~/new", api_key=service.admin_key)
    page.fill("#new-key", "Not A Key")
    expect(page.locator(".error-message").first).to_contain_text("lower-case")
    page.fill("#new-key", venue_key)
    submit_upload(page, archive, "now", "Opening day")
    expect_upload_state(page, "Published")
    assert head_revision(service, venue_key) == 1
    expect(page.locator(".desk-tabs")).to_contain_text("Settings")


def test_rejected_upload_shows_errors_and_next_step(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    page = open_desk(windows, venue_key)
    submit_upload(page, damaged_archive(archive, service.folder / f"{venue_key}-damaged.zip"), "now")
    expect_upload_state(page, "Rejected")
    expect(page.locator(".outcome")).to_contain_text("stays unchanged")
    expect(page.locator(".finding-message").first).not_to_be_empty()
    page.locator(".outcome").get_by_role("link", name="Upload an archive").click()
    page.wait_for_selector(".drop-zone")
    submit_upload(page, archive_without(archive, service.folder / f"{venue_key}-less.zip", "venue.geojson"), "now")
    expect_upload_state(page, "Rejected")
    expect(page.locator(".rules")).to_contain_text("ST-16")
    assert head_revision(service, venue_key) == 1


def test_archive_can_be_dropped(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key)
    transfer = page.evaluate_handle("""(bytes) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], "dropped.zip"));
        return transfer;
    }""", list(archive.read_bytes()))
    page.dispatch_event(".drop-zone", "dragenter", {"dataTransfer": transfer})
    expect(page.locator(".drop-zone")).to_have_class("drop-zone is-over")
    page.dispatch_event(".drop-zone", "drop", {"dataTransfer": transfer})
    expect(page.locator(".archive-file")).to_contain_text("dropped.zip")
    page.locator(".archive-options button.primary").click()
    expect_upload_state(page, "No changes")


def test_staged_upload_waits_and_its_publish_updates_a_second_window(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=6", "--seed", 5)
    other = open_desk(windows, venue_key, "/history")
    other.evaluate("window.marker = 'not reloaded'")
    page = open_desk(windows, venue_key)
    submit_upload(page, following, "hold", "Summer fair")
    expect_upload_state(page, "Staged")
    assert head_revision(service, venue_key) == 1, "nothing was published yet"
    page.locator(".decision").get_by_role("button", name="Publish").click()
    page.locator("dialog").get_by_role("button", name="Publish").click()
    expect_upload_state(page, "Published")
    expect(page.locator(".outcome")).to_be_focused()
    expect(other.locator("#revision-2")).to_contain_text("Summer fair")
    expect(other.locator("#desk-header-revision")).to_have_text("Revision 2")
    assert other.evaluate("window.marker") == "not reloaded"
