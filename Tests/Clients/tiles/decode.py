"""Reads the tiles of a running service with the decoders of others: Pillow, mapbox-vector-tile, Shapely and GDAL, both that of the system and
that of pyogrio.

    VENUE_PROGRAM=.build/debug/venue python3 decode.py
"""

import io
import json
import os
import pathlib
import subprocess
import sys
import urllib.error
import urllib.request

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Browser"))

import mapbox_vector_tile
import mercantile
import numpy
import pyogrio
from PIL import Image
from shapely.geometry import shape

from service import Service


def section(title):
    print(f"tiles: {title}", flush=True)


def load(service, path, **headers):
    """The status, header fields and body of a public address."""
    request = urllib.request.Request(service.address + path, headers=headers)
    try:
        with urllib.request.urlopen(request, timeout=60) as response:
            return response.status, response.headers, response.read()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read()


def image(service, path):
    status, headers, body = load(service, path)
    assert status == 200 and headers["Content-Type"] == "image/png", (path, status)
    with Image.open(io.BytesIO(body)) as picture:
        picture.verify()
    return numpy.asarray(Image.open(io.BytesIO(body)).convert("RGBA"))


def main():
    with Service() as service:
        run(service)


def run(service):
    service.create_venue("mall", "--levels", 2, "--units", 60, "--seed", 7)
    service.run_venue("set", "mall", "public=true")
    features = {}
    for feature in service.features("mall", 1):
        features.setdefault(feature["feature_type"], []).append(feature)
    level = next(level for level in features["level"] if level["properties"]["ordinal"] == 0)
    levels = {level["id"]: level for level in features["level"]}
    tilejson = json.loads(load(service, "/venues/mall/tiles/0.json?lang=en")[2])
    west, south, east, north = tilejson["bounds"]

    section("images, read by Pillow")
    seen = 0
    for zoom in (15, 17, 19):
        for tile in mercantile.tiles(west, south, east, north, zoom):
            small = image(service, f"/venues/mall/tiles/L0_{zoom}_{tile.x}_{tile.y}.png")
            assert small.shape == (256, 256, 4)
            seen += int((small[:, :, 3] > 0).sum() > 0)
    assert seen > 5
    large = image(service, f"/venues/mall/tiles/L0_19_{tile.x}_{tile.y}@2x.png?theme=dark&lang=en")
    assert large.shape == (512, 512, 4)
    assert (image(service, "/venues/mall/tiles/L0_14_0_0.png") == 0).all()

    section("vector tiles, read by mapbox-vector-tile, with valid polygons")
    ids = {}
    for zoom in (14, 16, 18, 20):
        found = {}
        tiles = list(mercantile.tiles(west, south, east, north, zoom))
        for tile in tiles:
            status, headers, body = load(service, f"/venues/mall/tiles/0/{zoom}/{tile.x}/{tile.y}.mvt?lang=en")
            assert status == 200 and headers["Content-Type"] == "application/vnd.mapbox-vector-tile"
            layers = mapbox_vector_tile.decode(body, default_options={"y_coord_down": True}) if body else {}
            for name, layer in layers.items():
                assert layer["extent"] == 4096 and layer["version"] == 2
                order = [feature["properties"]["id"] for feature in layer["features"]]
                assert order == sorted(order), name
                for feature in layer["features"]:
                    geometry = shape(feature["geometry"])
                    assert geometry.is_valid, (zoom, name, feature["properties"]["id"])
                    properties = feature["properties"]
                    assert feature["id"] < 2**53 and properties["floor_id"] == properties["level_id"]
                    if name == "level":
                        # Floors of Mapbox's indoor maps.
                        buildings = levels[properties["id"]]["properties"].get("building_ids") or []
                        assert (properties["type"], properties["z_index"], properties["is_default"]) == ("floor", 0, True)
                        assert properties.get("building_ids", "") == ";".join(buildings), properties
                    else:
                        assert "z_index" not in properties
                    found.setdefault(name, set()).add(properties["id"])
        for name, wanted in (("unit", features["unit"]), ("opening", features["opening"])):
            expected = {feature["id"] for feature in wanted if on_floor(feature, features, 0)}
            # A small unit may have no area on the grid of a tile of a low zoom.
            missing = expected - found[name]
            assert not missing if zoom >= 18 else len(missing) < len(expected) / 4, (zoom, name, len(missing))
        ids[zoom] = found
    assert {"unit", "opening", "level", "occupant", "amenity", "label"} <= ids[18].keys()

    section("geometry: a vertex is where Web Mercator has it")
    unit = next(unit for unit in features["unit"] if unit["properties"]["level_id"] == level["id"])
    corner = unit["geometry"]["coordinates"][0][0] if unit["geometry"]["type"] == "Polygon" else None
    if corner:
        tile = mercantile.tile(*corner, 20)
        body = load(service, f"/venues/mall/tiles/0/20/{tile.x}/{tile.y}.mvt")[2]
        layer = mapbox_vector_tile.decode(body, default_options={"y_coord_down": True})["unit"]
        x, y = mercantile.xy(*corner)
        bounds = mercantile.xy_bounds(tile)
        pixel = ((x - bounds.left) / (bounds.right - bounds.left) * 4096, (bounds.top - y) / (bounds.top - bounds.bottom) * 4096)
        drawn = next(feature for feature in layer["features"] if feature["properties"]["id"] == unit["id"])
        distance = min(
            abs(pixel[0] - px) + abs(pixel[1] - py)
            for ring in rings(drawn["geometry"]) for px, py in ring)
        assert distance <= 1.01, distance

    section("vector tiles, read by GDAL")
    tile = mercantile.tile((west + east) / 2, (south + north) / 2, 17)
    path = service.folder / "tile.mvt"
    path.write_bytes(load(service, f"/venues/mall/tiles/0/17/{tile.x}/{tile.y}.mvt")[2])
    names = {name for name, _ in pyogrio.list_layers(path)}
    assert {"unit", "opening", "label"} <= names, names
    info = pyogrio.read_info(path, layer="unit")
    decoded = mapbox_vector_tile.decode(path.read_bytes())["unit"]["features"]
    assert info["features"] == len(decoded), (info["features"], len(decoded))
    assert {"id", "group", "level_id", "name_en", "name_ja"} <= set(info["fields"]), info["fields"]

    section("vector tiles, read by GDAL from their addresses")
    for zoom, is_large in ((15, True), (21, False)):
        tile = mercantile.tile((west + east) / 2, (south + north) / 2, zoom)
        path = f"/venues/mall/tiles/0/{zoom}/{tile.x}/{tile.y}.mvt"
        body = load(service, path)[2]
        # GDAL requests parts of 16 KiB. It leaves out what is in the buffer around the tile alone, if it may.
        assert (len(body) > 16_384) == is_large, len(body)
        layers = mapbox_vector_tile.decode(body)
        expected = {
            name: sorted((feature["id"], feature["properties"]["id"]) for feature in layer["features"])
            for name, layer in layers.items()}
        address = f"/vsicurl/{service.address}{path}"
        assert {name for name, _ in pyogrio.list_layers(address)} == set(expected)
        for name, ids_of_layer in expected.items():
            found, _, _, values = pyogrio.raw.read(address, layer=name, CLIP="NO")
            columns = dict(zip(found["fields"], values))
            assert sorted(zip(columns["mvt_id"].tolist(), columns["id"])) == ids_of_layer, (zoom, name)
            assert system_gdal(address, name) == ids_of_layer, (zoom, name)
    service.run_venue("set", "mall", "public=false")
    assert not is_readable(address)
    assert is_readable(address, GDAL_HTTP_HEADERS=f"Authorization: Bearer {service.admin_key}")
    service.run_venue("set", "mall", "public=true")

    section("entity tags and changed tiles")
    service.run_venue("set", "mall", "public=true")
    archive = service.folder / "mall.zip"
    service.publish_edit("mall", archive, "recategorise=2")
    for format_name, suffix in (("png", ".png"), ("mvt", ".mvt")):
        changes = json.loads(load(service, f"/venues/mall/tiles/changes?since=1&to=2&format={format_name}")[2])
        listed = {(floor["level_id"], tile) for floor in changes["floors"] for tile in floor["tiles"]}
        assert listed
        for level_feature in features["level"]:
            for zoom in (14, 16, 18):
                for tile in mercantile.tiles(west, south, east, north, zoom):
                    name = f"{zoom}/{tile.x}/{tile.y}"
                    address = f"tiles/{level_feature['id']}/{name}{suffix}"
                    old = load(service, f"/venues/mall/revisions/1/{address}")
                    new = load(service, f"/venues/mall/{address}", **{"If-None-Match": old[1]["ETag"]})
                    if format_name == "mvt":
                        assert (new[0] != 304) == ((level_feature["id"], name) in listed), name
                    elif new[0] != 304:
                        assert (level_feature["id"], name) in listed, name
    print("tiles: all right")


def system_gdal(address, layer):
    """The integer ids and ids of the features of a layer, as the GDAL of the system reads them."""
    command = ["ogr2ogr", "-f", "GeoJSON", "/vsistdout/", "-oo", "CLIP=NO", f"MVT:{address}", layer]
    features = json.loads(subprocess.run(command, capture_output=True, check=True, timeout=120).stdout)["features"]
    return sorted((feature["properties"]["mvt_id"], feature["properties"]["id"]) for feature in features)


def is_readable(address, **settings):
    """Whether the GDAL of the system opens an address."""
    command = ["ogrinfo", "-ro", "-so", f"MVT:{address}"]
    return subprocess.run(command, capture_output=True, env=os.environ | settings, timeout=120).returncode == 0


def rings(geometry):
    polygons = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
    return [ring for polygon in polygons for ring in polygon]


def on_floor(feature, features, ordinal):
    levels = {level["id"] for level in features["level"] if level["properties"]["ordinal"] == ordinal}
    return feature["properties"]["level_id"] in levels


if __name__ == "__main__":
    main()
