"""Venues whose shapes are hard, in millimetres and by a seed."""

import math
import random

from shapely.geometry import LineString, Polygon

from grid import Frame

LONGITUDE, LATITUDE = 139.64, 35.45


def name(number):
    return f"00000000-0000-4000-8000-{number:012d}"


class Venue:
    """Features as canonical bodies, and the language of the archive."""

    def __init__(self, title, features=(), language="en"):
        self.title, self.features, self.language = title, list(features), language
        self._frame = Frame([(LONGITUDE, LATITUDE)])
        self._count = 0
        #: The outlines of units, and the lines of openings, as (ordinal, shape).
        self.outlines, self.lines = {}, {}

    def add(self, kind, properties, geometry=None, number=None):
        self._count += 1
        feature = {"id": name(number or self._count), "type": kind, "properties": properties, "geometry": geometry}
        self.features.append(feature)
        return feature["id"]

    def level(self, ordinal):
        return self.add("level", {"ordinal": ordinal, "short_name": {"en": f"{ordinal + 1}F"}}, number=900_000 + ordinal)

    def positions(self, points):
        return [self._frame.degrees(point) for point in points]

    def unit(self, rings, ordinal=0, category="room", **properties):
        coordinates = [self.positions([*ring, ring[0]]) for ring in rings]
        properties = {"category": category, "level_id": name(900_000 + ordinal), "name": {"en": f"Unit {self._count + 1}"}, **properties}
        unit = self.add("unit", properties, {"type": "Polygon", "coordinates": coordinates})
        self.outlines[unit] = ordinal, Polygon(rings[0])
        return unit

    def room(self, left, bottom, right, top, **properties):
        return self.unit([box(left, bottom, right, top)], **properties)

    def door(self, *points, ordinal=0, category="pedestrian"):
        geometry = {"type": "LineString", "coordinates": self.positions(points)}
        opening = self.add("opening", {"category": category, "level_id": name(900_000 + ordinal)}, geometry)
        self.lines[opening] = ordinal, LineString(points)
        return opening

    def relationship(self, category, named, direction="undirected"):
        """Of units and openings."""
        reference = lambda each: {"feature_type": "opening" if each in self.lines else "unit", "id": each}  # noqa: E731
        return self.add("relationship", {
            "category": category, "direction": direction, "origin": reference(named[0]), "destination": reference(named[-1]),
            "intermediary": [reference(each) for each in named[1:-1]] or None, "hours": None})


def box(left, bottom, right, top):
    return [(left, bottom), (right, bottom), (right, top), (left, top)]


def comb(draw):
    """Teeth from below and needles from above, some without width."""
    venue, teeth = Venue("comb"), draw.randint(3, 9)
    venue.level(0)
    ring = [(0, 0)]
    for tooth in range(teeth):
        x = 1_000 * tooth + 400
        ring += [(x, 0), (x + draw.randint(0, 100), draw.randint(8_000, 9_500)), (x + 200, 0)]
    ring += [(1_000 * teeth, 0), (1_000 * teeth, 10_000)]
    for tooth in reversed(range(teeth)):
        x = 1_000 * tooth + 900
        ring += [(x, 10_000), (x - draw.randint(0, 80), draw.randint(1_000, 2_500)), (x - 150, 10_000)]
    venue.unit([[*ring, (0, 10_000)]])
    return venue


