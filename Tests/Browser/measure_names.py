"""Measures the share of named public places whose name is on the map: at the first view of a venue, and two and four zooms closer.

Run by Scripts/measure-names with the paths of archives; without, it measures generated ones. Prints a line of JSON for each venue and zoom.
"""
import json
import pathlib
import sys

from playwright.sync_api import sync_playwright

from conftest import CHROMIUM, FLAGS
from map_page import settle
from service import Service

# Around how many places the closer views are, spread evenly over the floor.
VIEWS = 8
# The places that visitors look for by their name.
NAMED = """document.querySelector(".map-page").venueMap.places.filter((each) =>
    each.isNamed && !each.isMarked && !each.isBackOfHouse && each.kind !== "amenity")"""
# The places on the part of the map that nothing covers: how many they are, and how many have their name, or a short form of it.
COUNT = """() => {
    const { labels, mapLibre } = document.querySelector(".map-page").venueMap;
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const canvas = box(".map-canvas");
    const [left, right] = [box(".panel").right - canvas.left, box(".map-side").left - canvas.left];
    const isInView = ({ point }) => {
        const { x, y } = mapLibre.project(point);
        return x >= left && x <= right && y >= 0 && y <= canvas.height;
    };
    const named = NAMED.filter(isInView);
    const shown = new Map(labels.filter(({ image }) => image.isName).map(({ place, isShort }) => [place.id, Boolean(isShort)]));
    return { places: named.length, names: named.filter(({ id }) => shown.has(id)).length, short: named.filter(({ id }) => shown.get(id)).length };
}""".replace("NAMED", NAMED)
POINTS = """(count) => {
    const named = NAMED.map(({ point }) => point).sort(([ax, ay], [bx, by]) => ax - bx || ay - by);
    const step = Math.max(1, named.length / count);
    return Array.from({ length: Math.min(count, named.length) }, (_, index) => named[Math.floor((index + 0.5) * step)] ?? named.at(-1));
}""".replace("NAMED", NAMED)
MOVE = """([center, zoom]) => document.querySelector(".map-page").venueMap.mapLibre.jumpTo({ center, zoom })"""


def measure(browser, service, venue_key):
    context = browser.new_context(viewport={"width": 1280, "height": 800}, service_workers="block", reduced_motion="reduce")
    context.set_default_timeout(60_000)
    context.add_init_script(f"sessionStorage.setItem('venuesync.key', '{service.admin_key}')")
    page = context.new_page()
    page.goto(f"{service.address}/#/{venue_key}")
    page.wait_for_selector(".live-state.live")
    page.wait_for_function("() => document.querySelector('.map-page').venueMap.labelCount > 0")
    settle(page)
    first = page.evaluate("document.querySelector('.map-page').venueMap.mapLibre.getZoom()")
    points = page.evaluate(POINTS, VIEWS)
    for closer in (0, 2, 4):
        counts = []
        for point in points if closer else [None]:
            if point:
                page.evaluate(MOVE, [point, first + closer])
                settle(page)
            counts.append(page.evaluate(COUNT))
        total = {name: sum(each[name] for each in counts) for name in ("places", "names", "short")}
        share = round(100 * total["names"] / max(1, total["places"]))
        print(json.dumps({"venue": venue_key, "zoom": round(first + closer, 1), "closer": closer, "views": len(counts), "percent": share, **total}),
              flush=True)
    context.close()


def main():
    with Service() as service:
        venues = [f"archive-{number}" for number in range(1, len(sys.argv))]
        for venue_key, path in zip(venues, sys.argv[1:]):
            service.run_venue("push", pathlib.Path(path).resolve(), "--to", venue_key, "--new")
        if not venues:
            venues = ["mall", "large-mall"]
            service.create_venue("mall", "--levels", 3, "--units", 120, "--seed", 7)
            service.create_venue("large-mall", "--levels", 1, "--units", 1000, "--seed", 7)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            for venue_key in venues:
                measure(browser, service, venue_key)
            browser.close()


main()
