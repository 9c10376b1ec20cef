"""Every time of day has its time zone, and every button a name or an icon, in all views of the desk."""
import re

import pytest
from playwright.sync_api import expect

import desk_views
import edits_views
import state_views
from screenshot_state import wait_until_still

# The texts and titles of a page. Opening hours are rules, not times: they are left out, with the values of features.
TEXTS = """() => {
    const left = ".override-values, .fields, .change-name, input, textarea, .finding-message, .finding-note";
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
        const element = walker.currentNode;
        if (element.closest(left)) continue;
        if (element.title) texts.push(element.title);
        // A sentence with names has several nodes.
        if ([...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\\d:\\d\\d|\\d時/.test(node.data))) texts.push(element.textContent);
    }
    return texts;
}"""
# A digest such as "sha-256:73b2…" is no time.
TIME = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?![\da-f])|\d{1,2}時")
TIME_WITH_ZONE = re.compile(r"(?:\d{1,2}:\d{2}|\d{1,2}時\d{1,2}分)(?::\d{2})?(?:\s[AP]M)?\s(?![AP]M\b)[A-Z]{2,5}")
# Texts that an icon would replace.
SYMBOL_BUTTONS = """() => [...document.querySelectorAll("button, [role=button], summary")].map((each) => each.textContent.trim())
    .filter((text) => /^[^\\p{L}\\p{N}]+$/u.test(text))"""


@pytest.fixture(scope="module")
def views(service):
    desk_views.prepare(service)
    edits_views.prepare(service)
    state_views.prepare(service)
    all_views = [*desk_views.VIEWS, *edits_views.VIEWS, *state_views.VIEWS]
    return [("venues", "", None), *[(name, path, act) for name, path, _, act in all_views
                              if ("/desk" in path or "/~/" in path) and name != "desk-finding-map"]]


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_times_in_all_views_have_a_time_zone(windows, service, views, locale):
    page = windows.open(api_key=service.admin_key, locale=locale, timezone_id="America/New_York")
    seen, wrong, symbols = 0, {}, {}
    for name, path, act in views:
        page.goto(f"{service.address}/?{name}{path}")
        wait_until_still(page)
        if name == "venues":
            for venue in ("states", "states.timed"):
                card = page.locator(".venue-card", has=page.locator(".card-title", has_text=re.compile(f"^{venue}$")).or_(
                    page.locator(".card-key", has_text=re.compile(f"^{venue}$"))))
                # Details are loaded when a card comes into view.
                card.scroll_into_view_if_needed()
                expect(card.locator(".card-links")).to_contain_text("2199")
        if act:
            act(page)
            wait_until_still(page)
        for text in page.evaluate(TEXTS):
            seen += len(TIME.findall(text))
            if len(TIME.findall(text)) > len(TIME_WITH_ZONE.findall(text)):
                wrong.setdefault(name, []).append(text)
        if found := page.evaluate(SYMBOL_BUTTONS):
            symbols[name] = found
    assert wrong == {} and symbols == {}
    assert seen > 40


@pytest.mark.parametrize(("locale", "there"), [("en-US", "at the venue"), ("ja-JP", "施設の現地時間")])
def test_scheduled_upload_shows_the_time_at_the_venue_everywhere(windows, service, venue_key, locale, there):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    service.run_venue("push", following, "--to", venue_key, "--at", "2199-01-07T21:00:00Z")
    page = windows.open(api_key=service.admin_key, locale=locale, timezone_id="America/New_York")
    page.fill("#venue-search", venue_key)
    expect(page.locator(".card-links")).to_contain_text(there)
    for path, place in ((f"#/{venue_key}/desk", ".desk-waiting"), ("#/~/calendar", f".desk-row[href*='{venue_key}']")):
        page.goto(f"{service.address}/{path}")
        expect(page.locator(place)).to_contain_text(there)
    # Of what has happened, the exact times are in the titles.
    page.goto(f"{service.address}/#/{venue_key}/desk/uploads")
    expect(page.locator(".desk-row time").first).to_have_attribute("title", re.compile(there))
    page.goto(f"{service.address}/#/{venue_key}/desk/history")
    expect(page.locator(".revision time").first).to_have_attribute("title", re.compile(there))
