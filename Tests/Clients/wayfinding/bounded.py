"""Asks a running service for routes in archives that are made to cost as much work as possible: every answer arrives, is one of the four, names a
reason if it is not a route, and leads through units. The JavaScript library gives the same ones."""

import http.client
import itertools
import json
import pathlib
import random
import sys
import threading
import time
import urllib.parse

import shapely
from shapely.geometry import LineString

import hard
import library
import served
from grid import CROSSING, area_of
from plan import Plan, polygons_of
from shapes import Venue

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Browser"))

from service import Service  # noqa: E402

#: Seconds until an answer: the service prepares a venue for at most 120, and a test machine is busy.
BOUND = 180
STATUSES = {"route", "infeasible", "none", "unknown"}
#: How far from a unit somebody is who passes an opening.
BESIDE = 300 + 2 * CROSSING


def is_drawn(feature):
    """Whether a feature is a unit with polygons of numbers."""
    rings = [ring for rings in polygons_of(feature["geometry"]) for ring in rings] if feature["type"] == "unit" else []
    return any(rings) and all(isinstance(each, (int, float)) for ring in rings for position in ring for each in position)


class Space:
    """Where one can be on each floor, at most."""

    def __init__(self, features):
        self.frame, self._areas = Plan.frame_of([each for each in features if is_drawn(each)]), {}
        self._levels = {each["id"]: each["properties"].get("ordinal") for each in features if each["type"] == "level"}
        self._units = [each for each in features if is_drawn(each)]

    def holds(self, leg):
        ordinal = self._levels[leg["level_id"]]
        if ordinal not in self._areas:
            shapes = [rings for unit in self._units if self._levels.get(unit["properties"].get("level_id")) == ordinal
                      for rings in map(self.frame.rings, polygons_of(unit["geometry"])) if rings]
            self._areas[ordinal] = shapely.union_all([area_of(rings) for rings in shapes]).buffer(BESIDE)
            shapely.prepare(self._areas[ordinal])
        return self._areas[ordinal].covers(LineString([self.frame.exact(position) for position in leg["geometry"]["coordinates"]]))


def queries_of(features, draws):
    """Some pairs on every level, and to another one, with both profiles."""
    levels = {each["id"]: each["properties"]["ordinal"] for each in features if each["type"] == "level"}
    units = {}
    for each in features:
        if is_drawn(each) and each["properties"].get("level_id") in levels:
            units.setdefault(levels[each["properties"]["level_id"]], []).append(each)

    def position(ordinal):
        corners = next(rings for rings in polygons_of(draws.choice(units[ordinal])["geometry"]) if any(rings))[0]
        one, other = draws.sample(corners, 2)
        return {"longitude": round((one[0] + other[0]) / 2, 8), "latitude": round((one[1] + other[1]) / 2, 8), "ordinal": ordinal}

    def unit(ordinal):
        return {"feature": draws.choice(units[ordinal])["id"]}

    pairs = []
    for ordinal in sorted(units):
        other = draws.choice(sorted(units))
        pairs += [(unit(ordinal), unit(ordinal)), (position(ordinal), position(ordinal)), (unit(ordinal), position(ordinal)),
                  (unit(ordinal), unit(other)), (position(ordinal), unit(other))]
    return [library.query(one, other, profile) for one, other in pairs for profile in ("walk", "step-free")]


def problem_of(answer, space):
    """What is wrong with an answer, as a text; None for nothing."""
    if answer["status"] not in STATUSES:
        return f"status {answer['status']}"
    if answer["status"] != "route":
        return None if answer["reasons"] else "no reason"
    if not answer["legs"]:
        return "no legs"
    return None if all(space.holds(leg) for leg in answer["legs"] if leg["mode"] == "walk") else "a path beside all units"


def published(service, title, path, report):
    """The venue as the service has it; None if it does not publish the archive."""
    try:
        service.run_venue("push", path, "--to", title, "--new")
        about = service.get_json(f"/venues/{title}")
    except RuntimeError as error:
        report.count("archive that is not published")
        print(f"wayfinding: {title}: {str(error)[:160]!r}", flush=True)
        return None
    listed = service.get_json(f"/venues/{title}/revisions/{about['head']}/features", timeout=BOUND)
    features = [{"id": each["id"], "type": each["feature_type"], "properties": each["properties"], "geometry": each["geometry"]}
                for each in listed["features"]]
    return Venue(title, features, about["about"].get("language"))


