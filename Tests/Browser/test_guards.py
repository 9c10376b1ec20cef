"""What guards say of staged uploads, and what has to be confirmed."""
import uuid

import pytest
from playwright.sync_api import expect

from desk import archive_with_origin, archive_without, expect_upload_state, head_revision, open_desk, push_unpublished, submit_upload
from service import edited_archive


def test_guard_requires_confirmation(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24, "--seed", 7)
    smaller = archive_without(archive, service.folder / f"{venue_key}-less.zip", "occupant.geojson")
    smaller = archive_without(smaller, service.folder / f"{venue_key}-least.zip", "anchor.geojson")
    smaller = archive_without(smaller, service.folder / f"{venue_key}-tiny.zip", "opening.geojson")
    page = open_desk(windows, venue_key)
    submit_upload(page, smaller, "now")
    expect_upload_state(page, "Staged")
    expect(page.locator(".reasons")).to_contain_text("Many features would be removed")
    page.locator(".decision").get_by_role("button", name="Publish").click()
    page.locator("dialog footer .danger").click()
    expect(page.locator("dialog .error-message")).to_contain_text("Select")
    assert head_revision(service, venue_key) == 1
    page.check("#confirm-removal")
    page.locator("dialog footer .danger").click()
    expect_upload_state(page, "Published")
    assert head_revision(service, venue_key) == 2


def test_removal_guard_names_the_share_the_floors_and_the_shops(windows, service, venue_key):
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
    [(level, floor)] = [(change["id"], change["before"]["properties"]["short_name"]) for change in removed
                        if change["feature_type"] == "level" and change["before"]["properties"]["name"] != {"en": "Empty"}]
    shops = [change["before"]["properties"]["name"] for change in removed if change["feature_type"] == "occupant"]
    for locale, others, share in (("en-US", f"and {len(shops) - 3} others.", f"({len(removed)} of {before})"),
                                  ("ja-JP", f"ほか {len(shops) - 3} 件。", f"（{before} 件中 {len(removed)} 件）")):
        page = open_desk(windows, venue_key, f"/uploads/{upload}", locale=locale)
        language = locale[:2]
        page.locator(".decision .desk-actions .danger").click()
        for place in (page.locator(".reasons"), page.locator("dialog")):
            expect(place).to_contain_text(others)
            expect(place).to_contain_text(floor.get(language) or floor["en"])
            text = place.inner_text()
            assert (share in text) == (len(removed) * 10 > before * 3)
            assert all((shop.get(language) or shop["en"]) in text for shop in shops[:3]), text
            assert "Empty" not in text and "(0 features)" not in text and "（0 件）" not in text and " %" not in text
            assert "whole large floor" not in text and "フロア全体" not in text
            # The condition for floors, and the size of this one.
            size = sum(change["kind"] == "removed" and change["level_id"] == level for change in changes)
            assert size >= 20
            assert ("A floor with 20 features or more" in text and f"({size} features)" in text
                    or "20 件以上の要素があるフロア" in text and f"（{size} 件）" in text), text
        expect(page.locator("dialog footer .danger")).to_be_visible()
        expect(page.locator("dialog footer .primary")).to_have_count(0)


def test_removal_guard_names_the_share_without_floors(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24, "--seed", 7)
    total = service.get_json(f"/venues/{venue_key}/revisions/1")["features"]
    first = lambda features: features[:1]
    smaller = edited_archive(archive, service.folder / f"{venue_key}-few.zip",
                             {f"{name}.geojson": first for name in ("unit", "occupant", "anchor", "opening")})
    upload = push_unpublished(service, venue_key, smaller)
    removed = service.get_json(f"/uploads/{upload}")["changes"]["removed"]
    assert removed * 10 > total * 3
    page = open_desk(windows, venue_key, f"/uploads/{upload}")
    expect(page.locator(".reasons")).to_contain_text(
        f"{removed / total * 100:.0f}% of the features ({removed} of {total}) would be removed")
    expect(page.locator(".reasons")).not_to_contain_text("would disappear")


def test_venue_guard_names_both_venues(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12)

    def replace(features):
        for feature in features:
            feature["id"] = "11111111-1111-4111-8111-111111111111"
            feature["properties"]["name"] = {"en": "Harbour Arcade"}
            feature["properties"]["display_point"] = {"type": "Point", "coordinates": [2.35, 48.85]}
            feature["geometry"] = {"type": "Polygon", "coordinates": [[[2.35, 48.85], [2.36, 48.85], [2.36, 48.86], [2.35, 48.85]]]}

    other = edited_archive(archive, service.folder / f"{venue_key}-other.zip", {"venue.geojson": replace})
    [published] = service.features(venue_key, 1, "venue")
    upload = push_unpublished(service, venue_key, other)
    assert "other_venue" in service.get_json(f"/uploads/{upload}")["reasons"]
    page = open_desk(windows, venue_key, f"/uploads/{upload}")
    sentence = f"“{published['properties']['name']['en']}” is published, and the archive has “Harbour Arcade”."
    expect(page.locator(".reasons")).to_contain_text(sentence)
    page.locator(".decision .danger").click()
    expect(page.locator("dialog")).to_contain_text(sentence)


@pytest.mark.parametrize(("locale", "sentence"), [
    ("en-US", "The origin is “harbour tool”; that of the published archive is “old tool”."),
    ("ja-JP", "作成元は「harbour tool」で、公開中のアーカイブの作成元は「old tool」です。")])
def test_origin_guard_names_both_origins(windows, service, venue_key, locale, sentence):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 12)
    archive, other = (archive_with_origin(archive, service.folder / f"{venue_key}-{origin[:3]}.zip", origin)
                      for origin in ("old tool", "harbour tool"))
    service.run_venue("push", archive, "--to", venue_key, "--new")
    upload = push_unpublished(service, venue_key, other)
    assert service.get_json(f"/uploads/{upload}")["reasons"] == ["other_origin"]
    page = open_desk(windows, venue_key, f"/uploads/{upload}", locale=locale)
    expect(page.locator(".reasons [data-guard=other_origin]")).to_have_text(sentence)
