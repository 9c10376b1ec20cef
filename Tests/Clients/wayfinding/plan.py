"""What can be walked in a venue, from its features and docs/apps/wayfinding.md: for each ordinal the pieces of units, and the portals
between them."""

import itertools

import shapely

from grid import CROSSING, NOISE, Frame, area_of, pieces_of
from openings import Planner

CANNOT_BE_ENTERED = {"brick", "column", "concrete", "drywall", "glass", "opentobelow", "structure", "wood"}
#: Units that need no walls, also where they have openings.
WITHOUT_WALLS = {"footbridge", "movingwalkway", "platform", "road", "unenclosedarea", "walkway", "walkway.island"}
KINDS = {"stairs": "stairs", "steps": "stairs", "escalator": "escalator", "elevator": "elevator", "ramp": "ramp"}


def polygons_of(geometry):
    kind = (geometry or {}).get("type")
    return [geometry["coordinates"]] if kind == "Polygon" else geometry["coordinates"] if kind == "MultiPolygon" else []


def lines_of(geometry):
    kind = (geometry or {}).get("type")
    return [geometry["coordinates"]] if kind == "LineString" else geometry["coordinates"] if kind == "MultiLineString" else []


class Unit:
    def __init__(self, feature, level, ordinal, parts):
        properties = feature["properties"]
        category = properties.get("category") or ""
        self.id, self.level, self.ordinal, self.parts = feature["id"], level, ordinal, parts
        self.kind = None if category in CANNOT_BE_ENTERED else KINDS.get(category, "floor")
        self.is_restricted = category == "nonpublic" or bool((properties.get("restriction") or "").strip())
        self.is_room = self.kind == "floor" and not self.is_restricted and category not in WITHOUT_WALLS
        self.display_point = properties.get("display_point")
        #: The outline as it is drawn; with the ways to openings; and then without what lies on it.
        self.drawn = shapely.union_all([area_of(rings) for rings in parts])
        self.outline = self.area = self.drawn
        self.pieces = []

    @property
    def is_walked_on(self):
        return self.kind in ("floor", "ramp")

    def lead_to(self, portals):
        """Leads the walls to the portals beside them."""
        parts = []
        for rings in self.parts:
            led = []
            for ring in rings:
                points = []
                for start, end in zip(ring, ring[1:] + ring[:1]):
                    ways = [way for way in (portal.way((start, end), self) for portal in portals) if way]
                    points += [start, *(point for _, way in sorted(ways) for point in way)]
                led.append(points)
            parts.append(area_of(led))
        self.area = self.outline = shapely.union_all(parts)

    def without(self, blockers):
        """The area without what lies on the unit. Its ways to openings are beside it: what lies there does not lie on it."""
        return shapely.difference(self.area, shapely.intersection(self.drawn, shapely.union_all([each.outline for each in blockers])))

    @property
    def bounds(self):
        points = [point for rings in self.parts for ring in rings for point in ring]
        return min(x for x, _ in points), min(y for _, y in points), max(x for x, _ in points), max(y for _, y in points)


class Piece:
    """A part of a unit that is connected without openings."""

    def __init__(self, unit, area):
        self.unit, self.area = unit, area
        corners = shapely.get_coordinates(area)
        #: By how much its walls can differ from those of the library. Without a crossing that is not on the grid, they are the same.
        self.slack = NOISE if (corners == corners.round()).all() else CROSSING
        shapely.prepare(area)


