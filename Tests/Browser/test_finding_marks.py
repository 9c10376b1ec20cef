"""All findings of a floor are marked on the map, for what waits, what was rejected and what is published."""
import json
import re
import uuid

import pytest
from playwright.sync_api import expect

from desk import open_desk, push_unpublished, stage_upload
from service import edited_archive


def archive_with_lost_levels(archive, target, units):
    """A copy of an archive in which some units name a level that does not exist."""
    def lose(features):
        for feature in features[:units]:
            feature["properties"]["level_id"] = str(uuid.uuid4())

    return edited_archive(archive, target, {"unit.geojson": lose})


def archive_with_wrong_telephones(archive, target):
    """A copy of an archive in which no occupant has a valid telephone number."""
    def spoil(features):
        for number, feature in enumerate(features):
            feature["properties"]["phone"] = f"by letter {number} only"

    return edited_archive(archive, target, {"occupant.geojson": spoil})


def reject(service, venue_key, archive, *options):
    """The upload of an archive in which the rule book finds errors."""
    rejected = push_unpublished(service, venue_key, archive, "--strict", *options)
    upload = service.get_json(f"/uploads/{rejected}")
    assert upload["state"] == "rejected"
    return upload


def open_finding(page, rule="TO-"):
    entry = page.locator(".rule", has_text=rule).first
    if entry.get_attribute("open") is None:
        entry.locator("summary").click()
    entry.locator(".finding-link").first.click()


def mark_counts(marks):
    return [int(text) if text.isdigit() else 1 for text in marks.locator("text").all_text_contents()]


@pytest.mark.parametrize(("locale", "note"), [("en-US", "have findings. Click a mark"), ("ja-JP", "か所に指摘があります")])
def test_findings_of_a_staged_floor_are_marked_and_open_by_a_click(windows, service, venue_key, locale, note):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}", locale=locale)
    open_finding(page)
    view = page.locator(".finding-view")
    marks = view.locator(".diff-mark")
    expect(view.locator(".diff-mark.is-current")).to_have_count(1)
    expect(view.locator(".help")).to_contain_text(note)
    # Those of the other floor are not marked.
    total = len(service.get_json(f"/uploads/{waiting}/findings?limit=1000")["findings"])
    assert 1 < sum(mark_counts(marks)) < total
    first = view.locator(".finding-message").inner_text()
    view.get_by_role("button", name=re.compile("whole|全体")).click()
    other = marks.filter(has_not_text=first).last
    text = other.locator("title").text_content().split("\n")[0]
    other.click(force=True)
    expect(view.locator(".finding-message")).to_contain_text(text)
    expect(page).to_have_url(re.compile(r"finding=.+:\d+$"))
    expect(view.locator(".diff-pin path")).to_be_visible()
    page.reload()
    expect(view.locator(".finding-message")).to_contain_text(text)


def test_several_findings_at_one_position_open_in_turns(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 24)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key)

    def double(route):
        response = route.fetch()
        document = response.json()
        document["findings"] = [finding for each in document["findings"] for finding in (each, {**each, "message": f"Also: {each['message']}"})]
        document["counts"] = {rule: 2 * count for rule, count in document["counts"].items()}
        route.fulfill(response=response, json=document)

    page.route("**/findings?**", double)
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{waiting}'")
    open_finding(page)
    view = page.locator(".finding-view")
    expect(view.locator(".finding-message")).not_to_contain_text("Also")
    mark = view.locator(".diff-mark", has=page.locator("title", has_text="Also")).first
    expect(mark.locator("text")).to_have_text(re.compile(r"^\d+$"))
    message = view.locator(".finding-message").inner_text().split(": ", 1)[1]
    view.locator(".diff-mark", has=page.locator("title", has_text=message)).first.dispatch_event("click")
    expect(view.locator(".finding-message")).to_contain_text(f"Also: {message}")


@pytest.mark.parametrize(("locale", "heading"), [("en-US", "What it would have changed"), ("ja-JP", "却下された変更の内容")])
@pytest.mark.parametrize("is_first", [False, True])
def test_findings_of_a_rejected_archive_are_marked_on_what_was_uploaded(windows, service, venue_key, locale, heading, is_first):
    options = ("--levels", 2, "--units", 24)
    archive = service.generate(f"{venue_key}.zip", *options) if is_first else service.create_venue(venue_key, *options)
    wrong = archive_with_wrong_telephones(archive, service.folder / f"{venue_key}-wrong.zip")
    rejected = reject(service, venue_key, wrong, *(["--new"] if is_first else []))
    page = open_desk(windows, venue_key, f"/uploads/{rejected['id']}", locale=locale)
    expect(page.get_by_role("heading", name=heading)).to_be_visible()
    expect(page.locator(".decision")).to_have_count(0)
    # The errors come first.
    expect(page.locator(".upload-page section h2")).to_have_count(3)
    assert page.locator(".upload-page section h2").last.inner_text() == heading
    open_finding(page, "PV-08")
    view = page.locator(".finding-view")
    expect(view.locator(".diff-mark.is-error.is-current")).to_have_count(1)
    expect(view.locator(".help")).not_to_contain_text(re.compile("not stored|保存されていない"))
    first = view.locator(".finding-message").inner_text()
    view.locator("[data-step=next]").click()
    expect(view.locator(".finding-message")).not_to_have_text(first)
    expect(view.locator(".diff-mark.is-error.is-current")).to_have_count(1)
    page.reload()
    expect(view.locator(".diff-mark.is-error.is-current")).to_have_count(1)


