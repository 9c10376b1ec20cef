"""Compares the oracle with another exact search, of the package extremitypathfinder, on floors whose units do not overlap.

That search reports paths through walls now and then; those are left out. It shares the areas with the oracle, not the search.
"""

import math

import shapely
from extremitypathfinder import PolygonEnvironment
from shapely.geometry import LineString, Point

from sight import INSET

#: The other package needs minutes for an area with more corners.
MOST_CORNERS = 500


class Areas:
    """What the other package is given for the sheets of a floor. It prepares an area once."""

    def __init__(self, sheets):
        union = shapely.union_all(sheets.areas)
        # The areas without their openings: where they overlap, the union would join them.
        plain = [piece.area.buffer(-INSET, join_style="mitre", mitre_limit=4) for piece in sheets.pieces]
        self.is_overlapping = sum(area.area for area in plain) > shapely.union_all(plain).area * (1 + 1e-12) + 0.01
        self.parts, self._environments = [*shapely.get_parts(union)], {}

    def environment(self, part):
        if id(part) not in self._environments:
            environment = PolygonEnvironment()
            environment.store([*part.exterior.coords][:-1] if part.exterior.is_ccw else [*part.exterior.coords][:0:-1],
                              [[*hole.coords][:-1] if not hole.is_ccw else [*hole.coords][:0:-1] for hole in part.interiors])
            self._environments[id(part)] = environment
        return self._environments[id(part)]


def compare(judge, query, report, known):
    """By how much the oracle's path is longer, as a share. `known` has the areas of earlier calls."""
    start, end = judge.end(query["from"]), judge.end(query["to"])
    if not start or not end or not start.point or not end.point or start.unit and start.unit.is_restricted or end.unit and end.unit.is_restricted:
        return 0
    if start.pieces[0].unit.ordinal != end.pieces[0].unit.ordinal:
        return 0
    rules = judge.rules(query, start, end)
    sheets = judge.sheets(start.pieces[0].unit.ordinal, rules)
    if sheets not in known:
        known[sheets] = Areas(sheets)
    areas = known[sheets]
    if areas.is_overlapping:
        report.count("overlapping")
        return 0
    if any(len(shapely.get_coordinates(part)) > MOST_CORNERS for part in areas.parts):
        report.count("more corners than the other package can do")
        return 0
    if any(portal in judge.passages.one_way for portal in sheets.portals):
        report.count("one way")
        return 0
    least = sheets.shortest(start.point, start.pieces, end.point, end.pieces)
    begins, goals = (sheets.nudged(end.point, end.pieces) for end in (start, end))
    if not begins or not goals or least == math.inf:
        report.count("no way")
        return 0
    # A point on a wall is in the pieces on both sides of it, and a way leads from one of them.
    whole, begin, goal = next(((part, begin, goal) for part in areas.parts for begin in begins for goal in goals
                               if part.intersects(Point(begin)) and part.intersects(Point(goal))), (None, None, None))
    if whole is None:
        report.add(judge.venue, query, "a way between areas that are not connected")
        return 0
    try:
        path, length = areas.environment(whole).find_shortest_path(tuple(begin), tuple(goal), verify=False)
    except (ValueError, AssertionError, KeyError, IndexError, ZeroDivisionError) as error:
        report.count(f"{type(error).__name__} of the other package")
        return 0
    if not path or length is None or not whole.buffer(0.05).covers(LineString(path)):
        report.count("wrong path of the other package")
        return 0
    report.count("path")
    if least > length * 1.0005 + 2:
        report.add(judge.venue, query, f"{least:.1f} mm, and another search finds {length:.1f}")
    return max(0.0, (least - 2) / max(length, 1) - 1)
