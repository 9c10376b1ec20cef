"""Sign-in with valid, invalid, revoked and missing keys."""
import json

import pytest
from playwright.sync_api import expect

from map_page import some_feature
from toasts import expect_toast


def sign_in(page, api_key):
    page.get_by_role("banner").get_by_role("button", name="Sign in").click()
    page.fill("#key", api_key)
    page.locator("dialog footer .primary").click()


def test_sign_in_rejects_unknown_key(windows, mall):
    page = windows.open()
    sign_in(page, "vsk_wrong")
    expect(page.get_by_role("alert")).to_contain_text("does not know this key")
    expect(page.locator("#key")).to_have_attribute("aria-invalid", "true")
    assert page.evaluate("Object.keys(sessionStorage)") == []


def test_sign_in_stores_the_key_in_the_tab_only(windows, mall, service):
    page = windows.open()
    sign_in(page, service.admin_key)
    expect(page.locator(".card-key", has_text="mall").first).to_be_visible()
    assert page.evaluate("localStorage.length") == 0 and page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".welcome")).to_be_visible()


def create_key(service, venue, name):
    return json.loads(service.run_venue("keys", "create", "--name", name, "--role", "read", "--venue", venue, "--json"))["secret"]


def revoke_key(service, name):
    [api_key] = [each for each in service.get_json("/keys")["keys"] if each["name"] == name]
    service.run_venue("keys", "revoke", api_key["id"])


def test_revoked_key_is_reported(windows, mall, service):
    page = windows.map(mall, api_key=create_key(service, mall, "lost phone"))
    revoke_key(service, "lost phone")
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("This key is not valid")
    expect(page.get_by_role("alert").get_by_role("button")).to_be_visible()


def expect_refused(page):
    expect(page.locator(".live-state")).to_contain_text("The key is no longer valid")
    expect_toast(page, "This key is not valid")
    assert page.evaluate("window.shownToasts.filter(({ text }) => text.includes('This key is not valid'))") == [], "once"


def test_revoked_key_of_an_open_map_is_reported_when_the_events_end(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    page = windows.open(api_key=create_key(service, venue_key, f"screen {venue_key}"))
    streams = []

    def respond_once(route):
        streams.append(route)
        if len(streams) == 1:
            route.continue_()

    page.route("**/events", respond_once)
    page.evaluate(f"location.hash = '#/{venue_key}'")
    page.wait_for_selector(".live-state.live")
    revoke_key(service, f"screen {venue_key}")
    service.publish_edit(venue_key, archive, "rename=3")  # The server ends the stream before the next event, or after 15 seconds.
    expect_refused(page)
    assert len(streams) == 1, "the page has not waited to connect again"


# A stream of events that does not end, so that nothing but another request can show that the key was revoked.
ENDLESS_EVENTS = """() => {
    const { fetch } = window;
    const start = (controller) => controller.enqueue(new TextEncoder().encode(":\\n\\n"));
    window.fetch = (url, ...rest) => `${url}`.endsWith("/events") ? Promise.resolve(new Response(new ReadableStream({ start }))) : fetch(url, ...rest);
}"""


@pytest.mark.parametrize("action", ["floor", "link"])
def test_revoked_key_of_an_open_map_is_reported_with_the_first_request_that_is_refused(windows, mall, service, action):
    page = windows.open(api_key=create_key(service, mall, f"visitor {action}"))
    page.evaluate(ENDLESS_EVENTS)
    page.evaluate(f"location.hash = '#/{mall}'")
    page.wait_for_selector(".live-state.live")
    revoke_key(service, f"visitor {action}")
    if action == "floor":
        page.click(".floors [data-ordinal='1']")
    else:
        page.evaluate(f"location.hash = '#/{mall}?place={some_feature(service, mall, 1)['id']}'")
    expect_refused(page)


def test_refusal_by_something_between_the_page_and_the_server_is_not_that_of_a_key(windows, mall, service):
    page = windows.open(api_key=service.admin_key)
    page.evaluate(ENDLESS_EVENTS)
    page.evaluate(f"location.hash = '#/{mall}'")
    page.wait_for_selector(".live-state.live")
    upstairs = some_feature(service, mall, 1)["id"]
    page.route(f"**/features/{upstairs}/history*", lambda route: route.fulfill(status=401, body="<h1>Sign in to the network</h1>"))
    page.evaluate(f"location.hash = '#/{mall}?place={upstairs}'")
    expect_toast(page, kind="problem")
    expect(page.locator(".live-state")).to_have_class("live-state live")


def test_private_venue_without_key_asks_for_one(windows, mall):
    page = windows.open(f"#/{mall}")
    expect(page.get_by_role("alert")).to_contain_text("A key is required")


def test_missing_venue_links_to_the_list_of_venues(windows, mall, service):
    page = windows.open("#/nowhere", api_key=service.admin_key)
    expect(page.get_by_role("alert")).to_contain_text("Not found")
    page.get_by_role("link", name="All venues").click()
    expect(page.locator(".cards")).to_be_visible()
