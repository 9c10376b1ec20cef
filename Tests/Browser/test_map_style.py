"""What the map draws of a floor, in both colour schemes: coloured units, a façade that stands out, and the shadow of the building."""
import io

import pytest
from PIL import Image

from map_page import settle

# What is drawn of the layers of the ground floor: `{layer, group, paint}` with the values of these features at this zoom. Colours are RGBA.
DRAWN = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    const rgba = ({ r, g, b, a }) => [r / a, g / a, b / a].map((part) => Math.round(part * 255)).concat(a);
    return mapLibre.queryRenderedFeatures().filter(({ layer }) => layer.id.startsWith("floor:0/")).map(({ layer, properties }) => ({
        layer: layer.id.replace("floor:0/", ""), group: properties.group, width: layer.paint["line-width"], blur: layer.paint["line-blur"],
        colour: rgba(layer.paint["fill-color"] ?? layer.paint["line-color"]),
    }));
}"""
# The visible layers of the ground floor, bottom first.
LAYERS = """() => document.querySelector(".map-page").venueMap.mapLibre.getStyle().layers
    .filter(({ id, layout }) => id.startsWith("floor:0/") && layout?.visibility !== "none").map(({ id }) => id.replace("floor:0/", ""))"""
# What visitors tell apart by its colour.
COLOURED = {"shop", "food", "service", "restroom", "vertical"}


def chroma(colour):
    """The chroma of OKLab: 0 is grey, and 0.03 a tint that is seen beside grey."""
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (each / 255 for each in colour[:3])]
    rows = [(0.4122214708, 0.5363325363, 0.0514459929), (0.2119034982, 0.6806995451, 0.1073969566), (0.0883024619, 0.2817188376, 0.6299787005)]
    l, m, s = (sum(factor * part for factor, part in zip(row, linear)) ** (1 / 3) for row in rows)
    a = 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s
    b = 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s
    return (a * a + b * b) ** 0.5


def open_map(windows, mall, scheme):
    page = windows.map(mall, "?floor=0", color_scheme=scheme, reduced_motion="reduce")
    settle(page)
    page.wait_for_function(f"() => ({DRAWN})().length > 0")
    return page


def check_units(page):
    """Units are drawn in colours that are not grey."""
    colours = {each["group"]: each["colour"] for each in page.evaluate(DRAWN) if each["layer"] == "unit/fill"}
    assert COLOURED <= set(colours), colours
    assert {group: chroma(colours[group]) for group in COLOURED if chroma(colours[group]) < 0.03} == {}
    assert len({tuple(colours[group]) for group in COLOURED}) == len(COLOURED), "they differ"
    # The picture has these colours, and no paler ones in their places.
    picture = Image.open(io.BytesIO(page.locator(".map-canvas").screenshot())).convert("RGB")
    pixels = picture.getcolors(picture.width * picture.height)
    for group in COLOURED:
        near = [count for count, colour in pixels if all(abs(one - other) <= 2 for one, other in zip(colour, colours[group]))]
        assert sum(near) > 20, group


def check_facade(page):
    """It is wider than walls, and above them."""
    layers = page.evaluate(LAYERS)
    assert layers.index("unit/line") < layers.index("level/line")
    for _ in range(2):
        drawn = page.evaluate(DRAWN)
        [facade] = {each["width"] for each in drawn if each["layer"] == "level/line"}
        [wall] = {each["width"] for each in drawn if each["layer"] == "unit/line"}
        assert facade > 1.5 * wall > 0
        assert {each["colour"][3] for each in drawn if each["layer"] in ("level/line", "unit/line")} == {1}
        page.locator("[data-tool=zoomIn]").click()
        settle(page)


def check_shadow(page):
    """That of the building is below its floor."""
    layers = page.evaluate(LAYERS)
    assert layers.index("level/shadow") < layers.index("level/fill") < layers.index("unit/fill")
    drawn = {each["layer"]: each for each in page.evaluate(DRAWN)}
    shadow, facade, floor = (drawn[name] for name in ("level/shadow", "level/line", "level/fill"))
    assert shadow["width"] > 2 * facade["width"] and shadow["blur"] > 0, "it is seen beside the façade, and soft"
    *colour, opacity = shadow["colour"]
    assert opacity > 0.25 and sum(colour) < sum(floor["colour"][:3]), "it is darker than the floor"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_units_facade_and_shadow_of_a_building_stand_out(windows, mall, scheme):
    page = open_map(windows, mall, scheme)
    for check in (check_units, check_shadow, check_facade):
        check(page)
