"""The pictograms of places are those of the cartography that the server sends. More is in Tests/Console."""


def test_every_place_of_a_known_group_has_a_pictogram(windows, service, mall):
    """Facilities have those of the cartography, with which tiles are drawn."""
    page = windows.map(mall)
    places = page.evaluate("""() => document.querySelector(".map-page").venueMap.places.map(
        ({ category, facility, group, pictogram }) => ({ category, facility, group, pictogram }))""")
    assert [place for place in places if place["group"] != "other" and place["pictogram"] == "other"] == []
    assert {place["group"] for place in places} >= {"food", "shop", "service", "restroom", "vertical"}
    categories = service.get_json("/cartography.json")["categories"]
    drawn = {place["category"]: place["pictogram"] for place in places if place["facility"]}
    icons = {category: categories[category]["icon"] for category in drawn if "icon" in categories.get(category, {})}
    assert len(icons) > 3 and icons == {category: drawn[category] for category in icons}
