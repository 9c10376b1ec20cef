"""API keys and settings with the service, and the layout of the desk. What the pages say and send: Tests/Console/keys.test.js,
settings.test.js and roles.test.js."""
import json
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from desk import open_desk
from toasts import expect_toast


@pytest.fixture(scope="module")
def edited(service):
    """A venue with two revisions that no test changes."""
    archive = service.create_venue("mall.edited")
    service.publish_edit("mall.edited", archive, "rename=5,move=2")
    return "mall.edited"


def status(service, api_key, path):
    request = urllib.request.Request(service.address + path, headers={"Authorization": f"Bearer {api_key}"})
    try:
        return urllib.request.urlopen(request, timeout=30).status
    except urllib.error.HTTPError as error:
        return error.code


def make_key(service, name, role, *venues):
    options = [option for venue in venues for option in ("--venue", venue)]
    made = json.loads(service.run_venue("keys", "create", "--name", name, "--role", role, *options, "--json"))
    return made["secret"]


def test_key_is_created_shown_once_and_revoked(windows, service, mall):
    page = windows.open("#/~/keys", api_key=service.admin_key)
    page.get_by_role("button", name="Create a key").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("#key-name-error")).to_contain_text("name")
    page.fill("#key-name", "phones of the test")
    page.fill("#key-venues", mall)
    page.locator("dialog footer .primary").click()
    secret = page.locator("#key-secret").input_value()
    assert secret.startswith("vsk_") and status(service, secret, f"/venues/{mall}") == 200
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("dialog").get_by_role("button", name="Copy").click()
    expect(page.locator("dialog [role=status]")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == secret
    page.get_by_role("button", name="I have copied it").click()
    row = page.locator(".keys tbody tr", has_text="phones of the test")
    expect(row).to_be_visible()
    assert secret not in page.content(), "shown once"
    row.get_by_role("button", name="Revoke").click()
    page.locator("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert status(service, secret, f"/venues/{mall}") == 401


def test_appearance_and_origins_are_settings(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key, "/settings")
    save = page.get_by_role("button", name="Save")
    origins, row = page.get_by_label("Sites that may show the map"), page.locator(".colour-row")
    page.get_by_role("button", name="Add a colour").click()
    row.get_by_label("Category or group").fill("shop")
    colour = row.get_by_label("Both modes", exact=True)
    colour.fill("red")
    save.click()
    expect(row.get_by_text("Enter a colour such as #ffcc00.")).to_be_visible()
    expect(colour).to_be_focused()
    colour.fill("#ffcc00")
    expect(row.get_by_label("Both modes: choose a colour")).to_have_value("#ffcc00")
    expect(row.locator(".colour-sample").first).to_have_css("background-color", "rgb(255, 204, 0)")
    page.get_by_label("Hidden categories").fill("parking")
    # The server permits no path in an origin, and says so.
    origins.fill("https://a.example.com/path")
    save.click()
    expect(page.locator("#set-embed_origins-error")).to_contain_text("without a path")
    origins.fill("https://a.example.com\nhttps://*.example.org")
    save.click()
    expect_toast(page, "Saved")
    expect(save).to_be_disabled()
    settings = service.get_json(f"/venues/{venue_key}")["settings"]
    assert settings["appearance"] == {"colours": {"shop": "#ffcc00"}, "hidden": ["parking"]}
    assert settings["embed_origins"] == ["https://a.example.com", "https://*.example.org"]
    page.reload()
    expect(colour).to_have_value("#ffcc00")
    expect(save).to_be_disabled()
    row.get_by_role("button", name="Remove").click()
    page.get_by_label("Hidden categories").fill("")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save.click()
    assert sent.value.post_data_json == {"appearance": None}


VIEWS = ["", "/history", "/compare", "/settings", "/restore?to=1"]


@pytest.mark.parametrize("viewport", [(390, 844), (1280, 800)])
def test_desk_views_fit_the_viewport_and_have_accessible_names(windows, edited, viewport):
    page = open_desk(windows, edited, viewport=viewport)
    for view in VIEWS:
        page.goto(f"{windows.service.address}/?{view.strip('/')}#/{edited}/desk{view}")
        page.wait_for_selector(".desk-tabs")
        expect(page.locator(".desk-view .spinner")).to_have_count(0)
        assert page.evaluate("document.getElementById('main').scrollWidth") <= viewport[0], view
        nameless = page.evaluate("""() => [...document.querySelectorAll("button, a, input, select, summary")].filter((element) =>
            element.offsetParent && !(element.innerText || element.getAttribute("aria-label") || element.labels?.length)
        ).map((element) => element.outerHTML)""")
        assert nameless == [], view
        small = page.evaluate("""() => [...document.querySelectorAll("button, a.button")].filter((element) =>
            element.offsetParent && element.getBoundingClientRect().height < 32).map((element) => element.outerHTML)""")
        assert small == [], view


def test_desk_views_load_without_layout_shift(windows, service, edited):
    page = windows.open(api_key=service.admin_key)
    page.evaluate("""() => {
        window.layoutShifts = [];
        new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries()) window.layoutShifts.push([value, sources.map(({ node }) => node?.className)]);
        }).observe({ type: "layout-shift", buffered: false });
    }""")
    for view in VIEWS:
        page.evaluate("location.hash = '#/'")
        expect(page.locator(".cards")).to_be_visible()
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.evaluate("window.layoutShifts = []")
        page.evaluate(f"location.hash = '#/{edited}/desk{view}'")
        page.wait_for_selector(".desk-tabs")
        expect(page.locator(".spinner")).to_have_count(0)
        page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        jumps = page.evaluate("window.layoutShifts")
        assert sum(value for value, _ in jumps) < 0.1, (view, jumps)
