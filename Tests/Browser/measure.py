"""Measures the console: the time until a floor of 250 units is visible, and the longest task while a change set of 20 features is applied.

Run by Scripts/measure-console. Prints a line of JSON for each figure, and fails if one exceeds its budget.
"""
import json
import statistics
import sys

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS
from service import Service

RECORD_TASKS = """
window.tasks = [];
new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries()) window.tasks.push([startTime, duration]);
}).observe({ type: "longtask", buffered: true });
const check = () => {
    const map = document.querySelector(".map-page")?.venueMap;
    if (map?.labelCount > 0 && map.mapLibre.areTilesLoaded()) window.visibleAt = performance.now();
    else requestAnimationFrame(check);
};
requestAnimationFrame(check);
"""


def measure(browser, service, rounds=5):
    visible, longest = [], []
    for round in range(rounds):
        venue_key = f"mall-{round}"
        archive = service.create_venue(venue_key, "--levels", 2, "--units", 250, "--seed", 7 + round)
        context = browser.new_context(viewport={"width": 1280, "height": 800})
        context.set_default_timeout(30_000)
        context.add_init_script(RECORD_TASKS)
        context.add_init_script(f"sessionStorage.setItem('venuesync.key', '{service.admin_key}')")
        page = context.new_page()
        page.goto(f"{service.address}/#/{venue_key}")
        page.wait_for_function("() => window.visibleAt !== undefined")
        visible.append(page.evaluate("window.visibleAt"))
        page.wait_for_selector(".live-state.live")
        page.wait_for_function("() => document.querySelector('.map-page').venueMap.mapLibre.loaded()")
        places = page.evaluate("document.querySelector('.map-page').venueMap.places.length")
        start = page.evaluate("performance.now()")
        service.publish_edit(venue_key, archive, "rename=20")
        page.wait_for_selector(".live-state[data-revision='2']")
        page.wait_for_function("() => document.querySelector('.map-page').venueMap.mapLibre.loaded()")
        tasks = [duration for begin, duration in page.evaluate("window.tasks") if begin >= start]
        longest.append(max(tasks, default=0))
        context.close()
    return visible, longest, places


def main():
    service = Service(is_installed=True)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            visible, longest, places = measure(browser, service)
            browser.close()
    finally:
        service.stop()
    figures = [
        {"name": "first view of a 250-unit floor", "ms": round(statistics.median(visible)), "worst_ms": round(max(visible)), "budget_ms": 1500},
        {"name": "longest task, 20-feature change set", "ms": round(statistics.median(longest)), "worst_ms": round(max(longest)), "budget_ms": 200},
    ]
    for figure in figures:
        print(json.dumps({**figure, "places": places}))
    sys.exit(any(figure["ms"] > figure["budget_ms"] for figure in figures))


main()
