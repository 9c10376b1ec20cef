"""A slow network, a browser without one, and the comments of the event stream. Requests without a response are tested in Tests/Console."""
import urllib.request

from playwright.sync_api import expect

from toasts import expect_toast

# A weak mobile connection: 400 kbit/s in both directions, 400 ms.
WEAK = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}


def throttle(page):
    client = page.context.new_cdp_session(page)
    client.send("Network.enable")
    client.send("Network.emulateNetworkConditions", WEAK)


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


def test_event_stream_of_the_server_is_never_silent_for_as_long_as_clients_wait(service):
    request = urllib.request.Request(f"{service.address}/events", headers={"Authorization": f"Bearer {service.admin_key}"})
    # Clients give up after 40 seconds without a byte. The server sends a comment at first, and when 15 seconds have passed.
    with urllib.request.urlopen(request, timeout=30) as response:
        assert [response.readline() for _ in range(4)] == [b":\n", b"\n"] * 2


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
