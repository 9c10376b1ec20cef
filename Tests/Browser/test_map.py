"""The map: floors, search, places, languages."""
import datetime
import re

from playwright.sync_api import expect

from toasts import expect_toast


def floor_names(page):
    return page.locator(".floors button").all_inner_texts()


def test_floors_are_listed_from_top_to_bottom_and_switch(windows, mall):
    page = windows.map(mall)
    ordinals = [int(each.get_attribute("data-ordinal")) for each in page.locator(".floors button").all()]
    assert ordinals == sorted(ordinals, reverse=True) and len(ordinals) > 2
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    before = page.locator(".list-title").inner_text()
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(page.locator(".list-title")).not_to_have_text(before)
    assert "floor=1" in page.url


def test_floors_are_loaded_when_opened(windows, mall):
    page = windows.map(mall)
    syncs = [url for url in windows.urls if "/sync?" in url]
    assert syncs and all("level=ordinal%3A0" in url and "ordinal%3A1" not in url for url in syncs)
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    later = [url for url in windows.urls if "ordinal%3A1" in url]
    assert len(later) == 1 and "since=" in later[0], "the floor is loaded in addition to what is held"


def test_floor_is_requested_again_after_failure(windows, mall):
    page = windows.map(mall)
    refusals = ["connectionreset"]
    page.route("**/sync?*", lambda route: route.abort(refusals.pop()) if refusals else route.continue_())
    page.click(".floors [data-ordinal='1']")
    expect_toast(page, kind="problem")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(page.locator(".place").first).to_be_visible()
    assert refusals == []


def test_floor_that_loads_late_does_not_replace_the_current_one(windows, mall):
    page = windows.map(mall)
    held = []
    page.route("**/sync?*ordinal%3A1*", lambda route: held.append(route))
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".map-note")).not_to_be_empty()
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    page.click(".floors [data-ordinal='0']")
    expect(page.locator(".map-note")).to_be_empty()
    page.evaluate("document.querySelector('.live-state .dot').id = 'before'")
    held.pop().continue_()
    expect(page.locator("#before")).to_have_count(0)  # Loaded: the status line was replaced.
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    assert held == [], "a loaded floor is not requested again"


