"""Shortest paths by sight: a graph of the corners around which a path can turn, with an edge between any two that see each other.

A floor is made of sheets, one for each piece of a unit, because units can lie above each other. Each is made smaller by a tenth of a
millimetre, so that nothing passes where two walls meet in a point, and reaches a little beyond its portals. Whatever is found is therefore a
path, and longer than the shortest one by less than a millimetre for each turn.
"""

import heapq
import itertools
import math

import numpy
import shapely
from shapely.geometry import LineString, Point, Polygon

from grid import CROSSING, NOISE

INSET = 0.1
#: How far doubles are from what they stand for in a slanted line along a wall, far below the inset.
NEAR = 1e-5


class Sheets:
    """The pieces of a floor that may be entered and the portals that may be passed. A piece in `ends` may be entered and not left, and
    `leaves` says from which sides a portal may be passed."""

    def __init__(self, pieces, portals, ends=frozenset(), leaves=lambda portal, side: True):
        self.pieces = list(pieces)
        number = {piece: index for index, piece in enumerate(self.pieces)}
        self.number, self.ends = number, {number[each] for each in ends if each in number}
        self.portals, doors, slits = [], [[] for _ in self.pieces], []
        self.doors = [[] for _ in self.pieces]
        for portal in portals:
            if len(portal.pieces) != 2 or any(piece not in number for piece in portal.pieces) or portal.line.length < 1:
                continue
            a, b = numpy.array(portal.start, dtype=float), numpy.array(portal.end, dtype=float)
            along = (b - a) / numpy.hypot(*(b - a))
            across = numpy.array([-along[1], along[0]]) * INSET * 1.5
            a, b = a + along * INSET, b - along * INSET
            door = Polygon([a + across, b + across, b - across, a - across])
            one, other = (number[piece] for piece in portal.pieces)
            # Through an opening inside of a unit, people go only from its own side.
            may = leaves(portal, 0), leaves(portal, 1)
            for here, there, begin, end, (may_leave, may_enter) in ((one, other, a, b, may), (other, one, b, a, may[::-1])):
                doors[here].append(door)
                self.doors[here].append((there, begin, end, len(self.portals), may_leave, may_enter))
            # The ends of an opening inside of a unit are corners there, around which a path can turn in any direction.
            for here, side, sign in ((one, portal.sides[0], 1), (other, portal.sides[1], -1)):
                slits += [(*(end + across * sign / 3),) * 3 + (here,) for end in (a, b) if side[1] is None]
            self.portals.append(portal)
        self.areas, self.wide = [], []
        for piece, each in zip(self.pieces, doors):
            area = shapely.union_all([piece.area.buffer(-INSET, join_style="mitre", mitre_limit=4), *each])
            self.areas.append(area)
            self.wide.append(area.buffer(NEAR, join_style="mitre"))
            shapely.prepare(self.wide[-1])
        self._find_corners(slits)
        self._neighbors = {}

    def _find_corners(self, rows):
        """The corners at which the wall stands out, with those before and after them."""
        for index, area in enumerate(self.areas):
            for part in shapely.get_parts(area):
                for ring, sign in itertools.chain([(part.exterior, 1)], ((hole, -1) for hole in part.interiors)):
                    points = numpy.array(ring.coords)[:-1]
                    if ring.is_ccw != (sign > 0):
                        points = points[::-1]
                    before, after = numpy.roll(points, 1, 0), numpy.roll(points, -1, 0)
                    turn = cross(points - before, after - points)
                    rows += [(*points[at], *before[at], *after[at], index) for at in numpy.nonzero(turn < 0)[0]]
        table = numpy.array(rows, dtype=float).reshape(-1, 7)
        self.corners, self._before, self._after = table[:, 0:2], table[:, 2:4], table[:, 4:6]
        self.sheet = table[:, 6].astype(int)

    # Sight

    def _taut(self, point, indices):
        """Those corners at which a path from a point can turn."""
        way = self.corners[indices] - point
        one, other = cross(way, self._before[indices] - self.corners[indices]), cross(way, self._after[indices] - self.corners[indices])
        slack = 1e-7 * (1 + numpy.abs(way).sum(1))
        return indices[(one * other >= 0) | (numpy.abs(one) < slack) | (numpy.abs(other) < slack)]

    def seen(self, point, sheet, targets, sheets, backward=False):
        """For each target, a point in a sheet, whether it is seen from a point in a sheet; `backward`, whether it sees that point."""
        targets, sheets = numpy.asarray(targets, dtype=float).reshape(-1, 2), numpy.asarray(sheets)
        found = numpy.zeros(len(targets), dtype=bool)
        waiting = [(sheet, -1, numpy.tile(numpy.asarray(point, dtype=float), (len(targets), 1)), numpy.arange(len(targets)), 0)]
        while waiting:
            here, through, begin, rest, depth = waiting.pop()
            inside = numpy.nonzero((sheets[rest] == here) & ~found[rest])[0]
            if len(inside):
                lines = shapely.linestrings(numpy.stack([begin[inside], targets[rest[inside]]], axis=1))
                found[rest[inside]] |= shapely.covers(self.wide[here], lines)
            if depth > 60 or (not backward and here in self.ends):
                continue
            for there, a, b, door, may_leave, may_enter in self.doors[here]:
                if door == through or (backward and there in self.ends) or not (may_enter if backward else may_leave):
                    continue
                way, wall = targets[rest] - begin, b - a
                below = cross(way, wall)
                with numpy.errstate(divide="ignore", invalid="ignore"):
                    share, along = cross(a - begin, wall) / below, cross(a - begin, way) / below
                    at = numpy.nonzero((share >= -NEAR) & (share <= 1 + NEAR) & (along >= -NEAR) & (along <= 1 + NEAR) & (below > 0) & ~found[rest])[0]
                if not len(at):
                    continue
                meet = begin[at] + way[at] * share[at, None]
                at_all = shapely.covers(self.wide[here], shapely.linestrings(numpy.stack([begin[at], meet], axis=1)))
                if at_all.any():
                    waiting.append((there, door, meet[at_all], rest[at[at_all]], depth + 1))
        return found

    def _corners_seen(self, point, sheet, backward=False):
        near = self._taut(numpy.asarray(point), numpy.arange(len(self.corners)))
        return near[self.seen(point, sheet, self.corners[near], self.sheet[near], backward)]

    def _around(self, corner):
        if corner not in self._neighbors:
            here, before, after = self.corners[corner], self._before[corner], self._after[corner]
            way = self.corners - here
            one, other = cross(before - here, way), cross(after - here, way)
            slack = 1e-7 * (1 + numpy.abs(way).sum(1))
            may = numpy.nonzero((one * other >= 0) | (numpy.abs(one) < slack) | (numpy.abs(other) < slack))[0]
            may = self._taut(here, may[may != corner])
            indices = may[self.seen(here, self.sheet[corner], self.corners[may], self.sheet[may])]
            self._neighbors[corner] = list(zip(indices.tolist(), numpy.hypot(*(self.corners[indices] - here).T).tolist()))
        return self._neighbors[corner]

    # Paths

    def _begin(self, point, pieces):
        """A point in each of the sheets of some pieces, moved off the walls."""
        found = []
        for sheet in {self.number[piece] for piece in pieces if piece in self.number}:
            area = self.areas[sheet]
            if not area.is_empty and area.distance(Point(point)) < 3:
                near = shapely.shortest_line(Point(point), area.buffer(-INSET / 10)).coords[1] if not area.contains(Point(point)) else point
                found.append((tuple(near), sheet))
        return found

    def nudged(self, point, pieces):
        """A point, moved off the walls of each of the pieces in which it is."""
        return [near for near, _ in self._begin(point, pieces)]

    def shortest(self, start, pieces, end, others):
        """The length of the shortest path between two points in any of some pieces, in millimetres; infinity for none."""
        begins, goals = self._begin(start, pieces), self._begin(end, others)
        best, reach, length = math.inf, {}, {}
        for point, sheet in begins:
            for goal, other in goals:
                if self.seen(point, sheet, [goal], [other])[0]:
                    return math.dist(point, goal)
        for goal, other in goals:
            for corner in self._corners_seen(goal, other, backward=True):
                reach[corner] = min(reach.get(corner, math.inf), math.dist(self.corners[corner], goal))
        queue = []

        def offer(corner, value):
            if value < length.get(corner, math.inf):
                length[corner] = value
                heapq.heappush(queue, (value + math.dist(self.corners[corner], end), value, corner))

        for point, sheet in begins:
            for corner in self._corners_seen(point, sheet):
                offer(int(corner), math.dist(point, self.corners[corner]))
        while queue and queue[0][0] < best + 10:
            _, value, corner = heapq.heappop(queue)
            if value > length[corner]:
                continue
            best = min(best, value + reach.get(corner, math.inf))
            for other, step in self._around(corner):
                offer(other, value + step)
        return best

    # Whether a path of others is inside

    def holds(self, path, pieces, others):
        """Whether a line leads from any of some pieces to any of others, inside and only through portals."""
        here = {self.number[piece] for piece in pieces if piece in self.number}
        goal = {self.number[piece] for piece in others if piece in self.number}
        wide, off = {}, [is_off(path[0], pieces), *(False for _ in path[2:]), is_off(path[-1], others)]
        for start, end, is_one_off, is_other_off in zip(path, path[1:], off, off[1:]):
            slack = CROSSING if is_one_off or is_other_off else 0
            here = self._followed(start, end, here, wide, slack) if start != end else self._spread(start, here, slack)
        return bool(here & goal)

    def _spread(self, point, here, slack):
        return self._followed(point, (point[0] + 0.01, point[1]), here, {}, slack)

    def _followed(self, start, end, here, wide, slack):
        """The sheets in which one can be at the end of a straight line that begins in some."""
        line, length = LineString([start, end]), math.dist(start, end)
        arrived, reached, found = {}, set(), {}

        def inside(sheet):
            if (sheet, slack) not in wide:
                wide[sheet, slack] = self.pieces[sheet].area.buffer(max(slack, self.pieces[sheet].slack))
            if sheet not in found:
                found[sheet] = spans(wide[sheet, slack], line, length)
            return found[sheet]

        queue = [(0.0, sheet) for sheet in here]
        while queue:
            time, sheet = heapq.heappop(queue)
            span = next(((low, high) for low, high in inside(sheet) if low - 0.01 <= time <= high), None)
            if span is None or arrived.get((sheet, span), math.inf) <= time:
                continue
            arrived[sheet, span] = time
            if span[1] >= length - 0.01:
                reached.add(sheet)
            if sheet in self.ends:
                continue
            for there, _, _, number, may_leave, _ in self.doors[sheet]:
                if not may_leave:
                    continue
                for low, high in spans(self.portals[number].line.buffer(max(slack, NOISE)), line, length):
                    for first, last in inside(there):
                        passing = max(low, time, first)
                        if passing <= min(high, span[1], last) + 0.01:
                            heapq.heappush(queue, (passing, there))
        return reached


def is_off(point, pieces):
    """Whether a point is outside of one of its pieces: the middle of an opening is rounded to the grid, by half a diagonal of a cell at most, and a
    straight line to it is as near to one that is inside."""
    return not all(piece.area.covers(Point(point)) for piece in pieces)


def spans(area, line, length):
    """Where a straight line is in an area, as distances from its start."""
    if not area.intersects(line):
        return []
    found = []
    for part in shapely.get_parts(area.intersection(line)):
        along = [line.project(Point(position)) for position in shapely.get_coordinates(part)]
        found.append((min(along), min(max(along), length)))
    return found


def cross(one, other):
    return one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0]
