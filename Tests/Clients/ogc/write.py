"""Adds, replaces and hides features with OWSLib, which knows nothing of IMDF, and compares them with the stored features.

    python write.py, started by run.py
"""

import json

from owslib.ogcapi.features import Features

from venues import Clock, Venue, headers, section


def stored(venue, identifier):
    return venue.get(f"/venues/{venue.key}/features/{identifier}")


def columns(client, name, identifier):
    """A feature as the collection shows it, ready to be sent back."""
    feature = client.collection_item(name, identifier)
    feature.pop("links")
    return feature


def refusal(action):
    """The problem document with which the service refuses something; OWSLib raises its text."""
    try:
        action()
    except RuntimeError as error:
        return json.loads(str(error))
    raise AssertionError("it was not refused")


def main():
    clock = Clock()
    venue = Venue("edited")
    client = Features(venue.address, headers=headers())
    classes = client.conformance()["conformsTo"]
    for name in ("create-replace-delete", "update", "optimistic-locking-etags", "features"):
        assert f"http://www.opengis.net/spec/ogcapi-features-4/1.0/conf/{name}" in classes, name

    shop = min(venue.features["occupant"])
    feature = columns(client, "occupant", shop)
    feature["properties"] |= {"name_en": "Boots", "hours": "24/7"}
    client.collection_item_update("occupant", shop, json.dumps(feature))
    before, after = venue.features["occupant"][shop]["properties"], stored(venue, shop)["properties"]
    assert after["name"] == before["name"] | {"en": "Boots"} and after["hours"] == "24/7", after
    unchanged = {key for key in before if key not in ("name", "hours")}
    assert all(after.get(key) == before[key] for key in unchanged)

    # Sent back as it is shown: no revision.
    revision = venue.get(f"/venues/{venue.key}")["head"]
    client.collection_item_update("occupant", shop, json.dumps(columns(client, "occupant", shop)))
    assert venue.get(f"/venues/{venue.key}")["head"] == revision == 2

    new = {"type": "Feature", "geometry": None, "properties": {
        "name_en": "Books", "name_ja": "本", "category": "books", "anchor_id": before["anchor_id"]}}
    client.collection_item_create("occupant", json.dumps(new))
    added = client.response_headers["Location"].rsplit("/", 1)[1]
    assert stored(venue, added)["properties"]["name"] == {"en": "Books", "ja": "本"}

    unit = max(venue.features["unit"])
    moved = columns(client, "unit", unit)
    ring = moved["geometry"]["coordinates"][0]
    ring[1] = [(ring[0][axis] + ring[1][axis]) / 2 for axis in (0, 1)]
    client.collection_item_update("unit", unit, json.dumps(moved))
    assert stored(venue, unit)["geometry"] == moved["geometry"]

    client.collection_item_delete("occupant", added)
    client.collection_item_delete("occupant", shop)
    shown = {feature["id"] for feature in client.collection_items("occupant", limit=10000)["features"]}
    assert shown == set(venue.features["occupant"]) - {shop}

    problem = refusal(lambda: client.collection_item_delete("unit", unit_with_shop(venue)))
    assert problem["type"] == "/problems/edit-refused" and problem["dependents"], problem
    feature["properties"]["feature_type"] = "unit"
    problem = refusal(lambda: client.collection_item_create("occupant", json.dumps(feature)))
    assert problem["pointer"] == "/properties/feature_type", problem
    kinds = [override["kind"] for override in venue.get(f"/venues/{venue.key}/overrides")["overrides"]]
    # The hidden shop keeps what was edited before: a name, opening hours. The third value is the geometry.
    assert sorted(kinds) == ["hidden", "value", "value", "value"], kinds
    section(f"features added, replaced and hidden by OWSLib in {clock}")


def unit_with_shop(venue):
    """A unit that others refer to."""
    return min(anchor["properties"]["unit_id"] for anchor in venue.features["anchor"].values())


if __name__ == "__main__":
    main()
