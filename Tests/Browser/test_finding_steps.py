"""The previous and the next finding on the published map, through all rules of a report of a running service."""
import re

from playwright.sync_api import expect

SEVERITIES = ["error", "warning", "info"]


def rules_of(findings):
    """`(rule, count)` in the order of the page of an upload: the most severe first, then those with many findings."""
    rules = {}
    for finding in findings:
        rules.setdefault(finding["rule"], []).append(SEVERITIES.index(finding["severity"]))
    return [(rule, len(rules[rule])) for rule in sorted(rules, key=lambda rule: (min(rules[rule]), -len(rules[rule]), rule))]


def report_of(service, upload):
    """The findings of an upload after its validation."""
    # `wait` waits for the end of the upload, which the validation follows.
    service.wait_for(lambda: service.get_json(f"/uploads/{upload}")["findings"]["complete"], "the findings are not complete")
    return service.get_json(f"/uploads/{upload}/findings?limit=1000")["findings"]


def address_of(rule, index):
    return re.compile(f"finding={rule}(:|%3A){index}(&|$)")


def expect_finding(page, rule, index, count):
    expect(page.locator(".finding-note")).to_contain_text(f"Finding {index + 1} of {count} of rule {rule}")
    expect(page).to_have_url(address_of(rule, index))


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
    previous, following = (page.get_by_role("link", name=f"{name} finding") for name in ("Previous", "Next"))
    expect_finding(page, first, first_count - 1, first_count)
    following.focus()
    page.keyboard.press("Enter")
    expect_finding(page, second, 0, second_count)
    expect(following).to_be_focused()
    page.reload()
    expect_finding(page, second, 0, second_count)
    previous.focus()
    page.keyboard.press("Enter")
    expect_finding(page, first, first_count - 1, first_count)
    expect(previous).to_be_focused()
    # The ends of the report.
    page.evaluate(f"location.hash = '#/{venue_key}?at={positions[first][0][0]},{positions[first][0][1]}&upload={upload['id']}&finding={first}:0'")
    expect_finding(page, first, 0, first_count)
    expect(previous).to_be_disabled()
    expect(following).to_be_enabled()
    last, count = rules[-1]
    at = positions[last][-1]
    page.evaluate(f"location.hash = '#/{venue_key}?at={at[0]},{at[1]}&upload={upload['id']}&finding={last}:{count - 1}'")
    expect_finding(page, last, count - 1, count)
    expect(following).to_be_disabled()
    expect(previous).to_be_enabled()
