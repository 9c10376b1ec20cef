"""A finding of a staged upload with its map is at the top of the window, below the decision."""
import re

import pytest
from playwright.sync_api import expect

from desk import open_desk, stage_upload


def top_below_decision(page):
    """How many pixels the view of the finding begins below the decision; None if that does not stick to the top of the page."""
    return page.evaluate("""() => {
        const [view, decision, main] = [".finding-view", ".upload-line", "main"].map((name) => document.querySelector(name).getBoundingClientRect());
        return decision.top > main.top + 4 ? null : Math.round(view.top - decision.bottom);
    }""")


def expect_below_decision(page):
    expect(page.locator(".comparison .change-pane")).to_be_visible()
    expect(page.locator("[aria-busy]")).to_have_count(0)
    page.wait_for_function("""() => {
        const { top } = document.querySelector(".finding-view").getBoundingClientRect();
        if (window.lastTop !== top) Object.assign(window, { lastTop: top, steadySince: performance.now() });
        return performance.now() - window.steadySince > 500;
    }""")
    distance = top_below_decision(page)
    assert distance is not None and 0 <= distance <= 24


@pytest.mark.parametrize("way", ["reload", "click"])
def test_finding_stands_below_the_decision_although_the_page_above_it_grows(windows, service, venue_key, way):
    archive = service.create_venue(venue_key)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, viewport=(1280, 800))
    # The first request is that of the difference above the finding. It is answered after the finding is shown.
    held = []
    page.route(re.compile("/changes[?]level=[0-9a-f]{8}-"), lambda route: route.continue_() if held else held.append(route))
    target = f"#/{venue_key}/desk/uploads/{waiting}"
    pin = page.locator(".finding-view .diff-pin path")
    if way == "click":
        page.evaluate(f"location.hash = '{target}'")
        rule = page.locator(".rule", has_text="TO-").first
        rule.locator("summary").click()
        rule.locator(".finding-link").first.click()
    else:
        page.evaluate(f"location.hash = '{target}?finding={first_finding(service, waiting)}'")
        expect(pin).to_be_visible()
        held.clear()
        page.reload()
    expect(pin).to_be_visible()
    held[0].continue_()
    expect_below_decision(page)
    # After the user has scrolled, the page stays where it is.
    page.mouse.move(640, 785)
    page.mouse.wheel(0, -200)
    page.wait_for_function("() => document.querySelector('.finding-view').getBoundingClientRect().top > window.lastTop + 150")
    page.evaluate("() => { document.querySelector('#findings').style.paddingBottom = '150px'; }")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    assert top_below_decision(page) > 150


def first_finding(service, upload, rule="TO-"):
    """The name of the first finding of a rule, as in the URL."""
    findings = service.get_json(f"/uploads/{upload}/findings?limit=1000")["findings"]
    return next(f"{each['rule']}:0" for each in findings if each["rule"].startswith(rule))
