"""Slow responses, and what others do in the meantime, where the browser takes part: its dialogs, its cache and the focus."""
import re
import zipfile

from playwright.sync_api import expect

from desk import open_desk


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
    page.wait_for_function("() => !window.kept[1].isConnected")
    assert page.evaluate("document.activeElement === window.kept[0]")
