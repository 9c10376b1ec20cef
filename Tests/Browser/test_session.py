"""Sign-in with valid, invalid, revoked and missing keys."""
import json

from playwright.sync_api import expect


def sign_in(page, api_key):
    page.get_by_role("banner").get_by_role("button", name="Sign in").click()
    page.fill("#key", api_key)
    page.locator("dialog footer .primary").click()


def test_sign_in_rejects_unknown_key(windows, mall):
    page = windows.open()
    sign_in(page, "vsk_wrong")
    expect(page.get_by_role("alert")).to_contain_text("does not know this key")
    expect(page.locator("#key")).to_have_attribute("aria-invalid", "true")
    assert page.evaluate("Object.keys(sessionStorage)") == []


def test_sign_in_stores_the_key_in_the_tab_only(windows, mall, service):
    page = windows.open()
    sign_in(page, service.admin_key)
    expect(page.locator(".card-key", has_text="mall").first).to_be_visible()
    assert page.evaluate("localStorage.length") == 0 and page.evaluate("document.cookie") == ""
    page.get_by_role("button", name="Sign out").click()
    expect(page.locator(".welcome")).to_be_visible()


def test_revoked_key_is_reported(windows, mall, service):
    created = json.loads(service.run_venue("keys", "create", "--name", "lost phone", "--role", "read", "--venue", mall, "--json"))
    page = windows.map(mall, api_key=created["secret"])
    [api_key] = [each for each in service.get_json("/keys")["keys"] if each["name"] == "lost phone"]
    service.run_venue("keys", "revoke", api_key["id"])
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("This key is not valid")
    expect(page.get_by_role("alert").get_by_role("button")).to_be_visible()


def test_private_venue_without_key_asks_for_one(windows, mall):
    page = windows.open(f"#/{mall}")
    expect(page.get_by_role("alert")).to_contain_text("A key is required")


def test_missing_venue_links_to_the_list_of_venues(windows, mall, service):
    page = windows.open("#/nowhere", api_key=service.admin_key)
    expect(page.get_by_role("alert")).to_contain_text("Not found")
    page.get_by_role("link", name="All venues").click()
    expect(page.locator(".cards")).to_be_visible()
