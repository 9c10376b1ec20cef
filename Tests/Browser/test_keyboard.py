"""The map by the Tab key, and its layout on phones and while it loads. Other keys and accessible names are tested in Tests/Console."""
from playwright.sync_api import expect

FOCUSED = """() => {
    const element = document.activeElement;
    return element.id || element.dataset.chip || element.dataset.ordinal || element.className || element.tagName;
}"""


def tab_until(page, until, limit=60):
    """Presses Tab until a matching element has the focus. Returns all elements that had it."""
    seen = []
    for _ in range(limit):
        page.keyboard.press("Tab")
        seen.append(page.evaluate(FOCUSED))
        if until(seen[-1]):
            return seen
    raise AssertionError(f"never reached: {seen}")


def test_map_page_tab_order_follows_the_layout(windows, mall):
    page = windows.map(mall)
    page.evaluate("document.activeElement.blur()")
    seen = tab_until(page, lambda name: name.startswith("place"))
    order = [seen.index(name) for name in ("skip", "brand", "search", "open")]
    assert order == sorted(order), seen
    # The filters are one stop.
    assert "restroom" not in seen, seen
    page.focus("[data-chip=open]")
    page.keyboard.press("ArrowRight")
    assert page.evaluate(FOCUSED) == "restroom"
    page.focus(".place")
    page.keyboard.press("Enter")
    expect(page.locator("#place-name")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".place").first).to_be_focused()


def test_phone_layout_shows_the_list_on_request(windows, mall):
    page = windows.map(mall, viewport=(390, 844))
    expect(page.locator(".panel-body")).to_be_hidden()
    page.click("[data-chip=list]")
    expect(page.locator(".place").first).to_be_visible()
    width = page.evaluate("document.documentElement.scrollWidth")
    assert width <= 390, "no horizontal scrolling"


def test_map_page_loads_without_layout_shift(windows, mall):
    page = windows.open(api_key=windows.service.admin_key)
    page.evaluate("""() => {
        window.layoutShifts = [];
        new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) window.layoutShifts.push(entry.value);
        }).observe({ type: "layout-shift", buffered: true });
    }""")
    page.evaluate(f"location.hash = '#/{mall}'")
    page.wait_for_selector(".live-state.live")
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    assert sum(page.evaluate("window.layoutShifts")) < 0.1
