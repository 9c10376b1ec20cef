"""Edits by hand in the desk, against a running service: decisions by keyboard, a staged upload, the layout of the list."""
import pytest
from playwright.sync_api import expect

import edits
from desk import open_desk


@pytest.fixture
def contested(service, venue_key):
    """A venue with two contested edits, one in effect, one that has lost its feature, and a hidden shop: `(venue, shops, archive)`."""
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    shops = edits.shops(service, venue_key)
    edits.patch(service, venue_key, shops[0]["id"], {"phone": "+81300000001"}, message="Called the shop")
    edits.patch(service, venue_key, shops[1]["id"], {"hours": "Mo-Su 09:00-18:00"})
    edits.patch(service, venue_key, shops[2]["id"], {"website": "https://ours.example.com/"})
    edits.patch(service, venue_key, shops[3]["id"], {"phone": "+81300000003"})
    edits.call(service, "POST", f"/venues/{venue_key}/edits", {"edits": [{"hide": shops[4]["id"]}]})
    changes = {shops[0]["id"]: {"phone": "+81399999999"}, shops[1]["id"]: {"hours": "Mo-Su 11:00-19:00"}, shops[3]["id"]: None}
    following = edits.changed_archive(archive, service.folder / f"{venue_key}-2.zip", edits.with_properties(changes))
    service.run_venue("push", following, "--to", venue_key)
    return venue_key, shops, following


def test_edits_are_decided_by_keyboard_alone(windows, service, contested):
    venue, shops, _ = contested
    page = open_desk(windows, venue, "/overrides")
    expect(page.locator(".override")).to_have_count(2)
    page.locator(".chip[aria-pressed=true]").focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText").startswith("Keep the edit"):
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert outline == "solid", "the focus is visible"
    page.keyboard.press("Enter")
    expect(page.locator(".override")).to_have_count(1)
    expect(page.locator(".override")).to_be_focused()
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".overrides .desk-empty")).to_have_text("There is nothing to decide.")
    expect(page.locator(".tab-badge .badge")).to_have_count(0)
    assert edits.overrides(service, venue, state="contested") == []


def test_edits_that_an_upload_contradicts_are_linked_from_it(windows, service, contested):
    venue, shops, following = contested
    service.run_venue("set", venue, "overrides=ask")
    changes = {shops[2]["id"]: {"website": "https://theirs.example.com/"}}
    third = edits.changed_archive(following, service.folder / f"{venue}-3.zip", edits.with_properties(changes))
    with pytest.raises(RuntimeError, match="Staged"):
        service.run_venue("push", third, "--to", venue)
    page = open_desk(windows, venue)
    page.locator(".desk-waiting").click()
    expect(page.locator(".upload-checks")).to_contain_text("contradicts changes that were made by hand")
    expect(page.locator(".upload-checks")).to_contain_text("3 edits wait for a decision")
    # Only one of them is new.
    name = shops[2]["properties"]["name"]["en"]
    expect(page.locator(".reasons [data-guard=overrides]")).to_have_text(
        f"Edited by hand, and different in the archive: {name}. If you publish the archive, those edits stay in effect, and are listed under “Edits” for a decision.")
    page.get_by_role("button", name="Publish").click()
    page.check("#confirm-overrides")
    page.locator("dialog footer button").last.click()
    expect(page.locator(".outcome.is-published, .outcome.is-unchanged")).to_be_visible()
    page.locator(".desk-tabs").get_by_role("link", name="Edits").click()
    expect(page.locator(".override")).to_have_count(3)


def test_edits_list_fits_the_viewport_and_its_controls_have_names(windows, service, contested):
    venue, _, _ = contested
    for viewport, locale in [((390, 844), "ja-JP"), ((1280, 800), "en-US")]:
        page = open_desk(windows, venue, "/overrides?state=all", viewport=viewport, locale=locale)
        expect(page.locator(".override")).to_have_count(5)
        assert page.evaluate("document.getElementById('main').scrollWidth") <= viewport[0]
        nameless = page.evaluate("""() => [...document.querySelectorAll("button, a, input, select")].filter((element) =>
            element.offsetParent && !(element.innerText || element.getAttribute("aria-label") || element.labels?.length)).map((each) => each.outerHTML)""")
        assert nameless == []
