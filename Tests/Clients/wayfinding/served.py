"""Compares the JavaScript library with a running service, which computes with the Swift one, byte for byte."""

import http.client
import json
import pathlib
import random
import sys
import urllib.parse
import zipfile
from concurrent.futures import ThreadPoolExecutor

import archives
import draw
import library
from judge import Judge
from plan import polygons_of
from shapes import Venue, hostile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Browser"))

from service import Service  # noqa: E402

#: What only the service adds.
ADDED = {"as_of", "hours", "profile", "revision", "venue"}
#: A Wednesday on which everything in the generator's venues is open.
AT = "2026-11-18T03:00:00Z"
ADDRESS = "00000000-0000-4000-8000-000000990001"


class Number(str):
    """A number as it is written."""


def canonical(text):
    """The members of an answer in their order, with numbers as they are written, without what the service adds."""
    value = json.loads(text, object_pairs_hook=lambda pairs: pairs, parse_int=Number, parse_float=Number)
    return [(name, member) for name, member in value if name not in ADDED]


def write(venue, path):
    """A hostile shape as an archive: the service needs a venue with an address around it."""
    level = next(feature for feature in venue.features if feature["type"] == "level")
    positions = [position for feature in venue.features if feature["type"] == "unit" for rings in polygons_of(feature["geometry"])
                 for ring in rings for position in ring]
    (west, east), (south, north) = ((min(axis), max(axis)) for axis in zip(*positions))
    around = {"type": "Polygon", "coordinates": [[[west, south], [east, south], [east, north], [west, north], [west, south]]]}
    middle = {"type": "Point", "coordinates": [(west + east) / 2, (south + north) / 2]}
    files = {
        "address": [{"id": ADDRESS, "geometry": None, "properties": {
            "address": "1 Street", "locality": "Yokohama", "country": "JP", "province": "JP-14"}}],
        "venue": [{"id": ADDRESS[:-1] + "2", "geometry": around, "properties": {
            "category": "shoppingcenter", "name": {"en": venue.title}, "address_id": ADDRESS, "display_point": middle}}],
    }
    for feature in venue.features:
        feature = {**feature, "properties": dict(feature["properties"])}
        if feature["type"] == "level":
            feature["geometry"] = around
            feature["properties"] |= {"category": "unspecified", "outdoor": False, "name": level["properties"]["short_name"]}
        files.setdefault(feature["type"], []).append(feature)
    with zipfile.ZipFile(path, "w") as archive:
        manifest = {"version": "1.0.0", "created": "2026-01-01T00:00:00Z", "language": "en"}
        archive.writestr("manifest.json", json.dumps(manifest))
        for kind, features in files.items():
            rows = [{"type": "Feature", "feature_type": kind, **{name: feature[name] for name in ("id", "properties", "geometry")}}
                    for feature in features]
            archive.writestr(f"{kind}.geojson", json.dumps({"type": "FeatureCollection", "features": rows}))


def venues_of(service, arguments):
    """The venues of the service, as it has them."""
    titles = []
    for number in range(4 if arguments.long else 1):
        service.create_venue(f"mall{number}", "--levels", 3, "--units", 30, "--seed", arguments.seed + number)
        titles.append(f"mall{number}")
    for number in range(45 if arguments.long else 9):
        path = service.folder / f"shape{number}.zip"
        write(hostile(arguments.seed + number), path)
        service.run_venue("push", path, "--to", f"shape{number}", "--new")
        titles.append(f"shape{number}")
    for number, path in enumerate(archives.samples()):
        service.run_venue("push", path, "--to", f"sample{number}", "--new")
        titles.append(f"sample{number}")
    for title in titles:
        about = service.get_json(f"/venues/{title}")
        listed = service.get_json(f"/venues/{title}/revisions/{about['head']}/features")
        features = [{"id": each["id"], "type": each["feature_type"], "properties": each["properties"], "geometry": each["geometry"]}
                    for each in listed["features"]]
        yield Venue(title, features, about["about"].get("language"))


def path_of(venue, query):
    if query == library.REPORT:
        return f"/venues/{venue.title}/reachability?egress=true"

    def place(value):
        return value.get("feature") or f"{value['longitude']!r},{value['latitude']!r},{value['ordinal']}"

    values = {"from": place(query["from"]), "to": place(query["to"]), "profile": query["profile"], "at": AT,
              "lang": ",".join(query["languages"])}
    if query["closed"]:
        values["closed"] = ",".join(feature for feature, _ in query["closed"])
    return f"/venues/{venue.title}/route?{urllib.parse.urlencode(values)}"


def texts_of(service, venue, queries):
    """The answers of the service, over one connection."""
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=120)
    found = []
    for query in queries:
        connection.request("GET", path_of(venue, query), headers={"Authorization": f"Bearer {service.admin_key}"})
        response = connection.getresponse()
        text = response.read().decode()
        found.append(text if response.status == 200 else f'{{"status":"{response.status} {text[:200]!r}"}}')
    connection.close()
    return found


def compare(arguments, report):
    with Service() as service:
        work, count = [], 5_000 if arguments.long else 300
        venues = list(venues_of(service, arguments))
        for number, venue in enumerate(venues):
            draws = random.Random(f"{arguments.seed} {number}")
            share = count * (2 if venue.title.startswith(("mall", "sample")) else 1) // len(venues) + 1
            work.append((venue, [library.REPORT, *draw.queries(Judge(venue), draws, share, 0.2)]))
        ours = library.texts(work)
        with ThreadPoolExecutor(2) as pool:
            theirs = list(pool.map(lambda each: texts_of(service, *each), work))
        for (venue, queries), ones, others in zip(work, ours, theirs):
            for query, one, other in zip(queries, ones, others):
                report.count("report" if query == library.REPORT else "answer")
                if canonical(one) != canonical(other):
                    report.add(venue, query, f"JavaScript: {one[:400]} Swift: {other[:400]}")
