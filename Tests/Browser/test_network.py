"""Slow networks, and servers that accept requests and never respond."""
import datetime
import re
import urllib.parse
import urllib.request

import pytest
from playwright.sync_api import TimeoutError, expect

from toasts import expect_toast

# A weak mobile connection: 400 kbit/s in both directions, 400 ms.
WEAK = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


def throttle(page):
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", WEAK)


def never_respond(page, pattern):
    page.route(pattern, lambda route: None)


def wait_with_clock(page, target, minutes=20, step=30_000):
    """Lets the time of the page pass until it shows something. Requests begin at moments that are not known here.

    A request that begins within a step has no time to get its response before the step is over: where it has to get
    one, a step is shorter than the time after which a request is given up.
    """
    for _ in range(minutes * 60_000 // step):
        page.clock.run_for(step)
        try:
            target.wait_for(timeout=500)
            return
        except TimeoutError:
            continue
    raise AssertionError(f"not shown within {minutes} minutes")


def respond(page):
    page.unroute_all(behavior="ignoreErrors")


def test_map_on_a_weak_connection(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 40, "--seed", 7)
    page = windows.open(api_key=service.admin_key)
    throttle(page)
    page.evaluate(f"location.hash = '#/{venue_key}'")
    expect(page.locator(".state p")).to_contain_text("Loading")
    page.wait_for_selector(".live-state.live", timeout=60_000)
    page.wait_for_function("() => document.querySelector('.map-page').venueMap.labelCount > 0")
    page.evaluate("""() => {
        // It may be shown for a moment only.
        window.notes = [];
        const note = document.querySelector(".map-note");
        new MutationObserver(() => window.notes.push(note.textContent)).observe(note, { childList: true, characterData: true, subtree: true });
    }""")
    page.click(".floors [data-ordinal='1']")
    page.wait_for_function("() => window.notes.some((text) => text.includes('Loading'))")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(page.locator(".map-note")).to_be_empty()
    service.publish_edit(venue_key, archive, "rename=4")
    expect(page.locator(".live-state")).to_have_attribute("data-revision", "2")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_desk_on_a_weak_connection(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    throttle(page)
    page.evaluate(f"location.hash = '#/{mall}/desk'")
    page.wait_for_selector("#archive", state="attached", timeout=60_000)
    page.locator(".desk-tabs a[href$='/history']").click()
    expect(page.locator("#revision-1")).to_contain_text("Newest")
    expect(page.get_by_role("alert")).to_have_count(0)


@pytest.mark.parametrize("path", ["", "/desk", "/desk/history"])
def test_page_whose_requests_get_no_response_can_be_tried_again(windows, service, mall, path):
    page = windows.open(api_key=service.admin_key)
    page.clock.install()
    never_respond(page, f"**/venues/{mall}**")
    page.evaluate(f"location.hash = '#/{mall}{path}'")
    wait_with_clock(page, page.get_by_role("alert"))
    expect(page.get_by_role("alert")).to_contain_text("does not respond")
    respond(page)
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".desk-tabs" if path else ".live-state.live")).to_be_visible()


@pytest.mark.parametrize(("path", "request_path"), [("/desk", "/uploads?limit=15"), ("/desk/history", "/revisions?")])
def test_page_whose_response_stops_in_the_middle_can_be_tried_again(windows, service, mall, path, request_path):
    page = windows.open(api_key=service.admin_key)
    page.clock.install()
    page.evaluate("""(path) => {
        const own = window.fetch;
        window.fetch = (url, options) => !String(url).startsWith(path) ? own(url, options)
            : Promise.resolve(new Response(new ReadableStream({ start(controller) {
                controller.enqueue(new TextEncoder().encode('{"'));
                options.signal.addEventListener("abort", () => controller.error(options.signal.reason));
            } })));
        window.respond = () => { window.fetch = own; };
    }""", f"/venues/{mall}{request_path}")
    page.evaluate(f"location.hash = '#/{mall}{path}'")
    wait_with_clock(page, page.get_by_role("alert"))
    expect(page.get_by_role("alert")).to_contain_text("does not respond")
    page.evaluate("window.respond()")
    page.get_by_role("button", name="Try again").click()
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(page.locator(".revision").first).to_be_visible()


