"""The venues that programs for geographic data read, with the stored features as the reference.

A program that tests one of them runs as a process of its own, because their libraries exclude each other; `run.py` starts them. It finds
the service in the environment.
"""

import json
import os
import pathlib
import sys
import time
import urllib.request

ADDRESS = "VENUE_OGC_ADDRESS"
KEY = "VENUE_OGC_KEY"
#: Keys of venues, separated by spaces.
VENUES = "VENUE_OGC_VENUES"


def section(title):
    print(f"ogc: {pathlib.Path(sys.argv[0]).stem}: {title}", flush=True)


class Venue:
    """A venue of the service, and its stored features by type and id."""

    def __init__(self, key):
        self.key = key
        self.service = os.environ[ADDRESS]
        self.address = f"{self.service}/ogc/{key}"
        self.features = {}
        revision = self.get(f"/venues/{key}")["head"]
        for feature in self.get(f"/venues/{key}/revisions/{revision}/features")["features"]:
            self.features.setdefault(feature["feature_type"], {})[feature["id"]] = feature

    def get(self, path):
        request = urllib.request.Request(self.service + path, headers=headers())
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def boxes(self):
        """The nine boxes that divide the extent of all features, and a box around everything."""
        west, south, east, north = self.extent()
        width, height = (east - west) / 3, (north - south) / 3
        ninths = [(west + column * width, south + row * height, west + (column + 1) * width, south + (row + 1) * height)
                  for column in range(3) for row in range(3)]
        return [*ninths, (west - 1, south - 1, east + 1, north + 1)]

    def extent(self):
        positions = [position for features in self.features.values() for feature in features.values()
                     for position in positions_of(feature["geometry"])]
        longitudes, latitudes = [position[0] for position in positions], [position[1] for position in positions]
        return min(longitudes), min(latitudes), max(longitudes), max(latitudes)


def positions_of(geometry):
    """All positions of a GeoJSON geometry, in order."""
    if not geometry:
        return
    if geometry["type"] == "GeometryCollection":
        for part in geometry["geometries"]:
            yield from positions_of(part)
        return
    waiting = [geometry["coordinates"]]
    while waiting:
        value = waiting.pop()
        if value and isinstance(value[0], (int, float)):
            yield tuple(value[:2])
        else:
            waiting += reversed(value)


def headers():
    return {"Authorization": f"Bearer {os.environ[KEY]}"}


def venues():
    return [Venue(key) for key in os.environ[VENUES].split()]


class Clock:
    """How long a part of a test took."""

    def __init__(self):
        self.start = time.monotonic()

    def __str__(self):
        return f"{time.monotonic() - self.start:.1f} s"
