"""What visitors rely on: facilities, search, hours, links, the way back, and what strangers see."""
import re

import pytest
from playwright.sync_api import expect

from service import edited_archive

STATES = """() => {
    const status = document.querySelector(".live-state");
    window.states = [];
    new MutationObserver(() => window.states.push(status.className)).observe(status, { attributes: true });
}"""


def create_edited(service, venue_key, edits, *arguments):
    """Creates a venue from a sample mall after edits of its files."""
    source = service.generate(f"{venue_key}-source.zip", *(arguments or ("--levels", 2, "--units", 24, "--seed", 7)))
    service.run_venue("push", edited_archive(source, service.folder / f"{venue_key}.zip", edits), "--to", venue_key, "--new")


def visible_middle(page):
    """The position in the middle of the part of the map that the panel leaves free."""
    return page.evaluate("""() => {
        const panel = document.querySelector(".panel").getBoundingClientRect();
        const canvas = document.querySelector(".map-canvas").getBoundingClientRect();
        const right = document.querySelector(".map-side").getBoundingClientRect().left;
        const map = document.querySelector(".map-page").venueMap.mapLibre;
        return map.unproject([(panel.right + right) / 2 - canvas.left, (canvas.height - 40) / 2]).toArray();
    }""")


def settle(page):
    page.wait_for_function("""() => {
        const map = document.querySelector(".map-page").venueMap.mapLibre;
        return map.loaded() && !map.isMoving();
    }""")


def metres(one, other):
    return (((one[0] - other[0]) * 90_600) ** 2 + ((one[1] - other[1]) * 111_320) ** 2) ** 0.5


def some_place(page, floor="", kind="shop"):
    return page.evaluate("""(kind) => {
        const place = document.querySelector(".map-page").venueMap.places.find((each) => each.kind === kind);
        return { id: place.id, name: place.name, point: place.point };
    }""", kind)


def test_facilities_that_are_units_have_filters_and_pictograms(windows, service, venue_key):
    create_edited(service, venue_key, {"amenity.geojson": lambda features: [
        each for each in features if not re.match("restroom|elevator|stairs|escalator", each["properties"]["category"])]})
    page = windows.map(venue_key)
    for kind in ("restroom", "elevator", "stairs", "escalator"):
        expect(page.locator(f"[data-chip={kind}]")).to_be_visible()
    page.click("[data-chip=restroom]")
    expect(page.locator(".list-title")).to_have_text(re.compile(r"^[1-9]\d* found$"))
    settle(page)
    drawn = page.evaluate("document.querySelector('.map-page').venueMap.labels.map(({ place }) => place.facility)")
    assert "restroom" in drawn


def test_nearest_facility_is_searched_on_other_floors_if_the_floor_has_none(windows, service, venue_key):
    level = []

    def only_upstairs(features):
        return [each for each in features if not each["properties"]["category"].startswith("restroom")]

    def rename(features):
        for each in features:
            if each["properties"]["category"].startswith("restroom") and each["properties"]["level_id"] in level:
                each["properties"]["category"] = "room"

    def ground(features):
        level.extend(each["id"] for each in features if each["properties"]["ordinal"] == 0)

    source = service.generate(f"{venue_key}-source.zip", "--levels", 2, "--units", 24, "--seed", 7)
    edited_archive(source, service.folder / f"{venue_key}-levels.zip", {"level.geojson": ground})
    archive = edited_archive(source, service.folder / f"{venue_key}.zip", {"unit.geojson": rename, "amenity.geojson": only_upstairs})
    service.run_venue("push", archive, "--to", venue_key, "--new")
    page = windows.map(venue_key)
    page.locator(".place").first.click()
    page.get_by_role("button", name="Nearest restroom").click()
    expect(page.locator(".list-title")).to_have_text(re.compile(r"^[1-9]\d* found$"))
    expect(page.locator(".places-floor")).to_have_count(1)
    expect(page.locator(".search-elsewhere")).to_contain_text("On other floors")


def open_large(windows, service, venue_key, **options):
    """A window with the map of a venue that says that it has many features, so that floors are not loaded for a search."""
    page = windows.open(api_key=service.admin_key, **options)

    def enlarge(route):
        response = route.fetch()
        document = response.json()
        document["levels"][0]["features"] = 30_000
        route.fulfill(response=response, json=document)

    page.route(f"**/venues/{venue_key}", enlarge)
    page.evaluate(f"location.hash = '#/{venue_key}'")
    page.wait_for_selector(".live-state.live")
    return page


