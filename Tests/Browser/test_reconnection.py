"""Pages that are opened without a network say so in the language of the user, and continue by themselves."""
import pytest
from playwright.sync_api import expect

from test_network import wait_with_clock

TEXTS = {"en-US": "There is no network connection", "ja-JP": "ネットワークに接続されていません"}


@pytest.mark.parametrize("locale", TEXTS)
def test_operators_page_that_is_opened_without_a_network_continues_when_it_is_back(windows, service, mall, locale):
    page = windows.map(mall, locale=locale)
    page.context.set_offline(True)
    page.locator(f"#bar a[href='#/{mall}/desk']").click()
    alert = page.get_by_role("alert")
    expect(alert.get_by_role("heading")).to_have_text(TEXTS[locale])
    assert "fetch" not in alert.inner_text() and "module" not in alert.inner_text()
    alert.get_by_role("button").click()
    expect(alert.get_by_role("heading")).to_have_text(TEXTS[locale])
    page.evaluate("window.isSamePage = true")
    page.context.set_offline(False)
    expect(page.locator(".desk-tabs")).to_be_visible()
    assert page.evaluate("window.isSamePage"), "the page was not loaded again"


def test_view_that_is_opened_without_a_network_continues_when_the_server_answers(windows, service, mall):
    page = windows.open(f"#/{mall}/desk", api_key=service.admin_key)
    expect(page.locator(".desk-tabs")).to_be_visible()
    page.context.set_offline(True)
    page.locator(".desk-tabs a[href$='/history']").click()
    expect(page.get_by_role("alert")).to_contain_text(TEXTS["en-US"])
    # The browser is back before the server can be reached.
    page.route("**/*", lambda route: route.abort())
    page.context.set_offline(False)
    expect(page.get_by_role("alert")).to_be_visible()
    with page.expect_event("requestfailed"):
        pass
    page.unroute_all(behavior="ignoreErrors")
    expect(page.locator("#revision-1")).to_be_visible()


def test_view_continues_when_the_first_request_after_an_outage_is_never_answered(windows, service, mall):
    page = windows.open(f"#/{mall}/desk", api_key=service.admin_key)
    expect(page.locator(".desk-tabs")).to_be_visible()
    page.clock.install()
    page.context.set_offline(True)
    page.locator(".desk-tabs a[href$='/history']").click()
    expect(page.get_by_role("alert")).to_contain_text(TEXTS["en-US"])
    unanswered = []
    page.route(f"{service.address}/", lambda route: route.continue_() if unanswered else unanswered.append(route))
    with page.expect_request(lambda request: request.method == "HEAD"):
        page.context.set_offline(False)
    wait_with_clock(page, page.locator("#revision-1"), step=5_000)
    page.unroute_all(behavior="ignoreErrors")
