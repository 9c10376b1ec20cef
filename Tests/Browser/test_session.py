"""Sign-in, and revoked keys of open maps. Wrong and missing keys: Tests/Console/sign-in.test.js."""
import json

import pytest
from playwright.sync_api import expect

from map_page import some_feature
from toasts import expect_toast


def sign_in(page, api_key):
    page.get_by_role("banner").get_by_role("button", name="Sign in").click()
    page.fill("#key", api_key)
    page.locator("dialog footer .primary").click()


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
