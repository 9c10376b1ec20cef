"""What is found is highlighted on the floor that is shown, by few shaders. What is highlighted and dimmed is tested in Tests/Console."""
from map_page import settle


# The states of the features that are highlighted on the screen, each once.
HIGHLIGHTED = """() => [...new Set(document.querySelector(".map-page").venueMap.mapLibre.queryRenderedFeatures()
    .filter(({ source }) => source === "highlights").map(({ properties }) => properties.state))].sort()"""


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
