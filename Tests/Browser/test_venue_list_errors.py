"""The list of venues when the server cannot be asked for it."""
import re

import pytest
from playwright.sync_api import expect

NO_NETWORK = "no network"
RESPONSES = {
    "problem": {"status": 500, "json": {"type": "/problems/internal", "title": "Internal Server Error", "detail": "It was logged."}},
    "proxy": {"status": 502, "content_type": "text/html", "body": "<h1>Bad Gateway</h1>"},
    NO_NETWORK: None,
}
TITLES = {
    "en-US": {"problem": "The server has a problem", "proxy": "The server has a problem", NO_NETWORK: "The server does not respond"},
    "ja-JP": {"problem": "サーバーで問題が起きています", "proxy": "サーバーで問題が起きています", NO_NETWORK: "サーバーが応答しません"},
}
TRY_AGAIN = {"en-US": "Try again", "ja-JP": "もう一度試す"}
VENUES = re.compile(r"/venues(\?|$)")


@pytest.mark.parametrize("failure", list(RESPONSES))
@pytest.mark.parametrize("locale", list(TITLES))
def test_failed_list_of_venues_is_explained_and_can_be_tried_again(windows, service, mall, locale, failure):
    page = windows.open("about", api_key=service.admin_key, locale=locale)
    response = RESPONSES[failure]
    page.route(VENUES, lambda route: route.fulfill(**response) if response else route.abort("internetdisconnected"))
    page.goto(f"{service.address}/")
    alert = page.get_by_role("alert")
    expect(alert.get_by_role("heading", level=1)).to_have_text(TITLES[locale][failure])
    text = alert.inner_text()
    if locale == "ja-JP":
        assert not re.search("[A-Za-z]{3}", text), "no English"
    assert not re.search("HTTP|50[0-9]", text), "words"
    # It fails once more, and the user can try again as often as needed.
    with page.expect_request(VENUES):
        page.get_by_role("button", name=TRY_AGAIN[locale]).click()
    expect(alert).to_be_visible()
    page.unroute(VENUES)
    page.get_by_role("button", name=TRY_AGAIN[locale]).click()
    expect(page.locator(f".venue-card a.card[href='#/{mall}']")).to_be_visible()
    expect(alert).to_have_count(0)


@pytest.mark.parametrize(("locale", "title", "sign_in"), [
    ("en-US", "This key is not valid", "Sign in"), ("ja-JP", "このキーは無効です", "サインイン")])
def test_revoked_key_of_the_list_of_venues_can_be_replaced(windows, service, mall, locale, title, sign_in):
    page = windows.open(api_key="vk_revoked", locale=locale)
    alert = page.locator("main [role=alert]")
    expect(alert.get_by_role("heading", level=1)).to_have_text(title)
    alert.get_by_role("button", name=sign_in).click()
    page.fill("#key", service.admin_key)
    page.keyboard.press("Enter")
    expect(page.locator(f".venue-card a.card[href='#/{mall}']")).to_be_visible()
