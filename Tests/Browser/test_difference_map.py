"""The map of a comparison in the style of the visitor's map, on both sides. What is on it: Tests/Console/difference-map.test.js."""
import re

import pytest
from playwright.sync_api import expect

import edits
from desk import open_desk
from service import edited_archive
from test_appearance import set_appearance

# Texts whose corners are not inside the same unit or kiosk as their middle. Labels may reach over a wall by the width of their halo.
CROSSING_LABELS = """() => {
    const drawing = document.querySelector(".diff-drawing");
    const toPlane = drawing.getScreenCTM().inverse();
    const rings = [...document.querySelectorAll(".floor-unit, .floor-kiosk")].flatMap((path) => path.getAttribute("d").split("M").slice(1)
        .map((part) => part.replace("Z", "").split("L").map((point) => point.split(" ").map(Number))));
    const areaOf = (ring) => Math.abs(ring.reduce((sum, [x, y], i) => sum + x * ring[(i + 1) % ring.length][1] - ring[(i + 1) % ring.length][0] * y, 0));
    rings.sort((one, other) => areaOf(one) - areaOf(other));
    const isInside = (ring, x, y) => ring.reduce((inside, [ax, ay], i) => {
        const [bx, by] = ring[(i + 1) % ring.length];
        return (ay > y) !== (by > y) && x < (bx - ax) * (y - ay) / (by - ay) + ax ? !inside : inside;
    }, false);
    const texts = [...drawing.querySelectorAll(".diff-labels text:not(.is-crowded)")].filter((text) => text.getBoundingClientRect().width > 0);
    const crossing = texts.filter((text) => {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const at = (x, y) => new DOMPoint(x, y).matrixTransform(toPlane);
        const middle = at((left + right) / 2, (top + bottom) / 2);
        const ring = rings.find((each) => isInside(each, middle.x, middle.y));
        return ![[left + 4, top + 4], [right - 4, top + 4], [right - 4, bottom - 4], [left + 4, bottom - 4]]
            .map(([x, y]) => at(x, y)).every(({ x, y }) => ring && isInside(ring, x, y));
    });
    return { count: texts.length, crossing: crossing.map((text) => text.textContent) };
}"""


@pytest.fixture(scope="module")
def compared(service):
    """A venue with two revisions, of which the second has other floors, too."""
    def move_corner(features):
        for feature in features:
            ring = feature["geometry"]["coordinates"][0]
            ring[1] = [ring[1][0] + 0.0001, ring[1][1]]

    archive = service.create_venue("mall.drawn", "--levels", 2, "--units", 40, "--seed", 7)
    following = service.generate("mall.drawn-2.zip", "--next-of", archive, "--edit", "rename=8,move=4,remove=12", "--seed", 3)
    edited = edited_archive(following, service.folder / "mall.drawn-3.zip", {"level.geojson": move_corner})
    service.run_venue("push", edited, "--to", "mall.drawn")
    return "mall.drawn"


def open_floor(windows, compared, **options):
    """The comparison of the two revisions, with a floor on the map."""
    page = open_desk(windows, compared, "/compare?from=1&to=2", viewport=(1600, 1000), **options)
    page.locator(".level-table button").filter(has_text="1F").first.click()
    expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
    expect(page.locator(".diff-surface .floor-unit").first).to_be_attached()
    return page


def split(page):
    page.get_by_role("button", name="Before and after").click()


def test_names_on_the_map_of_a_difference_do_not_cross_walls(windows, compared):
    page = open_floor(windows, compared)
    seen = 0
    for mode in ("Overlay", "Before and after"):
        page.get_by_role("button", name=mode, exact=True).click()
        for _ in range(4):
            result = page.evaluate(CROSSING_LABELS)
            assert result["crossing"] == []
            seen += result["count"]
            page.get_by_role("button", name="Zoom in").click()
        page.get_by_role("button", name="Show the whole floor").click()
    assert seen > 10


def test_state_before_is_shown_only_where_nothing_replaces_it_or_side_by_side(windows, compared):
    page = open_floor(windows, compared)
    before, after = (page.locator(f".diff-surface-{side} .floor-facade") for side in ("before", "after"))
    assert before.get_attribute("d") != after.get_attribute("d")
    expect(before).not_to_be_visible()
    expect(after).to_be_visible()
    for replaced in page.locator(".diff-labels-before .is-replaced").all():
        expect(replaced).not_to_be_visible()
    removed = page.locator(".change.diff-is-removed").evaluate_all("all => all.map((each) => each.dataset.id)")
    shop = next(each for each in removed if page.locator(f".diff-labels-before text[data-feature='{each}']").count())
    page.locator(f".change[data-id='{shop}'] > summary").click()
    expect(page.locator(f".diff-labels-before text[data-feature='{shop}']")).to_be_visible()
    split(page)
    for side, path in (("before", before), ("after", after)):
        expect(path).to_be_visible()
        assert re.search(rf"-{side}\)$", path.locator("xpath=..").get_attribute("clip-path"))


def test_map_of_a_difference_has_the_colours_of_the_map_in_both_modes(windows, compared):
    page = open_floor(windows, compared, color_scheme="dark")
    for _ in range(2):
        wrong = page.evaluate("""() => {
            const probe = document.createElement("span");
            document.body.append(probe);
            const colourOf = (name) => {
                probe.style.color = `var(--map-${name})`;
                return getComputedStyle(probe).color;
            };
            const groups = ["shop", "food", "service", "restroom", "vertical", "room"];
            const units = groups.flatMap((group) => [...document.querySelectorAll(`.diff-surface .floor-${group}`)].map((each) =>
                [group, getComputedStyle(each).fill, colourOf(group)]));
            probe.remove();
            return { count: units.length, wrong: units.filter(([, fill, colour]) => fill !== colour) };
        }""")
        assert wrong["wrong"] == [] and wrong["count"] > 3
        split(page)


def test_map_of_a_difference_has_the_colours_of_the_venue(windows, service, compared):
    page = open_floor(windows, compared)
    usual = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
    set_appearance(service, compared, colours={"shop": {"light": "#aabbcc", "dark": "#332211"}}, accent="#a02060")
    page.reload()
    expect(page.locator(".diff-surface .floor-unit").first).to_be_attached()
    page.locator(".level-table button").filter(has_text="1F").first.click()
    shop = page.locator(".diff-surface .floor-shop").first
    expect(shop).to_have_css("fill", "rgb(170, 187, 204)")
    page.emulate_media(color_scheme="dark")
    expect(shop).to_have_css("fill", "rgb(51, 34, 17)")
    page.emulate_media(color_scheme="light")
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')") == usual
    page.evaluate("location.hash = '#/'")
    page.wait_for_selector(".venues-header")
    assert page.evaluate("document.documentElement.style.length") == 0
    edits.call(service, "PATCH", f"/venues/{compared}", {"appearance": None})