def test_search_of_a_large_venue_names_the_floors_that_it_does_not_cover(windows, service, venue_key):
    service.create_venue(venue_key)
    page = open_large(windows, service, venue_key)
    page.route(f"**/venues/{venue_key}/search?*", lambda route: route.abort())
    upstairs = some_feature(service, venue_key, 1)
    page.fill("#search", upstairs["properties"]["name"]["en"])
    expect(page.locator(".search-scope")).to_contain_text("Not searched")
    page.locator(".search-scope button").click()
    expect(page.locator(f".place[data-id='{upstairs['id']}']")).to_be_visible()
    expect(page.locator(".search-scope")).to_have_count(0)


@pytest.mark.parametrize("locale, language", [("en-US", "en"), ("ja-JP", "ja")])
def test_search_of_a_large_venue_asks_the_server_for_the_other_floors(windows, service, mall, locale, language):
    upstairs = some_feature(service, mall, 1)
    page = open_large(windows, service, mall, locale=locale)
    with page.expect_response("**/search?*") as response:
        page.fill("#search", upstairs["properties"]["name"][language])
    assert "level=ordinal%3A1" in response.value.url and f"lang={language}" in response.value.url
    row = page.locator(f".place[data-id='{upstairs['id']}']")
    expect(row.locator(".place-name")).to_have_text(upstairs["properties"]["name"][language])
    expect(page.locator(".search-scope")).to_have_count(0)
    expect(page.locator(".floors [data-ordinal='1']")).to_have_attribute("data-found", re.compile("[1-9]"))
    assert not [url for url in windows.urls if "sync" in url and "level=ordinal%3A1" in url], "the floor is not loaded for the search"
    page.locator("#search").press("Enter")
    expect(page.locator(".place").first).to_be_focused()
    row.click()
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"][language])
    expect_floor(page, 1)
    expect(page.locator("#place-name")).to_be_focused()
    page.go_back()
    expect_floor(page, 0)
    expect(row).to_have_count(1)


def test_search_of_a_large_venue_lists_every_place_once(windows, service, mall):
    page = open_large(windows, service, mall)
    with page.expect_response("**/search?*") as response:
        page.fill("#search", "toilet")
    assert {each["level_id"] for each in response.value.json()["results"]}, "the server finds some"
    expect(page.locator(".places-floor")).to_have_count(3)
    before = page.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id).sort()")
    assert len(before) == len(set(before))
    expect(page.locator(".list-title")).to_have_text(f"{len(before)} found")
    windows.open(f"#/{mall}", api_key=service.admin_key)  # A venue that loads all floors finds the same.
    other = windows.contexts[-1].pages[0]
    other.wait_for_selector(".live-state.live")
    other.fill("#search", "toilet")
    expect(other.locator(".places-floor")).to_have_count(3)
    expect(other.locator(".search-scope")).to_have_count(0)
    assert before == other.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id).sort()")


def test_search_on_the_server_ends_when_the_text_changes(windows, service, mall):
    page = open_large(windows, service, mall)
    page.route("**/search?q=sushi&*", lambda route: None)
    with page.expect_request("**/search?q=sushi&*"):
        page.fill("#search", "sushi")
    expect(page.locator(".panel-body")).to_contain_text("Searching the other floors")
    with page.expect_event("requestfailed", lambda request: "q=sushi" in request.url):
        page.fill("#search", "toilet")
    expect(page.locator(".places-floor")).to_have_count(3)
    expect(page.locator(".search-scope")).to_have_count(0)
    page.unroute_all(behavior="ignoreErrors")


def test_opening_states_without_a_time_zone_are_unknown(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, "time_zone=null")
    page = windows.map(venue_key)
    expect(page.locator(".state-text.unknown").first).to_contain_text("no time zone")
    expect(page.locator(".state-text.open, .state-text.closed")).to_have_count(0)
    page.goto(f"{service.address}/#/{venue_key}/desk")
    expect(page.locator(".time-zone-notice")).to_contain_text("no time zone")


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


