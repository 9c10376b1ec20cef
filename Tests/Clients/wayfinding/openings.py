"""What openings join: on each side of an opening the wall of a unit within 0.3 m, or the unit over which the other one is drawn."""

import math

import numpy
from shapely.geometry import LineString, Point

from grid import distance, rounded

TOLERANCE, LEAST_WIDTH = 300, 100
#: How thick a unit has to be behind a wall that counts, in millimetres. That is decided on the grid, where a point is moved by less than GRID_SLACK.
THICKNESS, GRID_SLACK = 5, 0.75


class Portal:
    """A stretch of an opening; `sides` are what is to the left and to the right of the line from `start` to `end`: (unit, wall),
    (unit, None) where it lies inside of the unit, or None."""

    def __init__(self, opening, start, end, width, sides):
        self.opening, self.start, self.end, self.width, self.sides = opening, start, end, width, sides
        self.line = LineString([start, end])
        #: The pieces on both sides.
        self.pieces = ()

    def is_at(self, unit):
        return any(side and side[0] is unit for side in self.sides)

    def way(self, wall, unit):
        """The points by which a wall of a unit leads to the portal and back, and their distance from its start; None if it does not."""
        for side in self.sides:
            if side and side[0] is unit and side[1] and side[1] == wall:
                dx, dy = wall[1][0] - wall[0][0], wall[1][1] - wall[0][1]
                along = [dx * (x - wall[0][0]) + dy * (y - wall[0][1]) for x, y in (self.start, self.end)]
                ends = (self.start, self.end) if along[0] < along[1] else (self.end, self.start)
                feet = [rounded(foot(point, *wall)) for point in ends]
                feet = [[near] if max(abs(a - b) for a, b in zip(point, near)) > 1 else [] for point, near in zip(ends, feet)]
                return sum(along), [*feet[0], *ends, *feet[1]]
        return None

    def beside(self, left, offset):
        """The line, moved to one side, without its ends."""
        length = distance(self.start, self.end)
        dx, dy = (self.end[0] - self.start[0]) / length, (self.end[1] - self.start[1]) / length
        sign, inset = offset if left else -offset, min(2, length / 4)
        return LineString([(self.start[0] + dx * inset - dy * sign, self.start[1] + dy * inset + dx * sign),
                           (self.end[0] - dx * inset - dy * sign, self.end[1] - dy * inset + dx * sign)])

    def is_lost(self, unit, area, corners):
        """Whether something lies on the side of the unit, after it was taken away from its area, or has a corner on the line."""
        if not corners.is_empty and corners.intersects(self.beside(True, 0).buffer(0.1)):
            return True
        return any(side and side[0] is unit and not area.buffer(0.01).covers(self.beside(left, 0.5))
                   for side, left in zip(self.sides, (True, False)))

    def enters(self, unit, area):
        """Whether it leads into an area of a unit."""
        return any(side and side[0] is unit and area.intersects(self.beside(left, 0.5).interpolate(0.5, normalized=True))
                   for side, left in zip(self.sides, (True, False)))

    def find_pieces(self):
        """Whether there is a piece on each side that has a unit."""
        found = []
        for side, left in zip(self.sides, (True, False)):
            if not side:
                continue
            line = self.beside(left, 0.5)
            holders = [piece for piece in side[0].pieces if piece.area.intersects(line.interpolate(0.5, normalized=True))]
            if not holders:
                return False
            found.append(holders[0])
        self.pieces = tuple(found)
        return True


