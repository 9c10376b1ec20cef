"""Review: findings on a map, and where the map of a difference is on the page. What the pages say: Tests/Console/upload-page.test.js and
upload-findings.test.js."""
import re

import pytest
from playwright.sync_api import expect

from accessibility import findings
from desk import open_desk, push_unpublished, stage_upload


@pytest.fixture(scope="module")
def staged(service):
    """The id of a staged upload of a venue, `mall.review`, that no test changes."""
    archive = service.create_venue("mall.review", "--levels", 3, "--units", 24, "--seed", 7)
    waiting, _ = stage_upload(service, "mall.review", archive, "rename=4,move=3,add=2,remove=2,hours=2")
    return waiting


def open_finding(page):
    """Opens the first finding of a rule that has several."""
    rule = page.locator(".rule", has_text="TO-").filter(has_not=page.locator(".count", has_text=re.compile("^1$"))).first
    rule.locator("summary").click()
    rule.locator(".finding-link").first.click()


def test_finding_of_staged_upload_is_shown_on_what_was_uploaded(windows, staged):
    page = open_desk(windows, "mall.review", f"/uploads/{staged}")
    open_finding(page)
    view = page.locator(".finding-view")
    expect(view.locator(".diff-pin path")).to_be_visible()
    expect(view.locator(".finding-message")).not_to_be_empty()
    message = view.locator(".finding-message").inner_text()
    assert f"/desk/uploads/{staged}?finding=TO-" in page.url, "not the published map"
    page.reload()
    expect(view.locator(".diff-pin path")).to_be_visible()
    expect(view.locator(".finding-message")).to_have_text(message)
    view.get_by_role("button", name="Next finding").click()
    expect(view.locator(".count")).to_contain_text("Finding 2 of")
    expect(page).to_have_url(re.compile(":1$"))
    view.get_by_role("button", name="Previous finding").click()
    expect(view.locator(".finding-message")).to_have_text(message)


def test_finding_of_published_upload_is_shown_on_the_map_with_its_message(windows, service, venue_key):
    service.create_venue(venue_key)
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?limit=1")["uploads"]
    page = open_desk(windows, venue_key, f"/uploads/{upload['id']}")
    expect(page.locator(".upload-header")).to_be_visible()
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)
    open_finding(page)
    page.wait_for_selector(".live-state.live")
    note = page.locator(".finding-note")
    expect(note).to_contain_text("Finding 1 of")
    message = note.locator("p").first.inner_text()
    assert message
    page.reload()
    expect(page.locator(".finding-note p").first).to_have_text(message)
    expect(page.locator(".map-pin")).to_be_visible()
    note.get_by_role("link", name="Next finding").click()
    expect(page.locator(".finding-note")).to_contain_text("Finding 2 of")


def visible_height(page):
    """How much of the map of a difference is in view, in pixels, before the page is scrolled."""
    box = page.locator(".diff-drawing").bounding_box()
    assert page.evaluate("document.getElementById('main').scrollTop") == 0
    return page.viewport_size["height"] - box["y"]


def test_map_of_a_difference_is_in_view_with_many_floors(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 33, "--units", 3, "--seed", 7)
    service.publish_edit(venue_key, archive, "rename=90,move=90")
    page = open_desk(windows, venue_key, "/compare?from=1&to=2")
    expect(page.locator(".change").first).to_be_visible()
    assert page.locator(".level-table tbody tr").count() > 25
    assert visible_height(page) > 350


def test_map_of_a_difference_is_in_view_below_a_decision(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 40, "--seed", 7)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=4,move=3,add=2,remove=2,hours=2")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    expect(page.locator(".change").first).to_be_visible()
    assert visible_height(page) > 250
    smaller = service.generate(f"{venue_key}-less.zip", "--next-of", archive, "--edit", "remove-floor,rename=5,move=3", "--seed", 3)
    guarded = push_unpublished(service, venue_key, smaller)
    page.goto(f"{service.address}/#/{venue_key}/desk/uploads/{guarded}")
    expect(page.locator(".reasons")).to_contain_text("would disappear")
    expect(page.locator(".diff-surface .floor-unit").first).to_be_attached()
    assert visible_height(page) > 150
    # What sticks to the top leaves enough for the map when the page is scrolled to it.
    expect(page.locator(".rule").first).to_be_visible()
    page.wait_for_function("""() => document.querySelector(".desk-view").style.getPropertyValue("--decision-height")
        === `${document.querySelector(".decision").parentElement.offsetHeight}px`""")
    page.locator(".comparison").evaluate("each => each.scrollIntoView()")
    bottom = page.locator(".decision").bounding_box()
    drawing = page.locator(".diff-drawing").bounding_box()
    assert drawing["y"] >= bottom["y"] + bottom["height"]
    assert min(drawing["y"] + drawing["height"], 800) - drawing["y"] > 300


def test_map_of_a_difference_begins_on_the_first_screen_of_a_laptop_and_the_decision_stays_in_view(windows, staged):
    page = open_desk(windows, "mall.review", f"/uploads/{staged}")
    expect(page.locator(".change").first).to_be_visible()
    title, note, publish = (
        page.locator(f".decision {each}").first.bounding_box() for each in ("h2", "p", "button"))
    # The decision is one line.
    for each in (title, note, publish):
        assert abs(each["y"] + each["height"] / 2 - publish["y"] - publish["height"] / 2) < 6
    assert page.locator(".diff-drawing").bounding_box()["y"] < 500
    expect(page.locator(".rule").first).to_be_visible()
    page.evaluate("document.getElementById('main').scrollTo(0, 100_000)")
    expect(page.locator(".decision").get_by_role("button", name="Publish")).to_be_in_viewport()


def test_map_of_a_difference_is_on_the_first_screen_of_a_phone(windows, staged):
    page = open_desk(windows, "mall.review", f"/uploads/{staged}", viewport=(390, 844), bypass_csp=True)
    expect(page.locator(".change").first).to_be_visible()
    drawing, decision = (page.locator(each).bounding_box() for each in (".diff-drawing", ".decision"))
    assert drawing["y"] < 844 * 0.7 and decision["y"] + decision["height"] < drawing["y"]
    # The floors are beside each other above the map; the sentences and the list are below it.
    floors = [each.bounding_box() for each in page.locator(".level-rail tbody button").all()]
    assert len(floors) > 1 and len({each["y"] for each in floors}) == 1 and floors[0]["y"] < drawing["y"]
    assert page.locator(".change-descriptions").bounding_box()["y"] > drawing["y"] + drawing["height"]
    assert page.locator(".change").first.bounding_box()["y"] > drawing["y"] + drawing["height"]
    selected = page.locator(".level-rail tr.is-selected")
    page.locator(".level-rail tr:not(.is-selected) button").first.click()
    expect(selected).to_have_count(1)
    expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
    # Who uploaded it is one tap away.
    author = page.locator(".upload-header > dl dt").first
    expect(author).to_be_hidden()
    page.locator(".upload-header summary").click()
    expect(author).to_be_visible()
    page.evaluate("document.getElementById('main').scrollTo(0, 100_000)")
    expect(page.locator(".decision").get_by_role("button", name="Publish")).to_be_in_viewport()
    assert not findings(page)