def test_requests_without_a_response_fail_after_a_time_limit(windows, service):
    page = windows.open(api_key=service.admin_key)
    page.clock.install()
    page.route("**/venues", lambda route: None)
    with page.expect_request("**/venues"):
        page.goto(f"{service.address}/?again")
    page.clock.run_for(90_000)
    expect(page.get_by_role("alert")).to_contain_text("does not respond")
    page.unroute_all(behavior="ignoreErrors")


def test_offline_browser_is_shown_at_once(windows, service, mall):
    page = windows.map(mall)
    page.context.set_offline(True)
    expect(page.locator(".live-state")).to_have_class("live-state offline", timeout=2_000)
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".toast.problem")).to_have_text("The server does not respond")
    page.get_by_role("button", name="日本語").click()
    page.click(".floors [data-ordinal='-1']")
    expect(page.locator(".toast.problem").last).to_have_text("サーバーが応答しません")
    page.context.set_offline(False)
    expect(page.locator(".live-state")).to_have_class("live-state live")


def test_refused_key_is_reported_on_the_map(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    page.route("**/events", lambda route: route.fulfill(
        status=401, content_type="application/problem+json", body='{"type": "/problems/unauthorized", "title": "Unauthorized"}'))
    page.evaluate(f"location.hash = '#/{mall}'")
    expect(page.locator(".live-state")).to_have_class("live-state refused")
    expect(page.locator(".live-state")).to_contain_text("Sign in again")


def test_zoom_buttons_keep_the_middle_of_the_visible_part(windows, mall):
    page = windows.map(mall)
    settle(page)
    before = visible_middle(page)
    for name in ("Zoom in", "Zoom in", "Zoom out"):
        page.get_by_role("button", name=name).click()
        settle(page)
    assert metres(before, visible_middle(page)) < 6


@pytest.mark.parametrize("query", ["?place={id}", "?floor=0&place={id}"])
def test_link_to_a_place_finds_its_floor_and_centres_on_it(windows, service, mall, query):
    upstairs = service.get_json(f"/venues/{mall}/revisions/1/features?level=ordinal:1&type=occupant")["features"][0]
    page = windows.map(mall, query.format(id=upstairs["id"]))
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    settle(page)
    point = page.evaluate("(id) => document.querySelector('.map-page').venueMap.places.find((each) => each.id === id).point", upstairs["id"])
    assert metres(point, visible_middle(page)) < 3


def test_link_to_a_missing_place_says_so(windows, mall):
    page = windows.map(mall, "?place=00000000-0000-4000-8000-000000000000")
    expect(page.locator(".toast")).to_contain_text("no longer exists")


def test_back_returns_to_what_the_map_showed_before(windows, mall):
    page = windows.map(mall)
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    page.go_back()
    expect(page.locator(".place-card")).to_have_count(0)
    expect(page.locator(".list-title")).to_be_visible()
    page.go_forward()
    expect(page.locator(".place-card")).to_be_visible()
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    page.go_back()
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "0")
    expect(page.locator(".place-card")).to_be_visible()


def some_feature(service, venue_key, ordinal):
    return service.get_json(f"/venues/{venue_key}/revisions/1/features?level=ordinal:{ordinal}&type=occupant")["features"][0]


def expect_floor(page, ordinal):
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", str(ordinal))


@pytest.mark.parametrize("query", ["?place={id}", "?floor=0&place={id}", "?floor=-1&place={id}"])
def test_link_opened_in_the_tab_of_the_venue_finds_the_floor_of_its_place(windows, service, mall, query):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}{query.format(id=upstairs['id'])}")
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    expect_floor(page, 1)
    settle(page)
    point = page.evaluate("(id) => document.querySelector('.map-page').venueMap.places.find((each) => each.id === id).point", upstairs["id"])
    assert metres(point, visible_middle(page)) < 3
    assert page.url.endswith(f"?floor=1&place={upstairs['id']}"), "the address says where the place is"
    expect(page.locator(".toast")).to_have_count(0)
    page.go_back()
    expect(page.locator(".place-card")).to_have_count(0)
    expect_floor(page, 0)
    page.go_forward()
    expect(page.locator(".place-card h2")).to_have_text(upstairs["properties"]["name"]["en"])
    expect_floor(page, 1)