class Floor:
    def __init__(self, ordinal, units, openings):
        self.ordinal, self.units = ordinal, [unit for unit in units if unit.kind]
        planner = Planner(self.units)
        for opening, level, lines in openings:
            for line in lines:
                planner.add(opening, level, line)
        for unit in self.units:
            unit.lead_to([portal for portal in planner.portals if portal.is_at(unit)])
        for unit in self.units:
            self._cut(unit, units, planner.portals)
            unit.pieces = [Piece(unit, area) for area in pieces_of(unit.area)]
        self.pieces = [piece for unit in self.units for piece in unit.pieces]
        self.slack = max((piece.slack for piece in self.pieces), default=NOISE)
        self.is_certain = planner.is_certain
        self.portals = [portal for portal in planner.portals if portal.find_pieces()]
        #: Whether stretches of an opening inside of a unit lead to different units. One can go from one to the other in the point between them,
        #: which the library does not promise to find.
        self.has_split_openings = any(
            one is not other and one.opening == other.opening and one.line.distance(other.line) < 3
            and any(side and side[1] is None for portal in (one, other) for side in portal.sides)
            for one, other in itertools.combinations(self.portals, 2))

    def _cut(self, unit, units, portals):
        """Takes away what lies on a unit, except what would close an opening, and rooms that would divide it."""
        if not unit.is_walked_on:
            return
        solids = [each for each in units if each is not unit and each.level == unit.level and each.outline.area < unit.area.area
                  and (each.kind is None or not unit.is_restricted and (each.is_restricted or not each.is_walked_on))
                  and shapely.box(*each.bounds).intersects(shapely.box(*unit.bounds))]
        mine = [portal for portal in portals if portal.is_at(unit)]
        entered_from = {side[0] for portal in mine if (unit, None) in portal.sides for side in portal.sides if side and side[1]}
        rooms = [each for each in entered_from if each.is_room and each.drawn.area < unit.drawn.area]
        can_hold_rooms = unit.kind == "floor" and not unit.is_restricted
        for all_blockers in (solids + rooms if can_hold_rooms else solids, solids, []):
            blockers = all_blockers
            for _ in range(4):
                area, in_the_way = self._left_of(unit, blockers, mine)
                if not in_the_way:
                    unit.area = area
                    return
                blockers = [each for each in blockers if each not in in_the_way]
                if not blockers or in_the_way == set(all_blockers):
                    break

    @staticmethod
    def _left_of(unit, blockers, mine):
        """What is left of a unit without what lies on it, and what of that has to stay; everything if it is not known."""
        area = unit.without(blockers)
        corners = shapely.union_all([shapely.multipoints(shapely.get_coordinates(each.outline)) for each in blockers])
        rooms = {each for each in blockers if each.is_room}
        near = lambda boxes, some: {each for each in some if any(box.intersects(shapely.box(*each.outline.bounds)) for box in boxes)}  # noqa: E731
        lost = [shapely.box(*portal.line.bounds).buffer(2) for portal in mine if portal.is_lost(unit, area, corners)]
        if lost:
            return area, near(lost, rooms) or near(lost, blockers) or set(blockers)
        if not rooms:
            return area, set()
        pieces = pieces_of(area)
        entered = [piece for piece in pieces if any(portal.enters(unit, piece) for portal in mine)]
        largest = max(entered, key=lambda piece: piece.area, default=None)
        divided = [shapely.box(*piece.bounds).buffer(2) for piece in entered if piece is not largest]
        # Where no opening leads, behind rooms, nobody walks.
        return shapely.union_all(entered), near(divided, rooms) if entered else set(blockers)


class Plan:
    """`features` are canonical bodies: `id`, `type`, `properties` and `geometry`."""

    def __init__(self, features):
        self.features = {feature["id"]: feature for feature in sorted(features, key=lambda each: each["id"])}
        of_type = lambda kind: [each for each in self.features.values() if each["type"] == kind]  # noqa: E731
        shapes = {each["id"]: polygons_of(each["geometry"]) for each in of_type("unit")}
        self.frame = Frame([shape[0][0][0][:2] for shape in shapes.values() if shape])
        self.levels = {each["id"]: each["properties"]["ordinal"] for each in of_type("level")}
        self.units = {}
        for feature in of_type("unit"):
            level = feature["properties"].get("level_id")
            parts = [rings for rings in map(self.frame.rings, shapes[feature["id"]]) if rings]
            if level in self.levels and parts:
                self.units[feature["id"]] = Unit(feature, level, self.levels[level], parts)
        self.openings = of_type("opening")
        self.floors = {}
        for ordinal in sorted({unit.ordinal for unit in self.units.values() if unit.kind}):
            openings = [(each["id"], each["properties"]["level_id"],
                         [[self.frame.point(position) for position in line] for line in lines_of(each["geometry"])])
                        for each in self.openings if self.levels.get(each["properties"].get("level_id")) == ordinal]
            units = [unit for unit in self.units.values() if unit.ordinal == ordinal]
            self.floors[ordinal] = Floor(ordinal, units, openings)

    @staticmethod
    def frame_of(features):
        """The frame of the plan of features, without the plan."""
        units = sorted((each for each in features if each["type"] == "unit"), key=lambda each: each["id"])
        return Frame([shape[0][0][0][:2] for shape in map(polygons_of, (each["geometry"] for each in units)) if shape and shape[0] and shape[0][0]])

    def portals_of(self, opening):
        return [portal for floor in self.floors.values() for portal in floor.portals if portal.opening == opening]

    def place_of(self, feature):
        """The point of an occupant, an anchor or an amenity, if it has one, and the units in which it should be."""
        if feature["type"] == "occupant":
            feature = self.features.get(feature["properties"].get("anchor_id"))
            if not feature or feature["type"] != "anchor":
                return None, []
        properties = feature["properties"]
        named = [properties.get("unit_id")] if feature["type"] == "anchor" else properties.get("unit_ids") or []
        point = self.frame.point(feature["geometry"]["coordinates"]) if (feature["geometry"] or {}).get("type") == "Point" else None
        return point, [self.units[each] for each in named if each in self.units]

    def center(self, unit):
        """Where a unit is entered and left: its display point or its middle; None if neither is inside."""
        west, south, east, north = unit.bounds
        shown = unit.display_point
        points = [self.frame.point(shown["coordinates"])] if shown else []
        for point in [*points, ((west + east) // 2, (south + north) // 2)]:
            if shapely.intersects_xy(unit.area, *point):
                return point
        return None
