"""Reads every collection of every venue with QGIS, and compares it with the stored features. The venues are public, because this version of QGIS
cannot send keys.

    /usr/bin/python3 desktop.py, started by run.py
"""

import json
import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from qgis.core import (
    QgsApplication, QgsDataSourceUri, QgsFeatureRequest, QgsGeometry, QgsRectangle,
    QgsVectorLayer)

from venues import Clock, positions_of, section, venues


def layer(venue, name, page_size):
    uri = QgsDataSourceUri()
    uri.setParam("url", venue.address)
    uri.setParam("typename", name)
    uri.setParam("pageSize", str(page_size))
    uri.setParam("pagingEnabled", "true")
    layer = QgsVectorLayer(uri.uri(False), name, "OAPIF")
    assert layer.isValid(), (venue.key, name, layer.error().message())
    return layer


def positions(feature):
    geometry = feature.geometry()
    return [] if geometry.isNull() else list(positions_of(json.loads(geometry.asJson(17))))


def same(one, other):
    """QGIS writes coordinates with 17 decimals, which may differ in the last one."""
    return len(one) == len(other) and all(
        abs(a - b) < 1e-12 for pair in zip(one, other) for a, b in zip(*pair))


def read(venue):
    clock, count = Clock(), 0
    for name, expected in venue.features.items():
        # Small pages for one type; every page takes QGIS a while.
        source = layer(venue, name, 7 if name == "level" else 1000)
        found = {feature["id"]: feature for feature in source.getFeatures()}
        assert set(found) == set(expected), (venue.key, name, len(found), len(expected))
        assert source.featureCount() == len(expected), (venue.key, name)
        for identifier, feature in found.items():
            assert same(positions(feature), list(positions_of(expected[identifier]["geometry"]))), (venue.key, name, identifier)
            labels = expected[identifier]["properties"].get("name")
            if isinstance(labels, dict) and "en" in labels:
                assert feature["name_en"] == labels["en"], (venue.key, name, identifier)
        # Of a new layer, because QGIS keeps what it has read.
        for box in venue.boxes()[4:5] if name in ("unit", "amenity", "opening") else ():
            rectangle = QgsRectangle(*box)
            area = QgsGeometry.fromRect(rectangle)
            inside = {identifier for identifier, feature in found.items()
                      if not feature.geometry().isNull() and feature.geometry().intersects(area)}
            request = QgsFeatureRequest(rectangle).setFlags(QgsFeatureRequest.ExactIntersect)
            assert {feature["id"] for feature in layer(venue, name, 1000).getFeatures(request)} == inside, (venue.key, name, box)
        count += len(found)
    section(f"{venue.key}: {count} features of {len(venue.features)} types read and compared in {clock}")


def main():
    application = QgsApplication([], False)
    application.initQgis()
    for venue in venues():
        read(venue)
    application.exitQgis()


if __name__ == "__main__":
    main()
    # The destructors of Qt run in an order that may crash the process.
    os._exit(0)
