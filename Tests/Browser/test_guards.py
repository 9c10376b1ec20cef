"""What a guard says of a staged upload, and what has to be confirmed. The sentences of all guards: Tests/Console/guards.test.js."""
import re
import uuid

from playwright.sync_api import expect

from desk import expect_upload_state, head_revision, open_desk, push_unpublished
from service import edited_archive


def test_guard_names_what_would_be_removed_and_requires_confirmation(windows, service, venue_key):
    def add_empty_level(features):
        level = features[0]
        return [*features, {**level, "id": str(uuid.uuid4()), "properties": {**level["properties"], "name": {"en": "Empty"}, "ordinal": 9}}]

    whole = service.generate(f"{venue_key}-whole.zip", "--levels", 2, "--units", 40, "--seed", 7)
    archive = edited_archive(whole, service.folder / f"{venue_key}.zip", {"level.geojson": add_empty_level})
    service.run_venue("push", archive, "--to", venue_key, "--new")
    before = service.get_json(f"/venues/{venue_key}/revisions/1")["features"]
    smaller = service.generate(f"{venue_key}-less.zip", "--next-of", whole, "--edit", "remove-floor", "--seed", 3)
    upload = push_unpublished(service, venue_key, smaller)
    changes = service.get_json(f"/uploads/{upload}/changes?limit=10000")["changes"]
    removed = [change for change in changes if change["kind"] == "removed"]
    # The empty level is removed, too. The guard does not warn of it.
    [(level, floor)] = [(change["id"], change["before"]["properties"]["short_name"]["en"]) for change in removed
                        if change["feature_type"] == "level" and change["before"]["properties"]["name"] != {"en": "Empty"}]
    shops = [change["before"]["properties"]["name"]["en"] for change in removed if change["feature_type"] == "occupant"]
    size = sum(change["kind"] == "removed" and change["level_id"] == level for change in changes)
    assert size >= 20
    page = open_desk(windows, venue_key, f"/uploads/{upload}")
    page.locator(".decision .desk-actions .danger").click()
    for place in (page.locator(".reasons"), page.locator("dialog")):
        expect(place).to_contain_text(f"and {len(shops) - 3} others.")
        text = place.inner_text()
        # The floors of several buildings have this name.
        assert re.search(rf"This floor would disappear: {floor}[^.(]* \({size} features\)\.", text), text
        assert all(shop in text for shop in shops[:3]), text
        assert (f"({len(removed)} of {before})" in text) == (len(removed) * 10 > before * 3)
        assert "Empty" not in text
    page.locator("dialog footer .danger").click()
    expect(page.locator("dialog .error-message")).to_contain_text("Confirm every point first.")
    assert head_revision(service, venue_key) == 1
    page.check("#confirm-removal")
    page.locator("dialog footer .danger").click()
    expect_upload_state(page, "Published")
    assert head_revision(service, venue_key) == 2