def test_page_of_a_rejected_upload_is_drawn_again_when_its_changes_are_gone(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24)
    wrong = archive_with_wrong_telephones(archive, service.folder / f"{venue_key}-wrong.zip")
    rejected = reject(service, venue_key, wrong)
    page = open_desk(windows, venue_key, f"/uploads/{rejected['id']}")
    heading = page.get_by_role("heading", name="What it would have changed")
    expect(page.locator(".level-rail tr.is-selected")).to_have_count(1)
    reject(service, venue_key, wrong)
    page.locator(".level-rail tr:not(.is-selected) button").first.click()
    expect(heading).to_have_count(0)
    open_finding(page, "PV-08")
    expect(page.locator(".finding-view .help")).to_contain_text("What was rejected is not stored")
    expect(page.locator(".finding-view .diff-mark.is-error.is-current")).to_have_count(1)


def test_findings_of_an_earlier_rejected_archive_are_marked_on_the_published_floor(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 24)
    wrong = archive_with_lost_levels(archive, service.folder / f"{venue_key}-wrong.zip", units=3)
    rejected = reject(service, venue_key, wrong)
    reject(service, venue_key, wrong)
    page = open_desk(windows, venue_key, f"/uploads/{rejected['id']}")
    open_finding(page, "")
    view = page.locator(".finding-view")
    expect(view.locator(".help")).to_contain_text("What was rejected is not stored, so the map shows what is published")
    expect(view.locator(".diff-mark.is-error")).to_have_count(3)
    message = view.locator(".finding-message").inner_text()
    view.locator(".diff-buttons button").nth(2).click()
    view.locator(".diff-mark.is-error").last.dispatch_event("click")
    expect(view.locator(".finding-message")).not_to_have_text(message)
    expect(page).to_have_url(re.compile(r"finding=.+:[12]$"))


def test_findings_of_the_published_floor_are_marked_on_the_map(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 2, "--units", 24)
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?limit=1")["uploads"]
    page = open_desk(windows, venue_key, f"/uploads/{upload['id']}")
    expect(page.locator(".upload-header")).to_be_visible()
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)
    open_finding(page)
    marks = page.locator(".finding-mark")
    expect(marks.first).to_be_visible()
    count = marks.count()
    assert count > 1
    group = page.get_by_role("group", name=f"Places with findings on this floor: {count}")
    expect(group).to_have_count(1)
    message = page.locator(".finding-note p").first.inner_text()
    target = next(mark for mark in marks.all() if message not in mark.get_attribute("title"))
    text = target.get_attribute("title").split("\n")[0]
    target.evaluate("(mark) => mark.click()")
    expect(page.locator(".finding-note p").first).to_have_text(text)
    expect(marks.first).to_be_attached()
    # The marks follow the floor.
    titles = [mark.get_attribute("href") for mark in marks.all()]
    page.get_by_role("navigation", name="Floors").locator("button:not([aria-current])").first.click()
    page.wait_for_function(
        "(before) => JSON.stringify([...document.querySelectorAll('.finding-mark')].map((mark) => mark.getAttribute('href'))) !== before",
        arg=json.dumps(titles, separators=(",", ":")))
    page.locator(".map-pin").evaluate("(pin) => pin.click()")
    expect(marks).to_have_count(0)


def test_report_with_very_many_findings_is_marked_partly_and_says_so(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 24)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    units = service.features(venue_key, 1, "unit")
    page = open_desk(windows, venue_key)

    def multiply(route):
        response = route.fetch()
        document = response.json()
        example = next(each for each in document["findings"] if each["at"])
        longitude, latitude = example["at"][:2]
        document["findings"] = [
            {**example, "feature_id": units[i % len(units)]["id"], "at": [longitude + i * 1e-5, latitude], "message": f"Finding {i}."}
            for i in range(1_000)]
        document.update(counts={example["rule"]: 1_000}, next=None)
        route.fulfill(response=response, json=document)

    page.route("**/findings?**", multiply)
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{waiting}'")
    open_finding(page, "")
    expect(page.locator(".finding-view .help")).to_contain_text("Not all findings have marks")
    expect(page.locator(".finding-view .diff-mark")).to_have_count(500)


@pytest.mark.parametrize(("locale", "details", "sentence", "place"), [
    ("en-US", "Show details", "There is no map to show this on", "Place in the archive"),
    ("ja-JP", "詳細を表示", "表示できる地図がありません", "アーカイブ内の場所")])
def test_finding_of_an_earlier_rejected_upload_of_a_new_venue_is_explained_in_words(windows, service, venue_key, locale, details, sentence, place):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 24)
    wrong = archive_with_lost_levels(archive, service.folder / f"{venue_key}-wrong.zip", 3)
    rejected = reject(service, venue_key, wrong, "--new")
    # Only the changes of the newest one are stored.
    reject(service, venue_key, wrong, "--new")
    page = open_desk(windows, venue_key, f"/uploads/{rejected['id']}", locale=locale)
    expect(page.locator(".finding-link").first).to_contain_text(details)
    open_finding(page, rejected_rule(service, rejected["id"]))
    view = page.locator(".finding-view")
    expect(view.locator(".help")).to_contain_text(sentence)
    expect(view.locator(".finding-message")).not_to_be_empty()
    expect(view.locator("dt").first).to_have_text(place)
    expect(view.locator("dd").first).to_contain_text("unit.geojson")
    expect(view.locator(".diff-map")).to_have_count(0)
    page.reload()
    expect(view.locator(".help")).to_contain_text(sentence)


def rejected_rule(service, upload):
    """The rule of the first error of an upload."""
    findings = service.get_json(f"/uploads/{upload}/findings?limit=1000")["findings"]
    return next(finding["rule"] for finding in findings if finding["severity"] == "error" and finding["file"] == "unit.geojson")
