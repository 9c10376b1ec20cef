"""Keys: right ones, wrong ones, none."""
import json

from playwright.sync_api import expect


def sign_in(page, key):
    page.get_by_role("banner").get_by_role("button", name="Sign in").click()
    page.fill("#key", key)
    page.locator("dialog footer button").click()


def test_a_wrong_key_is_told_so_and_not_kept(windows, mall):
    page = windows.open()
    sign_in(page, "vsk_wrong")
    expect(page.get_by_role("alert")).to_contain_text("does not know this key")
    expect(page.locator("#key")).to_have_attribute("aria-invalid", "true")
    assert page.evaluate("Object.keys(sessionStorage)") == []


def test_a_right_key_opens_the_list_and_stays_in_the_tab(windows, mall, service):
    page = windows.open()
    sign_in(page, service.key)
    expect(page.locator(".card-key", has_text="mall").first).to_be_visible()
    assert page.evaluate("localStorage.length") == 0 and page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".welcome")).to_be_visible()


def test_a_key_that_was_revoked_is_told_so(windows, mall, service):
    made = json.loads(service.venue("keys", "create", "--name", "lost phone", "--role", "read", "--venue", mall, "--json"))
    page = windows.map(mall, key=made["secret"])
    [key] = [key for key in service.ask("/keys")["keys"] if key["name"] == "lost phone"]
    service.venue("keys", "revoke", key["id"])
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("The key is not known")
    expect(page.get_by_role("alert").get_by_role("button")).to_be_visible()


def test_without_a_key_a_private_venue_asks_for_one(windows, mall):
    page = windows.open(f"#/{mall}")
    expect(page.get_by_role("alert")).to_contain_text("A key is needed")


def test_a_venue_that_is_not_there_says_so_and_leads_back(windows, mall, service):
    page = windows.open("#/nowhere", key=service.key)
    expect(page.get_by_role("alert")).to_contain_text("There is nothing here")
    page.get_by_role("link", name="All venues").click()
    expect(page.locator(".cards")).to_be_visible()
