"""Reads venues of a running service by OGC API – Features, with GDAL and OWSLib, and compares them with the stored features.

    VENUE_PROGRAM=.build/debug/venue /usr/bin/python3 read.py
"""

import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "Browser"))

from osgeo import gdal, ogr
from owslib.ogcapi.features import Features

from service import Service

gdal.UseExceptions()


def section(title):
    print(f"ogc: {title}", flush=True)


def geometry(feature):
    stored = feature["geometry"]
    return ogr.CreateGeometryFromJson(json.dumps(stored)) if stored else None


def same(one, other):
    """Whether two geometries have the same positions."""
    if one is None or other is None:
        return one is other
    return one.GetGeometryName() == other.GetGeometryName() and one.ExportToJson(["COORDINATE_PRECISION=12"]) == other.ExportToJson(
        ["COORDINATE_PRECISION=12"])


def open_with_gdal(service, query=""):
    gdal.SetConfigOption("GDAL_HTTP_HEADERS", f"Authorization: Bearer {service.admin_key}")
    return gdal.OpenEx(f"OAPIF:{service.address}/ogc/mall{query}", gdal.OF_VECTOR, open_options=["PAGE_SIZE=7"])


def main():
    with Service() as service:
        run(service)


def run(service):
    archive = service.create_venue("mall", "--levels", 2, "--units", 60, "--seed", 7)
    stored = {}
    for feature in service.features("mall", 1):
        stored.setdefault(feature["feature_type"], {})[feature["id"]] = feature

    section("all features of all types, read by GDAL in pages of 7")
    source = open_with_gdal(service)
    layers = {layer.GetName(): layer for layer in (source.GetLayer(index) for index in range(source.GetLayerCount()))}
    assert set(layers) == set(stored), (set(layers), set(stored))
    for name, layer in layers.items():
        expected = stored[name]
        found = {}
        for feature in layer:
            found[feature.GetField("id")] = feature.GetGeometryRef().Clone() if feature.GetGeometryRef() else None
        assert layer.GetFeatureCount() == len(expected) == len(found), name
        assert set(found) == set(expected), name
        for identifier, shape in found.items():
            assert same(shape, geometry(expected[identifier])), (name, identifier)
    columns = {layers["occupant"].GetLayerDefn().GetFieldDefn(index).GetName() for index in range(
        layers["occupant"].GetLayerDefn().GetFieldCount())}
    assert {"name", "name_en", "name_ja", "category", "level_id", "feature_type"} <= columns, columns
    for feature in layers["occupant"]:
        labels = stored["occupant"][feature.GetField("id")]["properties"]["name"]
        assert feature.GetField("name_ja") == labels["ja"] and feature.GetField("name_en") == labels["en"]

    section("boxes, with GDAL's own comparison of geometries as the reference")
    for name, layer in layers.items():
        west, east, south, north = layers["venue"].GetExtent()
        for column in range(3):
            for row in range(3):
                box = [west + column * (east - west) / 3, south + row * (north - south) / 3]
                box += [box[0] + (east - west) / 3, box[1] + (north - south) / 3]
                ring = ogr.CreateGeometryFromWkt("POLYGON (({0} {1},{2} {1},{2} {3},{0} {3},{0} {1}))".format(*box))
                shapes = {identifier: geometry(feature) for identifier, feature in stored[name].items()}
                expected = {identifier for identifier, shape in shapes.items() if shape and shape.Intersects(ring)}
                layer.SetSpatialFilterRect(*box)
                assert {feature.GetField("id") for feature in layer} == expected, (name, box)
                address = f"/ogc/mall/collections/{name}/items?limit=10000&bbox={','.join(map(repr, box))}"
                page = service.get_json(address)
                # By the standard a box also selects what has no geometry; GDAL leaves that out again.
                expected |= {identifier for identifier, shape in shapes.items() if not shape}
                assert {feature["id"] for feature in page["features"]} == expected, (name, box)
                assert page["numberMatched"] == len(expected)
        layer.SetSpatialFilter(None)

    section("the command ogrinfo")
    output = subprocess.run(
        ["ogrinfo", "-so", "--config", "GDAL_HTTP_HEADERS", f"Authorization: Bearer {service.admin_key}",
         f"OAPIF:{service.address}/ogc/mall", "unit"], capture_output=True, text=True, check=True, timeout=120).stdout
    assert f"Feature Count: {len(stored['unit'])}" in output, output

    section("collections, pages, boxes and single features, read by OWSLib")
    client = Features(f"{service.address}/ogc/mall", headers={"Authorization": f"Bearer {service.admin_key}"})
    assert set(client.feature_collections()) == set(stored)
    assert "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core" in client.conformance()["conformsTo"]
    for name, expected in stored.items():
        page = client.collection_items(name, limit=10000)
        assert page["numberMatched"] == page["numberReturned"] == len(expected)
        assert {feature["id"]: feature["geometry"] for feature in page["features"]} == {
            identifier: feature["geometry"] for identifier, feature in expected.items()}
        identifier = min(expected)
        assert client.collection_item(name, identifier)["geometry"] == expected[identifier]["geometry"]
        extent = client.collection(name)["extent"].get("spatial")
        if extent:
            found = client.collection_items(name, bbox=extent["bbox"][0], limit=10000)
            assert found["numberMatched"] == len(expected)

    section("the state before an edit, by revision and by time")
    service.publish_edit("mall", archive, "rename=20,remove=2")
    published = {number: service.get_json(f"/venues/mall/revisions/{number}")["published_at"] for number in (1, 2)}
    newest = {feature["id"]: feature for feature in service.features("mall", 2, "occupant")}
    for time, expected in ((published[1], stored["occupant"]), (published[2], newest)):
        page = client.collection_items("occupant", datetime=time, limit=10000)
        assert {feature["id"]: feature["properties"]["name_en"] for feature in page["features"]} == {
            identifier: feature["properties"]["name"]["en"] for identifier, feature in expected.items()}
    old = service.get_json("/ogc/mall/collections/occupant/items?limit=10000&revision=1")
    assert {feature["id"] for feature in old["features"]} == set(stored["occupant"])


if __name__ == "__main__":
    main()
