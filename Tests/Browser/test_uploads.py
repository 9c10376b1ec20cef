"""Archives in: their progress, what stops them, what the rule book says."""
import re

from playwright.sync_api import expect

from desk import damaged, head, open_desk, settled, staged, upload, without


def test_an_upload_goes_through_with_its_progress(windows, service, key):
    archive = service.make_venue(key)
    following = service.generate(f"{key}-2.zip", "--next-of", archive, "--edit", "rename=5,move=2,remint", "--seed", 4)
    page = open_desk(windows, key)
    # Keeps every step that was shown, however quickly it went.
    page.evaluate("""() => {
        window.steps = new Set();
        new MutationObserver(() => {
            for (const each of document.querySelectorAll(".progress-text")) window.steps.add(each.textContent);
        }).observe(document.getElementById("main"), { subtree: true, childList: true, characterData: true });
    }""")
    upload(page, following, "now", "Spring tenants")
    settled(page, "Published")
    expect(page.locator(".outcome")).to_contain_text("Revision 2 is published")
    expect(page.locator("#desk-head-revision")).to_have_text("Revision 2")
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)
    steps = page.evaluate("[...window.steps]")
    assert any("Sending" in step for step in steps), steps
    assert head(service, key) == 2
    log = service.ask(f"/venues/{key}/revisions/2")
    assert log["message"] == "Spring tenants"
    # The ids were all new, and the things the same.
    expect(page.locator(".tiles")).to_contain_text("Same content")
    expect(page.locator("#findings")).to_contain_text("Rule book")


def test_every_step_of_the_way_is_shown(windows, service, key):
    service.make_venue(key, "--levels", 1, "--units", 8)
    upload = service.ask(f"/venues/{key}/uploads")["uploads"][0]
    steps = [
        ("received", None, 0, "Waiting for a worker", "Queue"), ("processing", "reading", 100, "Reading the archive: 100 of 400", "Read"),
        ("processing", "identifying", 0, "Recognising features: 0 of 400", "Recognise"),
        ("processing", "diffing", 399, "Comparing with what is published: 399 of 400", "Compare"),
        ("processing", "publishing", 400, "Publishing: 400 of 400", "Publish"),
        ("published", "validating", 7, "Running through the rule book: 7 of 400", "Check"),
    ]
    now = {}

    def answer(route):
        state, phase, done, _, _ = now["step"]
        progress = {"phase": phase, "done": done, "total": 400 if phase else 0}
        route.fulfill(json={**upload, "state": state, "progress": progress, "findings": {**upload["findings"], "complete": False}})

    now["step"] = steps[0]
    page = open_desk(windows, key)
    page.route(f"**/uploads/{upload['id']}?wait=1", answer)
    page.evaluate(f"location.hash = '#/{key}/desk/uploads/{upload['id']}'")
    for now["step"] in steps:
        _, _, done, words, name = now["step"]
        expect(page.locator(".desk-phases .progress-text")).to_have_text(words)
        expect(page.locator(".phases [aria-current=step]")).to_contain_text(name)
        if "of" in words:
            assert page.locator(".desk-phases progress").evaluate("bar => bar.value") == done / 400
    page.unroute(f"**/uploads/{upload['id']}?wait=1")
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)


def test_the_bar_of_sending_tells_how_much_has_gone(windows, service, key):
    archive = service.make_venue(key)
    page = open_desk(windows, key)
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", {
        "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": 16_000})
    page.set_input_files("#archive", str(archive))
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".sending .progress-text")).to_have_text(re.compile(r"[1-9]\d? % \(.+ of .+\)"))
    expect(page.locator(".sending progress")).to_have_attribute("max", "1")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".sending")).to_have_count(0)
    assert len(service.ask(f"/venues/{key}/uploads")["uploads"]) == 1, "what was stopped is no upload"


def test_a_new_venue_is_made_by_its_first_archive(windows, service, key):
    archive = service.generate(f"{key}.zip", "--levels", 1, "--units", 8)
    page = windows.open("#/~/new", key=service.key)
    page.fill("#new-key", "Not A Key")
    expect(page.locator(".told").first).to_contain_text("lower-case")
    page.fill("#new-key", key)
    upload(page, archive, "now", "Opening day")
    settled(page, "Published")
    assert head(service, key) == 1
    expect(page.locator(".desk-tabs")).to_contain_text("Settings")


def test_a_broken_archive_is_told_with_what_to_do(windows, service, key):
    archive = service.make_venue(key)
    page = open_desk(windows, key)
    upload(page, damaged(archive, service.folder / f"{key}-damaged.zip"), "now")
    settled(page, "Rejected")
    expect(page.locator(".outcome")).to_contain_text("stays as it was")
    expect(page.locator(".finding-message").first).not_to_be_empty()
    page.locator(".outcome").get_by_role("link", name="Upload an archive").click()
    page.wait_for_selector(".drop-zone")
    upload(page, without(archive, service.folder / f"{key}-less.zip", "venue.geojson"), "now")
    settled(page, "Rejected")
    expect(page.locator(".rules")).to_contain_text("ST-16")
    assert head(service, key) == 1


def test_what_is_no_zip_is_not_even_sent(windows, service, mall):
    page = open_desk(windows, mall)
    for name, content, words in (("plan.pdf", b"%PDF-1.7", "is no zip"), ("none.zip", b"", "is empty")):
        page.set_input_files("#archive", {"name": name, "mimeType": "application/octet-stream", "buffer": content})
        expect(page.locator(".drop-zone .told")).to_contain_text(words)
    assert not [url for url in windows.urls if "/uploads?publish" in url]