def holes(draw):
    """Pillars, which can touch each other or the wall in a point or along an edge, overlap, or reach beyond it."""
    venue, count = Venue("holes"), draw.randint(2, 5)
    venue.level(0)
    size = 3_000 * count
    rings = [box(0, 0, size, size)]
    for row in range(count):
        for column in range(count):
            x, y = 3_000 * column + 1_000, 3_000 * row + 1_000
            width, height = draw.choice([1_000, 1_000, 1_999, 2_000, 2_001, 2_300]), draw.choice([1_000, 1_500, 2_000])
            if draw.random() < 0.3:
                rings.append([(x, y), (x + width // 2, y - 1_000), (x + width, y), (x + width // 2, y + height)])
            else:
                rings.append(box(x, y, x + width, y + height))
    venue.unit(rings)
    return venue


def rooms(draw):
    """Rooms behind walls of any thickness; doors on one side, on the other one, between, or across corners."""
    venue, columns, rows, wall = Venue("rooms"), draw.randint(2, 4), draw.randint(2, 4), draw.choice([0, 1, 20, 150, 280, 299])
    venue.level(0)
    for row in range(rows):
        for column in range(columns):
            x, y = 6_000 * column, 5_000 * row
            venue.room(x, y, x + 6_000 - wall, y + 5_000 - wall, category=draw.choice(["room"] * 6 + ["nonpublic"]))
            width = draw.choice([700, 797, 799, 900, 1_200, 2_500])
            if column and draw.random() < 0.8:
                start, line = y + draw.randint(0, 2_000), x - draw.randint(0, wall)
                venue.door((line, start), (line, start + width))
            if row and draw.random() < 0.8:
                start, line = x + draw.randint(0, 3_000), y - draw.randint(0, wall)
                venue.door((start, line), (start + width, line + draw.choice([0, 0, wall // 2])),
                           category=draw.choice(["pedestrian"] * 6 + ["emergencyexit"]))
    return venue


def star(draw):
    """Needles in all directions."""
    venue, count = Venue("star"), draw.randint(8, 24)
    venue.level(0)
    points = []
    for number in range(count):
        angle, length = 2 * math.pi * number / count, draw.choice([draw.randint(300, 1_000), draw.randint(5_000, 20_000)])
        points.append((round(length * math.cos(angle)), round(length * math.sin(angle))))
    venue.unit([points])
    return venue


def spiral(draw):
    """A corridor that winds around itself, with a unit of its own for every straight part, or as one."""
    venue, turns, width = Venue("spiral"), draw.randint(3, 9), draw.choice([900, 1_500, 2_000])
    venue.level(0)
    gap, parts = draw.choice([0, 100]), []
    x, y, length = 0, 0, 4 * turns * (width + gap)
    for turn in range(2 * turns):
        side = turn % 4
        dx, dy = [(1, 0), (0, 1), (-1, 0), (0, -1)][side]
        parts.append((x, y, x + dx * length, y + dy * length, side))
        x, y = x + dx * length, y + dy * length
        if turn:
            length -= width + gap + draw.randint(0, 1) * 10
    for one, other, right, top, _ in parts:
        ends = sorted((one, right)), sorted((other, top))
        venue.room(ends[0][0], ends[1][0], ends[0][1] + width, ends[1][1] + width)
    for (_, _, x, y, side) in parts[:-1]:
        # The corner belongs to both parts, which overlap there: the opening crosses one of them.
        if side in (0, 2):
            line = y + width if side == 0 else y
            venue.door((x, line), (x + width, line))
        else:
            line = x if side == 1 else x + width
            venue.door((line, y), (line, y + width))
    return venue


def overlapping(draw):
    """A hall with shops, lifts, columns and restricted rooms drawn over it, some over each other. Openings do not cross."""
    venue, doors = Venue("overlapping"), []

    def door(*points):
        line = LineString(points)
        if not any(line.intersects(other) for other in doors):
            doors.append(line)
            venue.door(*points)

    venue.level(0)
    venue.room(0, 0, 20_000, 14_000, category="walkway")
    for number in range(draw.randint(3, 8)):
        x, y = draw.randint(0, 15) * 1_000, draw.randint(0, 9) * 1_000
        width, height = draw.choice([1_500, 2_000, 4_000]), draw.choice([1_500, 3_000])
        category = draw.choice(["room", "room", "column", "structure", "elevator", "stairs", "nonpublic", "opentobelow"])
        venue.room(x, y, x + width, y + height, category=category)
        if category not in ("column", "structure", "opentobelow") and draw.random() < 0.8:
            door((x + 200, y), (x + 1_200, y))
        if draw.random() < 0.3:
            door((x, y + 200), (x, y + 1_100))
    return venue


def stands(draw):
    """Rooms on a hall beside each other: alone, across it, around a place to which no opening leads, or with columns, with and without doors."""
    venue, number = Venue("stands"), draw.randint(2, 5)
    venue.level(0)
    venue.room(0, 0, 8_000 * number, 14_000, category="walkway")
    for x in range(0, 8_000 * number, 8_000):
        gap, category = draw.choice([0, 0, 200, 800]), draw.choice(["room", "room", "room", "office", "walkway", "unenclosedarea"])
        form = draw.choice(["across", "across", "around", "around", "alone", "column"])
        if form == "across":
            venue.room(x + 2_000, gap, x + 5_000, 14_000 - draw.choice([0, gap]), category=category)
            for side, y in [(x + 2_000, 2_200), (x + 5_000, 2_200), (x + 5_000, 9_000)]:
                if draw.random() < 0.5:
                    venue.door((side, y), (side, y + 900))
        elif form == "around":
            venue.room(x + 1_000, 0, x + 3_000, 4_000)
            venue.room(x + 3_000 + gap, 0, x + 5_000 + gap, 4_000)
            venue.room(x + 1_000, 4_000, x + 5_000 + gap, 7_000, category=category)
            for line in [((x + 1_000, 500), (x + 1_000, 1_400)), ((x + 5_000 + gap, 500), (x + 5_000 + gap, 1_400)),
                         ((x + 2_000, 7_000), (x + 3_000, 7_000)), ((x + 1_500, 4_000), (x + 2_500, 4_000))]:
                if draw.random() < 0.8:
                    venue.door(*line)
        else:
            venue.room(x + 2_000, 4_000 + gap, x + 6_000, 9_000, category=category)
            if form == "column":
                venue.room(x + 3_000, 0, x + 3_500, 4_000 + gap, category=draw.choice(["column", "nonpublic"]))
            for door in draw.sample([((x + 2_000, 6_000), (x + 2_000, 7_000)), ((x + 4_000, 9_000), (x + 5_000, 9_000))], draw.randint(0, 2)):
                venue.door(*door)
        if draw.random() < 0.4:
            start, y = x + draw.choice([500, 3_000, 6_500]), draw.choice([0, 14_000])
            venue.door((start, y), (start + 1_000, y))
    return venue


def junctions(draw):
    """Rooms along a corridor whose walls meet in the middle of others, and doors across the ends of walls and across the corridor."""
    venue, x = Venue("junctions"), 0
    venue.level(0)
    length, cut = 24_000, draw.randint(8_000, 16_000)
    venue.room(0, 0, cut, 2_500, category="walkway")
    venue.room(cut, 0, length, 2_500, category="walkway")
    venue.door((cut, 200), (cut, draw.choice([1_000, 2_300])))
    while x < length:
        width = min(draw.randint(1_500, 5_000), length - x)
        venue.room(x, 2_500, x + width, 7_000)
        if draw.random() < 0.9:
            start = x + draw.randint(-300, max(width - 900, 0))
            venue.door((start, 2_500), (start + draw.choice([600, 900, 1_400]), 2_500))
        x += width
    x = 0
    while x < length:
        width = min(draw.randint(1_500, 7_000), length - x)
        lean = draw.randint(-400, 400)
        venue.unit([[(x, 0), (x + lean, -4_000), (x + width, -4_000), (x + width, 0)]])
        venue.door((x + width // 3, 0), (x + width // 3 + 900, 0))
        x += width
    return venue


def slivers(draw):
    """Long triangles beside each other, some less than a millimetre wide at one end, with openings along them."""
    venue, y = Venue("slivers"), 0
    venue.level(0)
    for _ in range(draw.randint(4, 9)):
        one, other = draw.choice([1, 40, 900, 2_000]), draw.choice([1, 300, 1_500])
        venue.unit([[(0, y), (30_000, y), (30_000, y + other), (0, y + one)]])
        x = draw.randint(0, 28_000)
        ends = [y + one + (other - one) * each / 30_000 for each in (x, x + 1_500)]
        venue.door((x, round(ends[0])), (x + 1_500, round(ends[1])))
        y += max(one, other)
    return venue


def floors(draw):
    """Floors with lifts and stairs, stated or drawn above each other, some on floors that they do not serve."""
    venue, count = Venue("floors"), draw.randint(2, 4)
    shafts = {kind: [] for kind in ("elevator", "stairs", "escalator", "ramp")}
    for ordinal in range(count):
        venue.level(ordinal)
        venue.room(0, 0, 20_000, 4_000, ordinal=ordinal, category="walkway")
        for number, kind in enumerate(shafts):
            x = 5_000 * number + draw.choice([0, 300])
            if draw.random() < 0.9:
                shafts[kind].append(venue.room(x, 4_000, x + 2_500, 7_000, ordinal=ordinal, category=kind))
                if draw.random() < 0.9:
                    venue.door((x + 500, 4_000), (x + draw.choice([1_200, 1_600]), 4_000), ordinal=ordinal)
        for number in range(4):
            x = 5_000 * number
            venue.room(x, -4_000, x + 5_000, 0, ordinal=ordinal, category=draw.choice(["room", "room", "nonpublic"]))
            venue.door((x + 1_000, 0), (x + 2_000, 0), ordinal=ordinal)
    for kind, units in shafts.items():
        if len(units) > 1 and draw.random() < 0.5:
            venue.relationship(kind, units, direction="directed" if kind == "escalator" else "undirected")
    return venue


def direct(venue, draw):
    """Lets some doors be passed in one direction, by way of the door or between its units, and some by relationships that say nothing."""
    for door, (ordinal, line) in list(venue.lines.items()):
        if draw.random() > 0.5:
            continue
        units = [unit for unit, (other, outline) in venue.outlines.items() if other == ordinal and outline.distance(line) < 300]
        draw.shuffle(units)
        if len(units) < 2:
            continue
        one, other = units[:2]
        named = draw.choice([[one, door, other]] * 5 + [[one, other], [one, door], [door, other], [other, one, door]])
        category = draw.choice(["traversal", "traversal.path", "movingwalkway", "traversal", "stairs"])
        venue.relationship(category, named, "undirected" if draw.random() < 0.2 else "directed")
        if draw.random() < 0.1:
            venue.relationship("traversal", [other, door, one], draw.choice(["directed", "undirected"]))


def slanted(draw):
    """A hall with rooms behind a wall that is not along the grid, to which the middles of their openings are rounded. In each room is a shop."""
    venue, slope = Venue("slanted"), draw.uniform(-0.6, 0.6)
    venue.level(0)
    on_wall = lambda x: (x, round(slope * x))  # noqa: E731
    # For each room two corners, and the jambs of its opening between them.
    sides = [sorted(on_wall(4_000 * number + draw.randint(*share)) for share in ((100, 400), (700, 1_700), (2_100, 3_300), (3_600, 3_900)))
             for number in range(4)]
    venue.unit([[(0, 0), *(point for side in sides for point in side), on_wall(16_000), (16_000, 20_000), (0, 20_000)]], category="walkway")
    for first, left, right, last in sides:
        room = venue.unit([[first, left, right, last, (last[0], -20_000), (first[0], -20_000)]])
        venue.door(left, right)
        place = draw.randint(left[0], right[0]), draw.randint(-20_200, -12_000)
        anchor = venue.add("anchor", {"unit_id": room}, {"type": "Point", "coordinates": venue.positions([place])[0]})
        venue.add("occupant", {"anchor_id": anchor, "name": {"en": "Shop"}})
    return venue


SHAPES = [comb, holes, rooms, star, spiral, overlapping, junctions, slivers, stands, slanted, floors]


def hostile(seed):
    draw = random.Random(seed)
    venue = SHAPES[seed % len(SHAPES)](draw)
    if draw.random() < 0.5:
        direct(venue, draw)
    venue.title += f" {seed}"
    return venue
