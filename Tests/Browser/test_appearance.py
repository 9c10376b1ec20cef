"""The appearance of a venue on its map: what is drawn and loaded. What is listed and hidden is tested in Tests/Console."""
import json

from playwright.sync_api import expect

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


def test_accent_is_the_colour_of_buttons_and_of_what_is_selected_with_enough_contrast(windows, service, venue_key):
    """Neither accent is readable in its mode. Which accents are kept is tested in Tests/Console."""
    service.create_venue(venue_key)
    accents = {"light": "#ffee00", "dark": "#000060"}
    set_appearance(service, venue_key, accent=accents)
    page = windows.map(venue_key, reduced_motion="reduce", bypass_csp=True)
    page.click("[data-chip=open]")
    # The other floors are loaded, after which the buttons of the floors are made again.
    expect(page.locator(".search-scope")).to_have_count(0)
    fill = None
    for scheme in accents:
        page.emulate_media(color_scheme=scheme)
        # The page learns of another mode through an event, which comes after the mode.
        fill = page.wait_for_function(f"(previous) => ({ACCENT_FILL})() !== previous && ({ACCENT_FILL})()", arg=fill).json_value()
        check_contrast(page)


ACCENT_FILL = "() => document.documentElement.style.getPropertyValue('--accent-fill')"


def check_contrast(page):
    button, chip = ".floors [aria-current]", ".chip[aria-pressed=true]"
    fill = style(page, button, "backgroundColor")
    assert contrast(fill, style(page, button, "color")) >= 4.5
    assert contrast(fill, style(page, ".floors", "backgroundColor")) >= 3
    assert contrast(style(page, chip, "color"), style(page, chip, "backgroundColor")) >= 4.5
    selected = page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--map-selected')")
    assert selected == page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--accent')")
    assert findings(page) == []


def picture(route):
    route.fulfill(body=PICTURE, content_type="image/svg+xml")


def test_logo_is_shown_with_the_map_on_kiosks_and_in_frames(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, "public=on")
    set_appearance(service, venue_key, logo=LOGO)
    options = {"hosts": {HOST: picture}, "viewport": (390, 844)}
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
