"""Maps whose revisions must be signed with the keys of a link."""
import json
import os
import subprocess
import urllib.parse

import pytest
from playwright.sync_api import expect

from conftest import Windows
from map_page import some_feature
from service import PROGRAM, Service
from test_large_venues import open_large

SIGNED = "Not signed by the operator"


def created_key(folder, name):
    """The public key of a new file of signing keys, and the file."""
    path = folder / name
    environment = {**os.environ, "VENUE_SIGNING_KEYS": str(path)}
    output = subprocess.run(
        [PROGRAM, "signing-keys", "create"], env=environment, capture_output=True, text=True, check=True, timeout=60).stdout
    return output.strip().splitlines()[-1], path


@pytest.fixture(scope="module")
def keys(tmp_path_factory):
    folder = tmp_path_factory.mktemp("keys")
    return created_key(folder, "operator.json"), created_key(folder, "other.json")


@pytest.fixture(scope="module")
def signing_service(keys):
    service = Service(settings={"VENUE_SIGNING_KEYS": str(keys[0][1])})
    yield service
    service.stop()


@pytest.fixture
def signed(chromium, signing_service):
    """Windows of a server that signs."""
    windows = Windows(chromium, signing_service)
    yield windows
    windows.close()
    assert windows.errors == []


@pytest.fixture
def operator(keys):
    return keys[0][0]


@pytest.fixture
def other_key(keys):
    return keys[1][0]


def visit(page, address):
    """Follows a link in the same tab. The page that is open loads links with keys anew by itself, and others here."""
    page.goto(address)
    if "trust=" not in address:
        page.reload()


def link(key, *others):
    return "?" + urllib.parse.urlencode({"trust": ",".join([key, *others])})


def test_link_with_a_key_shows_a_signed_map_and_the_browser_remembers_the_key(signed, venue_key, operator, other_key):
    archive = signed.service.create_venue(venue_key)
    page = signed.map(venue_key, link(operator))
    expect(page.locator(".live-state")).to_contain_text("signed")
    signed.service.publish_edit(venue_key, archive, "rename=1")
    expect(page.locator(".live-state[data-revision='2']")).to_contain_text("signed")
    page.click("[data-tool=share]")
    shared = page.input_value("#share-link")
    assert urllib.parse.parse_qs(shared.partition("?")[2])["trust"] == [operator]
    visit(page, f"{signed.service.address}/#/{venue_key}")
    expect(page.locator(".live-state.live")).to_contain_text("signed")
    # Links without this key are not followed without a question, and the remembered key stays.
    visit(page, f"{signed.service.address}/#/{venue_key}{link(other_key)}")
    expect(page.locator("h1")).to_have_text("This link names other keys")
    visit(page, f"{signed.service.address}/#/{venue_key}{link(operator)}")
    expect(page.locator(".live-state.live")).to_contain_text("signed")


def test_without_a_key_the_map_is_verified_by_digests_only(signed, venue_key):
    signed.service.create_venue(venue_key)
    page = signed.map(venue_key)
    expect(page.locator(".live-state")).to_contain_text("verified")
    expect(page.locator(".live-state")).not_to_contain_text("signed")
    page.click("[data-tool=share]")
    assert "trust" not in page.input_value("#share-link")


def test_search_of_a_large_venue_lists_only_what_is_signed(signed, venue_key, operator):
    """What the server finds on floors that are not loaded has no signature."""
    signed.service.create_venue(venue_key)
    upstairs = some_feature(signed.service, venue_key, 1)
    page = open_large(signed, signed.service, venue_key, link(operator))
    page.fill("#search", upstairs["properties"]["name"]["en"])
    expect(page.locator(".search-scope")).to_contain_text("Not searched: 2 floors")
    expect(page.locator(f".place[data-id='{upstairs['id']}']")).to_have_count(0)
    page.locator(".search-scope button").click()
    expect(page.locator(f".place[data-id='{upstairs['id']}']")).to_be_visible()
    assert not [url for url in signed.urls if "/search?" in url]


def test_map_that_another_key_has_signed_is_not_shown(signed, venue_key, operator, other_key):
    signed.service.create_venue(venue_key)
    page = signed.open(f"#/{venue_key}{link(other_key)}", api_key=signed.service.admin_key)
    expect(page.get_by_role("alert")).to_contain_text("The map is not signed by its operator")
    expect(page.locator(".place")).to_have_count(0)
    # The user is told the right keys, and decides for them.
    visit(page, f"{signed.service.address}/#/{venue_key}{link(operator)}")
    page.get_by_role("button", name="Trust the keys of the link").click()
    expect(page.locator(".live-state.live")).to_contain_text("signed")


def test_keys_that_cannot_be_used_are_reported_in_the_users_language(signed, venue_key):
    signed.service.create_venue(venue_key)
    page = signed.open(f"#/{venue_key}{link('ed25519:AAAA')}", api_key=signed.service.admin_key, locale="ja-JP")
    expect(page.locator("h1")).to_have_text("このリンクの鍵は使えません")
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.includes('trust'))") == []


@pytest.mark.parametrize("is_public", [False, True])
def test_unsigned_changes_are_not_shown_until_they_are_signed(signed, venue_key, operator, is_public):
    archive = signed.service.create_venue(venue_key)
    if is_public:
        signed.service.run_venue("set", venue_key, "public=true")
    page = signed.open(f"#/{venue_key}{link(operator)}", api_key=None if is_public else signed.service.admin_key)
    state = page.locator(".live-state")
    expect(state).to_have_class("live-state live")
    pattern = f"**/venues/{venue_key}/head"

    def forge(route):
        """Whoever controls the server, but not the signing key, can only invent a signature."""
        response = route.fetch()
        head = response.json()
        forged = {**head, "signature": "A" * len(head["signature"])}
        route.fulfill(response=response, body=json.dumps(forged, separators=(",", ":"), sort_keys=True))

    page.route(pattern, forge)
    signed.service.publish_edit(venue_key, archive, "rename=20")  # on the floor that is shown, too
    expect(state).to_have_class("live-state untrusted")
    expect(state).to_contain_text(SIGNED)
    assert state.get_attribute("data-revision") == "1"
    page.unroute(pattern)
    expect(state).to_have_class("live-state live", timeout=60_000)
    expect(page.locator(".live-state[data-revision='2']")).to_contain_text("signed")
