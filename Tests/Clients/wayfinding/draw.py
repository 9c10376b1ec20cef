"""Random queries and random losses."""

import shapely

from library import query
from passages import can_close
from shapes import Venue


def position(judge, draw, ordinal=None):
    """A position on a floor: in a piece of a unit, on its wall, at a corner, or up to 20 cm outside. Slivers have no place near them that is
    certain, so that positions are inside of them."""
    pieces = [piece for floor in judge.plan.floors.values() for piece in floor.pieces if ordinal in (None, floor.ordinal)]
    is_inside = judge.venue.title.startswith("slivers")
    while True:
        piece = draw.choice(pieces)
        west, south, east, north = (int(each) for each in piece.area.bounds)
        point = draw.randint(west - 200, east + 200), draw.randint(south - 200, north + 200)
        if not is_inside and draw.random() < 0.1:
            point = draw.choice(piece.area.exterior.coords)
            point = round(point[0]), round(point[1])
        elif (is_inside or draw.random() < 0.7) and not shapely.intersects_xy(piece.area, *point):
            continue
        longitude, latitude = judge.plan.frame.degrees(point)
        return {"longitude": longitude, "latitude": latitude, "ordinal": piece.unit.ordinal}


def place(judge, draw):
    units, openings = list(judge.plan.units), [each["id"] for each in judge.plan.openings]
    others = [each["id"] for each in judge.plan.features.values() if each["type"] in ("occupant", "anchor", "amenity")]
    chance = draw.random()
    if chance < 0.3 or not any(floor.pieces for floor in judge.plan.floors.values()):
        return {"feature": draw.choice(units)}
    if openings and chance < 0.4:
        return {"feature": draw.choice(openings)}
    return {"feature": draw.choice(others)} if others and chance < 0.6 else position(judge, draw)


def queries(judge, draw, count, closed=0.0):
    """Random queries; with `closed`, as often some features are shut."""
    features = [each for each in judge.plan.features if can_close(judge.plan, each)]
    # There are few relationships, so that they are shut more often than other features.
    relationships = [each for each in features if judge.plan.features[each]["type"] == "relationship"]
    found = []
    for _ in range(count):
        shut = draw.sample(features, min(len(features), draw.randint(1, 4))) if draw.random() < closed else []
        if shut and relationships and draw.random() < 0.5:
            shut = sorted({*shut, draw.choice(relationships)})
        languages = draw.choice([["en"], ["ja", "en"], ["de"]])
        found.append(query(place(judge, draw), place(judge, draw), draw.choice(["walk", "step-free"]), [(each, None) for each in shut], languages))
    return found


def queries_on_floors(judge, draw, count):
    """As many queries between positions on each floor."""
    ordinals = [floor.ordinal for floor in judge.plan.floors.values() if floor.pieces]
    return [query(position(judge, draw, ordinal), position(judge, draw, ordinal), draw.choice(["walk", "step-free"]))
            for ordinal in ordinals for _ in range(count)]


def mutilated(venue, draw):
    """A venue that lost some of its openings, lifts, stairs and relationships, and of which a few have other properties."""
    changed = Venue(venue.title, language=venue.language)
    losses = {"opening": draw.choice([0, 0.1, 0.4]), "relationship": draw.choice([0, 0.5, 1])}
    vertical = draw.choice([0, 0.2])
    for feature in venue.features:
        category = feature["properties"].get("category")
        is_vertical = feature["type"] == "unit" and category in ("elevator", "stairs", "escalator", "ramp")
        if draw.random() < (vertical if is_vertical else losses.get(feature["type"], 0)):
            continue
        properties = dict(feature["properties"])
        if feature["type"] == "unit" and not is_vertical and draw.random() < 0.05:
            properties["restriction"] = "employeesonly"
        if feature["type"] == "opening" and draw.random() < 0.1:
            properties["category"] = "emergencyexit"
        if feature["type"] == "relationship" and draw.random() < 0.2:
            properties["direction"] = "directed"
        changed.features.append({**feature, "properties": properties})
    return changed
