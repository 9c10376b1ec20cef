"""What can be passed under a profile, and what joins floors: a graph of pieces, portals and shafts."""

import itertools
import math

import shapely
from shapely.geometry import Point

from grid import NOISE
from plan import CANNOT_BE_ENTERED

MODES = ("elevator", "stairs", "escalator", "ramp")
STEPS = frozenset({"stairs", "escalator", "narrow-opening"})
DOORS = ("traversal", "traversal.path", "movingwalkway")
RESTRICTIONS = frozenset({"restricted", "emergency-exit", "one-way"})
BLOCKING = {"walk": RESTRICTIONS | {"closed"}, "step-free": RESTRICTIONS | STEPS | {"closed"}}
SPEEDS = {"walk": 1.2, "step-free": 0.8}


class Stop:
    """Where a shaft is entered and left: in the pieces at a point, or in those of a unit if the point is not known (None)."""

    def __init__(self, ordinal, point, pieces, portal=None, behind=()):
        self.ordinal, self.point, self.pieces, self.portal, self.behind = ordinal, point, pieces, portal, list(behind)

    def is_at(self, point):
        if self.point:
            return math.dist(point, self.point) <= NOISE
        return any(piece.area.distance(Point(point)) <= piece.slack for piece in self.pieces)


class Shaft:
    def __init__(self, mode, stops, relationship=None, is_directed=False):
        self.mode, self.stops, self.relationship, self.is_directed = mode, stops, relationship, is_directed

    def seconds(self, one, other):
        floors = abs(other.ordinal - one.ordinal)
        return 90 + 20 * floors if self.mode == "elevator" else (60 if self.mode == "ramp" else 20) * floors


def named_by(relationship):
    """The ids of what a relationship names, in its order."""
    properties = relationship["properties"]
    named = [properties.get("origin"), *(properties.get("intermediary") or []), properties.get("destination")]
    return [each["id"] for each in named if each]


