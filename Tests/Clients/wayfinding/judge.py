"""Judges the answers of the library: the status, whether the path is inside, allowed and shortest, and whether the legs belong together."""

import heapq
import itertools
import math

import shapely
from shapely.geometry import Point

from grid import CROSSING, NOISE
from obstacles import are_on_way
from passages import SPEEDS, Passages, Rules
from plan import Plan
from sight import INSET, Sheets, is_off
from statuses import reasons_hold, status

#: Paths are judged by the points from which their positions were made, on the grid and without slack. A position may differ from its point by
#: half of its last decimal, and by what doubles lose below 360.
DECIMALS = 8
HALF_STEP = 0.5 * 10 ** -DECIMALS + 1e-13
#: How much longer than the shortest path one may be.
LONGER = 1.001
#: By how much the oracle shortens a path whose ends it moves off the walls: in a corner by up to four times its inset at each.
ENDS = 8 * INSET


#: The point of a unit near a position is not exactly the nearest one, so that it is certainly inside.
MOVED = 500


class Ambiguous(Exception):
    """The documentation leaves open where a place is."""


class End:
    """Where a query begins or ends: its pieces, the point if it is known, and the unit if a feature in one is named. For a position outside
    of all units, `near` is the position, and the distance of the nearest one."""

    def __init__(self, pieces, point, unit=None, near=None):
        self.pieces, self.point, self.unit, self.near = pieces, point, unit, near

    def is_off(self, point):
        if self.near:
            return math.dist(point, self.near[0]) > self.near[1] + MOVED
        return self.point is not None and math.dist(point, self.point) > NOISE


