#!/usr/bin/env python3
"""Where positions lie on the tiles of a map, as the Python package `mercantile` computes it.

    pip install mercantile==1.2.1
    vectors.py > vectors.json

Each vector: longitude and latitude in degrees, the zoom, the tile that covers the position (XYZ, from the north-west), and the
pixel from the north-western corner of the world when tiles have 256 and when they have 512 pixels a side. On the border of two
tiles, the one to the east or south is meant. Zooms between two levels have no tile. Each of the bounds: zoom, x and y of a tile,
and its west, south, east and north in degrees.
"""

import json
import math
import random

import mercantile

CIRCUMFERENCE = 2 * math.pi * 6378137.0
LIMIT = 85.0511287798066
PLACES = [
    (139.7670, 35.6812), (13.4050, 52.5200), (-52.7126, 47.5615), (151.2093, -33.8688), (-70.6693, -33.4489),
    (174.7633, -36.8485), (0, 0), (-0.0000001, 0.0000001), (179.9999999, -16.5), (-179.9999999, -16.5), (-180, 60),
    (18.4241, -33.9249), (-68.3030, -54.8019), (25.7294, 66.5039),
]
EDGES = [(10, 90), (10, -90), (10, 85.06), (10, -85.06), (-180, LIMIT), (-180, -85.0511), (10, 85.0511)]


def vector(longitude, latitude, zoom):
    clamped = max(-LIMIT, min(LIMIT, latitude))
    east, north = mercantile.xy(longitude, clamped)
    fractions = (east / CIRCUMFERENCE + 0.5, 0.5 - north / CIRCUMFERENCE)
    vector = {"longitude": longitude, "latitude": latitude, "zoom": zoom}
    if isinstance(zoom, int):
        tile = mercantile.tile(longitude, clamped, zoom)
        vector["tile"] = [tile.x, tile.y]
    for size in (256, 512):
        vector[f"pixel_{size}"] = [round(fraction * size * 2**zoom, 4) for fraction in fractions]
    return vector


def main():
    chance = random.Random(1)
    vectors = []
    for longitude, latitude in PLACES:
        for zoom in range(15, 23):
            vectors.append(vector(longitude, latitude, zoom))
    for longitude, latitude in EDGES:
        for zoom in (0, 15, 22):
            vectors.append(vector(longitude, latitude, zoom))
    for zoom in range(15, 23):
        for _ in range(4):
            corner = mercantile.ul(chance.randrange(2**zoom), chance.randrange(2**zoom), zoom)
            vectors.append(vector(corner.lng, corner.lat, zoom))
    fractional = [
        vector(longitude, latitude, zoom)
        for longitude, latitude in PLACES + EDGES
        for zoom in (0.5, 14.25, 16.37, round(chance.uniform(15, 22), 3))
    ]
    tiles = [(0, 0, 0), (1, 1, 0), (30, 2**30 - 1, 2**30 - 1)]
    tiles += [(zoom, chance.randrange(2**zoom), chance.randrange(2**zoom)) for zoom in range(2, 24) for _ in range(2)]
    bounds = []
    for zoom, x, y in tiles:
        box = mercantile.bounds(x, y, zoom)
        bounds.append({"tile": [zoom, x, y], "box": [box.west, box.south, box.east, box.north]})
    print("{")
    for name, values in (("vectors", vectors), ("fractional", fractional), ("bounds", bounds)):
        print(f'"{name}":[')
        print(",\n".join(json.dumps(value, separators=(",", ":")) for value in values))
        print("]" if name == "bounds" else "],")
    print("}")


main()