def test_link_to_a_missing_place_in_the_tab_of_the_venue_says_so(windows, mall):
    page = windows.map(mall, locale="ja-JP")
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}?place=00000000-0000-4000-8000-000000000000")
    expect(page.locator(".toast")).to_have_text("リンク先の場所はもうありません。")
    expect(page.locator(".place-card")).to_have_count(0)
    assert page.url.endswith(f"#/{mall}?floor=0")


def test_link_that_was_left_before_its_place_is_found_changes_nothing(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    held = []
    page.route(f"**/features/{upstairs['id']}/history*", lambda route: held.append(route))
    with page.expect_request(f"**/features/{upstairs['id']}/history*"):
        page.evaluate("(hash) => location.hash = hash", f"#/{mall}?place={upstairs['id']}")
    page.locator(".place").first.click()
    name = page.locator(".place-card h2").inner_text()
    with page.expect_response(f"**/features/{upstairs['id']}/history*"):
        held[0].continue_()
    settle(page)
    expect(page.locator(".place-card h2")).to_have_text(name)
    expect_floor(page, 0)


def test_link_whose_place_cannot_be_asked_for_does_not_call_it_missing(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    page.route(f"**/features/{upstairs['id']}/history*", lambda route: route.abort())
    page.evaluate("(hash) => location.hash = hash", f"#/{mall}?place={upstairs['id']}")
    expect(page.locator(".toast.problem")).to_have_text("The server does not respond")


def test_back_from_a_result_on_another_floor_returns_to_the_search(windows, service, mall):
    upstairs = some_feature(service, mall, 1)
    page = windows.map(mall)
    page.focus("#search")
    page.fill("#search", upstairs["properties"]["name"]["en"])
    page.locator(f".place[data-id='{upstairs['id']}']").click()
    expect(page.locator(".place-card")).to_be_visible()
    page.go_back()
    expect(page.locator(".place-card")).to_have_count(0)
    expect_floor(page, 0)
    expect(page.locator(f".place[data-id='{upstairs['id']}']")).to_be_visible()


def test_public_venue_shows_strangers_no_log(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    service.run_venue("set", venue_key, "public=on")
    service.publish_edit(venue_key, archive, "rename=2")
    page = windows.map(venue_key, api_key=None)
    expect(page.get_by_role("link", name="Manage")).to_have_count(0)
    page.goto(f"{service.address}/#/{venue_key}/desk/history")
    expect(page.get_by_role("alert")).to_contain_text("A key is required")
    expect(page.locator(".timeline")).to_have_count(0)


# The states of the features that are highlighted on the screen, each once.
HIGHLIGHTED = """() => [...new Set(document.querySelector(".map-page").venueMap.mapLibre.queryRenderedFeatures()
    .filter(({ source }) => source === "highlights").map(({ properties }) => properties.state))].sort()"""


def test_selected_outline_is_above_all_walls(windows, mall):
    page = windows.map(mall)
    page.click("[data-tool=walls]")
    page.locator(".place").first.click()
    page.wait_for_function(f"() => ({HIGHLIGHTED})().includes('selected')")
    layers = page.evaluate("document.querySelector('.map-page').venueMap.mapLibre.getStyle().layers.map(({ id }) => id)")
    highlights = [index for index, name in enumerate(layers) if name.endswith("/highlight")]
    others = [index for index, name in enumerate(layers) if "/" in name and not name.startswith("highlights/")]
    assert highlights and min(highlights) > max(others), layers


def test_cleared_search_leaves_no_highlight(windows, mall):
    page = windows.map(mall)
    name = page.locator(".place-name").first.inner_text()
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    page.wait_for_function(f"() => ({HIGHLIGHTED})().includes('selected')")
    page.fill("#search", name)
    expect(page.locator(".list-title")).to_contain_text("found")
    page.wait_for_function(f"() => ({HIGHLIGHTED})().join() === 'found'")
    page.fill("#search", "")
    settle(page)
    page.wait_for_function(f"() => ({HIGHLIGHTED})().length === 0")
    assert "place=" not in page.url


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_doors_are_gaps_in_walls(windows, mall, scheme):
    page = windows.map(mall, color_scheme=scheme)
    door, floor = page.evaluate("""() => ["opening", "walkway"].map((name) =>
        getComputedStyle(document.documentElement).getPropertyValue(`--map-${name}`).trim())""")
    assert door == floor


def test_categories_are_never_shown_as_they_are_written(windows, service, venue_key):
    def recategorise(features):
        for index, each in enumerate(features):
            each["properties"]["category"] = ["boardinggate.aircraft", "zzunknown.thing"][index % 2]

    create_edited(service, venue_key, {"occupant.geojson": recategorise})
    page = windows.map(venue_key)
    texts = page.locator(".panel-body").inner_text()
    assert "Boarding gate" in texts and "boardinggate" not in texts.lower() and "zzunknown" not in texts.lower()
    assert page.locator(".place .swatch.other").count() > 0, "not a shop"


def test_floors_with_equal_names_are_distinguished(windows, service, venue_key):
    def rename(features):
        for each in features:
            if each["properties"]["ordinal"] in (1, 2):
                each["properties"]["short_name"] = {"en": "3", "ja": "3"}

    create_edited(service, venue_key, {"level.geojson": rename}, "--levels", 4, "--units", 8, "--seed", 7)
    page = windows.map(venue_key)
    names = page.locator(".floors button").all_inner_texts()
    assert len(set(names)) == len(names) > 2, names


def test_search_knows_synonyms_and_forgives_a_mistake(windows, service, venue_key):
    names = [("boardinggate", {"en": "5"}), ("coffee", {"en": "Starbucks"}), ("restaurant", {"ja": "寿司処", "en": "Midori"})]

    def rename(features):
        for each, (category, name) in zip(features, names):
            each["properties"].update(category=category, name=name)

    create_edited(service, venue_key, {"occupant.geojson": rename})
    page = windows.map(venue_key)
    page.focus("#search")
    for typed, expected in [("toilet", "restroom"), ("トイレ", "restroom"), ("gate 5", "5"), ("starbuks", "Starbucks"), ("すし", "Midori")]:
        page.fill("#search", typed)
        expect(page.locator(".place-name", has_text=expected).first).to_be_visible()
    page.fill("#search", "toilet")
    expect(page.locator(".list-title")).to_contain_text("found")
    assert set(page.locator(".place .swatch").evaluate_all("all => all.map((each) => each.classList[1])")) == {"restroom"}


def test_venue_without_levels_says_so(windows, service, venue_key):
    others = ["level", "unit", "section", "anchor", "amenity", "kiosk", "fixture", "detail", "opening", "occupant", "geofence",
              "footprint", "relationship"]
    create_edited(service, venue_key, {f"{name}.geojson": lambda features: [] for name in others})
    page = windows.map(venue_key)
    expect(page.locator(".panel-body")).to_contain_text("no floors")
    expect(page.locator(".map-note")).to_contain_text("no floors")


def test_list_of_places_is_one_tab_stop(windows, mall):
    page = windows.map(mall)
    page.focus("#search")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.floors') !== null"):
            break
    else:
        raise AssertionError("the floor picker is not reached")
    page.locator(".place").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".place").nth(1)).to_be_focused()
    page.keyboard.press("End")
    expect(page.locator(".place").last).to_be_focused()


def test_names_in_other_writing_directions_do_not_reverse_rows(windows, service, venue_key):
    def rename(features):
        for each in features:
            each["properties"]["name"] = {"en": "\u202eמקס 12"}

    create_edited(service, venue_key, {"occupant.geojson": rename})
    page = windows.map(venue_key)
    row = page.locator(".place", has_text="מקס").first
    assert row.locator(".place-name").evaluate("each => getComputedStyle(each).unicodeBidi") in ("isolate", "plaintext")
    assert row.locator(".swatch").bounding_box()["x"] < row.locator(".place-name").bounding_box()["x"]


def test_counts_of_one_are_singular(windows):
    page = windows.open()
    text = page.evaluate("""async () => (await import("/console/localization/localization.js"))
        .localized("venues.facts", { levels: 1, features: "1" })""")
    assert text == "1 floor · 1 feature"


def test_map_library_is_requested_by_the_map_only(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    expect(page.locator(".cards")).to_be_visible()
    assert not [url for url in windows.urls if "maplibre" in url or "/map/venue-map.js" in url]


def test_labels_stay_inside_their_units(windows, mall):
    page = windows.map(mall)
    settle(page)
    outside = """() => {
        const { venueMap } = document.querySelector(".map-page");
        const map = venueMap.mapLibre;
        return venueMap.labels.filter(({ place, left, right, top, bottom }) => {
            if (place.kind === "amenity" || !place.unit) return false;
            const points = [[left + 4, top + 4], [right - 4, top + 4], [left + 4, bottom - 4], [right - 4, bottom - 4]];
            const layers = map.getStyle().layers.map(({ id }) => id).filter((id) => /[/](unit|kiosk)[/]fill$/.test(id));
            return points.some((point) => !map.queryRenderedFeatures(point, { layers }).some(({ id, properties }) => properties.id === place.unit));
        }).map(({ place }) => place.name);
    }"""
    assert page.evaluate("document.querySelector('.map-page').venueMap.labels.length") > 5
    assert page.evaluate(outside) == []


def test_search_dims_other_places_instead_of_hiding_them(windows, mall):
    page = windows.map(mall)
    settle(page)
    page.click("[data-chip=restroom]")
    labels = "document.querySelector('.map-page').venueMap.labels.map(({ isFaint }) => isFaint)"
    page.wait_for_function(f"() => {{ const all = {labels}; return all.includes(true) && all.includes(false); }}")
    # What was found is drawn again above the faint floor.
    fills = """() => {
        const { mapLibre } = document.querySelector(".map-page").venueMap;
        const found = mapLibre.queryRenderedFeatures().filter(({ layer }) => layer.id === "highlights/unit/area");
        return [mapLibre.getPaintProperty("floor:0/unit/fill", "fill-opacity"), found.length > 0];
    }"""
    page.wait_for_function(f"() => ({fills})().join() === '0.35,true'")
    page.click("[data-chip=restroom]")
    page.wait_for_function(f"() => ({fills})().join() === '1,false'")


def test_changes_stay_highlighted_when_others_follow(windows, mall):
    page = windows.map(mall, "?floor=0")
    settle(page)
    flashed = page.evaluate("""() => {
        const { venueMap } = document.querySelector(".map-page");
        const [first, second] = venueMap.mapLibre.queryRenderedFeatures()
            .filter(({ properties }) => properties.feature_type === "unit").map(({ properties }) => properties.id);
        venueMap.flash(new Set([first]));
        venueMap.flash(new Set([second]));
        venueMap.flash(new Set());
        return [first, second].sort();
    }""")
    drawn = """() => [...new Set(document.querySelector(".map-page").venueMap.mapLibre.queryRenderedFeatures()
        .filter(({ source }) => source === "highlights").map(({ properties }) => properties.id))].sort()"""
    page.wait_for_function(f"(ids) => JSON.stringify(({drawn})()) === JSON.stringify(ids)", arg=flashed)
    page.wait_for_function(f"() => ({drawn})().length === 0")


def test_highlights_follow_the_floor(windows, mall):
    page = windows.map(mall, "?floor=0")
    page.click("[data-chip=restroom]")
    page.wait_for_function(f"() => ({HIGHLIGHTED})().includes('found')")
    levels = """() => {
        const { mapLibre } = document.querySelector(".map-page").venueMap;
        const drawn = mapLibre.queryRenderedFeatures();
        const shown = new Set(drawn.filter(({ source }) => source === "floor:1").map(({ properties }) => properties.id));
        const found = drawn.filter(({ source }) => source === "highlights").map(({ properties }) => properties.id);
        return found.length > 0 && found.every((id) => shown.has(id));
    }"""
    page.click(".floors [data-ordinal='1']")
    page.wait_for_function(levels)


def test_place_is_shared_as_a_link(windows, mall):
    page = windows.map(mall, permissions=["clipboard-read", "clipboard-write"])
    page.locator(".place").first.click()
    page.locator("[data-action=share]").click()
    expect(page.locator(".toast")).to_contain_text("copied")
    link = page.evaluate("navigator.clipboard.readText()")
    assert re.search(rf"/#/{mall}\?floor=0&place=[0-9a-f-]{{36}}$", link)


def test_embedded_map_has_no_bar(windows, service, mall):
    page = windows.open(f"#/{mall}?embed", api_key=service.admin_key)
    expect(page.locator(".place").first).to_be_visible()
    expect(page.get_by_role("banner")).to_be_hidden()
    page.locator(".place").first.click()
    assert "embed" in page.url
    page.reload()
    expect(page.locator(".place-card")).to_be_visible()
    expect(page.get_by_role("banner")).to_be_hidden()
