"""Tests the routes of the library with a second implementation of docs/apps/wayfinding.md, which shares nothing with it:

    VENUE_PROGRAM=.build/debug/venue python run.py [--long] [--seed 7] [PART…]

`paths` compares lengths, and tests that paths are inside and the same in both directions; `losses` tests the status after doors, lifts and
relationships were lost; `oracle` compares the oracle with the package extremitypathfinder; `mistakes` tests that it notices mistakes in a copy
of the library; `bytes` compares the JavaScript library with a running service, which answers with the Swift one, for routes and for what can be
reached. With VENUE_SAMPLES, `paths` includes real archives.

Two parts need `--long` or their names: `bounded` asks a service for routes in archives that are made to cost much work, and `large` in a level of
100,000 units.
"""

import argparse
import pathlib
import random
import re
import shutil
import sys
import tempfile
import time

import archives
import draw
import library
import second
from judge import Ambiguous, Judge
from shapes import SHAPES, hostile

#: Mistakes in the library: a file, a text in it and what replaces it.
MISTAKES = [
    ("path-search.js", "if (fromRight > 0) this.#cross(", "if (fromRight > 1e9) this.#cross("),
    ("path-search.js", "return root.length + distance(start, one) + distance(one, target) + root.detour;", "return root.length + distance(start, target) * 1.3;"),
    ("route-ends.js", "const point = map.plan.point(feature.geometry);", "const point = null;"),
    ("portal-planner.js", "const tolerance = 300;", "const tolerance = 500;"),
    ("passage-rules.js", "const leastStepFreeWidth = 800;", "const leastStepFreeWidth = 700;"),
    ("passage-rules.js", "plan.doorways[doorway].category === \"emergencyexit\"", "false"),
    ("space-plan.js", "case \"stairs\": case \"steps\": return \"stairs\";", "case \"steps\": return \"stairs\";"),
    ("floor-blockers.js", "const liesOnTop = ({ kind, isRestricted }) => isRestricted ||", "const liesOnTop = ({ kind }) =>"),
    ("floor-blockers.js", "const isRoom = (space) => space.kind === \"floor\" &&", "const isRoom = (space) => false &&"),
    ("floor-blockers.js", "!areasWithoutWalls.has(space.category)", "true"),
    ("floor-surface.js", "entered.filter((each) => each !== largest)", "[]"),
    ("shafts.js", "const leastOverlap = 0.3;", "const leastOverlap = 0.95;"),
    ("shafts.js", "isDirected: properties.direction === \"directed\"", "isDirected: false"),
    ("one-way-doors.js", "const categories = [\"traversal\", ", "const categories = ["),
    ("passage-rules.js", "isLeavingFirst ? forward : backward;", "isLeavingFirst ? backward : forward;"),
    ("missing-passages.js", "if (!hasPassage(map, index))", "if (false)"),
    ("missing-passages.js", "if (!shafts.isLinked(index))", "if (false)"),
    ("path-search.js", "return isOpen && this.#rules.leads(portal, (this.#mesh.portals[portal].edges[0] === edge) !== this.#isReversed) ?",
     "return isOpen ?"),
    ("wayfinding-map.js", "add(rules.portals[portal] | direction,", "add(rules.portals[portal],"),
    ("wayfinding-map.js", "if (other === null) return result;", "if (other === null || open !== null) return result;"),
    ("wayfinding-map.js", "& named & ~flight & bit)", "& named & bit)"),
    ("wayfinding-map.js", "walking === null ? this.#pathWithoutObstacles(query)", "true ? this.#pathWithoutObstacles(query)"),
]


#: How many routes are compared in length, at least, with `--long`.
LEAST_ROUTES = 10_000


class Report:
    """Counts what was tested, and collects what is wrong."""

    def __init__(self):
        self.problems, self.counts, self.start = [], {}, time.monotonic()

    def count(self, name):
        self.counts[name] = self.counts.get(name, 0) + 1

    def add(self, venue, query, problem):
        self.problems.append(f"{venue.title}: {problem}: {query}")

    def close(self, part, *notes):
        counts = [f"{count} × {name}" for name, count in sorted(self.counts.items())]
        print(f"wayfinding: {part}: {', '.join([*counts, *notes])} in {time.monotonic() - self.start:.1f} s", flush=True)
        for problem in self.problems[:10]:
            print(f"wayfinding: {problem}", flush=True)
        return len(self.problems)


def work_of(venues, seed, count, closed=0.0):
    """A judge and random queries for each venue."""
    found = []
    for number, venue in enumerate(venues):
        judge = Judge(venue)
        if any(floor.pieces for floor in judge.plan.floors.values()):
            queries = draw.queries(judge, random.Random(f"{seed} {number}"), count, closed)
            found.append((judge, queries))
    return found


def judged(work, report, sources=library.SOURCES, with_paths=True, is_enough=lambda: False):
    for (judge, queries), answers in zip(work, library.answers([(judge.venue, queries) for judge, queries in work], sources)):
        if is_enough():
            return
        for query, answer in zip(queries, answers):
            try:
                problem = judge.status_problem(query, answer)
                if not problem and with_paths and answer["status"] == "route":
                    problem = judge.path_problem(query, answer)
                elif not problem and with_paths and "alternative" in answer:
                    report.count("way over steps")
                    problem = judge.path_problem({**query, "profile": "walk"}, answer["alternative"])
                report.count(answer["status"])
                if problem:
                    report.add(judge.venue, query, problem)
            except Ambiguous:
                report.count("left out")


