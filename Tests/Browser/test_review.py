"""Review: findings on a map, and where the map of a difference is on the page. What the pages say: Tests/Console/upload-page.test.js and
upload-findings.test.js."""
import re

import pytest
from playwright.sync_api import expect

from accessibility import findings
from desk import open_desk, push_unpublished, stage_upload
from service import edited_archive


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
        === `${document.querySelector(".upload-line").offsetHeight}px`""")
    page.locator(".comparison").evaluate("each => each.scrollIntoView()")
    bottom = page.locator(".upload-line").bounding_box()
    drawing = page.locator(".diff-drawing").bounding_box()
    assert drawing["y"] >= bottom["y"] + bottom["height"]
    assert min(drawing["y"] + drawing["height"], 800) - drawing["y"] > 300


LAPTOP = (1440, 900)


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_one_line_decides_about_an_upload_and_stays_in_view(windows, staged, locale):
    page = open_desk(windows, "mall.review", f"/uploads/{staged}", viewport=LAPTOP, locale=locale)
    expect(page.locator(".change").first).to_be_visible()
    expect(page.locator(".rule").first).to_be_visible()
    line = page.locator(".upload-line")
    assert line.bounding_box()["height"] <= 56
    # What, whose and by whom; the verdict; the buttons.
    expect(line.locator("h2")).not_to_be_empty()
    expect(line.locator(".upload-facts")).to_contain_text("admin")
    assert line.locator(".upload-facts time").get_attribute("title")
    middles = [each["y"] + each["height"] / 2 for each in (
        page.locator(each).first.bounding_box() for each in (".upload-header", ".verdict .tag", ".decision button", ".upload-header summary"))]
    assert max(middles) - min(middles) < 6
    assert page.locator(".diff-drawing").bounding_box()["y"] < 300
    # The sentences and the floors are beside the map.
    drawing = page.locator(".diff-drawing").bounding_box()
    for each in (".change-descriptions", ".level-rail"):
        box = page.locator(each).bounding_box()
        assert box["x"] + box["width"] <= drawing["x"] and box["y"] < 600
    page.evaluate("document.getElementById('main').scrollTo(0, 100_000)")
    expect(line.locator(".decision button").first).to_be_in_viewport()
    line.locator("summary").click()
    expect(line.locator("dl")).to_be_in_viewport(ratio=1)
    assert not findings(page)


def test_verdict_leads_to_the_guards_and_the_errors_of_an_upload(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 40, "--seed", 7)
    smaller = service.generate(f"{venue_key}-less.zip", "--next-of", archive, "--edit", "remove-floor", "--seed", 3)
    # A shop with a category that does not exist is an error.
    wrong = edited_archive(smaller, service.folder / f"{venue_key}-wrong.zip", {
        "occupant.geojson": lambda shops: shops[0]["properties"].update(category="no such thing")})
    guarded = push_unpublished(service, venue_key, wrong)
    page = open_desk(windows, venue_key, f"/uploads/{guarded}", viewport=LAPTOP)
    line = page.locator(".upload-line")
    errors = line.get_by_role("button", name="1 error")
    expect(errors).to_be_visible(timeout=60_000)
    expect(page.locator(".reasons")).to_contain_text("would disappear")
    expect(page.locator(".diff-surface .floor-unit").first).to_be_attached()
    assert line.bounding_box()["height"] <= 56 and page.locator(".diff-drawing").bounding_box()["y"] < 300
    expect(page.locator(".reasons")).to_be_in_viewport(ratio=1)
    errors.click()
    expect(page.locator("#findings")).to_be_focused()
    expect(page.locator(".rule")).to_have_count(1)
    expect(page.locator(".rule")).to_be_in_viewport()
    line.get_by_role("button", name="1 guard").click()
    expect(page.locator(".upload-checks")).to_be_focused()
    box, bottom = page.locator(".reasons").bounding_box(), line.bounding_box()
    assert box["y"] >= bottom["y"] + bottom["height"]


def test_map_of_a_difference_is_on_the_first_screen_of_a_phone(windows, staged):
    page = open_desk(windows, "mall.review", f"/uploads/{staged}", viewport=(390, 844), bypass_csp=True)
    expect(page.locator(".change").first).to_be_visible()
    drawing, decision = (page.locator(each).bounding_box() for each in (".diff-drawing", ".upload-line"))
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
    # Who uploaded it is in the line; the exact time is one tap away.
    expect(page.locator(".upload-facts")).to_contain_text("admin")
    author = page.locator(".upload-header dl dt").first
    expect(author).to_be_hidden()
    page.locator(".upload-header summary").click()
    expect(author).to_be_visible()
    page.evaluate("document.getElementById('main').scrollTo(0, 100_000)")
    expect(page.locator(".decision").get_by_role("button", name="Publish")).to_be_in_viewport()
    assert not findings(page)
