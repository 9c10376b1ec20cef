"""The map of a comparison, as the browser draws it. The table, the list and what the map has: Tests/Console/comparison.test.js and
difference-map.test.js."""
import re

import pytest
from playwright.sync_api import expect

from desk import open_desk
from test_malformed_archives import malformed_archive


@pytest.fixture(scope="module")
def compared(service):
    """A venue with two revisions that no test changes."""
    archive = service.create_venue("mall.compared", "--levels", 2, "--units", 40, "--seed", 7)
    service.publish_edit("mall.compared", archive, "rename=6,move=4")
    return "mall.compared"


def open_comparison(windows, compared, **options):
    page = open_desk(windows, compared, "/compare?from=1&to=2", **options)
    expect(page.locator(".change").first).to_be_visible()
    return page


def test_comparison_divider_moves_by_keyboard_and_pointer(windows, compared):
    page = open_comparison(windows, compared)
    page.get_by_role("button", name="Before and after").click()
    expect(page.locator(".diff-label-before")).to_have_text("Revision 1")
    divider = page.locator(".diff-divider")
    middle = float(divider.get_attribute("x1"))
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    assert float(divider.get_attribute("x1")) < middle
    page.keyboard.press("End")
    assert float(divider.get_attribute("x1")) > middle
    # The handle moves it too.
    page.locator(".diff-handle").scroll_into_view_if_needed()
    box = page.locator(".diff-drawing").bounding_box()
    handle = page.locator(".diff-handle").bounding_box()
    page.mouse.move(handle["x"] + 20, handle["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, handle["y"] + 20)
    page.mouse.up()
    expect(slider).to_have_value("25")
    assert float(divider.get_attribute("x1")) < middle


def test_comparison_labels_and_colours_places_on_both_sides(windows, service, compared):
    changes = service.get_json(f"/venues/{compared}/diff?from=1&to=2&bodies=true&limit=1000")["changes"]
    for language in ("en", "ja"):
        page = open_comparison(windows, compared, locale=language)
        labels = lambda side, what="name": page.locator(f".diff-labels-{side} text").evaluate_all(
            f"all => all.map((each) => each.dataset.{what})")
        renamed = [change for change in changes if change["feature_type"] == "occupant" and change["kind"] == "changed"
                   and change["before"]["properties"]["name"] != change["after"]["properties"]["name"]]
        names = [[change[side]["properties"]["name"].get(language) for change in renamed] for side in ("before", "after")]
        assert set(labels("before")) & set(names[0]) and set(labels("after")) & set(names[1])
        assert not set(labels("both", "feature")) & {change["id"] for change in renamed}
        assert len(labels("both")) > 5
        # Enough space for the names of a renamed shop: the list brings it into view.
        page.locator(f".change[data-id='{renamed_on(page, renamed)}'] > summary").click()
        # On top of each other, there is one name for each place; side by side, each side has its own.
        shown = page.locator(".diff-labels-before text:not(.is-crowded)").first
        expect(shown).not_to_be_visible()
        split = page.get_by_role("button", name="Before and after" if language == "en" else "前後の比較")
        split.focus()
        page.keyboard.press("Enter")
        for side in ("before", "after"):
            group = page.locator(f".diff-labels-{side}")
            assert group.get_attribute("clip-path") == page.locator(f"g.diff-{side}").get_attribute("clip-path") is not None
        page.get_by_role("slider").focus()
        page.keyboard.press("End")
        expect(shown).to_be_visible()
        fills = page.locator(".diff-before .diff-area, .diff-after .diff-area, .floor-unit").evaluate_all(
            "all => all.map((each) => getComputedStyle(each).fill)")
        assert len(set(fills)) > 3 and not any("url" in fill for fill in fills), fills
        # No two visible labels of a side overlap.
        overlaps = page.evaluate("""() => {
            const boxes = [...document.querySelectorAll(".diff-labels-both text, .diff-labels-after text")]
                .filter((each) => getComputedStyle(each).display !== "none").map((each) => each.getBoundingClientRect());
            return boxes.filter((one, i) => boxes.some((two, j) => j > i && one.left < two.right && two.left < one.right
                && one.top < two.bottom && two.top < one.bottom)).length;
        }""")
        assert overlaps == 0


def renamed_on(page, renamed):
    """The id of a renamed shop on the floor that is shown."""
    shown = page.locator(".change").evaluate_all("all => all.map((each) => each.dataset.id)")
    return next(change["id"] for change in renamed if change["id"] in shown)


def test_comparison_of_malformed_archive_shows_valid_parts(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24, "--seed", 7)
    malformed_archive(archive, service.folder / f"{venue_key}-malformed.zip")
    service.run_venue("push", service.folder / f"{venue_key}-malformed.zip", "--to", venue_key)
    page = open_desk(windows, venue_key, "/compare?from=1&to=2")
    for row in page.locator(".level-table button").all():
        row.click()
        expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
        expect(page.locator(".diff-drawing")).to_have_attribute("viewBox", re.compile(r"^(-?[\d.e-]+ ?){4}$"))
        for entry in page.locator(".change summary").all()[:12]:
            entry.click()
    for mode in ("Before and after", "Overlay"):
        page.get_by_role("button", name=mode, exact=True).click()
    assert page.evaluate("window.injected") is None
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{service.get_json(f'/venues/{venue_key}/uploads?limit=1')['uploads'][0]['id']}'")
    expect(page.locator(".rule").first).to_be_visible()
    for rule in page.locator(".rule > summary").all()[:10]:
        rule.click()
    expect(page.locator(".finding-message").first).to_be_visible()
