"""Changes reach open windows, and only differences are drawn."""
import pytest
from playwright.sync_api import expect

from map_page import show_whole_list
from toasts import expect_toast

COUNT_SOURCE_UPDATES = """() => {
    const map = document.querySelector(".map-page").venueMap.mapLibre;
    window.counts = { addSource: 0, removeSource: 0, setData: 0, updateData: 0, diffs: [] };
    for (const name of ["addSource", "removeSource"]) {
        const own = map[name].bind(map);
        map[name] = (...rest) => { window.counts[name] += 1; return own(...rest); };
    }
    // The few features that are highlighted are set as a whole.
    for (const id of Object.keys(map.getStyle().sources).filter((id) => id !== "highlights")) {
        const source = map.getSource(id);
        for (const name of ["setData", "updateData"]) {
            const own = source[name].bind(source);
            source[name] = (data) => {
                window.counts[name] += 1;
                window.counts.diffs.push([id, data.add?.length ?? 0, data.update?.length ?? 0, data.remove?.length ?? 0]);
                return own(data);
            };
        }
    }
    window.marker = "not reloaded";
}"""


def expect_revision(page, number):
    expect(page.locator(".live-state")).to_have_attribute("data-revision", str(number))


def expect_verified(page):
    expect(page.locator(".live-state")).to_contain_text("verified")
    expect(page.locator(".live-state")).not_to_contain_text("not verified")


