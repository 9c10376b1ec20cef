"""The list of venues: waiting and scheduled uploads of the cards, and the details of many venues."""
import re

from playwright.sync_api import expect

from desk import reject_uploads, stage_upload
from test_manage import make_key
from test_place_list import LATE_REPORTS


def test_waiting_upload_behind_many_newer_ones_is_counted(windows, service, venue_key):
    service.create_venue("without-failures", "--levels", 1, "--units", 8)
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    stage_upload(service, venue_key, archive, "rename=2")
    reject_uploads(service, venue_key, 51)
    page = windows.open(api_key=service.admin_key)
    page.get_by_role("button", name="Waiting for a decision").click()
    card = page.locator(".venue-card", has_text=venue_key)
    # The details of all venues of the service are loaded before.
    expect(card.get_by_role("link", name="1 waiting")).to_be_visible(timeout=60_000)
    expect(card.get_by_role("link", name="Last upload rejected")).to_be_visible()
    # It is among those whose last upload failed, too; one that had none that failed is not.
    page.get_by_role("button", name="All", exact=True).click()
    page.fill("#venue-search", "without-failures")
    expect(page.locator(".venue-card")).to_have_count(1)
    page.get_by_role("button", name="Last upload failed").click()
    expect(page.locator(".venue-card")).to_have_count(0)
    page.fill("#venue-search", venue_key)
    expect(card.get_by_role("link", name="Last upload rejected")).to_be_visible(timeout=60_000)


def test_whole_card_opens_its_venue_and_its_links_lead_to_uploads(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    stage_upload(service, venue_key, archive, "rename=2")
    page = windows.open(api_key=service.admin_key)
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


def test_picture_is_drawn_on_a_busy_page(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(api_key=service.admin_key)
    page.add_init_script(LATE_REPORTS)
    page.goto(f"{service.address}/?busy")
    page.fill("#venue-search", venue_key)
    expect(page.locator(".venue-picture path").first).to_be_attached()


def test_picture_of_a_large_floor_is_its_outline(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(api_key=service.admin_key)

    def enlarge(route):
        response = route.fetch()
        document = response.json()
        for venue in document["venues"]:
            for level in venue.get("levels", []):
                level["features"] = 5_000
        route.fulfill(response=response, json=document)

    page.route("**/venues?*", enlarge)
    with page.expect_request(re.compile(rf"/venues/{venue_key}/revisions/\d+/features\?.*")) as request:
        page.goto(f"{service.address}/?large")
        page.fill("#venue-search", venue_key)
    assert "type=unit" not in request.value.url
    expect(page.locator(".venue-picture .floor-level").first).to_be_attached()
    page.unroute_all(behavior="ignoreErrors")


def test_card_for_a_key_that_may_not_see_uploads_says_when_the_venue_was_published(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(api_key=make_key(service, f"reader {venue_key}", "read", venue_key))
    # Public venues are listed, too.
    page.fill("#venue-search", venue_key)
    expect(page.locator(".card-key")).to_have_text([venue_key])
    expect(page.locator(".card-published time")).to_be_visible()
    expect(page.locator(".card-links a")).to_have_count(0)


def test_scheduled_upload_is_not_called_waiting(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 3)
    service.run_venue("push", following, "--to", venue_key, "--at", "2199-02-03T09:00:00Z")
    first = f"{venue_key}-first"
    service.run_venue("push", archive, "--to", first, "--new", "--at", "2199-02-04T09:00:00Z")
    page = windows.open(api_key=service.admin_key, timezone_id="Asia/Tokyo")
    page.fill("#venue-search", venue_key)
    cards = page.locator(".venue-card")
    expect(cards).to_have_count(2)
    for key, day in ((first, "Mon, Feb 4, 2199"), (venue_key, "Sun, Feb 3, 2199")):
        links = cards.filter(has=page.locator(f"a.card[href^='#/{key}']")).filter(has_text=day).locator(".card-links")
        expect(links).to_have_text(re.compile(f"^Will be published {day}"))
        expect(links).not_to_contain_text("waiting")
    page.get_by_role("button", name="Waiting for a decision").click()
    # The details of all venues of the service are loaded before.
    expect(page.locator(".venues-status")).to_have_text("No venue matches.", timeout=60_000)
    expect(cards).to_have_count(0)


def test_details_of_every_venue_are_loaded_a_few_at_a_time(windows, service, mall):
    """The API's responses are replaced: a real list of this length takes minutes to publish."""
    [summary] = [each for each in service.get_json("/venues")["venues"] if each["venue"] == mall]
    count, waiting = 400, "venue-390"
    many = [{**summary, "venue": f"venue-{n:03d}", "name": {"en": f"Venue {n:03d}"}, "levels": []} for n in range(count)]
    page = windows.open("about", api_key=service.admin_key)
    asked = set()
    page.add_init_script("""(() => {
        const original = window.fetch;
        window.running = window.mostRunning = 0;
        window.fetch = async (...parameters) => {
            window.mostRunning = Math.max(window.mostRunning, window.running += 1);
            try {
                return await original(...parameters);
            } finally {
                window.running -= 1;
            }
        };
    })()""")

    def respond(route):
        venue, kind = re.search(r"/venues/([^/]+)/(uploads|revisions)", route.request.url).groups()
        asked.add(venue)
        if kind == "revisions":
            route.fulfill(json={"published_at": "2026-01-01T00:00:00.000Z", "author": "ana"})
        else:
            is_staged = "state=staged" in route.request.url and venue == waiting
            route.fulfill(json={"uploads": [{"id": "1", "state": "staged", "publish_at": None}] if is_staged else [], "next": None})

    page.route(re.compile(r"/venues/venue-\d+/"), respond)
    page.route(re.compile(r"/venues\?"), lambda route: route.fulfill(json={"venues": many, "next": None}))
    page.goto(f"{service.address}/")
    expect(page.locator(".card-published time").first).to_be_visible()
    expect(page.locator(".venue-card")).to_have_count(count)
    assert len(asked) < 60, "only of cards that are in view"
    last = page.locator(".venue-card").nth(count - 1)
    last.scroll_into_view_if_needed()
    expect(last.locator(".card-published time")).to_be_visible()
    assert len(asked) < 120
    page.get_by_role("button", name="Waiting for a decision").click()
    expect(page.locator(".card-key")).to_have_text([waiting], timeout=60_000)
    expect(page.locator(".venues-status")).to_have_text("", timeout=60_000)
    assert len(asked) == count
    assert 4 < page.evaluate("window.mostRunning") < 20
