"""Measures the console: how soon a floor is visible and how many requests that takes, how fast loaded floors are switched, and the longest
task while a floor is opened and while a change set is applied.

Run by Scripts/measure-console. Prints a line of JSON for each figure, and fails if one exceeds its budget.
"""
import json
import statistics
import sys

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS
from service import ROOT, Service

RECORD_TASKS = """
window.tasks = [];
new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
// Not by animation frames, which the browser would have to draw.
const timer = setInterval(() => {
    const map = document.querySelector(".map-page")?.venueMap;
    if (!map) return;
    clearInterval(timer);
    map.mapLibre.on("render", () => {
        const isLoaded = map.labelCount > 0 && map.mapLibre.areTilesLoaded() && map.mapLibre.isSourceLoaded("floor:0");
        if (isLoaded) window.visibleAt ??= performance.now();
    });
}, 5);
"""


# What came from the server, with the page itself; not what the cache of the browser had.
LOADED = """() => [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
    .filter(({ transferSize }) => transferSize > 0).length"""
IS_DRAWN = """() => {
    const map = document.querySelector(".map-page")?.venueMap;
    return map?.labelCount > 0 && map.mapLibre.loaded();
}"""
# Clicks on a floor, and measures until a frame with its labels was drawn.
SWITCH = """(ordinal) => new Promise((resolve) => {
    const { venueMap } = document.querySelector(".map-page");
    const start = performance.now();
    const before = venueMap.labels.map(({ place }) => place.id).join();
    document.querySelector(`.floors [data-ordinal="${ordinal}"]`).click();
    const check = () => {
        const isDrawn = venueMap.labels.map(({ place }) => place.id).join() !== before && venueMap.mapLibre.areTilesLoaded();
        if (isDrawn) resolve(performance.now() - start);
        else requestAnimationFrame(check);
    };
    requestAnimationFrame(check);
})"""


def own_time(client):
    """The time that scripts, styles and layout have taken in a page so far, in milliseconds: not that of tiles and of drawing."""
    metrics = {each["name"]: each["value"] for each in client.send("Performance.getMetrics")["metrics"]}
    return 1_000 * sum(metrics[name] for name in ("ScriptDuration", "LayoutDuration", "RecalcStyleDuration"))


def open_map(browser, service, venue_key):
    # The service worker loads files too, later and in the background.
    context = browser.new_context(viewport={"width": 1280, "height": 800}, service_workers="block", reduced_motion="reduce")
    context.set_default_timeout(60_000)
    context.add_init_script(RECORD_TASKS)
    context.add_init_script(f"sessionStorage.setItem('venuesync.key', '{service.admin_key}')")
    page = context.new_page()
    # A new window loads pages of the browser's own, such as the one for its address field, in the first seconds.
    page.wait_for_timeout(3_000)
    page.goto(f"{service.address}/#/{venue_key}")
    page.wait_for_function("() => window.visibleAt !== undefined", polling=50)
    visible = page.evaluate("window.visibleAt")
    page.wait_for_selector(".live-state.live")
    page.wait_for_function(IS_DRAWN)
    return context, page, visible


# The same floor without labels, list, search, verification and storage: what the map library itself takes.
BARE_PAGE = """<!doctype html><meta charset="utf-8"><div id="map" style="position: fixed; inset: 0"></div>
<script src="/bare/maplibre-gl.js"></script>
<script>
const map = new maplibregl.Map({
    container: "map", bounds: BOUNDS, fadeDuration: 0, attributionControl: false,
    style: {
        version: 8, sources: { floor: { type: "geojson", data: "/bare/floor.geojson" } },
        layers: [
            { id: "ground", type: "background", paint: { "background-color": "#eee" } },
            { id: "areas", source: "floor", type: "fill", paint: { "fill-color": "#cde", "fill-antialias": false } },
            { id: "walls", source: "floor", type: "line", paint: { "line-color": "#678", "line-width": 1 } },
        ],
    },
});
map.on("render", () => {
    if (map.isSourceLoaded("floor") && map.areTilesLoaded()) window.visibleAt ??= performance.now();
});
</script>"""