def test_publish_updates_open_windows_without_reload(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    pages = [windows.map(venue_key), windows.map(venue_key, viewport=(390, 844))]
    for page in pages:
        page.evaluate(COUNT_SOURCE_UPDATES)
    service.publish_edit(venue_key, archive, "rename=4,move=30,recategorise=30")
    changed = service.get_json(f"/venues/{venue_key}/diff?from=1&to=2")["changes"]
    for page in pages:
        expect_revision(page, 2)
        expect_verified(page)
        assert page.evaluate("window.marker") == "not reloaded"
        counts = page.evaluate("window.counts")
        assert counts["addSource"] == counts["removeSource"] == counts["setData"] == 0, counts
        assert counts["updateData"] > 0, "no change of a drawn feature"
        drawn = sum(added + updated + removed for _, added, updated, removed in counts["diffs"])
        assert drawn <= len(changed), counts
    assert changed


def test_publish_of_new_names_shows_toast_and_names(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12, "--seed", 7)
    page = windows.map(venue_key)
    service.publish_edit(venue_key, archive, "rename=6")
    expect_toast(page, "Revision 2")
    expect_revision(page, 2)
    renamed = [each for each in service.get_json(f"/venues/{venue_key}/diff?from=1&to=2&bodies=true")["changes"]
               if each["feature_type"] == "occupant" and "name" in each["classes"]]
    show_whole_list(page)
    here = {each.get_attribute("data-id"): each for each in page.locator(".place").all()}
    seen = [each for each in renamed if each["id"] in here]
    for each in seen:
        assert here[each["id"]].locator(".place-name").inner_text() == each["after"]["properties"]["name"]["en"]
    assert seen, "the edit changed no visible place"


def test_rollback_updates_open_windows(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    page = windows.map(venue_key)
    show_whole_list(page)
    names = page.locator(".place-name").all_inner_texts()
    service.publish_edit(venue_key, archive, "rename=12")
    expect_revision(page, 2)
    service.run_venue("rollback", venue_key, 1)
    expect_revision(page, 3)
    expect_verified(page)
    assert page.locator(".place-name").all_inner_texts() == names


def test_public_venue_is_followed_without_key(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    service.run_venue("set", venue_key, "public=on")
    page = windows.map(venue_key, api_key=None)
    service.publish_edit(venue_key, archive, "rename=12")  # On every floor: a long poll waits for changes of the loaded floors only.
    expect_revision(page, 2)
    expect_verified(page)


def test_sync_catches_up_after_server_restart(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    page = windows.map(venue_key)
    service.stop()
    expect(page.locator(".live-state")).to_have_class("live-state disconnected")
    service.start()
    service.publish_edit(venue_key, archive, "rename=3")
    page.wait_for_selector(".live-state.live[data-revision='2']", timeout=60_000)
    expect_verified(page)


def test_press_is_not_lost_when_the_list_changes_before_the_release(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12, "--seed", 7)
    page = windows.map(venue_key)
    # Buttons that are inserted would move the place.
    expect(page.locator("[data-id=add-shop]")).to_be_visible()
    place = page.locator(".place").nth(1)
    pressed = place.get_attribute("data-id")
    place.hover()
    page.mouse.down()
    service.publish_edit(venue_key, archive, "rename=6")
    page.wait_for_selector(".live-state.live[data-revision='2']")
    page.mouse.up()
    expect(page.locator(f".place-card[data-id='{pressed}']")).to_be_visible()


@pytest.mark.parametrize("button", ["left", "right"])
def test_list_changes_when_the_pointer_is_released(windows, service, venue_key, button):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12, "--seed", 7)
    page = windows.map(venue_key)
    expect(page.locator("[data-id=add-shop]")).to_be_visible()
    show_whole_list(page)
    names = page.locator(".place-name")
    before = names.all_inner_texts()
    is_changed = "(before) => [...document.querySelectorAll('.place-name')].map((name) => name.innerText).join() !== before"
    page.locator(".place").first.hover()
    page.mouse.down(button=button)
    service.publish_edit(venue_key, archive, "rename=6")
    page.wait_for_selector(".live-state.live[data-revision='2']")
    if button == "left":
        assert names.all_inner_texts() == before
        page.mouse.move(900, 400)
        page.mouse.up()
    # The menu of the other button may take its release.
    page.wait_for_function(is_changed, arg=",".join(before))


def test_requests_are_retried_after_retry_after(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 12, "--seed", 7)
    page = windows.open(api_key=service.admin_key)
    refusals = [429, 503]
    requests = []

    def refuse(route):
        requests.append(route.request.url)
        if refusals:
            route.fulfill(status=refusals.pop(), headers={"Retry-After": "1"}, json={"type": "/problems/x", "title": "x"})
        else:
            route.continue_()

    page.route(f"**/venues/{venue_key}", refuse)
    page.evaluate(f"location.hash = '#/{venue_key}'")
    page.wait_for_selector(".live-state.live")
    assert len(requests) == 3 and refusals == []


def test_sync_is_retried_after_failure(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    page = windows.map(venue_key)
    refusals = ["connectionreset", "connectionrefused"]
    page.route("**/sync?*", lambda route: route.abort(refusals.pop()) if refusals else route.continue_())
    states = """() => {
        const status = document.querySelector(".live-state");
        window.states = [];
        new MutationObserver(() => window.states.push(status.className)).observe(status, { attributes: true });
    }"""
    page.evaluate(states)
    service.publish_edit(venue_key, archive, "rename=3")
    page.wait_for_selector(".live-state.live[data-revision='2']")
    expect_verified(page)
    assert refusals == []
    assert "live-state disconnected" in page.evaluate("window.states"), "an outdated revision was shown as live"


def test_sync_detects_venue_deleted_and_created_again(windows, service, venue_key):
    service.create_venue(venue_key)
    page = windows.map(venue_key)
    names = page.locator(".place-name").all_inner_texts()
    service.run_venue("delete", venue_key, "--confirm", venue_key)
    service.create_venue(venue_key, "--levels", 3, "--units", 24, "--seed", 8)
    expect(page.locator(".place-name").first).not_to_have_text(names[0])
    page.wait_for_selector(".live-state.live[data-revision='1']")
    expect_verified(page)
    held = page.evaluate("document.querySelector('.map-page').venueMap.places.map(({ id }) => id)")
    assert set(held) <= {each["id"] for each in service.features(venue_key, 1, "occupant", "amenity", "unit", "kiosk")}


def test_lost_history_does_not_end_following_without_key(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    service.run_venue("set", venue_key, "public=on")
    page = windows.map(venue_key, api_key=None)
    with page.expect_response(lambda response: "wait=" in response.url and response.status == 410):
        service.run_venue("epoch", "renew", venue_key)
        service.publish_edit(venue_key, archive, "rename=12")
    expect_revision(page, 2)
    expect_verified(page)
    expect(page.locator(".live-state")).to_have_class("live-state live")


def test_removed_floor_is_replaced_by_one_that_is_loaded(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 4, "--units", 12, "--seed", 7)
    top = max(each["properties"]["ordinal"] for each in service.features(venue_key, 1, "level"))
    page = windows.map(venue_key, f"?floor={top}")
    assert not [url for url in windows.urls if "ordinal%3A0" in url]
    service.run_venue("set", venue_key, "removal_guard=off")
    service.publish_edit(venue_key, archive, "remove-floor")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    expect(page.locator(".place").first).to_be_visible()
    assert [url for url in windows.urls if "ordinal%3A0" in url]


def test_removed_level_is_hidden(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    page = windows.map(venue_key, "?floor=1")
    drawn = """() => [...new Set(document.querySelector(".map-page").venueMap.mapLibre.queryRenderedFeatures()
        .filter(({ properties }) => properties.feature_type === "level").map(({ properties }) => properties.id))].sort()"""

    def levels(revision):
        return sorted(each["id"] for each in service.features(venue_key, revision, "level") if each["properties"]["ordinal"] == 1)

    def wait_until_drawn(revision):
        page.wait_for_function(f"(ids) => JSON.stringify(({drawn})()) === JSON.stringify(ids)", arg=levels(revision))

    wait_until_drawn(1)
    service.run_venue("set", venue_key, "removal_guard=off")
    service.publish_edit(venue_key, archive, "remove-floor")  # Of one building; the other building keeps its level.
    expect_revision(page, 2)
    wait_until_drawn(2)
    assert 0 < len(levels(2)) < len(levels(1))


def test_publish_leaves_a_search_unchanged(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    page = windows.map(venue_key)
    name = page.locator(".place-name").last.inner_text()
    page.locator(".place").first.click()
    page.fill("#search", name)
    expect(page.locator(".place-card")).to_have_count(0)
    service.publish_edit(venue_key, archive, "hours=3")
    expect_revision(page, 2)
    expect(page.locator(".place-card")).to_have_count(0)
    expect(page.locator(".place-name", has_text=name).first).to_be_visible()
