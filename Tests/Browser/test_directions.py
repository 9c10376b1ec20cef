"""Directions in a browser: by the keyboard alone, with the way drawn where nothing covers it, without a network, and without findings of
axe-core. What directions say is tested in Tests/Console."""
import re

import pytest
from playwright.sync_api import expect

from accessibility import findings
from map_page import expect_floor, settle, some_feature
from page_clock import NOON

# How many features of the way the map draws, and which of its positions on the shown floor something covers.
DRAWN = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    return mapLibre.getLayer("route/current/line") ? mapLibre.queryRenderedFeatures({ layers: ["route/current/line"] }).length : 0;
}"""
COVERED = """() => {
    const map = document.querySelector(".map-page").venueMap.mapLibre;
    const canvas = document.querySelector(".map-canvas").getBoundingClientRect();
    const shown = [".panel", ".panel-body", ".map-side", ".bar"].flatMap((selector) => [...document.querySelectorAll(selector)])
        .map((each) => each.getBoundingClientRect()).filter(({ width, height }) => width > 0 && height > 0);
    // A ride has no line.
    const { features } = map.getSource("route")?.serialize().data ?? { features: [] };
    return features.filter(({ properties }) => properties.isCurrent).flatMap(({ geometry }) => geometry.coordinates)
        .map((position) => map.project(position)).map(({ x, y }) => [x + canvas.left, y + canvas.top])
        .filter(([x, y]) => x < canvas.left || y < canvas.top || x > canvas.right || y > canvas.bottom
            || shown.some(({ left, top, right, bottom }) => left <= x && x <= right && top <= y && y <= bottom));
}"""

# The marks at the ends of the leg that is shown, how many there are, and those that something or a name covers, or that are beyond the map.
MARKS = """() => {
    const { venueMap } = document.querySelector(".map-page");
    const canvas = document.querySelector(".map-canvas").getBoundingClientRect();
    const boxes = (selector) => [...document.querySelectorAll(selector)].map((each) => each.getBoundingClientRect())
        .filter(({ width, height }) => width > 0 && height > 0);
    const { features } = venueMap.mapLibre.getSource("route")?.serialize().data ?? { features: [] };
    const ends = features.filter(({ properties }) => properties.isCurrent).flatMap(({ geometry }) => [geometry.coordinates[0], geometry.coordinates.at(-1)])
        .map((position) => venueMap.mapLibre.project(position)).map(({ x, y }) => [x + canvas.left, y + canvas.top]);
    const marks = boxes(".route-mark, .you-are-here, .you-are-here span")
        .filter(({ left, top, right, bottom }) => ends.some(([x, y]) => left - 2 <= x && x <= right + 2 && top - 30 <= y && y <= bottom + 2));
    const names = venueMap.labels.map(({ left, top, right, bottom }) => (
        { left: left + canvas.left, top: top + canvas.top, right: right + canvas.left, bottom: bottom + canvas.top }));
    const covers = [".panel", ".panel-body", ".map-side", ".map-corner", ".bar"].flatMap(boxes).concat(names);
    const isCovered = ({ left, top, right, bottom }) => left < canvas.left || top < canvas.top || right > canvas.right || bottom > canvas.bottom
        || covers.some((cover) => left < cover.right - 1 && cover.left < right - 1 && top < cover.bottom - 1 && cover.top < bottom - 1);
    return { count: marks.length, covered: marks.filter(isCovered).map(({ left, top, right, bottom }) => [left, top, right, bottom]) };
}"""
NAMED = "() => document.querySelector('.map-page').venueMap.labels.map(({ place }) => place.id)"


def ends(service, venue, first=-1, second=1):
    return [some_feature(service, venue, ordinal)["id"] for ordinal in (first, second)]


def open_way(windows, service, venue, more="", first=-1, second=1, **options):
    start, goal = ends(service, venue, first, second)
    page = windows.open(f"#/{venue}?from={start}&to={goal}{more}", api_key=service.admin_key, reduced_motion="reduce", now=NOON, **options)
    # A sheet covers the status line.
    page.wait_for_selector(".live-state.live", state="attached")
    expect(page.locator(".directions-sum")).to_be_visible()
    settle(page)
    return page


def test_way_is_found_by_the_keyboard_alone_and_has_no_accessibility_findings(windows, service, mall):
    start, goal = (some_feature(service, mall, ordinal) for ordinal in (0, 1))
    page = windows.map(mall, f"?place={goal['id']}", reduced_motion="reduce", bypass_csp=True, now=NOON)
    page.focus(".place-card [data-action=directions]")
    page.keyboard.press("Enter")
    title = page.locator("#directions-title")
    expect(title).to_be_focused()
    expect(title).to_have_text("Choose where you start")
    assert findings(page) == []
    page.focus("#search")
    page.keyboard.type(start["properties"]["name"]["en"])
    expect(page.locator(f".place[data-id='{start['id']}']")).to_be_visible()
    page.focus(f".place[data-id='{start['id']}']")
    page.keyboard.press("Enter")
    expect(page.locator(".directions-sum")).to_have_text(re.compile(r"^\d+ m, about \d+ min$"))
    expect(title).to_be_focused()
    expect_floor(page, 0)
    settle(page)
    assert page.evaluate(DRAWN) > 0
    assert findings(page) == []
    # In the order of what is seen: share, close, the ends, how to move, the steps.
    names = []
    for _ in range(9):
        page.keyboard.press("Tab")
        names.append(page.evaluate("Object.values({ ...document.activeElement.dataset })[0]"))
    assert names == ["share", "close", "from", "to", "swap", "walk", "step-free", "next", "0"]
    page.focus("[data-action=next]")
    for _ in range(page.locator(".directions-legs li").count() - 1):
        page.keyboard.press("Enter")
    expect_floor(page, 1)
    expect(page.locator(".directions-legs [aria-current=step]")).to_have_count(1)
    assert "from=" in page.url and "floor=1" in page.url
    page.reload()
    expect(page.locator(".directions-sum")).to_be_visible()
    expect_floor(page, 1)
    page.go_back()
    expect(page.locator("#place-name")).to_have_text(goal["properties"]["name"]["en"])
    expect(page.locator(".directions")).to_have_count(0)


def shown_legs(page):
    """Shows one leg after the other, of which there are at least three, and yields the index of each."""
    count = page.locator(".directions-legs li").count()
    assert count >= 3
    for index in range(count):
        page.click(f"[data-leg='{index}']")
        expect(page.locator(f"[data-leg='{index}']")).to_have_attribute("aria-current", "step")
        settle(page)
        yield index


@pytest.mark.parametrize(("viewport", "scheme"), [((390, 844), "light"), ((844, 390), "dark"), ((1280, 800), "dark")])
def test_nothing_covers_the_leg_that_is_shown(windows, service, mall, viewport, scheme):
    page = open_way(windows, service, mall, viewport=viewport, color_scheme=scheme)
    drawn = 0
    for _ in shown_legs(page):
        drawn += page.evaluate(DRAWN) > 0
        assert page.evaluate(COVERED) == []
    assert drawn >= 2


@pytest.mark.parametrize("viewport", [(390, 844), (1080, 1920), (1920, 1080)])
def test_marks_of_a_leg_on_a_kiosk_are_not_covered_and_its_destination_is_named(windows, service, mall, viewport):
    goal = some_feature(service, mall, 1)["id"]
    position = service.get_json(f"/venues/{mall}/revisions/1/features?level=ordinal:0&type=anchor")["features"][0]["geometry"]["coordinates"]
    page = windows.open(
        f"#/{mall}?kiosk&at={position[0]},{position[1]}&floor=1&home=0&place={goal}", api_key=service.admin_key, reduced_motion="reduce", now=NOON,
        viewport=viewport)
    page.click(".place-card [data-action=directions]")
    expect(page.locator(".directions-sum")).to_be_visible()
    marks = 0
    for index in shown_legs(page):
        shown = page.evaluate(MARKS)
        assert shown["covered"] == [], (index, shown)
        marks += shown["count"]
    assert marks >= 3
    assert goal in page.evaluate(NAMED)


def test_way_is_found_without_a_network_once_the_floors_are_there(windows, service, mall):
    page = open_way(windows, service, mall)
    page.context.set_offline(True)
    sent = len(windows.urls)
    page.click("[data-action=swap]")
    expect(page.locator(".directions-sum")).to_be_visible()
    page.click("[data-profile=step-free]")
    expect(page.locator(".directions-sum")).to_be_visible()
    expect(page.locator(".directions-legs")).to_contain_text("lift")
    assert [url for url in windows.urls[sent:] if "/venues/" in url and "/sync" not in url] == []
    page.context.set_offline(False)


def test_dot_runs_along_the_way_only_where_motion_is_not_reduced(windows, service, mall):
    start, goal = ends(service, mall)
    for motion, count in (("no-preference", 1), ("reduce", 0)):
        page = windows.map(mall, f"?from={start}&to={goal}", reduced_motion=motion, now=NOON)
        expect(page.locator(".directions-sum")).to_be_visible()
        added = page.evaluate("""() => new Promise((resolve) => {
            let added = 0;
            const observer = new MutationObserver((records) => {
                for (const { addedNodes } of records) for (const each of addedNodes) if (each.className === "route-runner") added += 1;
            });
            observer.observe(document.querySelector(".map-canvas"), { childList: true });
            document.querySelector("[data-leg='0']").click();
            setTimeout(() => resolve(added), 300);
        })""")
        assert added == count
        page.close()
