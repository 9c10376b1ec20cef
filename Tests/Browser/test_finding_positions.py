"""Positions of findings whose features the server does not know by the id of the archive, or not at all."""
import re
import uuid

import pytest
from playwright.sync_api import expect

from desk import open_desk
from service import edited_archive

NO_POSITION = "None of these changes has a position on the map"


def with_wrong_categories(features):
    """Occupants under new ids, with a category that does not exist: the server matches them with the published ones."""
    for feature in features:
        feature["id"] = str(uuid.uuid4())
        feature["properties"]["category"] = "classroom"


def with_empty_ground_floor(features):
    """The same levels and one more at the ground, the first one by its id, without features."""
    ground = next(level for level in features if level["properties"]["ordinal"] == 0)
    return [*features, {**ground, "id": f"00000000-0000-4000-8000-{uuid.uuid4().hex[:12]}"}]


def stage_wrong_categories(service, venue_key, edits):
    """Publishes an edited archive, and stages a copy with wrong categories. Returns the id of the upload."""
    generated = service.generate(f"{venue_key}.zip", "--levels", 2, "--units", 24)
    archive = edited_archive(generated, service.folder / f"{venue_key}-first.zip", edits)
    service.run_venue("push", archive, "--to", venue_key, "--new")
    wrong = edited_archive(archive, service.folder / f"{venue_key}-wrong.zip", {"occupant.geojson": with_wrong_categories})
    service.run_venue("push", wrong, "--to", venue_key, "--hold")
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    return upload["id"]


def expect_pin(page):
    view = page.locator(".finding-view")
    expect(view.locator(".finding-message")).to_contain_text("is not a category")
    expect(view.locator(".diff-pin path")).to_be_visible()
    expect(view.locator(".diff-mark.is-current")).to_have_count(1)
    expect(view.get_by_text(NO_POSITION)).to_be_hidden()


def test_finding_about_a_feature_with_another_stored_id_is_shown_on_its_floor(windows, service, venue_key):
    upload = stage_wrong_categories(service, venue_key, {})
    findings = service.get_json(f"/uploads/{upload}/findings?rule=RQ-02&limit=1000")["findings"]
    matches = service.get_json(f"/uploads/{upload}/matches?limit=1000")["matches"]
    stored = {match["archive_id"]: match["id"] for match in matches}
    levels = {change["id"]: change["level_id"] for change in service.get_json(f"/uploads/{upload}/changes?limit=1000")["changes"]}
    ordinals = {level["level_id"]: level["ordinal"] for level in service.get_json(f"/venues/{venue_key}")["levels"]}
    # One that is not on the ground floor, which is shown if the floor is unknown.
    index, level = next(
        (i, level) for i, each in enumerate(findings) if each["feature_id"] in stored and ordinals[level := levels[stored[each["feature_id"]]]] != 0)
    page = open_desk(windows, venue_key)
    requested = []
    page.on("request", lambda request: requested.append(request.url))
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{upload}?finding=RQ-02:{index}'")
    expect_pin(page)
    assert any(f"/features?level={level}" in url for url in requested)
    assert not any("/history?" in url for url in requested), "the server does not know the id"


@pytest.mark.parametrize("is_floor_known", [True, False])
def test_finding_about_an_unknown_feature_is_shown_at_its_position(windows, service, venue_key, is_floor_known):
    upload = stage_wrong_categories(service, venue_key, {"level.geojson": with_empty_ground_floor})
    page = open_desk(windows, venue_key)

    def forget_features(route):
        response = route.fetch()
        document = response.json()
        for finding in document["findings"]:
            finding["feature_id"] = str(uuid.uuid4())
        route.fulfill(response=response, json=document)

    page.route("**/findings?**", forget_features)
    if not is_floor_known:
        page.route(re.compile("/features[?]level="), lambda route: route.fulfill(json={"features": [], "next": None}))
        page.route(re.compile("/changes[?]level="), lambda route: route.fulfill(json={"changes": [], "next": None, "words": []}))
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{upload}?finding=RQ-02:1'")
    expect_pin(page)
    if is_floor_known:
        expect(page.locator(".finding-view .floor-unit").first).to_be_attached()
