"""Measures the console: how soon a floor of 250 units is seen, and how long the page is busy with a change set of 20 features.

Scripts/measure-console runs it. A line of JSON for each figure; it fails when one is beyond its budget.
"""
import json
import statistics
import sys

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS
from service import Service

WATCH = """
window.tasks = [];
new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
const look = () => {
    const map = document.querySelector(".map-page")?.venueMap;
    if (map?.labelCount > 0 && map.mapLibre.areTilesLoaded()) window.seen = performance.now();
    else requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""


def measure(browser, service, rounds=5):
    seen, busy = [], []
    for round in range(rounds):
        key = f"mall-{round}"
        archive = service.create_venue(key, "--levels", 2, "--units", 250, "--seed", 7 + round)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(30_000)
        context.add_init_script(WATCH)
        context.add_init_script(f"sessionStorage.setItem('venuesync.key', '{service.admin_key}')")
        page = context.new_page()
        page.goto(f"{service.address}/#/{key}")
        page.wait_for_function("() => window.seen !== undefined")
        seen.append(page.evaluate("window.seen"))
        page.wait_for_selector(".live-state.live")
        page.wait_for_function("() => document.querySelector('.map-page').venueMap.mapLibre.loaded()")
        units = page.evaluate("document.querySelector('.map-page').venueMap.places.length")
        start = page.evaluate("performance.now()")
        service.publish_edit(key, archive, "rename=20")
        page.wait_for_selector(".live-state[data-revision='2']")
        page.wait_for_function("() => document.querySelector('.map-page').venueMap.mapLibre.loaded()")
        tasks = [duration for begin, duration in page.evaluate("window.tasks") if begin >= start]
        busy.append(max(tasks, default=0))
        context.close()
    return seen, busy, units


def main():
    service = Service(is_installed=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            seen, busy, places = measure(browser, service)
            browser.close()
    finally:
        service.stop()
    figures = [
        {"name": "first view of a 250-unit floor", "ms": round(statistics.median(seen)), "worst_ms": round(max(seen)), "budget_ms": 1500},
        {"name": "longest task, 20-feature change set", "ms": round(statistics.median(busy)), "worst_ms": round(max(busy)), "budget_ms": 200},
    ]
    for figure in figures:
        print(json.dumps({**figure, "places": places}))
    sys.exit(any(figure["ms"] > figure["budget_ms"] for figure in figures))


main()
