"""Positions on a plane in whole millimetres, and the areas of rings there.

This is written from docs/apps/wayfinding.md and the definition of WGS 84. The lengths of a degree are those of the same series as in the library,
so that both have the same grid and what is compared on it needs no slack; that the series is right is tested with the radii of curvature of the
ellipsoid.
"""

import math

import shapely
from shapely.geometry import MultiPolygon, Polygon

EQUATOR, FLATTENING = 6_378_137_000.0, 1 / 298.257223563
#: By which share a length of a degree may differ from that of the ellipsoid: less than a millimetre on a kilometre.
SERIES_ERROR = 1e-6
#: How far doubles are from what they stand for, in millimetres: coordinates are below 2^25, and a few operations lose a few of their last bits.
NOISE = 1e-5
#: How far a crossing of two walls is from the grid point to which the library rounds it, and so a wall from the one that leads there: half a
#: diagonal of a cell.
CROSSING = math.sqrt(0.5) + NOISE


class Frame:
    """A plane around the hundredth of a degree that is nearest to the median of positions."""

    def __init__(self, positions):
        longitudes, latitudes = sorted(x for x, _ in positions), sorted(y for _, y in positions)
        if longitudes[-1] - longitudes[0] > 180:
            longitudes = sorted(x + 360 if x < 0 else x for x in longitudes)
        self.longitude = math.floor(longitudes[len(longitudes) // 2] * 100 + 0.5) / 100
        self.latitude = math.floor(latitudes[len(latitudes) // 2] * 100 + 0.5) / 100
        angle, square = math.radians(self.latitude), FLATTENING * (2 - FLATTENING)
        below = 1 - square * math.sin(angle) ** 2
        across = math.radians(1) * EQUATOR / math.sqrt(below) * math.cos(angle)
        along = math.radians(1) * EQUATOR * (1 - square) / below ** 1.5
        self.across = 1_000 * (111_412.84 * math.cos(angle) - 93.5 * math.cos(3 * angle) + 0.118 * math.cos(5 * angle))
        self.along = 1_000 * (111_132.954 - 559.822 * math.cos(2 * angle) + 1.175 * math.cos(4 * angle))
        assert abs(self.across / across - 1) < SERIES_ERROR and abs(self.along / along - 1) < SERIES_ERROR

    def exact(self, position):
        """Millimetres to the east and to the north."""
        return wrapped(position[0] - self.longitude) * self.across, (position[1] - self.latitude) * self.along

    def point(self, position):
        return tuple(math.floor(value + 0.5) for value in self.exact(position))

    def degrees(self, point):
        return [wrapped(self.longitude + point[0] / self.across), self.latitude + point[1] / self.along]

    def rings(self, polygon):
        """Rings without repeated points; none if the outer one has less than three."""
        found = []
        for number, ring in enumerate(polygon):
            points = []
            for position in ring:
                point = self.point(position)
                if not points or points[-1] != point:
                    points.append(point)
            if len(points) > 1 and points[0] == points[-1]:
                points.pop()
            if len(points) >= 3:
                found.append(points)
            elif number == 0:
                return []
        return found


def wrapped(degrees):
    return degrees - 360 if degrees > 180 else degrees + 360 if degrees < -180 else degrees


def areas_of(geometry):
    """Only the polygons of a geometry."""
    return shapely.union_all([each for each in shapely.get_parts(geometry) if shapely.get_dimensions(each) == 2])


def area_within(ring):
    """Everything around which a ring goes an odd number of times."""
    return areas_of(shapely.make_valid(Polygon(ring)))


def area_of(rings):
    """What is in the outer ring, and in an even number of the others."""
    holes = MultiPolygon()
    for ring in rings[1:]:
        holes = shapely.symmetric_difference(holes, area_within(ring))
    return areas_of(shapely.difference(area_within(rings[0]), holes))


def pieces_of(area):
    """The parts of an area whose insides are connected. What only meets in a point is not."""
    return [part for part in shapely.get_parts(area) if shapely.get_dimensions(part) == 2 and part.area > 0]


def rounded(point):
    return math.floor(point[0] + 0.5), math.floor(point[1] + 0.5)


def distance(one, other):
    return math.hypot(other[0] - one[0], other[1] - one[1])
