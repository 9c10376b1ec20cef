"""The labels of places."""
import pytest


@pytest.mark.parametrize("area", ["none", "too small"])
@pytest.mark.parametrize("name", ["Tea", "Tea and Cakes from the Old Town Bakery", "Donaudampfschifffahrtsgesellschaft " * 2,
                                  "古い町のパン屋から来たお茶とケーキの専門店本館"])
def test_name_of_the_selected_place_is_always_shown(windows, mall, name, area):
    page = windows.map(mall)
    shown = page.evaluate("""async ([name, area]) => {
        const { layOut } = await import("/console/map/label-layout.js");
        const { LabelImages } = await import("/console/map/label-images.js");
        const place = { id: "a", name, kind: "shop", group: "food", pictogram: "food", rank: 1, isNamed: true, point: [100, 100] };
        const small = { center: [100, 100], ring: [[99, 99], [101, 99], [101, 101], [99, 101], [99, 99]] };
        const { boxes } = layOut({
            places: [place], areas: new Map(area === "none" ? [] : [["a", small]]), hidden: new Set(), selected: "a", results: null,
            visible: new Set(), images: new LabelImages(), colours: { halo: "#fff", label: "#000", selected: "#00f" },
            project: ([x, y]) => ({ x, y }), width: 400, height: 400,
        });
        return boxes.map(({ place, image }) => [place.id, image.width, image.canvas.width > 0]);
    }""", [name, area])
    assert len(shown) == 1
    [place, width, is_drawn] = shown[0]
    assert place == "a" and is_drawn
    assert 20 < width <= 200, "the name, within the widest label"
