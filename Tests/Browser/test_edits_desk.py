"""Edits by hand in the desk: the inbox, decisions, the setting, staged uploads, the log."""
import csv
import io
import json

import pytest
from playwright.sync_api import expect

import edits
from desk import open_desk
from edits import undo
from toasts import expect_toast


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


def entry(page, shop, part):
    return page.locator(".override", has=page.locator("h3", has_text=f"{shop['properties']['name']['en']}: {part}"))


def test_edits_inbox_shows_three_values_and_keeps_ours(windows, service, contested):
    venue, shops, _ = contested
    page = open_desk(windows, venue, "/overrides")
    expect(page.locator(".override")).to_have_count(2)
    expect(page.locator(".tab-badge")).to_contain_text("2")
    phone = entry(page, shops[0], "Phone")
    values = [shops[0]["properties"]["phone"], "+81300000001", "+81399999999"]
    assert phone.locator("dd").all_inner_texts() == values
    assert phone.locator("dt").all_inner_texts() == ["Source, when it was edited", "Ours", "Source now"]
    expect(phone).to_contain_text("edited by admin on")
    expect(phone).to_contain_text("Called the shop")
    phone.get_by_role("button", name="Keep ours").click()
    expect(page.locator(".override")).to_have_count(1)
    expect(page.locator(".tab-badge")).to_contain_text("1")
    expect(page.locator(".override")).to_be_focused()
    assert edits.properties(service, venue, shops[0]["id"])["phone"] == "+81300000001"
    [kept] = edits.overrides(service, venue, feature=shops[0]["id"])
    assert (kept["state"], kept["base"]) == ("quiet", "+81399999999")


def test_edits_inbox_takes_the_source_and_undo_brings_ours_back(windows, service, contested):
    venue, shops, _ = contested
    page = open_desk(windows, venue, "/overrides")
    entry(page, shops[1], "Opening hours").get_by_role("button", name="Take the source").click()
    expect(page.locator(".override")).to_have_count(1)
    assert edits.properties(service, venue, shops[1]["id"])["hours"] == "Mo-Su 11:00-19:00"
    undo(page)
    [ours] = edits.overrides(service, venue, feature=shops[1]["id"])
    assert (ours["value"], ours["state"]) == ("Mo-Su 09:00-18:00", "quiet")


def test_edits_inbox_decides_nothing_that_has_changed_since(windows, service, contested):
    venue, shops, following = contested
    page = open_desk(windows, venue, "/overrides")
    phone = entry(page, shops[0], "Phone")
    expect(phone).to_contain_text("+81399999999")
    # The list stays as it was until the button is pressed.
    page.route("**/events", lambda route: route.abort())
    page.route("**/overrides?**", lambda route: route.abort())
    edits.call(service, "POST", f"/venues/{venue}/overrides/{phone.get_attribute('data-id')}/resolve", {"take": "mine"})
    page.unroute("**/overrides?**")
    phone.get_by_role("button", name="Take the source").click()
    expect_toast(page, "changed in the meantime", "problem")
    expect(page.locator(".override")).to_have_count(1)
    assert edits.properties(service, venue, shops[0]["id"])["phone"] == "+81300000001"


def test_edits_list_is_filtered_and_every_edit_can_be_ended(windows, service, contested):
    venue, shops, _ = contested
    page = open_desk(windows, venue, "/overrides?state=all")
    expect(page.locator(".override")).to_have_count(5)
    for name, count in [("In effect", 2), ("Without a feature", 1), ("Hidden", 1), ("Added", 0), ("To decide", 2)]:
        page.locator(".desk-chips").get_by_role("button", name=name).click()
        expect(page.locator(".override")).to_have_count(count)
        expect(page.locator(".chip[aria-pressed=true]")).to_have_text(name)
    page.locator(".desk-chips").get_by_role("button", name="Without a feature").click()
    orphan = entry(page, shops[3], "Phone")
    expect(orphan).to_contain_text("does not have this feature any more")
    orphan.get_by_role("button", name="Discard").click()
    expect(page.locator(".overrides .desk-empty")).to_have_text("No edit has lost its feature.")
    page.locator(".desk-chips").get_by_role("button", name="Hidden").click()
    entry(page, shops[4], "hidden").get_by_role("button", name="Show again").click()
    expect(page.locator(".overrides .desk-empty")).to_be_visible()
    assert edits.properties(service, venue, shops[4]["id"]) == shops[4]["properties"]
    page.locator(".desk-chips").get_by_role("button", name="In effect").click()
    entry(page, shops[2], "Website").get_by_role("button", name="Go back to the source").click()
    expect(page.locator(".overrides .desk-empty")).to_be_visible()
    assert edits.properties(service, venue, shops[2]["id"])["website"] == shops[2]["properties"]["website"]
    assert len(edits.overrides(service, venue)) == 2


