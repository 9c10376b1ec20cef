"""What is selected, found or changed is highlighted on the floor that is shown, and nothing else."""
from playwright.sync_api import expect

from map_page import settle


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


def test_search_dims_three_dimensional_walls(windows, mall):
    page = windows.map(mall)
    settle(page)
    page.click("[data-tool=walls]")
    opacity = """() => document.querySelector(".map-page").venueMap.mapLibre.getPaintProperty("floor:0/walls", "fill-extrusion-opacity")"""
    page.wait_for_function(f"() => ({opacity})() === 0.9")
    page.click("[data-chip=restroom]")
    page.wait_for_function(f"() => ({opacity})() < 0.5")
    page.click("[data-chip=restroom]")
    page.wait_for_function(f"() => ({opacity})() === 0.9")


def test_changes_stay_highlighted_when_others_follow(windows, mall):
    page = windows.map(mall, "?floor=0")
    settle(page)
    flashed = page.evaluate("""() => {
        // A busy machine may need more than the four seconds to draw them.
        const { setTimeout } = window;
        window.setTimeout = (act, time, ...rest) => setTimeout(act, time === 4_000 ? 12_000 : time, ...rest);
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


def test_floor_needs_few_shaders(windows, service, mall):
    """A page waits for each of them, and for everything that was drawn before."""
    page = windows.open(api_key=service.admin_key)
    page.evaluate("""() => {
        // The floor waits for the ground for a second at most (`maximumPaint`), which may be too short on a busy machine.
        const { setTimeout } = window;
        window.setTimeout = (act, time, ...rest) => setTimeout(act, time === 1_000 ? 20_000 : time, ...rest);
        window.programs = [];
        const { linkProgram } = WebGL2RenderingContext.prototype;
        WebGL2RenderingContext.prototype.linkProgram = function(program) {
            window.programs.push(document.querySelector(".map-page")?.venueMap?.mapLibre.getSource("floor:0") !== undefined);
            return linkProgram.call(this, program);
        };
    }""")
    page.evaluate(f"location.hash = '#/{mall}'")
    page.wait_for_selector(".live-state.live")
    page.wait_for_function("() => window.programs.length >= 4")
    settle(page)
    # The borders of tiles, areas, and lines are made for the ground, before there is a floor; that of dashes follows, see `FloorLayers`.
    assert page.evaluate("window.programs") == [False, False, False, True]
