"""Archives are untrusted input: malformed values and markup must not break the pages or become a part of them."""
import json
import zipfile

from playwright.sync_api import expect

MARKUP = "<img src=x onerror=window.injected=1><script>window.injected=1</script>"


def malformed_archive(source, target):
    """A copy of an archive with malformed values and markup."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            document = json.loads(old.read(name))
            features = document.get("features", [])
            for index, feature in enumerate(features):
                properties = feature["properties"]
                if name == "occupant.geojson":
                    properties.update([
                        {"name": {"en": MARKUP}}, {"category": 5}, {"name": 7}, {"hours": ["Mo"]}, {"hours": MARKUP},
                        {"website": "javascript:alert(1)"}, {"validity": "always"}, {"anchor_id": None},
                    ][index % 8])
                if name == "unit.geojson" and index % 9 == 0:
                    feature["geometry"] = [None, {"type": "Polygon", "coordinates": "x"}, {"type": "Polygon", "coordinates": []},
                                           {"type": "Point", "coordinates": [1e9, None]},
                                           {"type": "GeometryCollection", "geometries": []}][index // 9 % 5]
                if name == "unit.geojson" and index % 9 == 1:
                    properties["display_point"] = [3, {"type": "Point", "coordinates": None}, "here"][index // 9 % 3]
                if name == "amenity.geojson":
                    properties["unit_ids"] = [5, None, "x", {}][index % 4]
                if name == "level.geojson" and index == len(features) - 1:
                    properties["short_name"] = MARKUP
            new.writestr(name, json.dumps(document))


def test_map_of_malformed_archive_shows_valid_parts(windows, service, venue_key):
    source = service.generate(f"{venue_key}.zip", "--levels", 2, "--units", 24, "--seed", 7)
    malformed_archive(source, service.folder / f"{venue_key}-malformed.zip")
    service.run_venue("push", service.folder / f"{venue_key}-malformed.zip", "--to", venue_key, "--new")
    page = windows.map(venue_key)
    for ordinal in [each.get_attribute("data-ordinal") for each in page.locator(".floors button").all()]:
        page.click(f".floors [data-ordinal='{ordinal}']")
        expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", ordinal)
        for index in range(min(12, page.locator(".place").count())):
            page.locator(".place").nth(index).click()
            expect(page.locator(".place-card")).to_be_visible()
            assert page.locator(".place-card a[href^='javascript']").count() == 0
            page.click(".place-card .back")
    assert page.evaluate("window.injected") is None
    expect(page.locator(".live-state")).to_contain_text("verified")
