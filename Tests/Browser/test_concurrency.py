"""Slow responses, publishes by others in the meantime, and busy servers."""
import re
import zipfile

import pytest
from playwright.sync_api import expect

from desk import head_revision, open_desk
from toasts import expect_toast

REQUEST = """async ([method, path]) => {
    const { request } = await import("/console/api.js");
    return request(path, { method }).then(() => "succeeded", (error) => error.status);
}"""


def create_small_venue(service, venue_key, seed=7):
    return service.create_venue(venue_key, "--levels", 1, "--units", 12, "--seed", seed)


def test_key_creation_cannot_be_dismissed_while_pending(windows, service, mall):
    page = windows.open("#/~/keys", api_key=service.admin_key)
    expect(page.get_by_role("button", name="Create a key")).to_be_visible()
    held, requests = [], []
    page.on("request", lambda request: request.method == "POST" and requests.append(request.url))
    page.route("**/keys", lambda route: held.append(route) if route.request.method == "POST" else route.continue_())
    page.get_by_role("button", name="Create a key").click()
    page.fill("#key-name", "created in a hurry")
    page.fill("#key-venues", mall)
    with page.expect_request(lambda request: request.method == "POST"):
        page.locator("dialog footer .primary").click()
    # Chromium closes a dialog without a cancel event when Escape is pressed twice.
    for _ in range(3):
        page.keyboard.press("Escape")
    page.get_by_role("button", name="Close").click()
    page.locator("dialog form").evaluate("form => form.requestSubmit()")
    expect(page.locator("dialog [aria-busy=true]")).to_be_visible()
    held[0].continue_()
    expect(page.locator("#key-secret")).to_have_value(re.compile("^vsk_"))
    assert len(requests) == len(held) == 1, "only one key was requested"


@pytest.mark.parametrize("method, retry_after, attempts", [
    ("POST", None, 1), ("PATCH", "0", 1), ("DELETE", "0", 1),
    ("GET", None, 1), ("GET", "Mon, 01 Jan 2029 00:00:00 GMT", 1), ("GET", "0", 3),
])
def test_busy_server_is_retried_only_for_safe_requests(windows, service, method, retry_after, attempts):
    page = windows.open(api_key=service.admin_key)
    expect(page.locator(".page")).to_be_visible()
    requests = []

    def respond(route):
        requests.append(route.request.method)
        if len(requests) == 3:
            return route.fulfill(json={})
        return route.fulfill(status=503, headers={"Retry-After": retry_after} if retry_after else {})

    page.route("**/keys", respond)
    assert page.evaluate(REQUEST, [method, "/keys"]) == ("succeeded" if attempts > 1 else 503)
    assert requests == [method] * attempts


def test_settings_changed_during_a_dialog_are_not_sent(windows, service, venue_key):
    service.publish_edit(venue_key, create_small_venue(service, venue_key), "rename=2")
    page = open_desk(windows, venue_key, "/settings")
    page.fill("#set-keep_revisions", "1")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog")).to_contain_text("The history would begin at revision 2")
    page.locator("#set-time_zone").evaluate("field => { field.value = 'Europe/Oslo'; }")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        page.locator("dialog footer .danger").click()
    assert sent.value.post_data_json == {"keep_revisions": 1}
    expect(page.get_by_role("button", name="Save")).to_be_enabled()


def test_pruning_asks_again_if_more_would_be_deleted(windows, service, venue_key):
    archive = create_small_venue(service, venue_key)
    following = service.publish_edit(venue_key, archive, "rename=2")
    page = open_desk(windows, venue_key, "/settings")
    page.fill("#prune-keep", "1")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("dialog")).to_contain_text("The history would begin at revision 2")
    service.publish_edit(venue_key, following, "rename=2", seed=8)
    page.locator("dialog footer .danger").click()
    expect(page.locator("dialog")).to_contain_text("The history would begin at revision 3")
    expect_toast(page, "published in the meantime")
    assert service.get_json(f"/venues/{venue_key}")["first"] == 1
    page.locator("dialog footer .danger").click()
    expect_toast(page, "revision 3")
    assert service.get_json(f"/venues/{venue_key}")["first"] == 3


def test_rollback_sends_its_base_and_updates_the_preview_if_the_head_moved(windows, service, venue_key):
    service.publish_edit(venue_key, create_small_venue(service, venue_key), "rename=3")
    page = open_desk(windows, venue_key, "/restore?to=1")
    expect(page.locator(".preview h3")).to_be_visible()
    sent = []

    def moved(route):
        options = route.request.post_data_json
        sent.append(options)
        if options.get("dry_run"):
            return route.continue_()
        return route.fulfill(status=409, json={"type": "/problems/head-moved", "title": "Moved", "status": 409})

    page.route(f"**/venues/{venue_key}/rollback", moved)
    page.get_by_role("button", name="Roll back to revision 1").click()
    page.locator("dialog footer .primary").click()
    expect_toast(page, "published in the meantime")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".preview")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator(".preview h3")).to_contain_text("from revision 2 to 1")
    assert [(options.get("dry_run"), options.get("base")) for options in sent] == [(None, 2), (True, None)]
    assert head_revision(service, venue_key) == 2