def paths(arguments):
    report, size = Report(), 16 if arguments.long else 1
    made = [archives.generated("--levels", 3, "--units", 30, "--seed", arguments.seed + number) for number in range((size + 1) // 2)]
    work = work_of([hostile(arguments.seed + number) for number in range(45 * size)], arguments.seed, 24 if arguments.long else 8, 0.1)
    work += work_of(made, arguments.seed, 300 if arguments.long else 40, 0.1)
    work += work_of(archives.real(), arguments.seed, 150)
    judged(work, report)
    reverse(work, report)
    worst, routes = max(judge.worst for judge, _ in work), sum(judge.compared_routes for judge, _ in work)
    if arguments.long and routes < LEAST_ROUTES:
        report.problems.append(f"only {routes} routes were compared in length, not {LEAST_ROUTES}")
    return report.close("paths", f"{routes} routes compared in length, {sum(judge.compared for judge, _ in work)} paths, "
                                 f"at most {worst - 1:.3%} longer")


def reverse(work, report):
    """The way back is as long, unless something is directed."""
    there = [(judge, queries) for judge, queries in work
             if not any(feature["properties"].get("direction") == "directed" for feature in judge.venue.features)]
    back = [[{**query, "from": query["to"], "to": query["from"]} for query in queries] for _, queries in there]
    ways = zip(there, library.answers([(judge.venue, queries) for judge, queries in there]),
               library.answers([(judge.venue, queries) for (judge, _), queries in zip(there, back)]))
    for (judge, queries), ones, others in ways:
        for query, one, other in zip(queries, ones, others):
            # What is not public can only be entered: from there other ways lead than back.
            if judge.has_restricted_end(query):
                continue
            report.count("way back")
            if one["status"] != other["status"] or abs(one["duration"] - other["duration"]) > len(one["legs"]) + len(other["legs"]):
                report.add(judge.venue, query, f"{one['status']} in {one['duration']} s, and back {other['status']} in {other['duration']} s")


def losses(arguments):
    report, draws = Report(), random.Random(arguments.seed)
    made = [archives.generated("--levels", 3, "--units", 12, "--seed", arguments.seed + number) for number in range(4)]
    whole = made * (300 if arguments.long else 6) + [hostile(len(SHAPES) * (number + 1) - 1) for number in range(500 if arguments.long else 40)]
    whole += [hostile(number) for number in range(arguments.seed, arguments.seed + (300 if arguments.long else 30))]
    judged(work_of([draw.mutilated(venue, draws) for venue in whole], arguments.seed, 6, 0.5), report, with_paths=False)
    return report.close("losses", f"{len(whole)} venues")


def oracle(arguments):
    report = Report()
    work = work_of([hostile(arguments.seed + number) for number in range(200 if arguments.long else 30)], arguments.seed, 6)
    if arguments.long:
        whole = [archives.generated("--levels", 3, "--units", 30, "--seed", arguments.seed + number) for number in range(8)] + archives.real()
        for number, judge in enumerate(map(Judge, whole)):
            work.append((judge, draw.queries_on_floors(judge, random.Random(f"{arguments.seed} {number}"), 40)))
    worst = 0
    for judge, queries in work:
        known = {}
        for query in queries:
            try:
                worst = max(worst, second.compare(judge, query, report, known))
            except Ambiguous:
                report.count("left out")
    return report.close("oracle", f"at most {worst:.3%} longer than another package found")


def mistakes(arguments):
    """Every mistake in a copy of the library has to be noticed."""
    report = Report()
    work = work_of([hostile(arguments.seed + number) for number in range(160)], arguments.seed, 8, 0.3)
    # Some are about several floors, and noticed only where there are two ways between them.
    work += work_of([hostile(len(SHAPES) * (arguments.seed + number) - 1) for number in range(54)], arguments.seed, 32, 0.5)
    for name, right, wrong in MISTAKES:
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder, "src")
            shutil.copytree(library.SOURCES, copy)
            path = copy / "wayfinding" / name
            text = path.read_text()
            assert text.count(right) == 1, f"{name} has changed: {right}"
            path.write_text(text.replace(right, wrong))
            seeded = Report()
            # All shapes at a time, until it is noticed.
            for first in range(0, len(work), len(SHAPES)):
                if not seeded.problems:
                    judged(work[first:first + len(SHAPES)], seeded, copy, is_enough=lambda: bool(seeded.problems))  # noqa: B023
            report.count("mistake")
            if not seeded.problems:
                report.problems.append(f"this mistake in {name} was not noticed: {re.sub(' +', ' ', wrong)}")
    return report.close("mistakes")


def equal_bytes(arguments):
    import served

    report = Report()
    served.compare(arguments, report)
    return report.close("bytes")


def bounded_work(arguments):
    import bounded

    report = Report()
    slowest = bounded.compare(arguments, report)
    return report.close("bounded", f"each answer in at most {slowest:.1f} s")


def large_level(arguments):
    import bounded

    report = Report()
    note = bounded.compare_large(report)
    return report.close("large", note)


PARTS = {"paths": paths, "losses": losses, "oracle": oracle, "mistakes": mistakes, "bytes": equal_bytes}
#: What takes too long for every merge.
LONG_PARTS = {"bounded": bounded_work, "large": large_level}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--long", action="store_true", help="with numbers for the night")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, *LONG_PARTS, []])
    arguments = parser.parse_args()
    print(f"wayfinding: seed {arguments.seed}")
    parts = PARTS | LONG_PARTS
    failed = [part for part in arguments.parts or (parts if arguments.long else PARTS) if parts[part](arguments)]
    if failed:
        sys.exit(f"wayfinding: failed: {', '.join(failed)}")


if __name__ == "__main__":
    main()
