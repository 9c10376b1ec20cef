"""Maps whose revisions must be signed with the keys of a link."""
import json
import os
import subprocess
import urllib.parse

import pytest
from playwright.sync_api import expect

from conftest import Windows
from service import PROGRAM, Service

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


def trust_keys_of_link(page):
    """Answers the question of a first link. The page loads itself anew."""
    expect(page.locator("h1")).to_have_text("This link names the keys of the operator")
    page.get_by_role("button", name="Trust the keys of the link").click()


def test_link_with_a_key_shows_a_signed_map_and_the_browser_remembers_the_key(signed, venue_key, operator, other_key):
    archive = signed.service.create_venue(venue_key)
    page = signed.open(f"#/{venue_key}{link(operator)}", api_key=signed.service.admin_key)
    trust_keys_of_link(page)
    expect(page.locator(".live-state.live")).to_contain_text("signed")
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


def test_unsigned_changes_are_not_shown_until_they_are_signed(signed, venue_key, operator):
    archive = signed.service.create_venue(venue_key)
    page = signed.open(f"#/{venue_key}{link(operator)}", api_key=signed.service.admin_key)
    trust_keys_of_link(page)
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
