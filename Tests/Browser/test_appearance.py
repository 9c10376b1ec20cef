"""The appearance of a venue on its map: colours, hidden categories, the accent and the logo."""
import json

import pytest
from playwright.sync_api import expect

from map_page import show_whole_list
from test_accessibility import findings

HOST = "https://pictures.example.com"
LOGO = f"{HOST}/logo.svg"
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40" fill="#c00"/></svg>'

# The colours of the drawn units and kiosks, by id.
DRAWN = """() => {
    const { mapLibre } = document.querySelector(".map-page").venueMap;
    const layers = mapLibre.getStyle().layers.map(({ id }) => id).filter((id) => /\\/(unit|kiosk)\\/fill$/.test(id));
    return Object.fromEntries(mapLibre.queryRenderedFeatures({ layers }).map(({ properties, layer }) => {
        const { r, g, b } = layer.paint["fill-color"];
        return [properties.id, "#" + [r, g, b].map((part) => Math.round(part * 255).toString(16).padStart(2, "0")).join("")];
    }));
}"""
LABELS = "() => document.querySelector('.map-page').venueMap.labels.map(({ place }) => place.id)"
PLACES = """() => document.querySelector(".map-page").venueMap.places.map(
    ({ id, name, category, unit, kind, group }) => ({ id, name, category, unit, kind, group }))"""


def set_appearance(service, venue, **members):
    service.run_venue("set", venue, f"appearance={json.dumps(members)}")


def wait_until_drawn(page):
    page.wait_for_function("() => document.querySelector('.map-page').venueMap.mapLibre.loaded()")


def contrast(one, other):
    def luminance(colour):
        parts = [int(part) / 255 for part in colour.removeprefix("rgb(").removesuffix(")").split(",")]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    darker, brighter = sorted([luminance(one), luminance(other)])
    return (brighter + 0.05) / (darker + 0.05)


def style(page, selector, name):
    return page.locator(selector).first.evaluate(f"(element) => getComputedStyle(element)['{name}']")


def test_colours_of_categories_and_groups_are_those_of_the_venue_in_both_modes(windows, service, venue_key):
    service.create_venue(venue_key)
    page = windows.map(venue_key, reduced_motion="reduce")
    wait_until_drawn(page)
    usual, places = page.evaluate(DRAWN), page.evaluate(PLACES)
    # Kiosks have the colour of their own category, whoever is in them.
    units = {unit["id"] for unit in service.features(venue_key, 1, "unit")} & set(usual)
    shops = [place for place in places if place["unit"] in units and place["kind"] == "shop" and place["category"]]
    own = shops[0]["category"]
    plain = next(place for place in shops if place["group"] == "shop" and not place["category"].startswith(own))
    set_appearance(service, venue_key, colours={
        own: "#123456", "shop": {"light": "#aabbcc", "dark": "#332211"}, "food": "#ddeeff", "service": "#eeddff"})
    page.reload()
    page.wait_for_selector(".live-state.live")
    for scheme, shop in [("light", "#aabbcc"), ("dark", "#332211")]:
        page.emulate_media(color_scheme=scheme)
        page.wait_for_function(f"([id, colour]) => ({DRAWN})()[id] === colour", arg=[plain["unit"], shop])
        wait_until_drawn(page)
        drawn = page.evaluate(DRAWN)
        for place in shops:
            expected = "#123456" if place["category"].startswith(own) else {
                "shop": shop, "other": shop, "food": "#ddeeff", "service": "#eeddff"}.get(place["group"])
            if expected:
                assert drawn[place["unit"]] == expected, place
    # The legend has the colours of the groups, and other venues have those of the console.
    page.click(".legend summary")
    assert style(page, ".legend .swatch.shop", "backgroundColor") == "rgb(51, 34, 17)"
    page.evaluate("location.hash = '#/'")
    page.wait_for_selector(".venues-header")
    assert page.evaluate("document.documentElement.style.length") == 0


def test_hidden_categories_are_neither_drawn_nor_listed(windows, service, venue_key):
    service.create_venue(venue_key)
    page = windows.map(venue_key, reduced_motion="reduce")
    wait_until_drawn(page)
    shop = next(place for place in page.evaluate(PLACES) if place["kind"] == "shop" and place["category"])
    restrooms = {each["id"] for each in service.features(venue_key, 1, "unit") if (each["properties"]["category"] or "").startswith("restroom")}
    assert restrooms & set(page.evaluate(DRAWN)) and shop["id"] in page.evaluate(LABELS)
    set_appearance(service, venue_key, hidden=["restroom", shop["category"]])
    page.reload()
    page.wait_for_selector(".live-state.live")
    wait_until_drawn(page)
    drawn = page.evaluate(DRAWN)
    assert not restrooms & set(drawn) and shop["unit"] in drawn
    hidden = {place["id"] for place in page.evaluate(PLACES) if (place["category"] or "").startswith(("restroom", shop["category"]))}
    assert shop["id"] in hidden and not hidden & set(page.evaluate(LABELS))
    listed = "all => all.map(({ dataset }) => dataset.id)"
    show_whole_list(page)
    assert not hidden & set(page.locator(".place").evaluate_all(listed))
    expect(page.locator("[data-chip=restroom]")).to_have_count(0)
    expect(page.locator("[data-chip=elevator]")).to_be_visible()
    page.fill("#search", "restroom")
    expect(page.locator(".search-scope")).to_have_count(0)
    expect(page.locator(".places .place")).to_have_count(0)
    page.fill("#search", shop["name"])
    expect(page.locator(f".place[data-id='{shop['id']}']")).to_have_count(0)
    page.fill("#search", "")
    page.locator(".place").first.click()
    expect(page.locator(".place-card")).to_be_visible()
    expect(page.get_by_role("button", name="Nearest restroom")).to_have_count(0)
    # A link to a place shows where it is.
    page.evaluate("(hash) => location.hash = hash", f"#/{venue_key}?place={shop['id']}")
    page.wait_for_function(f"(id) => ({LABELS})().includes(id)", arg=shop["id"])


