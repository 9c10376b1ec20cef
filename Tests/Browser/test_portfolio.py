"""The cards of the list of venues. What they say: Tests/Console/venue-list.test.js."""
from playwright.sync_api import expect

from desk import stage_upload


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
