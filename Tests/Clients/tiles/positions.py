"""Where positions are on vector tiles, computed without the service: at the borders of tiles, in the south, at the antimeridian.

    positions.py write > positions.json     computes the vectors; `mercantile` has to agree about the tiles
    VENUE_PROGRAM=.build/debug/venue positions.py check     compares the tiles of a service with them

Each vector has the number of a place, its longitude and latitude in degrees, a zoom, and the tiles that show it: x and y of the tile, and
the position on it in 4096ths of its side, from the north-west. The first tile covers the position; the others show it in their buffer. On
a border, the tile to the east or south covers it.
"""

import json
import math
import pathlib
import sys
import urllib.request
import uuid
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Browser"))

FILE = pathlib.Path(__file__).with_name("positions.json")
EXTENT, BUFFER, ZOOMS = 4096, 64, range(15, 23)
TINY = 1e-8


def latitude(row, zoom):
    """The latitude of the northern border of a row of tiles."""
    return math.degrees(math.atan(math.sinh(math.pi * (1 - 2 * row / 2**zoom))))


def places():
    """Cities; corners of tiles from each of their four sides; the equator, the prime meridian and the antimeridian."""
    cities = [(139.767, 35.6812), (151.2093, -33.8688), (-70.6693, -33.4489), (-68.303, -54.8019), (174.7633, -36.8485)]
    corners = [(29_856, 19_665, 15), (3_821_601, 2_516_837, 22), (12_345, 20_480, 15)]
    around = [(column / 2**zoom * 360 - 180 + east * TINY, latitude(row, zoom) + north * TINY)
              for column, row, zoom in corners for east in (-1, 0, 1) for north in (-1, 1)]
    return cities + around + [(0, -TINY), (0, TINY), (-TINY, -TINY), (180 - TINY, -16.5), (-180, -16.5), (-180 + TINY, 51.9)]


def vector(number, longitude, degrees, zoom):
    size = 2**zoom
    north = math.asinh(math.tan(math.radians(degrees)))
    x, y = (longitude + 180) / 360 * size, (1 - north / math.pi) / 2 * size
    tiles = []
    for column in range(max(0, math.floor(x) - 1), min(size, math.floor(x) + 2)):
        for row in range(math.floor(y) - 1, math.floor(y) + 2):
            offset = ((x - column) * EXTENT, (y - row) * EXTENT)
            if all(-BUFFER < part < EXTENT + BUFFER for part in offset):
                tiles.append([column, row, *(round(part, 4) for part in offset)])
    tiles.sort(key=lambda tile: tile[:2] != [math.floor(x), math.floor(y)])
    return {"place": number, "longitude": longitude, "latitude": degrees, "zoom": zoom, "tiles": tiles}


def vectors():
    return [vector(number, *place, zoom) for number, place in enumerate(places()) for zoom in ZOOMS]


def write():
    import mercantile

    found = vectors()
    for entry in found:
        tile = mercantile.tile(entry["longitude"], entry["latitude"], entry["zoom"])
        assert entry["tiles"][0][:2] == [tile.x, tile.y], entry
    print("[\n" + ",\n".join(json.dumps(entry) for entry in found) + "\n]")


# MARK: - A service


def identifier(kind, number):
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"{kind}/{number}"))


def square(longitude, degrees):
    """A polygon around a position that does not cross the antimeridian."""
    west, east = max(-180, longitude - 0.001), min(180, longitude + 0.001)
    south, north = degrees - 0.001, degrees + 0.001
    return {"type": "Polygon", "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]]}


def write_archive(path):
    """A venue with a level, a unit and an amenity at each place."""
    features = {"level": [], "unit": [], "amenity": []}

    def add(kind, number, geometry, **properties):
        features[kind].append({"id": identifier(kind, number), "type": "Feature", "feature_type": kind, "geometry": geometry,
                               "properties": {"name": {"en": f"{kind} {number}"}, **properties}})

    for number, place in enumerate(places()):
        add("level", number, square(*place), ordinal=number, short_name={"en": str(number)}, outdoor=False, category="unspecified")
        add("unit", number, square(*place), category="room", level_id=identifier("level", number))
        add("amenity", number, {"type": "Point", "coordinates": place}, category="information",
            unit_ids=[identifier("unit", number)])
    with zipfile.ZipFile(path, "w") as archive:
        manifest = {"version": "1.0.0", "created": "2024-01-01T00:00:00Z", "language": "en", "generated_by": "test"}
        archive.writestr("manifest.json", json.dumps(manifest))
        for kind, members in features.items():
            archive.writestr(f"{kind}.geojson", json.dumps({"type": "FeatureCollection", "features": members}))
        venue = {"id": identifier("venue", 0), "type": "Feature", "feature_type": "venue", "geometry": square(139.767, 35.6812),
                 "properties": {"name": {"en": "Places"}, "category": "shoppingcenter", "address_id": None}}
        archive.writestr("venue.geojson", json.dumps({"type": "FeatureCollection", "features": [venue]}))


def check():
    import mapbox_vector_tile

    from service import Service

    with Service() as service:
        write_archive(service.folder / "places.zip")
        service.run_venue("push", service.folder / "places.zip", "--to", "places", "--new")
        service.run_venue("set", "places", "public=true")
        compared = 0
        for entry in json.loads(FILE.read_text()):
            level, amenity = (identifier(kind, entry["place"]) for kind in ("level", "amenity"))
            for column, row, x, y in entry["tiles"]:
                address = f"{service.address}/venues/places/tiles/{level}/{entry['zoom']}/{column}/{row}.mvt"
                with urllib.request.urlopen(address, timeout=60) as response:
                    layers = mapbox_vector_tile.decode(response.read(), default_options={"y_coord_down": True})
                points = [feature["geometry"]["coordinates"] for feature in layers["amenity"]["features"]
                          if feature["properties"]["id"] == amenity]
                assert len(points) == 1 and abs(points[0][0] - x) < 0.51 and abs(points[0][1] - y) < 0.51, (entry, points)
                compared += 1
        print(f"tiles: positions on {compared} tiles at borders, in the south and at the antimeridian")


if __name__ == "__main__":
    {"write": write, "check": check}[sys.argv[1]]()
