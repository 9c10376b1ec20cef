"""Compares collections with a second opinion: the server tipg over PostGIS, with the same features; and reads both with a current GDAL.

    pg_virtualenv python second_opinion.py, started by run.py
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request

import asyncpg
import numpy
import pyogrio
import shapely

from venues import Clock, headers, section, venues


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


async def load(all_venues):
    """A schema for each venue, a table for each type."""
    connection = await asyncpg.connect()
    await connection.execute("CREATE EXTENSION IF NOT EXISTS postgis")
    for venue in all_venues:
        await connection.execute(f'CREATE SCHEMA "{venue.key}"')
        for name, features in venue.features.items():
            table = f'"{venue.key}"."{name}"'
            await connection.execute(f"CREATE TABLE {table} (id text PRIMARY KEY, geom geometry(Geometry, 4326))")
            rows = [(identifier, json.dumps(feature["geometry"]) if feature["geometry"] else None)
                    for identifier, feature in features.items()]
            await connection.executemany(
                f"INSERT INTO {table} VALUES ($1, ST_SetSRID(ST_GeomFromGeoJSON($2::text), 4326))", rows)
    await connection.close()


class Tipg:
    def __init__(self, schemas):
        self.port = free_port()
        environment = os.environ | {
            "POSTGRES_USER": os.environ["PGUSER"], "POSTGRES_PASS": os.environ["PGPASSWORD"],
            "POSTGRES_HOST": os.environ["PGHOST"], "POSTGRES_PORT": os.environ["PGPORT"],
            "POSTGRES_DBNAME": os.environ.get("PGDATABASE", "postgres"), "TIPG_DB_SCHEMAS": json.dumps(schemas),
            "TIPG_MAX_FEATURES_PER_QUERY": "10000", "TIPG_DB_SPATIAL_EXTENT": "false"}
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = subprocess.Popen(
            [sys.executable, "-m", "uvicorn", "tipg.main:app", "--port", str(self.port), "--log-level", "warning"],
            env=environment, stdout=sys.stderr)
        deadline = time.monotonic() + 60
        while True:
            try:
                get(f"{self.address}/healthz")
                return
            except (urllib.error.URLError, ConnectionError):
                assert self.process.poll() is None and time.monotonic() < deadline, "tipg does not start"
                time.sleep(0.1)  # Polling interval; the test does not depend on it.

    def stop(self):
        self.process.terminate()
        self.process.wait(timeout=30)


def get(address, **fields):
    with urllib.request.urlopen(urllib.request.Request(address, headers=fields), timeout=120) as response:
        return json.load(response)


def page(address, box=None, **fields):
    """The ids and geometries of a collection, or of a part of it."""
    query = {"limit": 10000, "f": "geojson" if "tipg" in fields else "json"}
    fields.pop("tipg", None)
    if box:
        query["bbox"] = ",".join(map(repr, box))
    document = get(f"{address}/items?{urllib.parse.urlencode(query, safe=',')}", **fields)
    assert document["numberMatched"] == document["numberReturned"] == len(document["features"]), address
    return {str(feature["id"]): feature["geometry"] for feature in document["features"]}


def same(one, other):
    """Whether two geometries have the same type and the same positions, to a tenth of a millimetre."""
    if not one or not other:
        return not one and not other
    one, other = (shapely.from_geojson(json.dumps(geometry)) for geometry in (one, other))
    if one.geom_type != other.geom_type:
        return False
    one, other = shapely.get_coordinates(one), shapely.get_coordinates(other)
    return one.shape == other.shape and numpy.allclose(one, other, rtol=0, atol=1e-9)


def compare(venue, tipg):
    clock, features, pages = Clock(), 0, 0
    boxes = venue.boxes()
    for name, expected in venue.features.items():
        ours, theirs = f"{venue.address}/collections/{name}", f"{tipg.address}/collections/{venue.key}.{name}"
        own, other = page(ours, **headers()), page(theirs, tipg=True)
        assert set(own) == set(other) == set(expected), (venue.key, name)
        for identifier, geometry in own.items():
            assert geometry == expected[identifier]["geometry"], (venue.key, name, identifier)
            assert same(geometry, other[identifier]), (venue.key, name, identifier)
        for box in boxes if len(expected) < 500 else boxes[::3]:
            own, other = page(ours, box, **headers()), page(theirs, box, tipg=True)
            # By the standard a box also selects what has no geometry; tipg selects it by no box.
            unplaced = {identifier for identifier, feature in expected.items() if not feature["geometry"]}
            assert set(own) == set(other) | unplaced, (venue.key, name, box, set(own) ^ set(other))
            pages += 1
        features += len(expected)
    section(f"{venue.key}: {features} features and {pages} boxes are equal to tipg's in {clock}")


def read_with_gdal(venue):
    clock = Clock()
    key = headers()["Authorization"].removeprefix("Bearer ")
    pyogrio.set_gdal_config_options({"GDAL_HTTP_AUTH": "BEARER", "GDAL_HTTP_BEARER": key})
    for name, expected in venue.features.items():
        meta, _, shapes, fields = pyogrio.raw.read(f"OAPIF:{venue.address}", layer=name)
        columns = dict(zip(meta["fields"], fields))
        found = dict(zip(columns["id"], shapes if shapes is not None else [None] * len(columns["id"])))
        assert set(found) == set(expected), (venue.key, name)
        for identifier, shape in found.items():
            stored = expected[identifier]["geometry"]
            read = json.loads(shapely.to_geojson(shapely.from_wkb(shape))) if shape is not None else None
            assert same(read, stored), (venue.key, name, identifier)
    section(f"{venue.key}: read by GDAL {'.'.join(map(str, pyogrio.__gdal_version__))} in {clock}")


RADIUS = 6378137


def mercator(longitude, latitude):
    return numpy.radians(longitude) * RADIUS, numpy.arcsinh(numpy.tan(numpy.radians(latitude))) * RADIUS


def read_tiles(venue):
    """Vector tiles over HTTP: GDAL finds in their address where they are."""
    clock, tiles, points = Clock(), 0, 0
    level = max(venue.features["level"], key=lambda level: sum(
        unit["properties"].get("level_id") == level for unit in venue.features["unit"].values()))
    west, south, east, north = venue.get(f"/venues/{venue.key}/tiles/{level}.json")["bounds"]
    x, y = mercator((west + east) / 2, (south + north) / 2)
    for zoom in (15, 17, 19):
        side = 2 * numpy.pi * RADIUS / 2**zoom
        column, row = int(x / side + 2**zoom / 2), int(2**zoom / 2 - y / side)
        path = f"/vsicurl/{venue.service}/venues/{venue.key}/tiles/{level}/{zoom}/{column}/{row}.mvt"
        with urllib.request.urlopen(urllib.request.Request(path.removeprefix("/vsicurl/"), headers=headers())) as response:
            content = response.read()
        for name, _ in pyogrio.list_layers(path):
            meta, _, shapes, fields = pyogrio.raw.read(path, layer=name, CLIP="NO")
            assert len(shapes) == pyogrio.read_info(content, layer=name)["features"] > 0, (path, name)
            columns = dict(zip(meta["fields"], fields))
            for identifier, shape in zip(columns["id"], shapes):
                stored = venue.features.get(name, {}).get(identifier)
                if stored and (stored["geometry"] or {}).get("type") == "Point":
                    expected = mercator(*stored["geometry"]["coordinates"][:2])
                    found = shapely.get_coordinates(shapely.from_wkb(shape))[0]
                    # Half a step of the grid of the tile.
                    assert numpy.abs(found - expected).max() < 0.51 * side / 4096, (path, name, identifier)
                    points += 1
        tiles += 1
    section(f"{venue.key}: {tiles} vector tiles with {points} points read by GDAL over HTTP in {clock}")


def main():
    all_venues = venues()
    clock = Clock()
    asyncio.run(load(all_venues))
    tipg = Tipg([venue.key for venue in all_venues])
    section(f"PostGIS and tipg have the features of {len(all_venues)} venues after {clock}")
    try:
        for venue in all_venues:
            compare(venue, tipg)
            read_with_gdal(venue)
            read_tiles(venue)
    finally:
        tipg.stop()


if __name__ == "__main__":
    main()