def test_completed_transfer_leaves_a_form_in_use_unchanged(windows, service, venue_key):
    archive = create_small_venue(service, venue_key)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    page = open_desk(windows, venue_key)
    held = []
    page.route(f"**/venues/{venue_key}/uploads?create=*", lambda route: held.append(route))
    page.set_input_files("#archive", str(following))
    with page.expect_request(lambda request: request.method == "POST"):
        page.locator(".archive-options button.primary").click()
    page.set_input_files("#archive", str(following))
    page.fill("#upload-message", "The next one")
    held[0].continue_()
    expect_toast(page, following.name)
    expect(page.locator("#upload-message")).to_have_value("The next one")


def test_desk_reloads_venue_deleted_and_created_again(windows, service, venue_key):
    service.publish_edit(venue_key, create_small_venue(service, venue_key), "rename=2")
    page = open_desk(windows, venue_key, "/history")
    expect(page.locator(".revision")).to_have_count(2)

    def downloaded_venue():
        with page.expect_download() as download:
            page.locator("#revision-1").get_by_role("button", name="Download").click()
        with zipfile.ZipFile(download.value.path()) as archive:
            return archive.read("venue.geojson")

    before = downloaded_venue()
    service.run_venue("delete", venue_key, "--confirm", venue_key)
    create_small_venue(service, venue_key, seed=8)
    expect(page.locator("#desk-header-revision")).to_have_text("Revision 1")
    expect(page.locator(".revision")).to_have_count(1)
    assert downloaded_venue() != before


def test_focus_stays_when_the_overview_is_refreshed(windows, service, venue_key):
    archive = create_small_venue(service, venue_key)
    page = open_desk(windows, venue_key)
    expect(page.locator(".desk-row")).to_have_count(1)
    page.locator(".desk-row").focus()
    page.locator(".desk-section", has=page.locator(".drop-zone")).evaluate("section => { window.kept = section; }")
    address = page.locator(".desk-row").get_attribute("href")
    service.publish_edit(venue_key, archive, "rename=2")
    expect(page.locator(".desk-row")).to_have_count(2)
    expect(page.locator(f".desk-row[href='{address}']")).to_be_focused()
    assert page.evaluate("window.kept.isConnected")


def test_focus_stays_on_a_place_card_when_time_passes(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    expect(page.locator(".cards")).to_be_visible()
    page.clock.install()
    page.evaluate(f"location.hash = '#/{mall}'")
    page.wait_for_selector(".live-state.live")
    page.locator(".place", has=page.locator(".state-text")).first.click()
    expect(page.locator("#place-name")).to_be_focused()
    expect(page.locator("[data-id=edit-edit]")).to_be_visible()
    page.get_by_role("button", name="Nearest restroom").focus()
    page.evaluate("window.kept = [document.activeElement, document.querySelector('.place-hours').firstChild]")
    page.clock.fast_forward(31_000)
    page.wait_for_function("!window.kept[1].isConnected")
    assert page.evaluate("document.activeElement === window.kept[0]")


def test_desk_reports_unreachable_server_not_wrong_key(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    expect(page.locator(".cards")).to_be_visible()
    page.route("**/uploads?limit=1", lambda route: route.abort())
    page.evaluate(f"location.hash = '#/{mall}/desk'")
    expect(page.get_by_role("alert")).to_contain_text("does not respond")
    page.unroute("**/uploads?limit=1")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".drop-zone")).to_be_visible()


def test_upload_url_cannot_reach_other_api_paths(windows, service, mall):
    page = windows.open(f"#/{mall}/desk/uploads/..%2Fkeys%3F", api_key=service.admin_key)
    expect(page.get_by_role("alert")).to_contain_text("no such upload")
    assert not [url for url in windows.urls if "/keys" in url]


def test_comparison_is_drawn_without_random_uuid(windows, service, venue_key):
    service.publish_edit(venue_key, create_small_venue(service, venue_key), "rename=2")
    page = windows.open(api_key=service.admin_key)
    # As on plain HTTP, which is not a secure context.
    page.evaluate("Object.defineProperty(Crypto.prototype, 'randomUUID', { value: undefined })")
    page.evaluate(f"location.hash = '#/{venue_key}/desk/compare?from=1&to=2'")
    expect(page.locator(".diff-drawing")).to_be_visible()
    expect(page.locator(".change").first).to_be_visible()
