"""The previous and the next finding, through all rules of a report, on the page of an upload and on the published map."""
import re
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from desk import open_desk, stage_upload

SEVERITIES = ["error", "warning", "info"]


def rules_of(findings):
    """`(rule, count)` in the order of the page of an upload: the most severe first, then those with many findings."""
    rules = {}
    for finding in findings:
        rules.setdefault(finding["rule"], []).append(SEVERITIES.index(finding["severity"]))
    return [(rule, len(rules[rule])) for rule in sorted(rules, key=lambda rule: (min(rules[rule]), -len(rules[rule]), rule))]


def report_of(service, upload):
    """The findings of an upload after its validation."""
    assert any(service.get_json(f"/uploads/{upload}?wait=5")["findings"]["complete"] for _ in range(60))
    return service.get_json(f"/uploads/{upload}/findings?limit=1000")["findings"]


def address_of(rule, index):
    return re.compile(f"finding={rule}(:|%3A){index}(&|$)")


def expect_finding(page, rule, index, count, view=".finding-view"):
    expect(page.locator(view)).to_contain_text(f"Finding {index + 1} of {count} of rule {rule}")
    expect(page).to_have_url(address_of(rule, index))


def test_next_and_previous_lead_through_all_rules_of_an_upload(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    rules = rules_of(report_of(service, waiting))
    steps = [(rule, index, count) for rule, count in rules for index in range(count)]
    assert len(rules) > 1
    page = open_desk(windows, venue_key, f"/uploads/{waiting}?finding={rules[0][0]}:0")
    previous, following = (page.locator(f".finding-view [data-step={step}]") for step in ("previous", "next"))
    expect_finding(page, *steps[0])
    # The test compares the order with the page, too.
    assert page.locator(".rules .rule code").all_inner_texts()[:len(rules)] == [rule for rule, _ in rules]
    expect(previous).to_be_disabled()
    following.focus()
    for step in steps[1:-1]:
        page.keyboard.press("Enter")
        expect_finding(page, *step)
        expect(following).to_be_focused()
    page.keyboard.press("Enter")
    expect_finding(page, *steps[-1])
    expect(following).to_be_disabled()
    # Back to the rule before, also after a reload.
    rule, count = rules[-1]
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{waiting}?finding={rule}:0'")
    page.reload()
    expect_finding(page, rule, 0, count)
    previous.focus()
    page.keyboard.press("Enter")
    rule, count = rules[-2]
    expect_finding(page, rule, count - 1, count)
    expect(previous).to_be_focused()
    page.reload()
    expect_finding(page, rule, count - 1, count)


@pytest.mark.parametrize(("locale", "text"), [("en-US", "Finding 1000 of 2345 of rule MF-06"), ("ja-JP", "ルール MF-06 の指摘 1000/2345")])
def test_previous_finding_is_the_last_stored_one_of_a_rule_with_more(windows, service, venue_key, locale, text):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 24)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    example = next(finding for finding in report_of(service, waiting) if finding["at"])
    stored = [
        {**example, "rule": rule, "severity": severity, "message": f"{rule} {i}."}
        for rule, severity, count in (("MF-06", "warning", 1_000), ("RQ-02", "info", 2)) for i in range(count)]
    page = open_desk(windows, venue_key, locale=locale)
    requested = []

    def answer(route):
        query = {name: values[0] for name, values in parse_qs(urlsplit(route.request.url).query).items()}
        requested.append(query)
        matching = [finding for finding in stored if query.get("rule") in (None, finding["rule"])]
        start = int(query.get("after", 0))
        end = start + int(query["limit"])
        rule = f"rule={query['rule']}&" if "rule" in query else ""
        following = f"/uploads/{waiting}/findings?{rule}limit={query['limit']}&after={end}" if end < len(matching) else None
        route.fulfill(json={
            "findings": matching[start:end], "counts": {"MF-06": 2_345, "RQ-02": 2}, "truncated": True, "complete": True, "skipped": [],
            "rule_set": "1", "next": following})

    page.route("**/findings?**", answer)
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{waiting}?finding=RQ-02:0'")
    view = page.locator(".finding-view")
    expect(view.locator(".finding-message")).to_contain_text("RQ-02 0.")
    view.locator("[data-step=previous]").click()
    expect(view.locator(".finding-message")).to_contain_text("MF-06 999.")
    expect(view.locator(".count")).to_have_text(text)
    expect(page).to_have_url(address_of("MF-06", 999))
    assert len(requested) <= 4, "the rest of a rule is one request"
    # What is not stored is passed over.
    view.locator("[data-step=next]").click()
    expect(view.locator(".finding-message")).to_contain_text("RQ-02 0.")


