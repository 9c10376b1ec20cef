"""Draws the style of a venue with MapLibre Native and with MapLibre GL JS in Chromium, and reads glyphs, sprites and PMTiles files.

    VENUE_PROGRAM=.build/debug/venue python3 style.py [FOLDER FOR PICTURES]
"""

import contextlib
import gzip
import io
import json
import pathlib
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

import mapbox_vector_tile
import mercantile
import numpy
import pmtiles.reader
import pmtiles.tile
import pymgl
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from PIL import Image
from playwright.sync_api import sync_playwright

from decode import load, section
from service import Service

PAGE = """<!doctype html><meta charset="utf-8"><style>body, #map {{ margin: 0; width: 900px; height: 700px }}</style>
<link rel="stylesheet" href="{library}/maplibre-gl.css"><div id="map"></div><script>{script}</script>
<script src="{library}/maplibre-gl.js"></script>"""


def glyph_message():
    """The message of a glyph range, declared as MapLibre's documentation does."""
    file = descriptor_pb2.FileDescriptorProto(name="glyphs.proto", package="g", syntax="proto2")
    field = descriptor_pb2.FieldDescriptorProto
    types = {
        "glyph": [("id", 1, field.TYPE_UINT32, 2), ("bitmap", 2, field.TYPE_BYTES, 1), ("width", 3, field.TYPE_UINT32, 2),
                  ("height", 4, field.TYPE_UINT32, 2), ("left", 5, field.TYPE_SINT32, 2), ("top", 6, field.TYPE_SINT32, 2),
                  ("advance", 7, field.TYPE_UINT32, 2)],
        "fontstack": [("name", 1, field.TYPE_STRING, 2), ("range", 2, field.TYPE_STRING, 2), ("glyphs", 3, ".g.glyph", 3)],
        "glyphs": [("stacks", 1, ".g.fontstack", 3)],
    }
    for name, fields in types.items():
        message = file.message_type.add(name=name)
        for field_name, number, kind, label in fields:
            entry = message.field.add(name=field_name, number=number, label=label)
            if isinstance(kind, str):
                entry.type, entry.type_name = field.TYPE_MESSAGE, kind
            else:
                entry.type = kind
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("g.glyphs"))


def pixels(png):
    return numpy.asarray(Image.open(io.BytesIO(png)).convert("RGB")).astype(int)


def has_color(picture, color, share):
    wanted = [int(color[index:index + 2], 16) for index in (1, 3, 5)]
    return (abs(picture - wanted).max(axis=2) <= 2).mean() > share


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with Service() as service:
        run(service, folder)


