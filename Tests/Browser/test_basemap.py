"""The basemap of a venue: tiles or a style of another host, under the floors, which never depend on it."""
import io
import json

from PIL import Image
from playwright.sync_api import expect

HOST = "https://tiles.example.com"
ATTRIBUTION = "© Example contributors"
RED, GREEN = (230, 20, 60), (20, 160, 90)
ROUND_TRIP = "() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))"


def tile(colour):
    picture = io.BytesIO()
    Image.new("RGB", (256, 256), colour).save(picture, "PNG")
    return picture.getvalue()


def fulfil(route, body, content_type):
    # As public services do: without this header, browsers keep the answer from the page.
    route.fulfill(body=body, content_type=content_type, headers={"Access-Control-Allow-Origin": "*"})


def tiles(colour):
    return lambda route: fulfil(route, tile(colour), "image/png")


def set_basemap(service, venue, value):
    service.run_venue("set", venue, f"basemap={json.dumps(value)}")


def corner_colour(page):
    """The colour of the map beyond the venue, beside the panel."""
    page.evaluate(ROUND_TRIP)
    return Image.open(io.BytesIO(page.screenshot())).convert("RGB").getpixel((440, 780))


def wait_for_colour(page, colour):
    """Waits until the surroundings have a colour, as read from pictures of the page."""
    for _ in range(100):
        if all(abs(one - other) < 8 for one, other in zip(corner_colour(page), colour)):
            return
        page.wait_for_timeout(100)  # Polling interval.
    assert corner_colour(page) == colour


def wait_for_units(page):
    """Waits until the units of the floor are drawn."""
    page.wait_for_function("""() => {
        const { mapLibre } = document.querySelector(".map-page").venueMap;
        const layers = mapLibre.getStyle().layers.map(({ id }) => id).filter((id) => id.endsWith("/unit/fill"));
        return mapLibre.queryRenderedFeatures({ layers }).length > 10;
    }""")


def ground_opacity(page):
    """How much of a basemap the area of the venue hides."""
    return page.evaluate("""() => document.querySelector(".map-page").venueMap.mapLibre.getPaintProperty("venue/venue/fill", "fill-opacity")""")


def test_tiles_of_another_host_are_drawn_under_the_floors_of_their_venue_only(windows, service, mall, venue_key):
    service.create_venue(venue_key)
    set_basemap(service, venue_key, {"tiles": {"light": f"{HOST}/{{z}}/{{x}}/{{y}}.png", "dark": f"{HOST}/dark/{{z}}/{{x}}/{{y}}.png"},
                                     "max_zoom": 16, "attribution": ATTRIBUTION})
    requests = []

    def respond(route):
        requests.append(route.request)
        fulfil(route, tile(GREEN if "/dark/" in route.request.url else RED), "image/png")

    page = windows.map(venue_key, "?floor=1", hosts={HOST: respond})
    expect(page.get_by_text(ATTRIBUTION)).to_be_visible()
    wait_for_colour(page, RED)
    wait_for_units(page)
    assert ground_opacity(page) < 0.2, "streets beside the buildings are visible"
    assert {request.url.removeprefix(HOST).split("/")[1] for request in requests} <= {str(zoom) for zoom in range(17)}
    # The host learns which site asks, not which venue is open.
    assert {request.headers.get("referer") for request in requests} == {f"{service.address}/"}
    page.emulate_media(color_scheme="dark")
    wait_for_colour(page, GREEN)
    # Links are those of every venue, and other venues are shown by a page that may not contact the host.
    page.click("[data-tool=share]")
    assert page.input_value("#share-link") == f"{service.address}/#/{venue_key}?floor=1"
    page.keyboard.press("Escape")
    page.evaluate(f"location.hash = '#/{mall}'")
    page.wait_for_url(f"{service.address}/#/{mall}?floor=0")
    page.wait_for_selector(".live-state.live")
    expect(page.locator(".map-attribution")).to_have_count(0)
    page.go_back()
    expect(page.get_by_text(ATTRIBUTION)).to_be_visible()
    assert windows.other_origins == {HOST}