def foot(point, start, end):
    """The nearest point of a wall."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    share = ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / (dx * dx + dy * dy)
    share = min(max(share, 0), 1)
    return start[0] + dx * share, start[1] + dy * share


class Planner:
    def __init__(self, units):
        self.units, self.portals = units, []
        self.walls = [(unit, start, ring[(number + 1) % len(ring)]) for unit in units for rings in unit.parts for ring in rings
                      for number, start in enumerate(ring)]
        self._starts = numpy.array([start for _, start, _ in self.walls], dtype=float).reshape(-1, 2)
        self._ends = numpy.array([end for _, _, end in self.walls], dtype=float).reshape(-1, 2)
        #: Stretches of walls that belong to openings, by the number of the wall.
        self._taken = {}
        #: Whether it is certain for all walls at openings that units are, or are not, thick enough there.
        self.is_certain = True

    def add(self, opening, level, line):
        run = []
        for start, end in zip(line, line[1:]):
            if start != end:
                self._add_segment(opening, level, start, end, run)
        # An opening is as wide as all its stretches between the same two units.
        while run:
            last = 1
            while last < len(run) and run[last][0] == run[0][0] and distance(run[last][1], run[last - 1][2]) <= 2:
                last += 1
            width = distance(run[0][1], run[last - 1][2])
            for _, _, _, portal in run[:last]:
                if portal:
                    portal.width = max(portal.width, width)
            run = run[last:]

    def _near(self, level, start, end, length):
        """Walls along a segment: (not of its own level, distance, number, from, to, is on the left, where the ends of the wall are along it, how far
        to the left it is)."""
        direction = numpy.subtract(end, start) / length
        normal = numpy.array([-direction[1], direction[0]])
        u = numpy.stack([(self._starts - start) @ direction, (self._ends - start) @ direction])
        v = numpy.stack([(self._starts - start) @ normal, (self._ends - start) @ normal])
        low, high = u.min(0), u.max(0)
        may = (high > 0) & (low < length) & (v.min(0) <= TOLERANCE) & (v.max(0) >= -TOLERANCE)
        least, found = min(LEAST_WIDTH, length / 2), []
        for number in numpy.nonzero(may)[0]:
            (ua, ub), (va, vb) = u[:, number], v[:, number]
            if abs(vb - va) > abs(ub - ua) or ua == ub:
                continue
            first, last = max(0, low[number]), min(length, high[number])
            slope = (vb - va) / (ub - ua)
            if slope:
                ends = sorted(ua + (side - va) / slope for side in (TOLERANCE, -TOLERANCE))
                first, last = max(first, ends[0]), min(last, ends[1])
            elif abs(va) > TOLERANCE:
                continue
            if last - first < min(2, least):
                continue
            middle = (first + last) / 2
            unit, one, other = self.walls[number]
            share = (middle - ua) / (ub - ua)
            x, y = one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share
            beside = [Point(x + normal[0] * THICKNESS * sign, y + normal[1] * THICKNESS * sign) for sign in (1, -1)]
            sides = [unit.outline.intersects(point) for point in beside]
            self.is_certain &= all(unit.outline.boundary.distance(point) >= GRID_SLACK for point in beside)
            if sides[0] == sides[1]:
                continue
            offset = va + slope * (middle - ua)
            # From where on the opening the ends of the wall are the nearest points of its line.
            way = numpy.subtract(other, one)
            nearest = tuple(float(numpy.subtract(end, start) @ way) / (ub - ua) for end in (one, other))
            found.append((unit.level != level, abs(offset), number, first, last, sides[0], nearest, offset))
        return sorted(found)

    def _add_segment(self, opening, level, start, end, run):
        length = distance(start, end)
        least = min(LEAST_WIDTH, length / 2)
        near = self._near(level, start, end, length)
        stops = sorted({stop for each in near for stop in each[3:5]})
        stretches = []
        for first, last in zip(stops, stops[1:]):
            sides = tuple(next((each for each in near if each[5] == left and each[3] <= first and each[4] >= last), None)
                          for left in (True, False))
            sides = self._without_opposite(sides)
            if stretches and stretches[-1][1] == first and stretches[-1][2] == sides:
                stretches[-1] = (stretches[-1][0], last, sides)
            else:
                stretches.append((first, last, sides))
        at = lambda offset: tuple(a + (b - a) * offset / length for a, b in zip(start, end))  # noqa: E731
        for first, last, sides in stretches:
            if all(side is None or side[0] for side in sides):
                continue
            free = self._free(first, last, sides)
            names = tuple(side and self.walls[side[2]][0].id for side in sides)
            if free[1] - free[0] < least:
                if free == (first, last) and all(sides):
                    run.append((names, at(first), at(last), None))
                continue
            ends = rounded(at(free[0])), rounded(at(free[1]))
            if ends[0] == ends[1]:
                continue
            for side in filter(None, sides):
                self._taken.setdefault(side[2], []).append(self._along(side, free))
            portal = Portal(opening, *ends, free[1] - free[0],
                            [side and (self.walls[side[2]][0], self.walls[side[2]][1:]) for side in sides])
            self._fill(portal, level)
            self.portals.append(portal)
            run.append((tuple(side and side[0].id for side in portal.sides), at(free[0]), at(free[1]), portal))

    def _without_opposite(self, sides):
        """In a narrow unit both walls are near, but nothing leads from it into itself: only the nearer one is at the opening."""
        if not all(sides) or self.walls[sides[0][2]][0] is not self.walls[sides[1][2]][0] or sides[0][7] >= sides[1][7]:
            return sides
        return (sides[0], None) if sides[0] < sides[1] else (None, sides[1])

    def _along(self, side, stretch):
        """A stretch of an opening as one of a wall."""
        ua, ub = side[6]
        scale = distance(*self.walls[side[2]][1:]) / (ub - ua)
        return sorted((each - ua) * scale for each in stretch)

    def _free(self, first, last, sides):
        """The longest part of a stretch that belongs to no other opening of these walls."""
        taken = []
        for side in filter(None, sides):
            ua, ub = side[6]
            scale = (ub - ua) / distance(*self.walls[side[2]][1:])
            for stretch in self._taken.get(side[2], []):
                one, other = sorted(ua + each * scale for each in stretch)
                if one < last and other > first:
                    taken.append((one, other))
        best, position = (first, first), first
        for one, other in [*sorted(taken), (last, last)]:
            stop = min(one, last)
            if stop - position > best[1] - best[0]:
                best = (position, stop)
            position = max(position, other)
        return best

    def _fill(self, portal, level):
        """An opening of a unit that is drawn over another one leads into that one."""
        if all(portal.sides):
            return
        unit = next(side[0] for side in portal.sides if side)
        left = portal.sides[0] is None
        x, y = portal.beside(left, 150).interpolate(0.5, normalized=True).coords[0]
        holders = [each for each in self.units if each is not unit and each.level == level
                   and each.outline.intersects(Point(math.floor(x + 0.5), math.floor(y + 0.5)))]
        if holders:
            holder = min(holders, key=lambda each: (each.outline.area, each.id))
            if all(holder.outline.intersects(Point(point)) for point in (portal.start, portal.end)):
                portal.sides[0 if left else 1] = (holder, None)
