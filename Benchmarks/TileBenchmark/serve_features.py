"""Measures a large venue as a service by OGC API – Features: the first query, which reads the tables, then queries by box.

    VENUE_PROGRAM=.build/release/venue python3 serve_features.py [--levels 20] [--units 2480] [--queries 300]
"""
import argparse
import http.client
import json
import pathlib
import random
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

from service import Service  # noqa: E402


def report(**line):
    print(json.dumps(line), flush=True)


class Client:
    """One connection, so that connecting is not measured."""

    def __init__(self, service):
        self.connection = http.client.HTTPConnection(service.address.removeprefix("http://"), timeout=300)

    def get(self, path):
        """Milliseconds, and the document."""
        start = time.perf_counter()
        self.connection.request("GET", path)
        response = self.connection.getresponse()
        body = response.read()
        elapsed = 1000 * (time.perf_counter() - start)
        assert response.status == 200, (path, body[:300])
        return elapsed, json.loads(body)


def boxes(west, south, east, north, count, share):
    """Boxes with a share of the width and height of the extent."""
    chance = random.Random(7)
    width, height = share * (east - west), share * (north - south)
    for _ in range(count):
        x, y = chance.uniform(west, east - width), chance.uniform(south, north - height)
        yield f"{x},{y},{x + width},{y + height}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--levels", type=int, default=20)
    parser.add_argument("--units", type=int, default=2_480)
    parser.add_argument("--queries", type=int, default=300)
    arguments = parser.parse_args()
    with Service(is_installed=True) as service:
        service.create_venue("mall", "--levels", arguments.levels, "--units", arguments.units, "--seed", 7)
        service.run_venue("set", "mall", "public=true")
        measure(Client(service), arguments)


def measure(client, arguments):
    items = "/ogc/mall/collections/unit/items"
    first, _ = client.get(f"{items}?limit=10&bbox=0,0,1,1")
    _, document = client.get("/ogc/mall/collections")
    features = sum(collection["features"] for collection in document["collections"])
    report(name="first query, with the tables", features=features, ms=round(first))
    extent = next(collection for collection in document["collections"] if collection["id"] == "unit")["extent"]["spatial"]["bbox"][0]
    for limit, share in ((10, 0.2), (100, 0.2), (1_000, 0.2), (10, 1)):
        times, matched = [], 0
        for box in boxes(*extent, arguments.queries, share):
            elapsed, page = client.get(f"{items}?limit={limit}&bbox={box}")
            times.append(elapsed)
            matched += page["numberMatched"]
        times.sort()
        report(name="box query", share=share, limit=limit, matched=round(matched / len(times)),
               p50_ms=round(times[len(times) // 2], 2), p99_ms=round(times[int(len(times) * 0.99)], 2))


main()
