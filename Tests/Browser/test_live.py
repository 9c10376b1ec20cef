"""Changes of a running service reach open windows, and only differences are drawn. What the page does then is tested in Tests/Console."""
from playwright.sync_api import expect

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
