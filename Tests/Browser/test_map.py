"""The map page: the floors are loaded from the server when they are opened, and all filters are reached. More is in Tests/Console."""
from playwright.sync_api import expect


def test_floors_are_loaded_when_opened(windows, mall):
    page = windows.map(mall)
    syncs = [url for url in windows.urls if "/sync?" in url]
    assert syncs and all("level=ordinal%3A0" in url and "ordinal%3A1" not in url for url in syncs)
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    later = [url for url in windows.urls if "ordinal%3A1" in url]
    assert len(later) == 1 and "since=" in later[0], "the floor is loaded in addition to what is held"


def test_filters_beyond_the_edge_are_reached_with_a_mouse(windows, mall):
    page = windows.map(mall, reduced_motion="reduce")
    following, last = page.locator(".scroll-next"), page.locator(".chip").last
    expect(following).to_be_visible()
    expect(page.locator(".scroll-previous")).to_be_hidden()
    expect(last).not_to_be_in_viewport(ratio=1)
    while page.locator(".chips").evaluate("each => each.scrollLeft + each.clientWidth < each.scrollWidth - 1"):
        before = page.locator(".chips").evaluate("each => each.scrollLeft")
        following.click()
        page.wait_for_function("(before) => document.querySelector('.chips').scrollLeft > before", arg=before)
    expect(last).to_be_in_viewport(ratio=1)
    expect(following).to_be_hidden()
    last.click()
    expect(last).to_have_attribute("aria-pressed", "true")
    expect(last).to_be_in_viewport(ratio=1)
    page.locator(".scroll-previous").click()
    expect(following).to_be_visible()
    # A finger swipes.
    phone = windows.map(mall, viewport=(390, 844), has_touch=True, is_mobile=True)
    expect(phone.locator(".chip").last).not_to_be_in_viewport(ratio=1)
    expect(phone.locator(".scroll-next")).to_be_hidden()


def test_status_shows_that_it_has_details_and_opens_by_mouse_and_keyboard(windows, mall):
    page = windows.map(mall)
    status, details = page.locator(".live-state summary"), page.locator(".live-facts")
    chevron = status.locator(".chevron svg")
    expect(chevron).to_be_visible()
    expect(details).to_be_hidden()
    for toggle in (chevron.click, lambda: status.press("Enter"), lambda: status.press("Space")):
        toggle()
        expect(details).to_be_visible()
        expect(chevron).to_have_css("rotate", "180deg")
        chevron.click()
        expect(details).to_be_hidden()
        expect(chevron).to_have_css("rotate", "none")
