"""A page whose modules are requested without a network. What pages say then, and when they continue: Tests/Console/reconnection.test.js."""
from playwright.sync_api import expect

TITLE = "There is no network connection"


def test_operators_page_that_is_opened_without_a_network_continues_when_it_is_back(windows, mall):
    page = windows.map(mall)
    page.context.set_offline(True)
    page.locator(f"#bar a[href='#/{mall}/desk']").click()
    alert = page.get_by_role("alert")
    expect(alert.get_by_role("heading")).to_have_text(TITLE)
    assert "fetch" not in alert.inner_text() and "module" not in alert.inner_text()
    alert.get_by_role("button").click()
    expect(alert.get_by_role("heading")).to_have_text(TITLE)
    page.evaluate("window.isSamePage = true")
    page.context.set_offline(False)
    expect(page.locator(".desk-tabs")).to_be_visible()
    assert page.evaluate("window.isSamePage"), "the page was not loaded again"
