"""The list of venues: cards, and rows for many. What they say: Tests/Console/venue-list.test.js."""
import re

from playwright.sync_api import expect

from accessibility import findings
from desk import count_in_view, stage_upload


def show_only(page, venues):
    """Lets the list have these venues: other tests create venues in the same service."""
    page.route(re.compile(r"/venues\?unpublished=true"), lambda route: route.fulfill(json={"venues": venues, "next": None}))


def test_whole_card_opens_its_venue_and_its_links_lead_to_uploads(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    stage_upload(service, venue_key, archive, "rename=2")
    page = windows.open("#/~/calendar", api_key=service.admin_key)
    show_only(page, [service.get_json(f"/venues/{venue_key}")])
    page.evaluate("location.hash = '#/'")
    card = page.locator(".venue-card", has_text=venue_key)
    waiting = card.get_by_role("link", name="1 waiting")
    # The details of a venue are loaded when its card is on the screen.
    page.fill("#venue-search", venue_key)
    expect(waiting).to_be_visible()
    # Nothing covers the picture of the venue.
    picture, badge = card.locator(".card-picture").bounding_box(), waiting.bounding_box()
    assert badge["y"] >= picture["y"] + picture["height"]
    revision = card.get_by_text("Revision 1").bounding_box()
    page.mouse.click(revision["x"] + 5, revision["y"] + 5)
    page.wait_for_url(f"**/#/{venue_key}*")
    page.go_back()
    page.fill("#venue-search", venue_key)
    waiting.click()
    page.wait_for_url(f"**/#/{venue_key}/desk/uploads?state=staged")


def test_about_twenty_of_forty_venues_are_on_a_laptop_the_most_urgent_first(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    stage_upload(service, venue_key, archive, "rename=2")
    venue = service.get_json(f"/venues/{venue_key}")
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    page = windows.open("#/~/calendar", api_key=service.admin_key, viewport=(1440, 900), bypass_csp=True)
    show_only(page, [{**venue, "venue": f"site-{n:02d}", "name": {"en": f"Site {n:02d}"}} for n in range(40)])
    revision = service.get_json(f"/venues/{venue_key}/revisions/1")
    page.route(re.compile(r"/venues/site-\d+/revisions/"), lambda route: route.fulfill(json=revision))

    def uploads(route):
        site = route.request.url.split("/site-")[1][:2]
        staged = [upload] * {"31": 1, "17": 2}.get(site, 0)
        newest = [{**upload, "state": "rejected"}] if site == "08" else staged
        route.fulfill(json={"uploads": staged if "state=staged" in route.request.url else newest, "next": None})

    page.route(re.compile(r"/venues/site-\d+/uploads\?"), uploads)
    page.evaluate("location.hash = '#/'")
    rows = page.locator(".venue-card")
    expect(rows).to_have_count(40)
    expect(rows.first).to_contain_text("2 waiting")
    expect(page.locator(".venues-status")).to_be_empty()
    assert [each.split("\n")[0] for each in rows.all_inner_texts()[:4]] == ["Site 17", "Site 31", "Site 08", "Site 00"]
    assert count_in_view(page, ".venue-card") >= 20
    assert rows.first.locator("time").get_attribute("title")
    assert not findings(page)
    # The arrow keys lead from the search through the rows, and Enter opens one.
    page.focus("#venue-search")
    for key in ("ArrowDown", "ArrowDown", "ArrowUp"):
        page.keyboard.press(key)
    expect(rows.first.locator("a.card")).to_be_focused()
    # The address keeps the search and the filters.
    page.fill("#venue-search", "site")
    page.get_by_role("button", name="Waiting for a decision").click()
    page.select_option("#venue-order", "name")
    expect(rows).to_have_count(2)
    assert page.url.endswith("#/?search=site&filter=waiting&order=name")
    page.reload()
    expect(rows).to_have_count(2)
    expect(page.locator("#venue-search")).to_have_value("site")
    expect(rows.first).to_contain_text("Site 17")
