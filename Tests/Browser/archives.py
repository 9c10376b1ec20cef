"""Archives whose features are somewhere else."""
import json
import math
import zipfile

METRES_PER_DEGREE = 111_320


def with_positions(source, target, position_of):
    """
    A copy of an archive with other positions: `position_of(east, north, feature)` returns a position in metres from the first corner of the
    first level, for one of a feature, also in metres.
    """
    with zipfile.ZipFile(source) as old:
        documents = {name: json.loads(old.read(name)) for name in old.namelist()}
    level = documents["level.geojson"]["features"][0]
    longitude, latitude = level["geometry"]["coordinates"][0][0]
    narrowing = math.cos(math.radians(latitude))

    def moved(coordinates, feature):
        if coordinates and not isinstance(coordinates[0], (int, float)):
            return [moved(part, feature) for part in coordinates]
        east, north = position_of(
            (coordinates[0] - longitude) * METRES_PER_DEGREE * narrowing, (coordinates[1] - latitude) * METRES_PER_DEGREE, feature)
        return [round(longitude + east / METRES_PER_DEGREE / narrowing, 7), round(latitude + north / METRES_PER_DEGREE, 7)]

    for name, document in documents.items():
        for feature in document["features"] if name.endswith(".geojson") else []:
            for geometry in filter(None, (feature["geometry"], feature["properties"].get("display_point"))):
                geometry["coordinates"] = moved(geometry["coordinates"], feature)
    with zipfile.ZipFile(target, "w") as new:
        for name, document in documents.items():
            new.writestr(name, json.dumps(document))
    return target


def push_new(service, venue_key, archive):
    service.run_venue("push", archive, "--to", venue_key, "--new")
    service.run_venue("set", venue_key, "time_zone=Asia/Tokyo")
