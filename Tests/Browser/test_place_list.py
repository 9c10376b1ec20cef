"""The list of places continues when its end comes into view, and is one stop of the Tab key. Its other keys are tested in Tests/Console."""
from playwright.sync_api import expect


def listed(page):
    return page.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id)")


def test_list_of_places_is_one_tab_stop(windows, mall):
    page = windows.map(mall)
    first = listed(page)
    # After the list comes the button at its end: the list continues, and keeps the focus.
    page.locator(".place").first.focus()
    page.keyboard.press("Tab")
    expect(page.locator(".place").nth(len(first))).to_be_focused()
    page.focus("#search")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.closest('.floors') !== null"):
            break
    else:
        raise AssertionError("the floor picker is not reached")
    page.locator(".place").first.focus()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".place").nth(1)).to_be_focused()


def test_list_continues_when_its_end_comes_into_view(windows, mall):
    page = windows.map(mall)
    first, more = listed(page), page.locator(".panel-body [data-id=more]")
    number = page.evaluate("document.querySelector('.map-page').venueMap.places.length")
    assert 0 < len(first) < number
    expect(more).to_have_text(f"Show more ({number - len(first)})")
    page.locator(".places").hover()
    while more.count():
        page.mouse.wheel(0, 200)
    expect(page.locator(".place")).to_have_count(number)
    assert listed(page)[:len(first)] == first and len(set(listed(page))) == number