def run(service, folder):
    service.create_venue("mall", "--levels", 2, "--units", 60, "--seed", 7)
    service.run_venue("set", "mall", "public=true")
    cartography = json.loads(load(service, "/cartography.json")[2])
    styles = {theme: json.loads(load(service, f"/venues/mall/style.json?lang=en&theme={theme}")[2]) for theme in ("light", "dark")}

    def keep(name, png):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(png)

    section("glyphs, read by a decoder of Protocol Buffers")
    message = glyph_message()
    for block, minimum in ((0, 90), (0x3000, 150), (0x4E00, 200)):
        stacks = message.FromString(load(service, f"/venues/mall/glyphs/Sans%20JP/{block}-{block + 255}.pbf")[2]).stacks
        assert len(stacks) == 1 and stacks[0].name == "Sans JP" and stacks[0].range == f"{block}-{block + 255}"
        glyphs = stacks[0].glyphs
        assert len(glyphs) >= minimum or not styles, (block, len(glyphs))
        for glyph in glyphs:
            assert block <= glyph.id < block + 256 and glyph.advance < 64
            assert len(glyph.bitmap) == ((glyph.width + 6) * (glyph.height + 6) if glyph.width else 0), glyph.id

    section("sprites, read by Pillow")
    for theme in styles:
        for scale, suffix in ((1, ""), (2, "@2x")):
            index = json.loads(load(service, f"/venues/mall/sprites/{theme}{suffix}.json")[2])
            png = load(service, f"/venues/mall/sprites/{theme}{suffix}.png")[2]
            keep(f"sprite-{theme}{suffix}.png", png)
            picture = numpy.asarray(Image.open(io.BytesIO(png)).convert("RGBA"))
            assert set(cartography["pictograms"]) | {"dot"} == set(index)
            for name, entry in index.items():
                part = picture[entry["y"]:entry["y"] + entry["height"], entry["x"]:entry["x"] + entry["width"]]
                assert part.shape[:2] == (entry["height"], entry["width"]) and entry["pixelRatio"] == scale
                # The plate and the pictogram on it.
                assert len(numpy.unique(part.reshape(-1, 4), axis=0)) > 3, name

    section("the style, drawn by MapLibre Native")
    center, palette = styles["light"]["center"], cartography["palette"]
    pictures = {}
    for theme, style in styles.items():
        for ordinal in (0, 1):
            shown = json.loads(json.dumps(style))
            for layer in shown["layers"]:
                layer["filter"][1][2] = ordinal
            with pymgl.Map(json.dumps(shown), 900, 700, 1, center[0], center[1], 17.5) as drawing:
                png = drawing.renderPNG()
            keep(f"native-{theme}-{ordinal}.png", png)
            pictures[theme, ordinal] = pixels(png)
            assert has_color(pictures[theme, ordinal], palette["level"][theme], 0.005), (theme, ordinal)
            assert has_color(pictures[theme, ordinal], palette["shop"][theme], 0.002), (theme, ordinal)
    assert (pictures["light", 0] != pictures["light", 1]).any(axis=2).mean() > 0.02

    section("the style, drawn by MapLibre GL JS in Chromium")
    draw_in_browser(service, center, keep)

    section("every kind of style, drawn by MapLibre GL JS in Chromium")
    draw_kinds(service, center, palette, keep)

    section("a PMTiles file, read by pmtiles")
    for tile_format in ("mvt", "png"):
        path = service.folder / f"floor-{tile_format}.pmtiles"
        service.run_venue("export", "mall", "--tiles", path, "--level", "0", "--format", tile_format, "--lang", "en")
        read_archive(service, path, tile_format)
        first = path.read_bytes()
    section("a PMTiles file of a level, by its short name and by its id")
    levels = json.loads(load(service, "/venues/mall/revisions/1/features?type=level")[2])["features"]
    plaza = next(level for level in levels if level["properties"]["short_name"].get("en") == "Plaza")
    files = []
    for name in ("Plaza", plaza["id"]):
        path = service.folder / "level.pmtiles"
        printed = service.run_venue("export", "mall", "--tiles", path, "--level", name)
        assert printed.startswith(f"Wrote revision 1 of mall to {path}"), printed
        files.append(path.read_bytes())
    assert files[0] == files[1] and files[0].startswith(b"PMTiles") and files[0] != first
    print("style: all right")


@contextlib.contextmanager
def browser_page(service):
    """A page with MapLibre GL JS. It has the origin of the server, so no other origin has to be permitted."""
    library = ROOT / ".map-library"
    script = (pathlib.Path(__file__).parent / "show-floor.js").read_text()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        page = browser.new_page(viewport={"width": 900, "height": 700})
        page.route("**/style-page/**", lambda route: answer(route, library, script))
        page.goto(f"{service.address}/style-page/index.html")
        yield page
        browser.close()


def open_map(page, address, center):
    page.evaluate(f"""() => {{
        if (window.map instanceof maplibregl.Map) map.remove(); // before, it is the element
        [window.errors, window.idle] = [[], false];
        window.map = new maplibregl.Map({{container: "map", style: "{address}",
            center: {list(center)}, zoom: 17.5, fadeDuration: 0, canvasContextAttributes: {{preserveDrawingBuffer: true}}}});
        map.on("error", event => errors.push(String(event.error && event.error.message || event)));
        map.on("styleimagemissing", event => errors.push("missing image " + event.id));
        map.once("idle", () => window.idle = true);
    }}""")


