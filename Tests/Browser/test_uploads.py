"""Uploads: progress, decisions, validation reports."""
import re

import pytest
from playwright.sync_api import expect

from desk import archive_without, damaged_archive, expect_upload_state, head_revision, open_desk, stage_upload, submit_upload
from toasts import expect_toast


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


def test_upload_shows_every_phase(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    upload = service.get_json(f"/venues/{venue_key}/uploads")["uploads"][0]
    steps = [
        ("received", None, 0, "Waiting for a worker", "Queue"), ("processing", "reading", 100, "Reading the archive: 100 of 400", "Read"),
        ("processing", "identifying", 0, "Matching features: 0 of 400", "Match"),
        ("processing", "diffing", 399, "Comparing with the newest revision: 399 of 400", "Compare"),
        ("processing", "publishing", 400, "Publishing: 400 of 400", "Publish"),
        ("published", "validating", 7, "Validating: 7 of 400", "Validate"),
    ]
    now = {}

    def respond(route):
        state, phase, done, _, _ = now["step"]
        progress = {"phase": phase, "done": done, "total": 400 if phase else 0}
        route.fulfill(json={**upload, "state": state, "progress": progress, "findings": {**upload["findings"], "complete": False}})

    now["step"] = steps[0]
    page = open_desk(windows, venue_key)
    page.route(f"**/uploads/{upload['id']}?wait=1", respond)
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{upload['id']}'")
    for now["step"] in steps:
        _, _, done, description, name = now["step"]
        expect(page.locator(".desk-phases .progress-text")).to_have_text(description)
        expect(page.locator(".phases [aria-current=step]")).to_contain_text(name)
        if "of" in description:
            assert page.locator(".desk-phases progress").evaluate("bar => bar.value") == done / 400
    page.unroute(f"**/uploads/{upload['id']}?wait=1")
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)


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


@pytest.mark.parametrize(("state", "sentence"), [("processing", "is being processed"), ("received", "is being processed"), ("staged", "already waits")])
def test_new_venue_whose_first_archive_is_not_finished_gets_no_second_one(windows, service, venue_key, state, sentence):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 8)
    service.run_venue("push", archive, "--to", venue_key, "--new", "--hold")
    [upload] = service.get_json(f"/venues/{venue_key}/uploads")["uploads"]
    page = windows.open("#/~/new", api_key=service.admin_key)
    # Whether the upload is in a state for long depends on the machine.
    page.route(f"**/venues/{venue_key}/uploads?*", lambda route: route.fulfill(
        json={"uploads": [{**upload, "state": state}] if f"state={state}" in route.request.url else [], "next": None}))
    page.fill("#new-key", venue_key)
    page.set_input_files("#archive", str(archive))
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".archive-options .error-message")).to_contain_text(sentence)
    expect(page.locator(".archive-options .error-message a")).to_have_attribute("href", f"#/{venue_key}/desk/uploads/{upload['id']}")
    assert len(service.get_json(f"/venues/{venue_key}/uploads")["uploads"]) == 1


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


def test_file_that_is_not_a_zip_is_not_sent(windows, service, mall):
    page = open_desk(windows, mall)
    for name, content, message in (("plan.pdf", b"%PDF-1.7", "is not a zip"), ("none.zip", b"", "is empty")):
        page.set_input_files("#archive", {"name": name, "mimeType": "application/octet-stream", "buffer": content})
        expect(page.locator(".drop-zone .error-message")).to_contain_text(message)
    assert not [url for url in windows.urls if "/uploads?publish" in url]


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


def test_moved_head_is_shown_before_publishing(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    waiting, following = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    expect_upload_state(page, "Staged")
    service.publish_edit(venue_key, archive, "rename=4,move=2", seed=9)
    expect(page.locator(".decision .notice")).to_contain_text("Revision 2 was published")
    page.locator(".decision").get_by_role("button", name="Publish").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator(".reasons")).to_contain_text("published in the meantime")
    expect(page.locator(".decision")).to_contain_text("Compared with revision 2")
    assert head_revision(service, venue_key) == 2


def test_head_that_moves_while_the_dialog_is_open_is_reported_on_the_page(windows, service, venue_key):
    """What the user has confirmed is not what would be published now."""
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=2")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    page.locator(".decision").get_by_role("button", name="Publish").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    service.publish_edit(venue_key, archive, "move=1", seed=9)
    dialog.get_by_role("button", name="Publish").click()
    expect(dialog).to_have_count(0)
    expect_toast(page, kind="problem")
    expect(page.locator(".decision")).to_be_visible()
    assert head_revision(service, venue_key) == 2


