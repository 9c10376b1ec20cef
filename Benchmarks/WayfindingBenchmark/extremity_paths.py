"""Searches the paths that `WayfindingBenchmark paths FILE` wrote with the package extremitypathfinder, and compares times and lengths.

    python3 extremity_paths.py FILE     needs Tests/Clients/wayfinding/requirements.txt
"""
import json
import math
import pathlib
import statistics
import sys
import time

from extremitypathfinder import PolygonEnvironment

document = json.loads(pathlib.Path(sys.argv[1]).read_text())
origin = document["rings"][0][0]
METERS = 6_371_007 * math.pi / 180


def point(position):
    """Meters east and north of the origin."""
    return (
        (position[0] - origin[0]) * METERS * math.cos(math.radians(origin[1])),
        (position[1] - origin[1]) * METERS,
    )


def ring(positions, is_hole):
    """The points without the last one, which repeats the first; outer rings run counterclockwise, holes clockwise."""
    points = [point(position) for position in positions[:-1]]
    double_area = sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:] + points[:1]))
    return points if (double_area < 0) == is_hole else points[::-1]


environment = PolygonEnvironment()
start = time.perf_counter()
environment.store(ring(document["rings"][0], False), [ring(each, True) for each in document["rings"][1:]])
environment.prepare()
prepared = time.perf_counter() - start

times, same = [], 0
for path in document["paths"]:
    ends = point(path["from"]), point(path["to"])
    start = time.perf_counter()
    _, length = environment.find_shortest_path(*ends, verify=False)
    times.append(1_000 * (time.perf_counter() - start))
    # The two measure the Earth by a sphere and by an ellipsoid; lengths of the file have decimeters.
    if length is not None and abs(length - path["meters"]) <= 0.1 + 0.01 * length:
        same += 1
times.sort()
print(json.dumps({
    "name": "path in a walkway, extremitypathfinder", "count": len(times), "prepared_ms": round(1_000 * prepared, 1),
    "p50_ms": round(statistics.median(times), 3), "p95_ms": round(times[len(times) * 95 // 100], 3),
    "ratio": round(statistics.median(times) / document["median_ms"], 1), "same_length": same,
}))
