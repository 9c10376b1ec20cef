"""The list of places: it begins with some of them, and continues."""
from playwright.sync_api import expect

from map_page import settle, show_whole_list

# A busy page: what comes into view was reported before as outside of it, in the same call.
LATE_REPORTS = """{
    const Observer = window.IntersectionObserver;
    window.IntersectionObserver = class extends Observer {
        constructor(act, options) {
            super((changes, observer) => act([{ target: changes[0].target, isIntersecting: false }, ...changes], observer), options);
        }
    };
}"""


def listed(page):
    return page.locator(".place").evaluate_all("all => all.map(({ dataset }) => dataset.id)")


def test_list_of_places_is_one_tab_stop(windows, mall):
    page = windows.map(mall)
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
    page.keyboard.press("End")
    expect(page.locator(".place").last).to_be_focused()


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


def test_list_of_a_busy_page_continues(windows, service, mall):
    page = windows.open(api_key=service.admin_key)
    page.add_init_script(LATE_REPORTS)
    page.goto(f"{service.address}/?busy#/{mall}")
    page.wait_for_selector(".live-state.live")
    more = page.locator(".panel-body [data-id=more]")
    expect(more).to_be_attached()
    show_whole_list(page)
    expect(page.locator(".place")).to_have_count(page.evaluate("document.querySelector('.map-page').venueMap.places.length"))


def test_list_continues_by_keyboard(windows, mall):
    page = windows.map(mall)
    first = listed(page)
    number = page.evaluate("document.querySelector('.map-page').venueMap.places.length")
    last = page.locator(f".place[data-id='{first[-1]}']")
    last.focus()
    expect(page.locator(".place")).to_have_count(number)
    expect(last).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".place").nth(len(first))).to_be_focused()


def test_end_key_leads_to_the_last_place_of_a_list_that_continues(windows, mall):
    page = windows.map(mall)
    number = page.evaluate("document.querySelector('.map-page').venueMap.places.length")
    page.locator(".place").first.focus()
    page.keyboard.press("End")
    expect(page.locator(".place").nth(number - 1)).to_be_focused()


def test_focus_on_the_button_at_the_end_of_the_list_stays_in_the_list(windows, mall):
    page = windows.map(mall)
    first = listed(page)
    # The list is one stop of the Tab key.
    page.locator(".place").first.focus()
    page.keyboard.press("Tab")
    expect(page.locator(".place").nth(len(first))).to_be_focused()


def test_focus_returns_from_a_card_to_a_place_further_down_in_the_list(windows, mall):
    page = windows.map(mall)
    first = listed(page)
    settle(page)
    shop = page.evaluate("""(first) => {
        const { left, top } = document.querySelector(".map-canvas").getBoundingClientRect();
        const label = document.querySelector(".map-page").venueMap.labels.find(({ place }) => !first.includes(place.id));
        return { x: left + (label.left + label.right) / 2, y: top + (label.top + label.bottom) / 2, id: label.place.id };
    }""", first)
    page.mouse.click(shop["x"], shop["y"])
    page.locator(".place-card .back").click()
    expect(page.locator(f".place[data-id='{shop['id']}']")).to_be_focused()
