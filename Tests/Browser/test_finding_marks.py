"""Marks for the findings of a floor are drawn where they can be clicked, for what waits and what is published."""
import json
import re

from playwright.sync_api import expect

from desk import open_desk, stage_upload


def open_finding(page, rule="TO-"):
    entry = page.locator(".rule", has_text=rule).first
    if entry.get_attribute("open") is None:
        entry.locator("summary").click()
    entry.locator(".finding-link").first.click()


def mark_counts(marks):
    return [int(text) if text.isdigit() else 1 for text in marks.locator("text").all_text_contents()]


def test_findings_of_a_staged_floor_are_marked_and_open_by_a_click(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    open_finding(page)
    view = page.locator(".finding-view")
    marks = view.locator(".diff-mark")
    expect(view.locator(".diff-mark.is-current")).to_have_count(1)
    expect(view.locator(".help")).to_contain_text("have findings. Click a mark")
    # Those of the other floor are not marked.
    total = len(service.get_json(f"/uploads/{waiting}/findings?limit=1000")["findings"])
    assert 1 < sum(mark_counts(marks)) < total
    first = view.locator(".finding-message").inner_text()
    view.get_by_role("button", name=re.compile("whole")).click()
    other = marks.filter(has_not_text=first).last
    text = other.locator("title").text_content().split("\n")[0]
    other.click(force=True)
    expect(view.locator(".finding-message")).to_contain_text(text)
    expect(page).to_have_url(re.compile(r"finding=.+:\d+$"))
    expect(view.locator(".diff-pin path")).to_be_visible()
    page.reload()
    expect(view.locator(".finding-message")).to_contain_text(text)


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