def test_style_of_another_host_is_drawn_with_what_it_refers_to(windows, service, venue_key):
    service.create_venue(venue_key)
    set_basemap(service, venue_key, {"style": f"{HOST}/styles/plain.json", "attribution": ATTRIBUTION})
    ring = [[139, 35], [140, 35], [140, 36], [139, 36], [139, 35]]
    answers = {
        "/styles/plain.json": {
            "version": 8, "sprite": f"{HOST}/sprite", "glyphs": "{fontstack}/{range}.pbf",
            "sources": {"land": {"type": "geojson", "data": "../land.geojson"}},
            "layers": [
                {"id": "ground", "type": "background", "paint": {"background-color": "#ffffff"}},
                {"id": "land", "type": "fill", "source": "land", "paint": {"fill-color": "rgb(20, 160, 90)"}},
                {"id": "broken", "type": "line", "source": "land", "paint": {"line-color": ["no-such-expression"]}},
            ]},
        "/land.geojson": {"type": "Feature", "properties": {}, "geometry": {"type": "Polygon", "coordinates": [ring]}},
        "/sprite.json": {},
    }

    def respond(route):
        path = route.request.url.removeprefix(HOST)
        if path in answers:
            fulfil(route, json.dumps(answers[path]), "application/json")
        else:
            fulfil(route, tile(RED), "image/png")

    page = windows.map(venue_key, hosts={HOST: respond})
    wait_for_colour(page, GREEN)
    wait_for_units(page)


def test_floors_are_shown_without_tiles_that_cannot_be_loaded(windows, service, venue_key):
    """Styles that fail, are none, or do not arrive are tested in Tests/Console."""
    archive = service.create_venue(venue_key)
    set_basemap(service, venue_key, {"tiles": f"{HOST}/{{z}}/{{x}}/{{y}}"})
    page = windows.map(venue_key, hosts={HOST: lambda route: route.abort()})
    wait_for_units(page)
    assert ground_opacity(page) == 1
    page.click(".floors [data-ordinal='1']")
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    service.publish_edit(venue_key, archive, "rename=2")
    page.wait_for_selector(".live-state[data-revision='2']")
    page.locator(".place").first.click()
    expect(page.locator(".place-card h2")).to_be_visible()


def test_basemap_on_this_server_needs_no_other_page(windows, service, venue_key):
    service.create_venue(venue_key)
    set_basemap(service, venue_key, {"tiles": "/basemap/{z}/{x}/{y}.png"})
    page = windows.open(f"#/{venue_key}", api_key=service.admin_key, hosts={f"{service.address}/basemap": tiles(RED)})
    page.wait_for_selector(".live-state.live")
    wait_for_colour(page, RED)
    assert page.url.startswith(f"{service.address}/#/{venue_key}")


def test_frame_of_another_site_shows_the_basemap_of_a_public_venue(windows, service, venue_key):
    service.create_venue(venue_key)
    service.run_venue("set", venue_key, "public=on")
    set_basemap(service, venue_key, {"tiles": f"{HOST}/{{z}}/{{x}}/{{y}}.png"})
    page = windows.open(f"embed/{venue_key}", hosts={HOST: tiles(RED)})
    page.wait_for_selector(".live-state.live", state="attached")
    wait_for_colour(page, RED)
    assert page.url.startswith(f"{service.address}/embed/{venue_key}")


def preview_colour(page):
    """The colour in a corner of the preview of the settings."""
    page.evaluate(ROUND_TRIP)
    return Image.open(io.BytesIO(page.locator(".basemap-preview").screenshot())).convert("RGB").getpixel((12, 12))


def wait_for_preview(page, colour):
    for _ in range(100):
        if all(abs(one - other) < 8 for one, other in zip(preview_colour(page), colour)):
            return
        page.wait_for_timeout(100)  # Polling interval.
    assert preview_colour(page) == colour


def test_settings_preview_a_basemap(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    requests = []

    def respond(route):
        requests.append(route.request)
        fulfil(route, tile(GREEN), "image/png")

    page = windows.open(f"#/{venue_key}/desk/settings", api_key=service.admin_key, hosts={
        HOST: respond, f"{service.address}/basemap": tiles(RED)})
    address = page.get_by_label("Address", exact=True)
    page.get_by_label("Source", exact=True).select_option("tiles")
    # On this server, before it is saved.
    address.fill("/basemap/{z}/{x}/{y}.png")
    address.blur()
    wait_for_preview(page, RED)
    expect(page.get_by_text("The map shows the basemap like this.")).to_be_visible()
    # Of another host, the page may load nothing before, and asks for nothing.
    address.fill(f"{HOST}/{{z}}/{{x}}/{{y}}.png")
    address.blur()
    expect(page.locator("#set-basemap")).to_contain_text("The preview is available after you save")
    assert requests == []
    page.get_by_role("button", name="Save").click()
    page.get_by_role("link", name="Load the preview from tiles.example.com").click()
    wait_for_preview(page, GREEN)