class Judge:
    def __init__(self, venue):
        self.venue, self.plan = venue, Plan(venue.features)
        self.passages = Passages(self.plan)
        self._sheets, self._lengths = {}, {}
        #: The largest quotient of a length and the shortest one, and the numbers of paths, and of whole routes, that were compared.
        self.worst, self.compared, self.compared_routes = 1.0, 0, 0

    def end(self, place):
        """None for a place that is not on the map."""
        if not all(floor.is_certain for floor in self.plan.floors.values()):
            raise Ambiguous
        if "feature" not in place:
            return self._end_at(self.plan.frame.point((place["longitude"], place["latitude"])), place["ordinal"])
        feature = self.plan.features.get(place["feature"])
        if feature and feature["type"] in ("occupant", "anchor", "amenity"):
            return self._end_of(*self.plan.place_of(feature))
        if feature and feature["type"] == "opening":
            portals = self.plan.portals_of(feature["id"])
            if not portals:
                return None
            middle = tuple((a + b) // 2 for a, b in zip(portals[0].start, portals[0].end))
            return End(list(portals[0].pieces), middle)
        unit = self.plan.units.get(place["feature"])
        return self._end_in(unit) if unit and unit.kind and unit.pieces else None

    def _end_of(self, point, units):
        """Where something is that has a point and names units: in the first of them that has the point, otherwise at the point, otherwise in the
        first unit."""
        units = [unit for unit in units if unit.kind]
        if not units:
            return None
        for unit in units if point else []:
            pieces = [piece for piece in unit.pieces if shapely.intersects_xy(piece.area, *point)]
            if any(piece.slack > NOISE and piece.area.boundary.distance(Point(point)) < piece.slack for piece in unit.pieces):
                raise Ambiguous
            if pieces:
                return End(pieces, point, unit)
        found = self._end_at(point, units[0].ordinal) if point else None
        if found is None:
            return self._end_in(units[0]) if units[0].pieces else None
        if all(piece.unit.is_restricted for piece in found.pieces):
            # It is in them, if there is no other one.
            if len(found.pieces) > 1:
                raise Ambiguous
            found.unit = found.pieces[0].unit
        return found

    def _end_at(self, point, ordinal):
        """In all units at a point, or at the nearest one."""
        floor = self.plan.floors.get(ordinal)
        pieces = floor.pieces if floor else []
        if any(piece.slack > NOISE and piece.area.boundary.distance(Point(point)) < piece.slack for piece in pieces):
            raise Ambiguous
        inside = [piece for piece in pieces if shapely.intersects_xy(piece.area, *point)]
        if inside:
            return End(inside, point)
        near = sorted(((piece.area.distance(Point(point)), number) for number, piece in enumerate(pieces)), key=lambda each: each[0])
        if not near or near[0][0] > 1_001:
            return None
        if near[0][0] > 999 or len(near) > 1 and near[1][0] < near[0][0] + 2:
            raise Ambiguous
        return End([pieces[near[0][1]]], None, near=(point, near[0][0]))

    def _end_in(self, unit):
        """At the display point of a unit, or its middle."""
        point = self.plan.center(unit)
        if point is None and len(unit.pieces) > 1:
            raise Ambiguous
        pieces = [piece for piece in unit.pieces if point is None or shapely.intersects_xy(piece.area, *point)]
        return End(pieces, point, unit)

    # Status

    def status_problem(self, query, answer):
        start, end = self.end(query["from"]), self.end(query["to"])
        if not start or not end:
            is_right = answer["status"] == "unknown" and "alternative" not in answer
            return None if is_right else f"{answer['status']} instead of unknown: not on the map"
        closed = {feature for feature, _ in query["closed"]}
        expected = status(self.passages, query["profile"], closed, start.pieces, end.pieces, start.unit, end.unit)
        if answer["status"] not in expected:
            return f"{answer['status']} instead of {' or '.join(expected)}"
        if answer["status"] == "route":
            return "a route with another one" if "alternative" in answer else None
        return (reasons_hold(self.passages, query, answer, start.pieces, end.pieces, start.unit, end.unit)
                or self._alternative_problem(query, answer, start, end))

    def _alternative_problem(self, query, answer, start, end):
        """Without a step-free way, the one for walking that there is now, whatever the reason."""
        walking = self.rules({**query, "profile": "walk"}, start, end)
        is_expected = query["profile"] == "step-free" and bool(walking.reached(start.pieces) & set(end.pieces))
        if ("alternative" in answer) != is_expected:
            return f"{answer['status']} {'without' if is_expected else 'with'} a way over steps"
        return are_on_way(self, answer) if is_expected else None

    def has_restricted_end(self, query):
        try:
            ends = [end for end in map(self.end, (query["from"], query["to"])) if end]
        except Ambiguous:
            return True
        return any(piece.unit.is_restricted for end in ends for piece in end.pieces)

    # Paths

    def rules(self, query, start, end):
        closed = frozenset(feature for feature, _ in query["closed"])
        return Rules(self.passages, query["profile"], closed, start.unit, end.unit)

    def sheets(self, ordinal, rules):
        named = [unit for unit in (rules.start, rules.end) if unit and unit.is_restricted]
        key = ordinal, rules.blocking, rules.closed, rules.end in named, *sorted(unit.id for unit in named)
        if key not in self._sheets:
            floor = self.plan.floors[ordinal]
            pieces = [piece for piece in floor.pieces if rules.is_open(piece)]
            portals = [portal for portal in floor.portals if not rules.on_portal(portal)]
            self._sheets[key] = Sheets(pieces, portals, frozenset(piece for piece in pieces if rules.is_end(piece.unit)), rules.leaves)
        return self._sheets[key]

    def shortest(self, sheets, start, pieces, end, others):
        key = id(sheets), start, tuple(map(id, pieces)), end, tuple(map(id, others))
        if key not in self._lengths:
            self._lengths[key] = sheets.shortest(start, pieces, end, others)
        return self._lengths[key]

    def path_problem(self, query, answer):
        """What is wrong with a route, as a text; None for nothing."""
        if any(self._is_misplaced(position) for leg in answer["legs"] for position in leg["geometry"]["coordinates"]):
            return "a position that is not the one of its point"
        start, end = self.end(query["from"]), self.end(query["to"])
        rules, speed = self.rules(query, start, end), SPEEDS[query["profile"]] * 1_000
        pieces, point = start.pieces, start.point
        seconds, legs = 0.0, list(answer["legs"])
        is_compared = any(leg["mode"] == "walk" for leg in legs)
        for is_walk, group in itertools.groupby(legs, key=lambda leg: leg["mode"] == "walk"):
            group = list(group)
            if is_walk:
                path, ordinal = self._joined(group)
                if path is None:
                    return "legs that do not meet"
                if point and math.dist(path[0], point) > NOISE or group[0] is legs[0] and start.is_off(path[0]):
                    return f"a path begins at {path[0]}"
                following = legs[next(n for n, leg in enumerate(legs) if leg is group[-1]) + 1:]
                goals, goal = (end.pieces, end.point) if not following else self._stop(following[0], rules)
                if goals is None:
                    return f"there is no {following[0]['mode']} there"
                if goal and math.dist(path[-1], goal) > NOISE or not following and end.is_off(path[-1]):
                    return f"a path ends at {path[-1]}"
                sheets = self.sheets(ordinal, rules)
                if not sheets.holds(path, pieces, goals):
                    return "a path that is not inside"
                length = sum(map(math.dist, path, path[1:]))
                least = self.shortest(sheets, point or path[0], pieces, goal or path[-1], goals)
                off = is_off(path[0], pieces) + is_off(path[-1], goals)
                allowance = 2 * self.plan.floors[ordinal].slack * (len(path) + 1) + 2 * CROSSING * off + ENDS
                is_compared &= not self.plan.floors[ordinal].has_split_openings
                if not self.plan.floors[ordinal].has_split_openings:
                    if length > LONGER * least + allowance:
                        return f"{length:.1f} mm instead of {least:.1f}"
                    if least > 3_000:
                        self.worst = max(self.worst, (length - allowance) / least)
                    self.compared += 1
                seconds += length / speed
                point, pieces = goal or path[-1], goals
            else:
                for leg in group:
                    ride = self._ride(leg, rules, pieces)
                    if ride is None:
                        return f"there is no such {leg['mode']}"
                    shaft, stop, other = ride
                    begin, point = self.points(leg)[0], other.point or self.points(leg)[-1]
                    seconds += max(shaft.seconds(stop, other), math.dist(stop.point or begin, point) / speed)
                    pieces = other.pieces
        if not set(pieces) & set(end.pieces):
            return "it does not lead to the end"
        is_exact = self.passages.has_points and not any(floor.has_split_openings for floor in self.plan.floors.values())
        if is_exact and start.point and end.point and len(self.plan.floors) > 1:
            least = self._least_seconds(rules, start, end, speed)
            if seconds > LONGER * least + 0.02:
                return f"{seconds:.2f} s instead of {least:.2f}"
        self.compared_routes += is_compared
        return self._sums(answer)

    def _sums(self, answer):
        distance = sum(round(leg["distance"] * 10) for leg in answer["legs"]) / 10
        if distance != answer["distance"] or sum(leg["duration"] for leg in answer["legs"]) != answer["duration"]:
            return "sums that differ from the legs"
        return None

    def points(self, leg):
        return [tuple(position[2:]) for position in leg["geometry"]["coordinates"]]

    def _is_misplaced(self, position):
        degrees = self.plan.frame.degrees(position[2:])
        return any(abs(one - other) > HALF_STEP or one != round(one, DECIMALS) for one, other in zip(position[:2], degrees))

    def _joined(self, legs):
        """The path of legs on one floor, which can be of several levels."""
        path, ordinals = [], {self.plan.levels[leg["level_id"]] for leg in legs}
        for leg in legs:
            points = self.points(leg)
            if path and math.dist(path[-1], points[0]) > NOISE or len(ordinals) > 1:
                return None, None
            path += points[1:] if path else points
        return path, ordinals.pop()

    def _stop(self, leg, rules):
        for shaft in self.passages.shafts:
            for stop in shaft.stops:
                if self.is_at(leg, shaft, stop, 0, "level_id") and rules.may_stop(stop):
                    return stop.pieces, stop.point
        return None, None

    def is_at(self, leg, shaft, stop, position, level):
        point, ordinal = self.points(leg)[position], self.plan.levels[leg[level]]
        return shaft.mode == leg["mode"] and stop.ordinal == ordinal and stop.is_at(point)

    def _ride(self, leg, rules, pieces):
        for piece in pieces:
            for shaft, stop, other in rules.rides(piece):
                if self.is_at(leg, shaft, stop, 0, "level_id") and self.is_at(leg, shaft, other, -1, "to_level_id"):
                    return shaft, stop, other
        return None

    def _least_seconds(self, rules, start, end, speed):
        """The fastest way over all floors."""
        queue, done, number = [(0.0, 0, start.point, start.pieces, None)], set(), itertools.count(1)
        while queue:
            time, _, point, pieces, stop = heapq.heappop(queue)
            if pieces == "end":
                return time
            if stop in done:
                continue
            done.add(stop)
            pieces = [piece for piece in pieces if rules.is_open(piece)]
            if not pieces:
                continue
            ordinal = pieces[0].unit.ordinal
            sheets = self.sheets(ordinal, rules)
            if end.pieces[0].unit.ordinal == ordinal:
                length = self.shortest(sheets, point, pieces, end.point, end.pieces)
                heapq.heappush(queue, (time + length / speed, next(number), None, "end", "end"))
            for shaft, other, arrival in ((*ride,) for piece in sheets.pieces for ride in rules.rides(piece)):
                length = self.shortest(sheets, point, pieces, other.point, other.pieces)
                ride = max(shaft.seconds(other, arrival), math.dist(other.point, arrival.point) / speed)
                if length < math.inf and arrival not in done:
                    heapq.heappush(queue, (time + length / speed + ride, next(number), arrival.point, arrival.pieces, arrival))
        return math.inf