def test_an_archive_can_be_dropped(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 8)
    page = open_desk(windows, key)
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
    settled(page, "Nothing new")


def test_held_uploads_wait_and_a_publish_reaches_a_second_window_without_a_reload(windows, service, key):
    archive = service.make_venue(key)
    following = service.generate(f"{key}-2.zip", "--next-of", archive, "--edit", "rename=6", "--seed", 5)
    other = open_desk(windows, key, "/history")
    other.evaluate("window.mark = 'not reloaded'")
    page = open_desk(windows, key)
    upload(page, following, "hold", "Summer fair")
    settled(page, "Held back")
    assert head(service, key) == 1, "nothing was published yet"
    page.locator(".decision").get_by_role("button", name="Publish").click()
    page.locator("dialog").get_by_role("button", name="Publish").click()
    settled(page, "Published")
    expect(page.locator(".outcome")).to_be_focused()
    expect(other.locator("#revision-2")).to_contain_text("Summer fair")
    expect(other.locator("#desk-head-revision")).to_have_text("Revision 2")
    assert other.evaluate("window.mark") == "not reloaded"


def test_a_guard_asks_for_its_confirmation(windows, service, key):
    archive = service.make_venue(key, "--levels", 2, "--units", 24, "--seed", 7)
    smaller = without(archive, service.folder / f"{key}-less.zip", "occupant.geojson")
    smaller = without(smaller, service.folder / f"{key}-least.zip", "anchor.geojson")
    smaller = without(smaller, service.folder / f"{key}-tiny.zip", "opening.geojson")
    page = open_desk(windows, key)
    upload(page, smaller, "now")
    settled(page, "Held back")
    expect(page.locator(".reasons")).to_contain_text("Much would go")
    page.locator(".decision").get_by_role("button", name="Publish").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("dialog .told")).to_contain_text("Tick")
    assert head(service, key) == 1
    page.check("#confirm-removal")
    page.locator("dialog footer .primary").click()
    settled(page, "Published")
    assert head(service, key) == 2


def test_a_head_that_moved_is_told_before_anything_is_published(windows, service, key):
    archive = service.make_venue(key)
    waiting, following = staged(service, key, archive, "rename=3")
    page = open_desk(windows, key, f"/uploads/{waiting}")
    settled(page, "Held back")
    service.edit(key, archive, "rename=4,move=2", seed=9)
    expect(page.locator(".decision .notice")).to_contain_text("Revision 2 was published")
    page.locator(".decision").get_by_role("button", name="Publish").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator(".reasons")).to_contain_text("Somebody else published meanwhile")
    expect(page.locator(".decision")).to_contain_text("Compared with revision 2")
    assert head(service, key) == 2


def test_a_staged_upload_is_discarded(windows, service, key):
    archive = service.make_venue(key)
    waiting, _ = staged(service, key, archive, "rename=3")
    page = open_desk(windows, key)
    page.locator(".desk-waiting").click()
    page.locator(".decision").get_by_role("button", name="Discard").click()
    page.locator("dialog").get_by_role("button", name="Discard").click()
    settled(page, "Discarded")
    assert service.ask(f"/uploads/{waiting}")["state"] == "discarded"


def test_an_upload_is_published_at_its_time(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 8)
    following = service.generate(f"{key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    page = open_desk(windows, key, timezone_id="UTC")
    page.set_input_files("#archive", str(following))
    page.check("#upload-time")
    page.locator(".archive-options button.primary").click()
    assert page.locator("#upload-when").evaluate("field => field.validity.valueMissing")
    page.fill("#upload-when", "2001-04-01T09:30")
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".archive-options .told")).to_contain_text("passed")
    page.fill("#upload-when", "2099-04-01T09:30")
    expect(page.locator(".archive-time .help")).to_contain_text(re.compile(r"6:30\sPM then \(Asia/Tokyo\)"))
    page.locator(".archive-options button.primary").click()
    settled(page, "Scheduled")
    expect(page.locator(".decision")).to_contain_text("2099")
    assert head(service, key) == 1


def test_findings_lead_to_their_place_on_the_map(windows, service, key):
    archive = service.make_venue(key)
    waiting, _ = staged(service, key, archive, "rename=3")
    page = open_desk(windows, key, f"/uploads/{waiting}")
    rules = page.locator(".rule")
    expect(rules.first).to_be_visible()
    severities = rules.locator("summary .tag").all_inner_texts()
    order = ["Error", "Warning", "Remark"]
    ranks = [order.index(text) for text in severities]
    assert ranks == sorted(ranks), "the gravest first"
    counts = service.ask(f"/uploads/{waiting}/findings?limit=1")["counts"]
    shown = {rule.locator("summary code").inner_text(): rule.locator("summary .count").inner_text() for rule in rules.all()}
    assert {rule: int(count.replace(",", "")) for rule, count in shown.items()} == counts
    rule = rules.filter(has_text="TO-")
    rule.first.locator("summary").click()
    link = rule.first.locator(".finding-link").first
    expect(link).to_have_attribute("href", re.compile(rf"#/{key}\?(feature=[0-9a-f-]+|at=[-\d.]+,[-\d.]+)(&|$)"))
    link.click()
    page.wait_for_selector(".live-state.live")
    expect(page.locator(".pointed")).to_be_visible()