def open_map(windows, venue_key, upload, finding, at):
    position = ",".join(str(degrees) for degrees in at[:2])
    return windows.map(venue_key, f"?at={position}&upload={upload}&finding={finding}")


def test_next_and_previous_lead_through_all_rules_on_the_published_map(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 2, "--units", 24)
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?limit=1")["uploads"]
    findings = report_of(service, upload["id"])
    (first, first_count), (second, second_count), *_ = rules = rules_of(findings)
    positions = {rule: [finding["at"] for finding in findings if finding["rule"] == rule] for rule, _ in rules}
    page = open_map(windows, venue_key, upload["id"], f"{first}:{first_count - 1}", positions[first][-1])
    note = ".finding-note"
    previous, following = (page.get_by_role("link", name=f"{name} finding") for name in ("Previous", "Next"))
    expect_finding(page, first, first_count - 1, first_count, note)
    following.focus()
    page.keyboard.press("Enter")
    expect_finding(page, second, 0, second_count, note)
    expect(following).to_be_focused()
    page.reload()
    expect_finding(page, second, 0, second_count, note)
    previous.focus()
    page.keyboard.press("Enter")
    expect_finding(page, first, first_count - 1, first_count, note)
    expect(previous).to_be_focused()
    # The ends of the report.
    page.evaluate(f"location.hash = '#/{venue_key}?at={positions[first][0][0]},{positions[first][0][1]}&upload={upload['id']}&finding={first}:0'")
    expect_finding(page, first, 0, first_count, note)
    expect(previous).to_be_disabled()
    expect(following).to_be_enabled()
    last, count = rules[-1]
    at = positions[last][-1]
    page.evaluate(f"location.hash = '#/{venue_key}?at={at[0]},{at[1]}&upload={upload['id']}&finding={last}:{count - 1}'")
    expect_finding(page, last, count - 1, count, note)
    expect(following).to_be_disabled()
    expect(previous).to_be_enabled()


def test_findings_without_a_position_are_passed_over_on_the_published_map(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 24)
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?limit=1")["uploads"]
    example = next(finding for finding in report_of(service, upload["id"]) if finding["at"])
    page = windows.map(venue_key)
    nowhere = {"at": None, "feature_id": None}
    report = [
        {**example, "rule": rule, "severity": severity, "message": f"{rule} {i}.", **({} if has_position else nowhere)}
        for rule, severity, *positions in (("MF-06", "error", 1, 0), ("ST-06", "warning", 0, 0), ("RQ-02", "info", 0, 1, 0))
        for i, has_position in enumerate(positions)]
    counts = {"MF-06": 2, "ST-06": 2, "RQ-02": 3}
    page.route("**/findings?**", lambda route: route.fulfill(json={
        "findings": report, "counts": counts, "truncated": False, "complete": True, "skipped": [], "rule_set": "1", "next": None}))
    at = ",".join(str(degrees) for degrees in example["at"][:2])
    page.evaluate(f"location.hash = '#/{venue_key}?at={at}&upload={upload['id']}&finding=MF-06:0'")
    expect_finding(page, "MF-06", 0, 2, ".finding-note")
    following = page.get_by_role("link", name="Next finding")
    following.focus()
    page.keyboard.press("Enter")
    expect_finding(page, "RQ-02", 1, 3, ".finding-note")
    expect(page.locator(".map-pin")).to_be_visible()
    # It leads no further, so the note has the focus.
    expect(following).to_be_disabled()
    expect(page.locator(".finding-note")).to_be_focused()
    page.get_by_role("link", name="Previous finding").press("Enter")
    expect_finding(page, "MF-06", 0, 2, ".finding-note")