def draw_kinds(service, center, palette, keep):
    """Numbered revisions, floors, themes, languages, and the colours of a venue. Each map shows the ground floor without an error."""
    kinds = {
        "english": "style.json?lang=en",
        "dark": "style.json?lang=en&theme=dark",
        "floor": "style.json?lang=en&floor=0",
        "revision": "revisions/1/style.json?lang=en",
        "japanese": "style.json?lang=ja",
        "appearance": "style.json?lang=en",
    }
    names, own = {}, "#12d4a0"
    with browser_page(service) as page:
        for kind, path in kinds.items():
            if kind == "appearance":
                appearance = json.dumps({"colours": {"walkway": {"light": own, "dark": own}}})
                service.run_venue("set", "mall", f"appearance={appearance}")
            open_map(page, f"{service.address}/venues/mall/{path}", center)
            page.wait_for_function("() => window.idle || errors.length > 0", timeout=120_000)
            errors = page.evaluate("() => errors")
            assert not errors, (kind, errors)
            units, labels = page.evaluate("""() => ["unit", "label"].map(name => map.queryRenderedFeatures()
                .filter(feature => feature.sourceLayer === name).map(feature => feature.properties))""")
            assert len(units) > 20 and len(labels) > 8, (kind, len(units), len(labels))
            assert all(unit["ordinal"] == 0 for unit in units), kind
            names[kind] = {label["id"]: label.get("name") for label in labels}
            png = page.screenshot()
            keep(f"gljs-{kind}.png", png)
            picture, theme = pixels(png), "dark" if kind == "dark" else "light"
            assert has_color(picture, palette["shop"][theme], 0.002), kind
            assert has_color(picture, own, 0.005) == (kind == "appearance"), kind
    assert names["english"] == names["floor"] == names["revision"]
    both = names["english"].keys() & names["japanese"].keys()
    assert any(names["english"][one] != names["japanese"][one] for one in both)


def draw_in_browser(service, center, keep):
    with browser_page(service) as page:
        open_map(page, f"{service.address}/venues/mall/style.json?lang=en", center)
        names = {}
        for ordinal in (0, 1):
            page.evaluate("""ordinal => new Promise(resolve => {
                const shown = () => { showFloor(map, ordinal); map.once("idle", resolve); map.triggerRepaint(); };
                map.loaded() ? shown() : map.once("idle", shown);
            })""", ordinal)
            found = page.evaluate("""() => ["unit", "label"].map(name => map.queryRenderedFeatures()
                .filter(feature => feature.sourceLayer === name).map(feature => feature.properties))""")
            assert len(found[0]) > 20 and len(found[1]) > 8, [len(part) for part in found]
            assert all(properties["ordinal"] == ordinal for part in found for properties in part)
            assert any("icon" in properties for properties in found[1])
            assert any("icon" not in properties for properties in found[1])
            names[ordinal] = {properties["id"]: properties for properties in found[1]}
            keep(f"gljs-{ordinal}.png", page.screenshot())
        # Only facilities that span floors, such as stairs, are on both.
        for shared in names[0].keys() & names[1].keys():
            assert names[0][shared]["feature_type"] == "amenity" and "icon" in names[0][shared], names[0][shared]
        errors = page.evaluate("() => errors")
        assert not errors, errors


def answer(route, library, script):
    name = urllib.parse.urlparse(route.request.url).path.rsplit("/", 1)[1]
    if name == "index.html":
        route.fulfill(body=PAGE.format(library=".", script=script), content_type="text/html")
    else:
        route.fulfill(path=library / name)


def read_archive(service, path, tile_format):
    with open(path, "rb") as file:
        reader = pmtiles.reader.Reader(pmtiles.reader.MmapSource(file))
        header, metadata = reader.header(), reader.metadata()
        expected = pmtiles.tile.TileType.MVT if tile_format == "mvt" else pmtiles.tile.TileType.PNG
        assert header["tile_type"] == expected and header["clustered"] and header["min_zoom"] == 14
        assert ("vector_layers" in metadata) == (tile_format == "mvt")
        bounds = [header[f"{name}_e7"] / 1e7 for name in ("min_lon", "min_lat", "max_lon", "max_lat")]
        seen, empty = 0, None
        for zoom in range(14, header["max_zoom"] + 1, 2):
            for tile in list(mercantile.tiles(*bounds, zoom))[:40]:
                packed = reader.get(zoom, tile.x, tile.y)
                if packed is None:
                    # Nothing is there.
                    packed = empty = load(service, f"/venues/mall/tiles/0/{zoom}/0/0.{tile_format}?lang=en")[2]
                content = gzip.decompress(packed) if tile_format == "mvt" and packed is not empty else packed
                served = load(service, f"/venues/mall/tiles/0/{zoom}/{tile.x}/{tile.y}.{tile_format}?lang=en")[2]
                assert content == served, tile
                seen += 1
                if tile_format == "mvt" and content:
                    mapbox_vector_tile.decode(content)
        assert seen > 40 and reader.get(header["max_zoom"] + 1, 0, 0) is None


if __name__ == "__main__":
    main()