class Passages:
    """The shafts of a plan, and the obstacles on everything. `closed` has ids."""

    def __init__(self, plan):
        self.plan, self.shafts, self._stated = plan, [], {}
        #: Whether all points are known at which shafts are entered.
        self.has_points = True
        for feature in plan.features.values():
            if feature["type"] == "relationship" and feature["properties"].get("category") in MODES:
                self._add_stated(feature)
        for mode in MODES:
            self._derive(mode)
        self.linked = {piece.unit for shaft in self.shafts for stop in shaft.stops for piece in stop.pieces if not stop.portal}
        self.linked |= set(self._stated)
        #: For each portal that relationships are about, the sides of the line from which each of them leads through it, by id.
        self.stated_sides = self._stated_sides()
        #: For each portal that is passed in one direction, the side from which it is.
        self.one_way = {portal: min(sides) for portal, sides in ((each, self.sides(each)) for each in self.stated_sides) if len(sides) == 1}

    def sides(self, portal, closed=frozenset()):
        """From where a portal may be passed, by the relationships that are not closed."""
        stated = self.stated_sides.get(portal)
        return {0, 1} if stated is None else {side for relationship, sides in stated.items() if relationship not in closed for side in sides}

    def _stated_sides(self):
        """Every relationship adds the directions in which it leads through a portal: an undirected one adds both."""
        stated = {}
        for feature in self.plan.features.values():
            if feature["type"] != "relationship" or feature["properties"].get("category") not in DOORS:
                continue
            is_directed = feature["properties"].get("direction") == "directed"
            for portal, start, end in self._passed(named_by(feature)):
                sides = [side for side in (0, 1) if start in (None, portal.pieces[side].unit) and end in (None, portal.pieces[1 - side].unit)]
                if sides:
                    stated.setdefault(portal, {}).setdefault(feature["id"], set()).update(sides if is_directed else (0, 1))
        return stated

    def _passed(self, named):
        """The portals through which a relationship leads, with the units before and after them: None for one that is not named."""
        names = [None, *named, None]
        units = [unit if unit and unit.kind else None for unit in map(self.plan.units.get, names)]
        for number in range(1, len(names) - 1):
            portals, before, after = self._joining(self.plan.portals_of(names[number])), units[number - 1], units[number + 1]
            if before or after:
                yield from ((portal, before, after) for portal in portals)
            here = units[number]
            if here and after and here is not after and here.ordinal == after.ordinal:
                between = [portal for portal in self._joining(self.plan.floors[here.ordinal].portals)
                           if {piece.unit for piece in portal.pieces} == {here, after}]
                if len({portal.opening for portal in between}) == 1:
                    yield from ((portal, here, after) for portal in between)

    @staticmethod
    def _joining(portals):
        """Those between two different units."""
        return [portal for portal in portals if len(portal.pieces) == 2 and portal.pieces[0].unit is not portal.pieces[1].unit]

    def _stop(self, unit):
        point = self.plan.center(unit)
        if point is None:
            self.has_points = False
            return Stop(unit.ordinal, None, unit.pieces) if unit.pieces else None
        return Stop(unit.ordinal, point, [piece for piece in unit.pieces if shapely.intersects_xy(piece.area, *point)])

    def _add_stated(self, feature):
        properties = feature["properties"]
        mode = properties["category"]
        units, stops = [], []
        for name in dict.fromkeys(named_by(feature)):
            unit, portals = self.plan.units.get(name), self.plan.portals_of(name)
            if unit and unit.kind:
                units.append(unit)
                stops.append((unit, self._stop(unit)))
            elif portals:
                portal = portals[0]
                middle = tuple((a + b) // 2 for a, b in zip(portal.start, portal.end))
                behind = [piece.unit for piece in portal.pieces if piece.unit.kind == mode]
                units += [piece.unit for piece in portal.pieces]
                stops.append((None, Stop(portal.pieces[0].unit.ordinal, middle, list(portal.pieces), portal, behind)))
        stops = [(unit, stop) for unit, stop in stops if stop]
        cores = {unit for unit, _ in stops if unit and unit.kind == mode}
        doors = {stop.portal for _, stop in stops if stop.portal}

        def is_beside(unit, stop):
            """Whoever is at the door of a named unit goes to that unit first, if the door can be passed."""
            if unit in cores:
                return False
            if unit is None:
                return any(piece.unit in cores for piece in stop.pieces)
            portals = [portal for portal in self.plan.floors[unit.ordinal].portals if unit in [piece.unit for piece in portal.pieces]]
            return any(portal in doors or any(piece.unit in cores for piece in portal.pieces) for portal in portals)

        kept = [(unit, stop) for unit, stop in stops if not is_beside(unit, stop)]
        for unit, stop in kept:
            if unit not in cores and not stop.behind:
                stop.behind = [core for core in cores if core.ordinal == stop.ordinal]
        shaft = Shaft(mode, [stop for _, stop in kept], feature["id"], properties.get("direction") == "directed")
        if len(shaft.stops) > 1:
            self.shafts.append(shaft)
            for unit in units:
                self._stated.setdefault(unit, []).append(shaft)

    def _is_stated(self, mode, unit, ordinal):
        spans = [[stop.ordinal for stop in shaft.stops] for shaft in self._stated.get(unit, []) if shaft.mode == mode]
        return any(min(span) <= ordinal <= max(span) for span in spans)

    def _derive(self, mode):
        """Units of the same kind above each other, those that have most in common first."""
        above, ordinals = {}, sorted(self.plan.floors)
        units = [unit for unit in self.plan.units.values() if unit.kind == mode and unit.pieces]
        for low, high in itertools.pairwise(ordinals):
            lower = [unit for unit in units if unit.ordinal == low and not self._is_stated(mode, unit, high)]
            upper = [unit for unit in units if unit.ordinal == high and not self._is_stated(mode, unit, low)]
            pairs = []
            for one, other in itertools.product(lower, upper):
                common = one.area.intersection(other.area).area / min(one.area.area, other.area.area)
                if common >= 0.3:
                    pairs.append((-round(common, 9), one.id, other.id, one, other))
            taken = set()
            for _, _, _, one, other in sorted(pairs, key=lambda pair: pair[:3]):
                if one not in above and other not in taken:
                    above[one] = other
                    taken.add(other)
        for unit in units:
            if unit not in above or (mode == "elevator" and unit in above.values()):
                continue
            chain = [unit]
            while chain[-1] in above and (mode == "elevator" or len(chain) < 2):
                chain.append(above[chain[-1]])
            self.shafts.append(Shaft(mode, [self._stop(each) for each in chain]))

    def is_entered(self, unit):
        """Whether a door leads into a unit, or something else on its floor from which a lift, stairs or a ramp is entered."""
        def has_door(each):
            return any(portal.opening is not None and len(portal.pieces) == 2 and each in [piece.unit for piece in portal.pieces]
                       for portal in self.plan.floors[each.ordinal].portals)
        if has_door(unit):
            return True
        named = [shaft for shaft in self.shafts if shaft in self._stated.get(unit, [])
                 or any(not stop.portal and unit in [piece.unit for piece in stop.pieces] for stop in shaft.stops)]
        return any(shaft.mode != unit.kind or any(
            stop.ordinal == unit.ordinal and piece.unit is not unit and (piece.unit.kind != shaft.mode or has_door(piece.unit))
            for stop in shaft.stops for piece in stop.pieces) for shaft in named)

    # Obstacles

    def closed_units(self, closed):
        named = {unit for feature in closed for unit in units_of(self.plan, feature)}
        return {unit for unit in self.plan.units.values() if unit.id in closed or unit.level in closed or unit.id in named}


def units_of(plan, feature):
    """The ids of the units that are closed with an amenity that is a lift, an occupant or an anchor."""
    feature = plan.features.get(feature)
    properties = feature["properties"] if feature else {}
    if feature and feature["type"] == "amenity" and properties.get("category") in MODES:
        return properties.get("unit_ids") or []
    if feature and feature["type"] == "occupant":
        feature = plan.features.get(properties.get("anchor_id"))
    return [feature["properties"].get("unit_id")] if feature and feature["type"] == "anchor" else []


def can_close(plan, feature):
    """Whether an id can be closed; the server refuses others."""
    kind, category = plan.features[feature]["type"], plan.features[feature]["properties"].get("category")
    if kind == "unit":
        return (category or "") not in CANNOT_BE_ENTERED
    if kind == "relationship":
        return category in MODES + DOORS
    return kind in ("opening", "level") or any(unit in plan.features and can_close(plan, unit) for unit in units_of(plan, feature))


def boxes_meet(one, other, margin):
    return all(one[axis] - margin <= other[axis + 2] and other[axis] - margin <= one[axis + 2] for axis in (0, 1))


class Rules:
    """The obstacles for one query. `start` and `ends` are units that are named by it."""

    def __init__(self, passages, profile, closed=frozenset(), start=None, end=None):
        self.passages, self.closed, self.blocking = passages, frozenset(closed), BLOCKING[profile]
        self.shut = passages.closed_units(self.closed)
        self.start, self.end = start, end if end is not start else None

    def ignoring(self, codes):
        other = Rules.__new__(Rules)
        other.__dict__.update(self.__dict__)
        other.blocking = self.blocking - codes
        return other

    def on_unit(self, unit):
        codes = {unit.kind} & {"stairs", "escalator"}
        if unit.is_restricted and unit not in (self.start, self.end):
            codes.add("restricted")
        if unit in self.shut:
            codes.add("closed")
        return codes & self.blocking

    def on_portal(self, portal):
        codes = set()
        if portal.opening is not None:
            category = self.passages.plan.features[portal.opening]["properties"].get("category")
            codes |= {"narrow-opening"} if portal.width < 798 else set()
            codes |= {"emergency-exit"} if category == "emergencyexit" else set()
            codes |= {"closed"} if portal.opening in self.closed else set()
        return codes & self.blocking

    def leaves(self, portal, side):
        """Whether an open portal can be passed from this side."""
        stated = self.passages.sides(portal)
        if side not in stated:
            return "one-way" not in self.blocking
        return "closed" not in self.blocking or side in self.passages.sides(portal, self.closed)

    def on_shaft(self, shaft):
        codes = {shaft.mode} & {"stairs", "escalator"} | ({"closed"} if shaft.relationship in self.closed else set())
        return codes & self.blocking

    def is_end(self, unit):
        """Whether a unit may be entered and not left."""
        return unit is self.end and unit.is_restricted and "restricted" in BLOCKING["walk"]

    def is_open(self, piece):
        return not self.on_unit(piece.unit)

    def may_stop(self, stop):
        return not (stop.portal and self.on_portal(stop.portal)) and (
            not stop.behind or any(not self.on_unit(unit) and not self.is_end(unit) for unit in stop.behind))

    def rides(self, piece, is_reversed=False):
        """The shafts from a piece: (shaft, stop, other stop)."""
        for shaft in self.passages.shafts:
            if self.on_shaft(shaft):
                continue
            for number, stop in enumerate(shaft.stops):
                if piece not in stop.pieces or not self.may_stop(stop):
                    continue
                for index, other in enumerate(shaft.stops):
                    if index != number and not (shaft.is_directed and (index < number) != is_reversed) and self.may_stop(other):
                        yield shaft, stop, other

    def reached(self, pieces, is_reversed=False):
        """All pieces that can be reached from some, or from which they can be."""
        found, waiting = set(), [piece for piece in pieces if self.is_open(piece)]
        floors = self.passages.plan.floors
        while waiting:
            piece = waiting.pop()
            if piece in found:
                continue
            found.add(piece)
            for portal in floors[piece.unit.ordinal].portals:
                if len(portal.pieces) != 2 or piece not in portal.pieces or self.on_portal(portal):
                    continue
                for side, (here, there) in enumerate((portal.pieces, portal.pieces[::-1])):
                    if here is piece and self.is_open(there) and self.leaves(portal, 1 - side if is_reversed else side):
                        waiting.append(there)
            for _, _, other in self.rides(piece, is_reversed):
                waiting += [each for each in other.pieces if self.is_open(each)]
        return found
