"""Draws the exported tiles with Mapnik on one thread, with the same geometry, colours, lines and labels.

    python3 mapnik_tiles.py FOLDER     needs python3-mapnik
"""
import json
import pathlib
import sys
import time

import mapnik

folder = pathlib.Path(sys.argv[1])
features = json.loads((folder / "features.geojson").read_text())["features"]
tiles = json.loads((folder / "tiles.json").read_text())
fonts = ["/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"]
for font in fonts:
    mapnik.FontEngine.register_font(font)

# A file for each type: Mapnik finds features of a GeoJSON file in memory, with an index.
types = {}
for feature in features:
    types.setdefault(feature["properties"]["type"], []).append(feature)
for name, members in types.items():
    (folder / f"{name}.geojson").write_text(json.dumps({"type": "FeatureCollection", "features": members}))

WEB_MERCATOR = "+proj=merc +a=6378137 +b=6378137 +lat_ts=0.0 +lon_0=0.0 +x_0=0.0 +y_0=0 +k=1.0 +units=m +nadgrids=@null +wktext +no_defs +over"
LONGITUDE_LATITUDE = "+proj=longlat +ellps=WGS84 +datum=WGS84 +no_defs"


def style(name, rules):
    return f'<Style name="{name}">' + "".join(f"<Rule>{rule}</Rule>" for rule in rules) + "</Style>"


def layer(name, *styles):
    names = "".join(f"<StyleName>{style}</StyleName>" for style in styles)
    return (f'<Layer name="{name}" srs="{LONGITUDE_LATITUDE}">{names}<Datasource><Parameter name="type">geojson</Parameter>'
            f'<Parameter name="file">{folder / name}.geojson</Parameter></Datasource></Layer>')


fills = sorted({feature["properties"]["fill"] for feature in types["unit"]})
styles = [
    style("level", ['<PolygonSymbolizer fill="#fbfbf9"/>']),
    style("unit", [f"<Filter>[fill] = '{fill}'</Filter><PolygonSymbolizer fill=\"{fill}\"/>" for fill in fills]),
    style("wall", ['<LineSymbolizer stroke="#b9bfb6" stroke-width="1.2" stroke-linejoin="round"/>']),
    style("kiosk", ['<PolygonSymbolizer fill="#ffd98a"/><LineSymbolizer stroke="#b9bfb6" stroke-width="1.2"/>']),
    style("facade", ['<LineSymbolizer stroke="#8f998f" stroke-width="2.3" stroke-linejoin="round"/>']),
    style("opening", ['<LineSymbolizer stroke="#ffffff" stroke-width="2.6"/>']),
    style("fixture", ['<PolygonSymbolizer fill="#cfd4cb"/>']),
    style("text", ["<Filter>[name] and [icon] = ''</Filter>"
                   '<TextSymbolizer fontset-name="fonts" size="11" fill="#2a312c" halo-fill="#ffffff" halo-radius="1.2" '
                   'wrap-width="60" allow-overlap="false">[name]</TextSymbolizer>']),
    style("icon", ["<Filter>[icon] != ''</Filter>"
                   '<MarkersSymbolizer width="18" height="18" fill="#2a312c" stroke="#ffffff" stroke-width="1"/>']),
]
layers = [layer("level", "level"), layer("unit", "unit", "wall")]
layers += [layer(name, name) for name in ("fixture", "kiosk") if name in types]
layers += ['<Layer name="facade" srs="' + LONGITUDE_LATITUDE + '"><StyleName>facade</StyleName><Datasource>'
           f'<Parameter name="type">geojson</Parameter><Parameter name="file">{folder}/level.geojson</Parameter></Datasource></Layer>']
layers += [layer("opening", "opening"), layer("label", "icon", "text")]
names = mapnik.FontEngine.face_names()
faces = [face for face in ("Noto Sans CJK JP Regular", "DejaVu Sans Book") if face in list(names)]
document = (f'<Map srs="{WEB_MERCATOR}" buffer-size="64"><FontSet name="fonts">'
            + "".join(f'<Font face-name="{face}"/>' for face in faces) + "</FontSet>"
            + "".join(styles) + "".join(layers) + "</Map>")
drawing = mapnik.Map(256, 256)
mapnik.load_map_from_string(drawing, document)

side = 2 * 20037508.342789244
seconds, counts = {}, {}
for zoom, x, y in tiles:
    unit = side / 2**zoom
    box = mapnik.Box2d(x * unit - side / 2, side / 2 - (y + 1) * unit, (x + 1) * unit - side / 2, side / 2 - y * unit)
    start = time.process_time()
    drawing.zoom_to_box(box)
    image = mapnik.Image(256, 256)
    mapnik.render(drawing, image)
    data = image.tostring("png8:z=6")
    seconds[zoom] = seconds.get(zoom, 0) + time.process_time() - start
    counts[zoom] = counts.get(zoom, 0) + 1
    if len(sys.argv) > 2 and counts[zoom] == 12:
        (folder / f"mapnik-{zoom}.png").write_bytes(data)
for zoom in sorted(counts):
    print(json.dumps({"name": f"mapnik png: zoom {zoom}", "tiles": counts[zoom],
                      "tiles_per_second": round(counts[zoom] / seconds[zoom], 1)}))
print(json.dumps({"name": "mapnik png: all zooms", "tiles": len(tiles),
                  "tiles_per_second": round(len(tiles) / sum(seconds.values()), 1)}))