def test_address_of_an_upload_below_another_venue_leads_to_its_own(windows, service, mall, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    [upload] = service.get_json(f"/venues/{venue_key}/uploads")["uploads"]
    page = open_desk(windows, mall, f"/uploads/{upload['id']}")
    page.wait_for_url(f"**/#/{venue_key}/desk/uploads/{upload['id']}")
    expect(page.locator(".desk-key")).to_have_text(venue_key)
    expect(page.get_by_role("heading", name=f"Upload {upload['id'][:8]}")).to_be_visible()


def test_staged_upload_can_be_discarded(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key)
    page.locator(".desk-waiting").click()
    page.locator(".decision").get_by_role("button", name="Discard").click()
    page.locator("dialog").get_by_role("button", name="Discard").click()
    expect_upload_state(page, "Discarded")
    assert service.get_json(f"/uploads/{waiting}")["state"] == "discarded"


def test_scheduled_upload_waits_for_its_time(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    page = open_desk(windows, venue_key, timezone_id="UTC")
    page.set_input_files("#archive", str(following))
    page.check("#upload-time")
    page.locator(".archive-options button.primary").click()
    assert page.locator("#upload-when").evaluate("field => field.validity.valueMissing")
    page.fill("#upload-when", "2001-04-01T09:30")
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".archive-options .error-message")).to_contain_text("passed")
    page.fill("#upload-when", "2099-04-01T09:30")
    expect(page.locator(".archive-time .help")).to_contain_text(re.compile(r"6:30\sPM then \(Asia/Tokyo\)"))
    page.locator(".archive-options button.primary").click()
    expect_upload_state(page, "Scheduled")
    expect(page.locator(".decision")).to_contain_text("2099")
    assert head_revision(service, venue_key) == 1


def test_findings_are_sorted_by_severity_and_link_to_the_map(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    service.publish_edit(venue_key, archive, "rename=3")
    published = service.get_json(f"/venues/{venue_key}/uploads?limit=1")["uploads"][0]["id"]
    page = open_desk(windows, venue_key, f"/uploads/{published}")
    expect(page.locator(".upload-header")).to_be_visible()
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)
    rules = page.locator(".rule")
    expect(rules.first).to_be_visible()
    severities = rules.locator("summary .tag").all_inner_texts()
    order = ["Error", "Warning", "Note"]
    ranks = [order.index(text) for text in severities]
    assert ranks == sorted(ranks), "the most severe first"
    for severity, name in zip(("error", "warning", "info"), order):
        if name in severities:
            page.click(f"#findings .chip[value={severity}]")
            expect(rules.locator("summary .tag")).to_have_text([name] * severities.count(name))
    assert len(set(severities)) > 1
    page.click("#findings .chip[value='']")
    expect(rules).to_have_count(len(severities))
    counts = service.get_json(f"/uploads/{published}/findings?limit=1")["counts"]
    shown = {rule.locator("summary code").inner_text(): rule.locator("summary .count").inner_text() for rule in rules.all()}
    assert {rule: int(count.replace(",", "")) for rule, count in shown.items()} == counts
    rule = rules.filter(has_text="TO-")
    rule.first.locator("summary").click()
    link = rule.first.locator(".finding-link").first
    expect(link).to_have_attribute("href", re.compile(rf"#/{venue_key}\?(feature=[0-9a-f-]+|at=[-\d.]+,[-\d.]+)(&|$)"))
    link.click()
    page.wait_for_selector(".live-state.live")
    expect(page.locator(".map-pin")).to_be_visible()


def test_uploads_without_a_message_have_different_titles(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    service.run_venue("push", following, "--to", venue_key)
    uploads = service.get_json(f"/venues/{venue_key}/uploads")["uploads"]
    assert [upload["message"] for upload in uploads] == [None, None]
    page = open_desk(windows, venue_key)
    page.goto(f"{service.address}/#/{venue_key}/desk/uploads")
    titles = page.locator(".desk-row-title")
    expect(titles).to_have_text([f"Upload {upload['id'][:8]}" for upload in uploads])
    titles.first.click()
    expect(page.get_by_role("heading", name=f"Upload {uploads[0]['id'][:8]}")).to_be_visible()


def test_first_publish_from_the_desk_raises_no_error(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 8)
    service.run_venue("push", archive, "--to", venue_key, "--new", "--hold")
    [waiting] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    page = windows.open(api_key=service.admin_key)
    streams = []
    page.route("**/events", lambda route: streams.append(route))
    with page.expect_request("**/events"):
        page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{waiting['id']}'")
    page.route(f"**/uploads/{waiting['id']}", lambda _: None)
    page.locator(".decision .desk-actions button").first.click()
    with page.expect_request(f"**/uploads/{waiting['id']}"):
        page.locator("dialog footer .primary").click()
    # With its first revision the venue gets a new page, which aborts the request that runs.
    with page.expect_event("requestfailed", lambda request: request.url.endswith(f"/uploads/{waiting['id']}")):
        streams[0].continue_()
    expect_upload_state(page, "Published")
    page.locator(".brand").click()
    expect(page.locator(".cards")).to_be_visible()
    page.unroute_all(behavior="ignoreErrors")