def bare_view(browser, service, venue_key):
    """Milliseconds until the map library has drawn a floor on a page that has nothing else, and its longest task."""
    ground = {each["id"] for each in service.features(venue_key, 1, "level") if each["properties"]["ordinal"] == 0}
    drawn = [each for kind in ("unit", "fixture", "kiosk", "opening") for each in service.features(venue_key, 1, kind)
             if each["properties"]["level_id"] in ground]
    corners = [point for each in drawn if each["geometry"]["type"] == "Polygon" for point in each["geometry"]["coordinates"][0]]
    bounds = [[pick(axis) for axis in zip(*corners)] for pick in (min, max)]
    files = {
        "page": BARE_PAGE.replace("BOUNDS", json.dumps(bounds)),
        "floor.geojson": json.dumps({"type": "FeatureCollection", "features": drawn}),
        "maplibre-gl.js": (ROOT / ".map-library/maplibre-gl.js").read_text(),
    }
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    context.add_init_script(RECORD_TASKS)
    context.route("**/bare/*", lambda route: route.fulfill(
        body=files[route.request.url.rsplit("/", 1)[1]],
        content_type="text/html" if route.request.url.endswith("/page") else "text/javascript"))
    page = context.new_page()
    page.wait_for_timeout(3_000)  # As in `open_map`.
    page.goto(f"{service.address}/bare/page")
    page.wait_for_function("() => window.visibleAt !== undefined", polling=50)
    visible = page.evaluate("window.visibleAt")
    page.wait_for_function("() => map.loaded()")
    longest = max((duration for _, duration in page.evaluate("window.tasks")), default=0)
    context.close()
    return visible, longest


def measure(browser, service, rounds=5):
    figures = {name: [] for name in ("bare", "visible", "cold", "warm", "switch", "own", "longest", "large", "bare_large")}
    for round in range(rounds):
        venue_key = f"mall-{round}"
        archive = service.create_venue(venue_key, "--levels", 2, "--units", 250, "--seed", 7 + round)
        figures["bare"].append(bare_view(browser, service, venue_key)[0])
        context, page, visible = open_map(browser, service, venue_key)
        figures["visible"].append(visible)
        figures["cold"].append(page.evaluate(LOADED))
        places = page.evaluate("document.querySelector('.map-page').venueMap.places.length")
        start = page.evaluate("performance.now()")
        service.publish_edit(venue_key, archive, "rename=20")
        page.wait_for_selector(".live-state[data-revision='2']")
        page.wait_for_function(IS_DRAWN)
        tasks = [duration for begin, duration in page.evaluate("window.tasks") if begin >= start]
        figures["longest"].append(max(tasks, default=0))
        page.evaluate(SWITCH, 1)
        page.wait_for_function(IS_DRAWN)
        client = context.new_cdp_session(page)
        client.send("Performance.enable")
        for ordinal in (0, 1):
            before = own_time(client)
            figures["switch"].append(page.evaluate(SWITCH, ordinal))
            figures["own"].append(own_time(client) - before)
            page.wait_for_function(IS_DRAWN)
        page.reload()
        page.wait_for_selector(".live-state.live")
        figures["warm"].append(page.evaluate(LOADED))
        context.close()
    service.create_venue("large", "--levels", 1, "--units", 1000, "--seed", 7)
    for round in range(3):
        figures["bare_large"].append(bare_view(browser, service, "large")[1])
        context, page, _ = open_map(browser, service, "large")
        figures["large"].append(max((duration for _, duration in page.evaluate("window.tasks")), default=0))
        context.close()
    return figures, places


def main():
    with Service() as service:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            measured, places = measure(browser, service)
            browser.close()
    budgets = [
        ("first view of a 250-unit floor", "visible", "ms", 800),
        ("the same floor by the map library alone", "bare", "ms", None), ("requests of the first view", "cold", "requests", 25),
        ("requests of the next view", "warm", "requests", 5), ("switch to a loaded floor of 250 units, own time", "own", "ms", 150),
        ("the same, until it is drawn", "switch", "ms", None), ("longest task, 20-feature change set", "longest", "ms", 100),
        ("longest task, first view of 1,000 units", "large", "ms", 100),
        ("the same floor by the map library alone, longest task", "bare_large", "ms", None),
    ]
    figures = [
        {"name": name, unit: round(statistics.median(measured[key])), "worst": round(max(measured[key])), "budget": budget}
        for name, key, unit, budget in budgets]
    for figure in figures:
        print(json.dumps({**figure, "places": places}))
    sys.exit(any(figure["budget"] and figure.get("ms", figure.get("requests")) > figure["budget"] for figure in figures))


main()