@pytest.mark.parametrize(("scheme", "accent"), [("light", "#ffee00"), ("dark", "#000060"), ("light", "#7a1fa2"), ("dark", "#ff4081")])
def test_accent_is_the_colour_of_buttons_and_of_what_is_selected_with_enough_contrast(windows, service, venue_key, scheme, accent):
    service.create_venue(venue_key)
    set_appearance(service, venue_key, accent=accent)
    page = windows.map(venue_key, color_scheme=scheme, reduced_motion="reduce", bypass_csp=True)
    page.click("[data-chip=open]")
    # The other floors are loaded, after which the buttons of the floors are made again.
    expect(page.locator(".search-scope")).to_have_count(0)
    button, chip = ".floors [aria-current]", ".chip[aria-pressed=true]"
    fill = style(page, button, "backgroundColor")
    assert contrast(fill, style(page, button, "color")) >= 4.5
    assert contrast(fill, style(page, ".floors", "backgroundColor")) >= 3
    assert contrast(style(page, chip, "color"), style(page, chip, "backgroundColor")) >= 4.5
    readable = "rgb({}, {}, {})".format(*(int(accent[start:start + 2], 16) for start in (1, 3, 5)))
    # Readable accents are kept.
    assert (fill == readable) == (accent in ("#7a1fa2", "#ff4081"))
    selected = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--map-selected')")
    assert selected == page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
    assert findings(page) == []


def test_appearance_is_remembered_of_public_venues_only(windows, service, venue_key):
    """Whoever uses this browser later may not be allowed to see others."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    set_appearance(service, venue_key, accent="#7a1fa2")
    remembered = f"localStorage.getItem('venuesync.appearance.{venue_key}')"
    page = windows.map(venue_key)
    assert page.evaluate(remembered) is None
    service.run_venue("set", venue_key, "public=on")
    page.reload()
    page.wait_for_selector(".live-state.live")
    assert "#7a1fa2" in page.evaluate(remembered)
    service.run_venue("set", venue_key, "public=off")
    page.reload()
    page.wait_for_selector(".live-state.live")
    assert page.evaluate(remembered) is None


def picture(route):
    route.fulfill(body=PICTURE, content_type="image/svg+xml")


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)])
def test_logo_is_shown_with_the_map_on_kiosks_and_in_frames(windows, service, venue_key, size):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, "public=on")
    set_appearance(service, venue_key, logo=LOGO)
    options = {"hosts": {HOST: picture}, "viewport": size, "locale": "en-US"}
    name = service.get_json(f"/venues/{venue_key}")["name"]["en"]
    for path, place in [(f"#/{venue_key}", ".bar"), (f"#/{venue_key}?kiosk", ".panel"), (f"embed/{venue_key}", ".panel")]:
        page = windows.open(path, **options)
        page.wait_for_selector(".live-state.live", state="attached")
        logo = page.locator(place).get_by_role("img", name=name)
        expect(logo).to_be_visible()
        page.wait_for_function("(image) => image.complete && image.naturalWidth === 120", arg=logo.element_handle())
        if place == ".bar":
            page.locator(".language").click()
            expect(page.locator(".bar .venue-logo")).to_be_visible()
            page.evaluate("location.hash = '#/'")
            expect(page.locator(".venue-logo")).to_have_count(0)


def test_logo_that_cannot_be_loaded_leaves_the_name(windows, service, venue_key):
    service.create_venue(venue_key)
    set_appearance(service, venue_key, logo=LOGO)
    page = windows.map(venue_key, hosts={HOST: lambda route: route.abort()})
    expect(page.locator(".breadcrumb")).to_have_text(service.get_json(f"/venues/{venue_key}")["name"]["en"])
    expect(page.locator(".venue-logo")).to_have_count(0)
    kiosk = windows.open(
        f"#/{venue_key}?kiosk", api_key=service.admin_key, hosts={HOST: lambda route: route.fulfill(status=404)})
    kiosk.wait_for_selector(".live-state.live", state="attached")
    expect(kiosk.locator(".panel-logo")).to_be_hidden()