def test_visitor_without_a_key_sees_that_polls_get_no_response(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    service.run_venue("set", venue_key, "public=on")
    page = windows.open()
    page.clock.install()
    page.evaluate(f"location.hash = '#/{venue_key}'")
    expect(page.locator(".live-state.live")).to_be_visible()
    never_respond(page, "**/sync?**")
    # The poll that waits ends after its time, the next one gets no response.
    wait_with_clock(page, page.locator(".live-state.disconnected"))
    expect(page.locator(".live-state")).to_have_class("live-state disconnected")
    respond(page)
    service.publish_edit(venue_key, archive, "rename=1")
    wait_with_clock(page, page.locator(".live-state.live[data-revision='2']"), step=5_000)


def test_long_poll_without_a_response_is_given_up_soon_after_the_time_that_it_asked_for(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    service.run_venue("set", venue_key, "public=on")
    page = windows.open()
    page.clock.install()
    never_respond(page, re.compile(r"/sync\?.*wait="))
    with page.expect_request(re.compile(r"/sync\?.*wait=")) as poll:
        page.evaluate(f"location.hash = '#/{venue_key}'")
    [wait] = urllib.parse.parse_qs(poll.value.url.partition("?")[2])["wait"]
    expect(page.locator(".live-state.live")).to_be_visible()
    # The server may use the whole time, and the response needs some, too.
    page.clock.run_for(int(wait) * 1000)
    expect(page.locator(".live-state.live")).to_be_visible()
    page.clock.run_for(10_000)
    expect(page.locator(".live-state")).to_have_class("live-state disconnected")
    respond(page)
    service.publish_edit(venue_key, archive, "rename=1")
    wait_with_clock(page, page.locator(".live-state.live[data-revision='2']"), step=5_000)


STATES = """() => {
    const status = document.querySelector(".live-state");
    window.states = [];
    new MutationObserver(() => window.states.push(status.className)).observe(status, { attributes: true });
}"""


def test_silent_event_stream_is_not_live(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(api_key=service.admin_key)
    page.clock.install()
    # A connection that opens, and over which nothing arrives any more.
    page.evaluate("""() => {
        const own = window.fetch;
        window.fetch = (url, options) => !String(url).endsWith("/events") ? own(url, options)
            : Promise.resolve(new Response(new ReadableStream({ start(controller) {
                options.signal.addEventListener("abort", () => controller.error(options.signal.reason));
            } })));
    }""")
    page.evaluate(f"location.hash = '#/{venue_key}'")
    page.wait_for_selector(".live-state.live")
    page.evaluate(STATES)
    page.clock.run_for(60_000)
    assert "live-state disconnected" in page.evaluate("window.states")


# Streams of events that the test holds: their controllers are in `window.streams`. Further ones fail while `window.isDown`.
HELD_STREAMS = """() => {
    const own = window.fetch;
    window.streams = [];
    window.isDown = false;
    window.fetch = (url, options) => {
        if (!String(url).endsWith("/events")) return own(url, options);
        if (window.isDown) return Promise.reject(new TypeError("Failed to fetch"));
        return Promise.resolve(new Response(new ReadableStream({ start(controller) {
            options.signal.addEventListener("abort", () => controller.error(options.signal.reason));
            window.streams.push(controller);
        } })));
    };
}"""


def test_what_was_published_without_a_network_is_shown_when_there_is_one(windows, service, venue_key):
    """The connection may outlive the network, without the events that were sent meanwhile."""
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(api_key=service.admin_key)
    page.evaluate(HELD_STREAMS)
    page.evaluate(f"location.hash = '#/{venue_key}'")
    page.wait_for_selector(".live-state.live")
    page.context.set_offline(True)
    expect(page.locator(".live-state")).to_have_class("live-state offline")
    service.publish_edit(venue_key, archive, "rename=1")
    page.context.set_offline(False)
    # Sooner than the silence of the held stream is noticed.
    expect(page.locator(".live-state.live[data-revision='2']")).to_be_visible()


def test_map_without_a_connection_says_since_when(windows, service, venue_key):
    """The map was right until the connection was lost, however long ago the last revision was loaded."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(api_key=service.admin_key, timezone_id="UTC")
    page.clock.set_system_time(datetime.datetime(2026, 6, 10, 9, 10, tzinfo=datetime.timezone.utc))
    page.goto(f"{service.address}/?again")
    page.evaluate(HELD_STREAMS)
    page.evaluate(f"location.hash = '#/{venue_key}'")
    page.wait_for_selector(".live-state.live")
    page.clock.set_system_time(datetime.datetime(2026, 6, 10, 11, 25, tzinfo=datetime.timezone.utc))
    page.evaluate("() => { window.isDown = true; window.streams[0].error(new TypeError('network error')); }")
    expect(page.locator(".live-state")).to_have_class("live-state disconnected")
    expect(page.locator(".live-state")).to_contain_text("as of 11:25")


def test_event_stream_of_the_server_is_never_silent_for_as_long_as_clients_wait(service):
    request = urllib.request.Request(f"{service.address}/events", headers={"Authorization": f"Bearer {service.admin_key}"})
    # Clients give up after 40 seconds without a byte. The server sends a comment at first, and when 15 seconds have passed.
    with urllib.request.urlopen(request, timeout=30) as response:
        assert [response.readline() for _ in range(4)] == [b":\n", b"\n"] * 2


def test_requests_without_a_response_fail_after_a_time_limit(windows, service):
    page = windows.open(api_key=service.admin_key)
    page.clock.install()
    page.route("**/venues?*", lambda route: None)
    with page.expect_request("**/venues?*"):
        page.goto(f"{service.address}/?again")
    page.clock.run_for(90_000)
    expect(page.get_by_role("alert")).to_contain_text("does not respond")
    page.unroute_all(behavior="ignoreErrors")


def test_transfer_on_a_dead_line_fails_and_can_be_tried_again(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(f"#/{venue_key}/desk", api_key=service.admin_key)
    page.wait_for_selector("#archive", state="attached")
    page.clock.install()
    never_respond(page, re.compile(r"/uploads\?"))
    page.set_input_files("#archive", str(archive))
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".transfer .progress-text")).to_be_visible()
    retry = page.get_by_role("alert").get_by_role("button", name="Try again")
    page.clock.run_for(30_000)
    assert retry.count() == 0, "a weak connection gets more time"
    wait_with_clock(page, retry)
    expect(page.get_by_role("alert")).to_contain_text("The server does not respond. Check your connection. Nothing has been lost.")
    respond(page)
    page.clock.resume()
    retry.click()
    expect(page.locator(".transfer")).to_have_count(0)
    assert len(service.get_json(f"/venues/{venue_key}/uploads")["uploads"]) == 2


def test_offline_browser_is_shown_at_once(windows, service, mall):
    page = windows.map(mall)
    page.evaluate("""() => {
        // Requests that fail may show it before the event.
        let start = Infinity;
        addEventListener("offline", () => { start = performance.now(); }, { once: true, capture: true });
        const state = document.querySelector(".live-state");
        new MutationObserver(() => {
            if (state.className === "live-state offline") window.timeUntilOffline ??= performance.now() - start;
        }).observe(state, { attributes: true });
    }""")
    page.context.set_offline(True)
    page.wait_for_function("() => window.timeUntilOffline !== undefined")
    assert page.evaluate("window.timeUntilOffline") < 2_000
    floors = {each["properties"]["ordinal"]: each["properties"]["name"] for each in service.features(mall, 1, "level")}
    page.click(".floors [data-ordinal='1']")

    text = f"There is no network connection. {floors[1]['en']} is not stored in this browser."
    expect_toast(page, text, "problem", exact=True)
    page.get_by_role("button", name="日本語").click()
    page.click(".floors [data-ordinal='-1']")
    text = f"ネットワークに接続されていません。{floors[-1]['ja']}はこのブラウザーに保存されていません。"
    expect_toast(page, text, "problem", exact=True)
    page.context.set_offline(False)
    expect(page.locator(".live-state")).to_have_class("live-state live")


@pytest.mark.parametrize(("locale", "text"), [("en-US", "There is no network connection"), ("ja-JP", "ネットワークに接続されていません")], ids=["en", "ja"])
def test_dialog_without_a_connection_says_so_in_the_users_language(windows, mall, locale, text):
    page = windows.open(locale=locale)
    page.click(".welcome button.primary")
    page.context.set_offline(True)
    page.fill("#key", "vsk_any")
    page.locator("dialog footer .primary").click()
    expect(page.locator("dialog .error-message")).to_have_text(text)


def test_refused_key_is_reported_on_the_map(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    page.route("**/events", lambda route: route.fulfill(
        status=401, content_type="application/problem+json", body='{"type": "/problems/unauthorized", "title": "Unauthorized"}'))
    page.evaluate(f"location.hash = '#/{mall}'")
    expect(page.locator(".live-state")).to_have_class("live-state refused")
    expect(page.locator(".live-state")).to_contain_text("Sign in again")