def route(service, path):
    """The status of HTTP, the text and the seconds."""
    begin, connection = time.monotonic(), http.client.HTTPConnection("127.0.0.1", service.port, timeout=BOUND)
    connection.request("GET", path, headers={"Authorization": f"Bearer {service.admin_key}"})
    response = connection.getresponse()
    text = response.read().decode()
    connection.close()
    return response.status, text, time.monotonic() - begin


def compare(arguments, report):
    slowest = 0.0
    with Service() as service:
        paths = {f"case-{path.stem.lower().replace('_', '-')}": path for path in hard.cases()}
        for venue in hard.made():
            title = f"hard-{venue.title.replace(' ', '-')}"
            paths[title] = service.folder / f"{title}.zip"
            served.write(venue, paths[title])
        for title, path in paths.items():
            venue = published(service, title, path, report)
            if venue is None:
                continue
            queries = queries_of(venue.features, random.Random(f"{arguments.seed} {title}"))
            [ours] = library.texts([(venue, queries)], timeout=BOUND)
            space = Space(venue.features)
            for query, mine in zip(queries, ours):
                code, text, seconds = route(service, served.path_of(venue, query))
                slowest = max(slowest, seconds)
                if code != 200:
                    report.add(venue, query, f"{code} {text[:200]}")
                    continue
                answer = json.loads(text)
                report.count(answer["status"])
                problem = problem_of(answer, space)
                if not problem and served.canonical(text) != served.canonical(mine) and not answer.get("closed"):
                    problem = f"JavaScript: {mine[:300]} Swift: {text[:300]}"
                if problem:
                    report.add(venue, query, problem)
            report.count("archive")
    return slowest


def compare_large(report):
    """A level of 100,000 units, the largest one that is tested: an answer arrives in time with a route or a reason, and polls beside it do too."""
    slowest = 0.0
    with Service() as service:
        path = service.generate("large.zip", "--levels", 1, "--units", 100_000)
        begin = time.monotonic()
        service.run_venue("push", path, "--to", "large", "--new")
        print(f"wayfinding: pushed 100,000 units in {time.monotonic() - begin:.0f} s", flush=True)
        head = service.get_json("/venues/large")["head"]
        units = service.get_json(f"/venues/large/revisions/{head}/features?type=unit", timeout=BOUND)["features"]
        assert len(units) >= 100_000, f"only {len(units)} units"
        # What is more than 33 km away from the others is left out, and the generator makes long floors.
        rows = sorted(units, key=lambda each: each["geometry"]["coordinates"][0][0][1])
        middle = [each["id"] for each in rows[len(rows) // 4:3 * len(rows) // 4]]
        draws = random.Random(1)
        pairs = [draws.sample(middle, 2) for _ in range(20)]
        polls, is_done = [], threading.Event()
        poller = threading.Thread(target=poll, args=(service, polls, is_done))
        poller.start()
        try:
            for (one, other), profile in itertools.product(pairs, ("walk", "step-free")):
                code, text, seconds = route(
                    service, f"/venues/large/route?{urllib.parse.urlencode({'from': one, 'to': other, 'profile': profile})}")
                slowest = max(slowest, seconds)
                answer = json.loads(text)
                named = answer["status"] if code == 200 else answer["type"].rsplit("/", 1)[-1].rsplit(":", 1)[-1]
                reasons = [reason["code"] for reason in answer.get("reasons", [])]
                report.count(" ".join([named, *dict.fromkeys(reasons)]))
                is_good = answer["status"] in STATUSES and (answer["status"] == "route" or reasons) if code == 200 else named == "too-expensive"
                if not is_good:
                    report.problems.append(f"large: {text[:300]}")
        finally:
            is_done.set()
            poller.join()
        report.problems += [f"large: a poll beside it: {each}" for each in polls if not isinstance(each, float)]
        times = sorted(each for each in polls if isinstance(each, float))
        if not times:
            report.problems.append("large: no poll was answered beside it")
        return f"each answer in at most {slowest:.1f} s, {len(times)} polls beside it in at most {times[-1] if times else 0:.1f} s"


def poll(service, polls, is_done):
    """Polls until it is done: the seconds of each, or what went wrong."""
    while not is_done.is_set():
        begin = time.monotonic()
        try:
            service.get_json("/venues/large")
            polls.append(time.monotonic() - begin)
        except OSError as error:
            polls.append(str(error))
        is_done.wait(0.2)
