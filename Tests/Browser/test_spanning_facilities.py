"""Facilities of several floors, such as stairs: amenities that belong to no level, and touch units of several ones."""
import json
import re
import zipfile

import pytest
from playwright.sync_api import expect

from map_page import expect_floor, metres, settle, short_id, visible_middle
from service import edited_archive
from test_large_venues import open_large

NAME = "Tower stairs"


@pytest.fixture(scope="module")
def stairs(service):
    """The venue `tower` with floors from -1 to 2, and the id of its stairs, which connect the upper two: the unit of the top floor is the first."""
    source = service.generate("tower-source.zip", "--levels", 4, "--units", 24, "--seed", 7)
    with zipfile.ZipFile(source) as archive:
        read = lambda name: json.loads(archive.read(f"{name}.geojson"))["features"]
        levels = {each["id"]: each["properties"]["ordinal"] for each in read("level")}
        floors = {each["id"]: levels[each["properties"]["level_id"]] for each in read("unit")}
    found = []

    def edit(features):
        for each in features:
            properties = each["properties"]
            if found or properties["category"] != "stairs" or not {floors[unit] for unit in properties["unit_ids"]} >= {1, 2}:
                continue
            properties["unit_ids"] = sorted((unit for unit in properties["unit_ids"] if floors[unit] in (1, 2)), key=lambda unit: -floors[unit])
            properties["name"] = {"en": NAME}
            found.append(each["id"])

    archive = edited_archive(source, service.folder / "tower.zip", {"amenity.geojson": edit})
    service.run_venue("push", archive, "--to", "tower", "--new")
    [id] = found
    return id


def test_link_to_a_facility_of_several_floors_opens_one_of_them(windows, stairs):
    page = windows.map("tower", f"/{short_id(stairs)}")
    expect(page.locator(".place-card h2")).to_have_text(NAME)
    expect_floor(page, 2)
    settle(page)
    point = page.evaluate("(id) => document.querySelector('.map-page').venueMap.places.find((each) => each.id === id).point", stairs)
    assert metres(point, visible_middle(page)) < 3
    expect(page.locator(".toast")).to_have_count(0)


def test_link_to_a_facility_of_several_floors_opens_one_of_them_in_a_stored_map(windows, service, stairs):
    page = windows.map("tower", service_workers="block")
    for floor in (1, 2):
        page.click(f".floors [data-ordinal='{floor}']")
        expect_floor(page, floor)
    page.route(re.compile(r"/(venues|sync|events)\b"), lambda route: None)
    for link, ordinal, shown in [("?place={}", 2, ".place-card"), ("?floor=1&place={}", 1, ".place-card"), ("?feature={}", 2, ".map-pin")]:
        page.goto(f"{service.address}/cartography.json")
        page.goto(f"{service.address}/#/tower{link.format(stairs)}")
        expect_floor(page, ordinal)
        expect(page.locator(shown)).to_have_count(1)


def test_facility_of_several_floors_that_are_not_loaded_is_listed_on_the_nearest(windows, service, stairs):
    page = open_large(windows, service, "tower", "?floor=0")
    page.fill("#search", NAME)
    row = page.locator(f".place[data-id='{stairs}']")
    expect(row).to_be_visible()
    names = {each["properties"]["ordinal"]: each["properties"]["name"]["en"] for each in service.features("tower", 1, "level")}
    expect(page.locator(".places-floor")).to_have_count(1)
    expect(page.locator(".places-floor")).to_contain_text(names[1])
    row.click()
    expect(page.locator(".place-card h2")).to_have_text(NAME)
    expect_floor(page, 1)
