"""The obstacles that an answer names: whether there would be a way without them, and whether they are on the way that it offers instead."""

import json

import shapely
from shapely.geometry import LineString

from grid import NOISE
from passages import RESTRICTIONS, STEPS, Rules

#: At most so many are named.
MOST = 8
FLIGHTS = ("stairs", "escalator")
#: The middle of an opening, where a path passes it, is rounded to the grid.
ROUNDED = 1


def pieces_at(stop):
    return {*(piece.unit for piece in stop.pieces), *stop.behind}


class Without(Rules):
    """Rules without the obstacles that reasons name. Who can use the first stairs of several that follow one another can use them all."""

    def __init__(self, rules, reasons):
        self.__dict__.update(rules.__dict__)
        self.named = {(reason["code"], reason["feature"]) for reason in reasons}
        self.flights = set()
        for kind in FLIGHTS:
            self._climb(kind)

    def _climb(self, kind):
        """Adds the units and shafts that follow those which are named."""
        named = {feature for code, feature in self.named if code == kind}
        units, shafts = self.passages.plan.units, [shaft for shaft in self.passages.shafts if shaft.mode == kind]
        waiting = [units[feature] for feature in named if feature in units]
        for shaft in shafts:
            if shaft.relationship in named:
                self.flights.add(shaft)
                waiting += [unit for stop in shaft.stops for unit in pieces_at(stop)]
        while waiting:
            unit = waiting.pop()
            if unit.kind != kind or unit in self.flights:
                continue
            self.flights.add(unit)
            for shaft in shafts:
                if any(unit in pieces_at(stop) for stop in shaft.stops):
                    self.flights.add(shaft)
                    waiting += [each for stop in shaft.stops for each in pieces_at(stop)]
            waiting += [piece.unit for portal in self.passages.plan.floors[unit.ordinal].portals
                        if unit in [piece.unit for piece in portal.pieces] for piece in portal.pieces]

    def on_unit(self, unit):
        codes = super().on_unit(unit)
        return {code for code in codes if (code, unit.id) not in self.named and not (code in FLIGHTS and unit in self.flights)}

    def on_portal(self, portal):
        return {code for code in super().on_portal(portal) if (code, portal.opening) not in self.named}

    def leaves(self, portal, side):
        if ("one-way", portal.opening) in self.named and side not in self.passages.sides(portal):
            return True
        return super().leaves(portal, side)

    def on_shaft(self, shaft):
        return {code for code in super().on_shaft(shaft) if not (code in FLIGHTS and shaft in self.flights)}


def suffice(passages, query, answer, starts, ends, start, end):
    """What is wrong with the obstacles of an answer that says that there is no way, as a text; None for nothing."""
    reasons, codes = answer["reasons"], {reason["code"] for reason in answer["reasons"]}
    if not codes or not codes <= STEPS | RESTRICTIONS or len(reasons) > MOST:
        return f"reasons {json.dumps(reasons)} for none"
    # For those who can use steps there is a way now; without one, what is closed does not count.
    is_open = "alternative" not in answer
    rules = Rules(passages, query["profile"], () if is_open else {feature for feature, _ in query["closed"]}, start, end)
    if len(reasons) < MOST and not Without(rules, reasons).reached(starts) & set(ends):
        return "there is no way either without what is named"
    return None


def are_on_way(judge, answer):
    """What is wrong with the steps that an answer names which offers a way over them, as a text; None for nothing."""
    legs = answer["alternative"]["legs"]
    steps = [reason for reason in answer["reasons"] if reason["code"] in STEPS]
    if not steps and answer["status"] != "infeasible":
        return "a way that is not step-free, and no steps"
    for reason in steps:
        if not is_on_way(judge, reason["feature"], legs):
            return f"{reason['code']} {reason['feature']}, which is not on the way over steps"
    named = {reason["feature"] for reason in steps}
    for shaft, stop, other in rides(judge, legs):
        both = [{unit.id for unit in pieces_at(each) if unit.kind == shaft.mode} & named for each in (stop, other)]
        if shaft.mode in FLIGHTS and all(both) and both[0] != both[1] and not any(is_entered(judge, unit, legs) for unit in both[1]):
            return f"{shaft.mode} that follow one another: {sorted(both[0] | both[1])}"
    return None


def is_on_way(judge, feature, legs):
    plan = judge.plan
    walks = [(plan.levels[leg["level_id"]], judge.points(leg)) for leg in legs if leg["mode"] == "walk"]
    if feature in plan.units:
        unit = plan.units[feature]
        return any(unit in pieces_at(stop) for _, *stops in rides(judge, legs) for stop in stops) or any(
            ordinal == unit.ordinal and LineString(points).distance(unit.area) <= NOISE for ordinal, points in walks)
    portals = plan.portals_of(feature)
    if portals:
        return any(LineString(points).distance(portal.line) <= ROUNDED for portal in portals for _, points in walks) or any(
            stop.portal in portals for _, *stops in rides(judge, legs) for stop in stops)
    return any(shaft.relationship == feature for shaft, _, _ in rides(judge, legs))


def is_entered(judge, unit, legs):
    """Whether a way comes into a unit on its floor, and not only from another floor."""
    unit, walks = judge.plan.units[unit], [leg for leg in legs if leg["mode"] == "walk"]
    return any(
        judge.plan.levels[leg["level_id"]] == unit.ordinal and not shapely.intersects_xy(unit.area.buffer(ROUNDED), *judge.points(leg)[0])
        and shapely.intersection(LineString(judge.points(leg)), unit.area).length > ROUNDED for leg in walks)


def rides(judge, legs):
    """The shafts that a way may use, with both stops."""
    for leg in legs:
        if leg["mode"] == "walk":
            continue
        for shaft in judge.passages.shafts:
            for stop in shaft.stops:
                for other in shaft.stops:
                    if other is not stop and judge.is_at(leg, shaft, stop, 0, "level_id") and judge.is_at(leg, shaft, other, -1, "to_level_id"):
                        yield shaft, stop, other