# The number of times that the layers of a frame change between sources: before each, MapLibre draws the borders of all tiles anew.
SOURCE_CHANGES = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    const sources = mapLibre.getStyle().layers.map(({ source }) => source).filter((id) => id && mapLibre.style.sourceCaches[id].used);
    return sources.filter((id, index) => id !== sources[index - 1]).length;
}"""


def test_floor_has_one_source(windows, mall):
    page = windows.map(mall)
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    sources = page.evaluate("Object.keys(document.querySelector('.map-page').venueMap.mapLibre.getStyle().sources)")
    assert sorted(sources) == ["floor:0", "floor:1", "highlights", "venue"]
    page.wait_for_function(f"() => ({SOURCE_CHANGES})() === 2")  # The ground and the floor.
    page.locator(".place").first.click()
    page.wait_for_function(f"() => ({SOURCE_CHANGES})() === 3")


def test_place_card_opens_from_the_list_and_from_the_map(windows, mall):
    page = windows.map(mall)
    name = page.locator(".place-name").first.inner_text()
    page.locator(".place").first.click()
    expect(page.locator(".place-card h2")).to_have_text(name)
    expect(page.locator(".place-card .week tr")).to_have_count(7)
    expect(page.locator("#place-name")).to_be_focused()
    page.click(".place-card .back")
    expect(page.locator(".list-title")).to_be_visible()
    # At the label of the shop, when the map does not move any more.
    page.wait_for_function("() => !document.querySelector('.map-page').venueMap.mapLibre.isMoving()")
    page.mouse.click(*middle_of_first_unit(page))
    expect(page.locator(".place-card")).to_be_visible()


def middle_of_first_unit(page):
    return page.evaluate("""() => {
        const { venueMap } = document.querySelector(".map-page");
        const [place] = venueMap.places.filter(({ kind }) => kind === "shop");
        const { x, y } = venueMap.mapLibre.project(place.point);
        const { left, top } = document.querySelector(".map-canvas").getBoundingClientRect();
        return [left + x, top + y];
    }""")


def test_search_folds_hiragana_and_katakana(windows, mall):
    page = windows.map(mall)
    name = page.evaluate("""() => document.querySelector(".map-page").venueMap.places
        .map((place) => place.feature.properties.name?.ja).find((name) => /^[\\u3040-\\u30ff]{3}/.test(name ?? ""))""")
    start = name[:3]
    katakana = "".join(chr(ord(each) + 0x60) if "ぁ" <= each <= "ゖ" else each for each in start)
    for typed in (start, katakana):
        page.fill("#search", typed)
        expect(page.locator(".list-title")).to_have_text(re.compile(r"^[1-9]\d* found$"))
        ids = page.locator(".place").evaluate_all("each => each.map((place) => place.dataset.id)")
        found = page.evaluate("""([ids, name]) => document.querySelector(".map-page").venueMap.places
            .some((place) => ids.includes(place.id) && place.feature.properties.name?.ja === name)""", [ids, name])
        assert found, typed
    page.fill("#search", "qqqqqq")
    expect(page.locator(".panel-body .empty")).to_be_visible()


def test_search_finds_places_on_other_floors(windows, mall, service):
    page = windows.map(mall)
    page.focus("#search")
    levels = {each["id"]: each["properties"]["ordinal"] for each in service.features(mall, 1, "level")}
    diff = service.get_json(f"/venues/{mall}/revisions/1/features?level=ordinal:1&type=occupant")["features"]
    assert levels and diff
    page.fill("#search", diff[0]["properties"]["name"]["en"])
    page.locator(f".place[data-id='{diff[0]['id']}']").click()
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(page.locator(".place-card h2")).to_have_text(diff[0]["properties"]["name"]["en"])


def test_search_groups_what_it_finds_by_floor_and_leads_there(windows, service, venue_key):
    """One place is on another floor only, others are on all three."""
    service.create_venue(venue_key)
    upstairs = service.get_json(f"/venues/{venue_key}/revisions/1/features?level=ordinal:1&type=occupant")["features"][0]
    name = upstairs["properties"]["name"]["en"]
    page = windows.map(venue_key)
    here, there = (page.locator(f".floors [data-ordinal='{ordinal}']").get_attribute("title") for ordinal in (0, 1))
    page.fill("#search", name)
    expect(page.locator(".search-elsewhere")).to_have_text(f"Nothing on {here}. On other floors:")
    expect(page.locator(".places-floor")).to_have_text([there])
    # Texts without elements isolate names by characters.
    expect(page.locator("#live-region")).to_contain_text(f"Nothing on \u2068{here}\u2069")
    marked = page.locator(".floors [data-found]")
    expect(marked).to_have_attribute("data-ordinal", "1")
    assert "1 found" in marked.get_attribute("aria-label")
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    expect(page.locator(".place-card h2")).to_have_text(name)
    # The nearest floors first; the arrow keys pass from one floor to the next.
    page.click(".floors [data-ordinal='0']")
    page.fill("#search", "restroom")
    groups = page.locator(".places-floor")
    expect(groups.first).to_have_text(here)
    expect(page.locator(".search-elsewhere")).to_have_count(0)
    ids = page.locator(".place").evaluate_all("all => all.map((each) => each.dataset.id)")
    page.locator(".place").first.focus()
    for expected in ids:
        assert page.evaluate("document.activeElement.dataset.id") == expected
        page.keyboard.press("ArrowDown")
    levels = {each["id"]: each["properties"]["ordinal"] for each in service.features(venue_key, 1, "level")}
    places = page.evaluate("""Object.fromEntries(document.querySelector(".map-page").venueMap.places.map(({ id, level }) => [id, level]))""")
    assert levels[places[ids[0]]] == 0
    page.fill("#search", "")
    expect(page.locator(".floors [data-found]")).to_have_count(0)
    expect(groups).to_have_count(0)


def test_opening_states_use_the_time_zone_of_the_venue(windows, mall):
    page = windows.open(api_key=windows.service.admin_key, timezone_id="America/New_York")
    page.clock.set_fixed_time(datetime.datetime(2026, 6, 10, 18, 0, tzinfo=datetime.timezone.utc))  # 03:00 in Tokyo
    page.goto(f"{windows.service.address}/#/{mall}")
    page.wait_for_selector(".live-state.live")
    expect(page.locator(".state-text.closed").first).to_contain_text("opens at")
    expect(page.locator(".state-text.open")).to_have_count(0)
    page.clock.set_fixed_time(datetime.datetime(2026, 6, 11, 4, 0, tzinfo=datetime.timezone.utc))  # 13:00 in Tokyo
    page.click("[data-chip=open]")
    expect(page.locator(".state-text.open").first).to_contain_text("Open until")
    expect(page.locator(".state-text.closed")).to_have_count(0)


def test_nearest_restroom_is_listed_first(windows, mall):
    page = windows.map(mall)
    page.locator(".place").first.click()
    page.get_by_role("button", name="Nearest restroom").click()
    metres = [float(re.sub(r"[^\d]", "", text)) for text in page.locator(".distance").all_inner_texts()]
    assert metres and metres == sorted(metres)
    expect(page.locator("[data-chip=restroom]")).to_have_attribute("aria-pressed", "true")


def test_filters_beyond_the_edge_are_reached_with_a_mouse(windows, mall):
    page = windows.map(mall, reduced_motion="reduce")
    following, last = page.locator(".scroll-next"), page.locator(".chip").last
    expect(following).to_be_visible()
    expect(page.locator(".scroll-previous")).to_be_hidden()
    expect(last).not_to_be_in_viewport(ratio=1)
    while page.locator(".chips").evaluate("each => each.scrollLeft + each.clientWidth < each.scrollWidth - 1"):
        before = page.locator(".chips").evaluate("each => each.scrollLeft")
        following.click()
        page.wait_for_function("(before) => document.querySelector('.chips').scrollLeft > before", arg=before)
    expect(last).to_be_in_viewport(ratio=1)
    expect(following).to_be_hidden()
    last.click()
    expect(last).to_have_attribute("aria-pressed", "true")
    expect(last).to_be_in_viewport(ratio=1)
    page.locator(".scroll-previous").click()
    expect(following).to_be_visible()
    # A finger swipes.
    phone = windows.map(mall, viewport=(390, 844), has_touch=True, is_mobile=True)
    expect(phone.locator(".chip").last).not_to_be_in_viewport(ratio=1)
    expect(phone.locator(".scroll-next")).to_be_hidden()


def test_language_switch_keeps_the_map(windows, mall):
    page = windows.map(mall)
    page.evaluate("window.before = document.querySelector('.map-page').venueMap.mapLibre")
    page.get_by_role("button", name="日本語").click()
    expect(page.locator("#search")).to_have_attribute("placeholder", "店舗・施設を検索")
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    assert re.search(r"[\u3040-\u30ff\u4e00-\u9fff]", page.locator(".place-name").first.inner_text())
    assert page.evaluate("window.before === document.querySelector('.map-page').venueMap.mapLibre")


def test_missing_map_library_shows_how_to_install_it(windows, mall):
    page = windows.open()
    page.route("**/library/maplibre-gl.js", lambda route: route.fulfill(status=404))
    page.evaluate(f"sessionStorage.setItem('venuesync.key', '{windows.service.admin_key}')")
    page.goto(f"{windows.service.address}/?again#/{mall}")
    expect(page.locator(".state")).to_contain_text("Scripts/install-map-library")
