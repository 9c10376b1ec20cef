"""Archives that are made to cost as much work as possible: the shapes of Sources/SampleVenue/Hostile in Python, each as a unit with a hall beside it
that openings join, and what is in the folder `cases` of VENUE_SAMPLES."""

import math
import os
import pathlib

from shapes import Venue, box, name

#: How many positions shapes have about, and how many units and levels.
SIZE, UNITS, LEVELS = 110, 1_200, 100


def comb(teeth):
    width = 100 / (2 * teeth + 1)
    ring = [(0, -5), (100, -5)]
    for tooth in reversed(range(teeth)):
        start = (2 * tooth + 1) * width
        ring += [(start + width, -2), (start + width, 102), (start, 102), (start, -2)]
    return [*ring, (0, -2)]


def spiral(count):
    """A spiral line and the same line at a small distance in reverse."""
    pitch = 45 / (count / 40)

    def point(step, offset):
        angle = step * 2 * math.pi / 40
        radius = 2 + angle / (2 * math.pi) * pitch + offset
        return 50 + radius * math.cos(angle), 50 + radius * math.sin(angle)

    return [point(step, 0) for step in range(count)] + [point(step, pitch / 2) for step in reversed(range(count))]


def star(count, inner):
    return [(50 + radius * math.cos(step * math.pi / count), 50 + radius * math.sin(step * math.pi / count))
            for step in range(2 * count) for radius in [inner if step % 2 else 50]]


def grid(count):
    side = max(int(math.sqrt(count)), 1)
    step = 98 / side
    return [box(1 + column * step, 1 + row * step, 1 + (column + 0.5) * step, 1 + (row + 0.5) * step)
            for row in range(side) for column in range(side)]


def beads(count):
    step = 100 / count
    top = [((number // 2 + number % 2) * step, 51 if number // 2 % 2 else 50.001) for number in range(2 * count)]
    return [(x, 100 - y) for x, y in top] + top[::-1]


def tangle(count):
    return [(50 + 50 * math.cos(step * 2.4), 50 + 50 * math.sin(step * 2.4)) for step in range(count)]


#: The polygons of each shape, in metres.
SHAPES = {
    "standing comb": lambda: [[comb(SIZE)]],
    "lying comb": lambda: [[[(y, x) for x, y in comb(SIZE)]]],
    "spiral": lambda: [[spiral(SIZE)]],
    "star": lambda: [[star(SIZE, 25)]],
    "needles": lambda: [[star(SIZE, 0.5)]],
    "holes": lambda: [[box(0, 0, 100, 100), *grid(SIZE)]],
    "beads": lambda: [[beads(SIZE)]],
    "islands": lambda: [[ring] for ring in grid(SIZE)],
    "tangle": lambda: [[tangle(SIZE)]],
}


def add(venue, polygons, category="room", ordinal=0, geometry=None, **more):
    """A unit of polygons in metres."""
    rings = [[venue.positions([(1_000 * x, 1_000 * y) for x, y in [*ring, ring[0]]]) for ring in polygon] for polygon in polygons]
    geometry = geometry or {"type": "MultiPolygon", "coordinates": rings}
    return venue.add("unit", {"category": category, "level_id": name(900_000 + ordinal), "name": {"en": "Unit"}, **more}, geometry)


def shaped(title, polygons):
    """A shape twice, across itself by a lying comb, and beside a hall with openings along its wall."""
    venue = Venue(title)
    for ordinal in (0, 1):
        venue.level(ordinal)
        add(venue, polygons, ordinal=ordinal)
        add(venue, [[box(-8, -10, 0, 110)]], "walkway", ordinal)
        add(venue, [[box(-8, 110, -4, 114)]], "elevator", ordinal)
        venue.door((-7_000, 110_000), (-6_000, 110_000), ordinal=ordinal)
        for number in range(0, 100, 4):
            venue.door((-20, 1_000 * number), (-20, 1_000 * number + 1_500), ordinal=ordinal)
    add(venue, polygons)
    add(venue, SHAPES["lying comb"]())
    return venue


def crossing_combs():
    venue = Venue("crossing combs")
    venue.level(0)
    for _ in range(2):
        add(venue, [[comb(300)]])
        add(venue, [[[(y, x) for x, y in comb(300)]]])
    return venue


def globe():
    venue = shaped("globe", SHAPES["star"]())
    ring = [[-180, -90], [180, -90], [180, 90], [-180, 90], [-180, -90]]
    add(venue, [], geometry={"type": "Polygon", "coordinates": [ring]})
    return venue


def dense_units():
    """Units that lie across each other."""
    venue = Venue("dense units")
    venue.level(0)
    for number in range(UNITS):
        x, y, shift = 5 + number % 110 * 0.05, 5 + number // 110 * 0.05, number * 7_919 % 1_000 / 100_000
        add(venue, [[box(x + shift, y, x + 0.5 + 2 * shift, y + 0.5 + shift)]])
        if number % 10 == 0:
            venue.door((1_000 * (x + shift), 1_000 * y), (1_000 * (x + shift) + 400, 1_000 * y))
    return venue


def crossing_rooms():
    """Rooms with doors on a hall, beside each other and across each other."""
    venue = Venue("crossing rooms")
    venue.level(0)
    add(venue, [[box(0, 0, 200, 200)]], "walkway")
    for number in range(UNITS):
        x, y = 1 + number % 30 * 3, 1 + number // 30 * 2.4
        add(venue, [[box(x, y, x + 2, y + 1.5)]])
        venue.door((1_000 * x + 300, 1_000 * y), (1_000 * x + 1_200, 1_000 * y))
    for number in range(0, UNITS, 10):
        at = 1.5 + number / 7
        for rings in ([box(at, 0.2, at + 0.5, 199.8)], [box(0.2, at, 199.8, at + 0.5)]):
            add(venue, [rings])
        venue.door((1_000 * at, 100_200), (1_000 * at, 101_200))
    return venue


def many_levels():
    """Lifts above each other on many levels, and a name that is long on each."""
    venue = Venue("many levels")
    for ordinal in range(LEVELS):
        venue.level(ordinal)
        add(venue, [[box(0, 0, 3, 3)]], "elevator", ordinal, name={"en": "long " * 200})
        add(venue, [[box(3, 0, 9, 3)]], "walkway", ordinal)
        venue.door((3_000, 500), (3_000, 1_500), ordinal=ordinal)
    return venue


def cycles():
    """Relationships that lead around, and members that are nested as deep as allowed or many."""
    venue = Venue("cycles")
    units = []
    for ordinal in range(20):
        venue.level(ordinal)
        deep = []
        for _ in range(40):
            deep = [deep]
        units.append(add(venue, [[box(0, 0, 9, 9)]], "stairs", ordinal, deep=deep, **{f"m{number}": number for number in range(500)}))
    for number in range(200):
        named = [units[(number + step * (1 + number % 7)) % 20] for step in range(12)]
        venue.relationship("stairs", named, "directed")
    return venue


def made():
    return [*(shaped(title, polygons()) for title, polygons in SHAPES.items()), crossing_combs(), globe(), dense_units(), crossing_rooms(), many_levels(), cycles()]


def cases():
    folder = os.environ.get("VENUE_SAMPLES")
    return sorted(pathlib.Path(folder, "cases").glob("*.zip")) if folder else []