def test_edits_are_decided_by_keyboard_alone(windows, service, contested):
    venue, shops, _ = contested
    page = open_desk(windows, venue, "/overrides")
    expect(page.locator(".override")).to_have_count(2)
    page.locator(".chip[aria-pressed=true]").focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText").startswith("Keep ours"):
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


def test_edits_are_exported_for_the_map_team(windows, service, contested):
    venue, _, _ = contested
    page = open_desk(windows, venue, "/overrides")
    for name, read in [("CSV", lambda text: list(csv.DictReader(io.StringIO(text)))), ("GeoJSON", lambda text: json.loads(text)["features"])]:
        with page.expect_download() as download:
            page.get_by_role("button", name=name, exact=True).click()
        assert download.value.suggested_filename == f"{venue}-overrides.{name.lower()}"
        with open(download.value.path(), encoding="utf-8", newline="") as file:
            assert len(read(file.read())) == 5


def test_edits_setting_is_explained_and_saved(windows, service, contested):
    venue, _, _ = contested
    page = open_desk(windows, venue, "/settings")
    group = page.get_by_role("group", name="Edits by hand that an upload contradicts")
    expect(group.locator(".choice .help")).to_have_count(3)
    expect(page.locator("#set-overrides-keep")).to_be_checked()
    page.check("#set-overrides-ask")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        page.get_by_role("button", name="Save").click()
    assert sent.value.post_data_json == {"overrides": "ask"}
    expect_toast(page, "Saved")
    assert service.get_json(f"/venues/{venue}")["settings"]["overrides"] == "ask"


def test_edits_that_an_upload_contradicts_are_linked_from_it(windows, service, contested):
    venue, shops, following = contested
    service.run_venue("set", venue, "overrides=ask")
    changes = {shops[2]["id"]: {"website": "https://theirs.example.com/"}}
    third = edits.changed_archive(following, service.folder / f"{venue}-3.zip", edits.with_properties(changes))
    with pytest.raises(RuntimeError, match="Staged"):
        service.run_venue("push", third, "--to", venue)
    page = open_desk(windows, venue)
    page.locator(".desk-waiting").click()
    expect(page.locator(".decision")).to_contain_text("contradicts changes that were made by hand")
    expect(page.locator(".decision")).to_contain_text("3 edits wait for a decision")
    # Only one of them is new.
    name = shops[2]["properties"]["name"]["en"]
    expect(page.locator(".reasons [data-guard=overrides]")).to_have_text(
        f"Edited by hand, and different in the archive: {name}. If you publish it, those changes stay, and are listed for a decision.")
    page.get_by_role("button", name="Publish").click()
    page.check("#confirm-overrides")
    page.locator("dialog footer button").last.click()
    expect(page.locator(".outcome.is-published, .outcome.is-unchanged")).to_be_visible()
    page.locator(".desk-tabs").get_by_role("link", name="Edits").click()
    expect(page.locator(".override")).to_have_count(3)


def test_edits_are_marked_in_the_log(windows, service, contested):
    venue, _, _ = contested
    page = open_desk(windows, venue, "/history")
    expect(page.locator(".revision")).to_have_count(7)
    marked = page.locator(".revision", has=page.locator(".tag", has_text="Edited by hand"))
    expect(marked).to_have_count(5)
    expect(page.locator("#revision-2")).to_contain_text("Edited by hand")
    expect(page.locator("#revision-2")).to_contain_text("admin")
    expect(page.locator("#revision-7 .edited, #revision-1 .edited")).to_have_count(0)


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
@pytest.mark.parametrize("viewport", [(390, 844), (1280, 800)])
def test_edits_list_fits_the_viewport_and_has_accessible_names(windows, service, contested, viewport, locale):
    venue, _, _ = contested
    page = open_desk(windows, venue, "/overrides?state=all", viewport=viewport, locale=locale)
    expect(page.locator(".override")).to_have_count(5)
    assert page.evaluate("document.getElementById('main').scrollWidth") <= viewport[0]
    nameless = page.evaluate("""() => [...document.querySelectorAll("button, a, input, select")].filter((element) =>
        element.offsetParent && !(element.innerText || element.getAttribute("aria-label") || element.labels?.length)).map((each) => each.outerHTML)""")
    assert nameless == []
    if locale == "ja-JP":
        assert "desk." not in page.locator("#main").inner_text() and "edit." not in page.locator("#main").inner_text()
