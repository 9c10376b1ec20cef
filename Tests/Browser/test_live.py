"""News reaches open windows, and only what differs is drawn anew."""
from playwright.sync_api import expect

COUNT = """() => {
    const map = document.querySelector(".map-page").venueMap.library;
    window.counts = { addSource: 0, removeSource: 0, setData: 0, updateData: 0, diffs: [] };
    for (const name of ["addSource", "removeSource"]) {
        const own = map[name].bind(map);
        map[name] = (...rest) => { window.counts[name] += 1; return own(...rest); };
    }
    for (const id of Object.keys(map.getStyle().sources)) {
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
    window.mark = "not reloaded";
}"""


def revision(page, number):
    expect(page.locator(".live-state")).to_have_attribute("data-revision", str(number))


def verified(page):
    expect(page.locator(".live-state")).to_contain_text("verified")
    expect(page.locator(".live-state")).not_to_contain_text("not verified")


def test_a_publish_reaches_two_open_windows_without_a_reload(windows, service, key):
    archive = service.make_venue(key)
    pages = [windows.map(key), windows.map(key, viewport=(390, 844))]
    for page in pages:
        page.evaluate(COUNT)
    service.edit(key, archive, "rename=4,move=30,recategorise=30")
    changed = service.ask(f"/venues/{key}/diff?from=1&to=2")["changes"]
    for page in pages:
        revision(page, 2)
        verified(page)
        assert page.evaluate("window.mark") == "not reloaded"
        counts = page.evaluate("window.counts")
        assert counts["addSource"] == counts["removeSource"] == counts["setData"] == 0, counts
        assert counts["updateData"] > 0, "nothing that is drawn changed"
        drawn = sum(added + updated + removed for _, added, updated, removed in counts["diffs"])
        assert drawn <= len(changed), counts
    assert changed


def test_a_new_name_is_told_and_shown(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 12, "--seed", 7)
    page = windows.map(key)
    service.edit(key, archive, "rename=6")
    expect(page.locator(".toast")).to_contain_text("Revision 2")
    revision(page, 2)
    renamed = [each for each in service.ask(f"/venues/{key}/diff?from=1&to=2&bodies=true")["changes"]
               if each["feature_type"] == "occupant" and "name" in each["classes"]]
    here = {each.get_attribute("data-id"): each for each in page.locator(".place").all()}
    seen = [each for each in renamed if each["id"] in here]
    for each in seen:
        assert here[each["id"]].locator(".place-name").inner_text() == each["after"]["properties"]["name"]["en"]
    assert seen, "the edit changed nothing that is shown"


def test_a_rollback_is_news_like_any_other(windows, service, key):
    archive = service.make_venue(key)
    page = windows.map(key)
    names = page.locator(".place-name").all_inner_texts()
    service.edit(key, archive, "rename=12")
    revision(page, 2)
    service.venue("rollback", key, 1)
    revision(page, 3)
    verified(page)
    assert page.locator(".place-name").all_inner_texts() == names


def test_a_public_venue_is_followed_without_a_key(windows, service, key):
    archive = service.make_venue(key)
    service.venue("set", key, "public=on")
    page = windows.map(key, key=None)
    service.edit(key, archive, "rename=12")  # on every floor: who waits without a key hears of the floors that are held
    revision(page, 2)
    verified(page)


def test_a_server_that_comes_back_is_caught_up_with(windows, service, key):
    archive = service.make_venue(key)
    page = windows.map(key)
    service.stop()
    expect(page.locator(".live-state")).to_have_class("live-state away")
    service.start()
    service.edit(key, archive, "rename=3")
    page.wait_for_selector(".live-state.live[data-revision='2']", timeout=60_000)
    verified(page)


def test_who_is_told_to_come_back_later_does_so(windows, service, key):
    service.make_venue(key, "--levels", 1, "--units", 12, "--seed", 7)
    page = windows.open(key=service.key)
    refusals = [429, 503]
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        if refusals:
            route.fulfill(status=refusals.pop(), headers={"Retry-After": "1"}, json={"type": "/problems/x", "title": "x"})
        else:
            route.continue_()

    page.route(f"**/venues/{key}", refuse)
    page.evaluate(f"location.hash = '#/{key}'")
    page.wait_for_selector(".live-state.live")
    assert len(asked) == 3 and refusals == []
