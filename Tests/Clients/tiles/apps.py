"""Runs the examples of docs/apps/tiles.md against a service with a private venue: Leaflet, MapLibre GL JS and a stand-in of Google
Maps in Chromium, MapLibre Native, and the examples for phones with stand-ins of the SDKs of Google. The examples are those of the
page; each has to be a part of a file in the folder apps.

    VENUE_PROGRAM=.build/debug/venue python3 apps.py [FOLDER FOR PICTURES]
"""

import contextlib
import functools
import http.server
import json
import pathlib
import re
import shutil
import subprocess
import sys
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "Tests/Browser"))

import mercantile
from playwright.sync_api import sync_playwright

from decode import section
from service import Service
from style import has_color, pixels

HERE = pathlib.Path(__file__).parent
PAGE_OF_DOCUMENTATION = (ROOT / "docs/apps/tiles.md").read_text()
JSON_OF_ANDROID = pathlib.Path("/usr/share/java/com.android.json.jar")
LEAFLET = pathlib.Path("/usr/share/javascript/leaflet")
PAGE = """<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><title>Floor</title><style>body, #map {{ margin: 0; width: 900px; height: 700px }}</style>
{libraries}<div id="map"></div><script>const {{ venue, revision, token, latitude, longitude }} = {values};
{script}</script>"""
LIBRARIES = {
    "leaflet": '<link rel="stylesheet" href="leaflet/leaflet.css"><script src="leaflet/leaflet.js"></script>',
    "maplibre-gl": '<link rel="stylesheet" href="maplibre/maplibre-gl.css"><script src="maplibre/maplibre-gl.js"></script>',
    "google-maps": '<script src="google-maps-stand-in.js"></script>',
}
LOADED = {
    "leaflet": "[...document.images].every((image) => image.complete && image.naturalWidth) && !document.querySelector("
               "'.leaflet-zoom-anim .leaflet-tile:not(.leaflet-tile-loaded)') && [...document.querySelectorAll('.leaflet-tile')]"
               ".every((image) => image.style.opacity === '1') && document.querySelectorAll('.leaflet-tile').length > 5",
    "maplibre-gl": "new Promise((done) => { map.once('idle', () => done(true)); map.triggerRepaint(); })",  # also labels have appeared
    "google-maps": "document.images.length > 5 && [...document.images].every((image) => image.complete && image.naturalWidth)",
}
# Images are decoded after they are complete, and drawn in a later frame.
PAINTED = """async () => {
    await Promise.all([...document.images].map((image) => image.decode()));
    for (let frame = 0; frame < 2; frame++) await new Promise((done) => requestAnimationFrame(done));
}"""


def example(name):
    """The block of the page with this file, which other tests read, too."""
    path = HERE / "apps" / name
    directive = f"part of: {path.relative_to(ROOT)}" if path.exists() else f"file: {name}"
    block = re.search(rf"<!-- {re.escape(directive)} -->\n```\w+\n(.*?)^```$", PAGE_OF_DOCUMENTATION, re.M | re.S)
    assert block, f"docs/apps/tiles.md has no block of {name}"
    assert not path.exists() or block[1] in path.read_text(), f"{path} and docs/apps/tiles.md differ"
    return block[1]


class Venue:
    """A private venue of a service, with a token for its tiles."""

    def __init__(self, service):
        self.service = service
        service.create_venue("mall", "--levels", 2, "--units", 60, "--seed", 7)
        floor = {level["id"] for level in service.features("mall", 1, "level") if level["properties"]["ordinal"] == 0}
        self.rooms = [unit for unit in service.features("mall", 1, "unit")
                      if unit["properties"]["level_id"] in floor and unit["properties"]["category"] not in ("walkway", "restroom")]
        self.hours = 10
        self.address = f"{service.address}/venues/mall"
        self.token = self.call("/tile-tokens", {"expires_in": 3600})["token"]

    def call(self, path, body=None, method=None):
        headers = {"Authorization": f"Bearer {self.service.admin_key}", "Content-Type": "application/json"}
        request = urllib.request.Request(self.address + path, body and json.dumps(body).encode(), headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    @property
    def revision(self):
        return self.call("")["head"]

    def change(self):
        """Publishes a revision in which a room has another colour, and returns the names of the stale tiles of each ordinal."""
        before = self.revision
        self.service.run_venue("edit", "mall", self.rooms.pop()["id"], "category=restroom")
        assert self.revision == before + 1
        return self.stale(before)

    def change_nothing_visible(self):
        before = self.revision
        shop = next(feature for feature in self.service.features("mall", before, "occupant"))
        self.hours += 1
        self.service.run_venue("edit", "mall", shop["id"], f"hours=Mo-Su 09:00-{self.hours}:00")
        assert self.revision == before + 1

    def stale(self, since, tile_format="png"):
        changes = self.call(f"/tiles/changes?since={since}&format={tile_format}&lang=en")
        found = {}
        for floor in changes["floors"]:
            assert floor["tiles"] != "all"
            found.setdefault(floor["ordinal"], set()).update(floor["tiles"])
        return found


@contextlib.contextmanager
def file_server(folder):
    """The address of a folder. Pages are not routed by Playwright, which would turn off the cache of the browser."""
    class Handler(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()


def tile_of(address):
    """The floor and the name of a tile from its address."""
    found = re.search(r"/L(-?\d+)_(\d+)_(\d+)_(\d+)", address)
    if found:
        return int(found[1]), "/".join(found.groups()[1:])
    found = re.search(r"/tiles/all/(\d+/\d+/\d+)\.mvt", address)
    return ("all", found[1]) if found else None


class Map:
    """A page with an example, in a context of its own: nothing is in the cache."""

    def __init__(self, browser, pages, venue, name, position, prologue=""):
        values = {"venue": venue.address, "revision": venue.revision, "token": venue.token,
                  "longitude": position[0], "latitude": position[1]}
        script = "\n".join([prologue, example("venue-tiles.js"), example(f"{name}.js")])
        if name == "maplibre-gl":
            script += (HERE / "show-floor.js").read_text()
        (pages.folder / f"{name}.html").write_text(
            PAGE.format(libraries=LIBRARIES[name], values=json.dumps(values), script=script))
        self.name = name
        self.context = browser.new_context(viewport={"width": 900, "height": 700})
        self.page = self.context.new_page()
        self.requests, self.errors = [], []
        self.page.on("request", lambda request: self.requests.append(request.url) if tile_of(request.url) else None)
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", lambda message: self.errors.append(message.text) if message.type == "error" else None)
        self.page.goto(f"{pages.address}/{name}.html")
        self.wait()

    def wait(self):
        self.page.wait_for_function(f"() => {LOADED[self.name]}", timeout=60_000)
        self.page.evaluate(PAINTED)

    def refresh(self):
        """Calls `refresh` of the example, and returns the addresses of the tiles that are requested."""
        self.requests.clear()
        self.page.evaluate("() => refresh()")
        self.wait()
        return list(self.requests)

    def picture(self):
        return self.page.screenshot()

    def close(self):
        assert not self.errors, self.errors
        self.context.close()


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    with Service(settings={"VENUE_ALLOWED_ORIGINS": "*"}) as service:
        run(service, folder)


def run(service, folder):
    venue = Venue(service)

    def keep(name, png):
        if folder:
            folder.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(png)

    class pages:
        folder = service.folder / "pages"

    pages.folder.mkdir()
    (pages.folder / "leaflet").symlink_to(LEAFLET)
    (pages.folder / "maplibre").symlink_to(ROOT / ".map-library")
    shutil.copy(HERE / "apps/google-maps-stand-in.js", pages.folder)
    west, south, east, north = venue.call("/tiles/0.json")["bounds"]
    position = ((west + east) / 2, (south + north) / 2)
    with file_server(pages.folder) as pages.address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"])
        check_images(browser, pages, venue, "leaflet", position, keep)
        check_images(browser, pages, venue, "google-maps", position, keep)
        check_vector_tiles(browser, pages, venue, position, keep)
        browser.close()
    check_native(venue, keep)
    check_native_phone(venue)
    check_phone(venue, "ios", compile_swift(service.folder), "FloorTiles.swift", position)
    check_phone(venue, "android", compile_java(service.folder), "FloorTiles.java", position)
    print("apps: all right")


def picture_like(expected, shown):
    """The picture of a map when it is like another one. A browser on a busy machine draws what it has decoded some frames later. The limit
    only turns a difference into a failure."""
    end = time.monotonic() + 60
    while difference(picture := shown.picture(), expected) > 0:
        assert time.monotonic() < end, f"{shown.name}: the pictures differ by {difference(picture, expected)}"
    return picture


def check_images(browser, pages, venue, name, position, keep):
    section(f"{name}: a floor, another floor, and only the tiles that a revision changes")
    shown = Map(browser, pages, venue, name, position)
    before = shown.picture()
    keep(f"{name}-0.png", before)
    floor = {tile for _, tile in map(tile_of, shown.requests)}
    assert all(ordinal == 0 for ordinal, _ in map(tile_of, shown.requests))
    stale = venue.change()
    expected = floor & stale[0]
    assert expected and expected != floor, (len(expected), len(floor))
    requested = shown.refresh()
    versions = {tile_of(address)[1] for address in requested if "version=" in address}
    assert versions == expected, (versions, expected)
    if name == "leaflet":
        assert len(requested) == len(expected)
    fresh = Map(browser, pages, venue, name, position)
    after = picture_like(fresh.picture(), shown)
    keep(f"{name}-0-changed.png", after)
    assert difference(before, after) > 0
    fresh.close()

    shown.requests.clear()
    if name == "leaflet":
        shown.page.get_by_text("2F").click()
    else:
        shown.page.evaluate("() => showFloor(1)")
    shown.wait()
    assert shown.requests and all(tile_of(address)[0] == 1 for address in shown.requests)
    keep(f"{name}-1.png", shown.picture())
    assert difference(after, shown.picture()) > 0.02

    venue.change_nothing_visible()
    assert shown.refresh() == []
    shown.close()


def check_vector_tiles(browser, pages, venue, position, keep):
    section("maplibre-gl: a floor, another floor, and what a revision changes")
    shown = Map(browser, pages, venue, "maplibre-gl", position)
    assert not shown.page.evaluate("() => 'refreshTiles' in map"), "this version has refreshTiles: test it instead of the stand-in below"
    before = shown.picture()
    keep("maplibre-gl-0.png", before)
    tiles = {tile_of(address)[1] for address in shown.requests}
    since = venue.revision
    venue.change()
    stale = set().union(*venue.stale(since, "mvt").values())
    requested = shown.refresh()
    versions = {tile_of(address)[1] for address in requested if "version=" in address}
    assert versions == tiles & stale and versions, (versions, tiles & stale)
    after = shown.picture()
    keep("maplibre-gl-0-changed.png", after)
    fresh = Map(browser, pages, venue, "maplibre-gl", position)
    distances = difference(after, fresh.picture()), difference(before, after)
    assert distances[0] < 0.0002 < distances[1], distances
    fresh.close()

    shown.page.evaluate("() => showFloor(map, 1)")
    shown.wait()
    keep("maplibre-gl-1.png", shown.picture())
    assert difference(after, shown.picture()) > 0.02
    venue.change_nothing_visible()
    assert all("version=" not in address or tile_of(address)[1] in stale for address in shown.refresh())

    # Newer versions load single tiles again.
    shown.page.evaluate("() => { window.calls = []; map.refreshTiles = (...call) => calls.push(call); }")
    since = venue.revision
    venue.change()
    assert shown.refresh() == []
    [[source, ids]] = shown.page.evaluate("() => calls")
    stale = set().union(*venue.stale(since, "mvt").values())
    assert source == "venue" and {f"{tile['z']}/{tile['x']}/{tile['y']}" for tile in ids} == stale
    shown.close()


def check_native(venue, keep):
    section("maplibre-native: two floors")
    pictures = []
    for ordinal in (0, 1):
        path = venue.service.folder / f"floor-{ordinal}.png"
        scope = {"venue": venue.address, "token": venue.token, "ordinal": ordinal, "file": path}
        exec(compile(example("native.py"), "docs/apps/tiles.md", "exec"), scope)
        pictures.append(path.read_bytes())
        keep(f"native-{ordinal}.png", pictures[-1])
    palette = json.load(urllib.request.urlopen(f"{venue.service.address}/cartography.json"))["palette"]
    assert all(has_color(pixels(picture), palette["shop"]["light"], 0.005) for picture in pictures)
    assert difference(*pictures) > 0.02


def compile_swift(folder):
    return [compile_with_stand_in("GoogleMaps", HERE / "apps/ios", "FloorTiles.swift", folder / "ios")]


def compile_with_stand_in(module, sources, example_file, target):
    target.mkdir()
    swiftc = ["swiftc", "-swift-version", "6", "-warnings-as-errors"]
    subprocess.run([*swiftc, "-emit-module", "-emit-library", "-static", "-parse-as-library", "-module-name", module,
                    "-emit-module-path", target / f"{module}.swiftmodule", "-o", target / f"lib{module}.a",
                    sources / f"{module}StandIn.swift"], check=True)
    subprocess.run([*swiftc, "-I", target, "-L", target, f"-l{module}", "-o", target / "program",
                    sources / "main.swift", sources / example_file], check=True)
    return target / "program"


def check_native_phone(venue):
    section("maplibre-native for iOS: the address of the style, the filters of a floor, and loading again")
    sources = HERE / "apps/ios/maplibre"
    assert example("ios/maplibre/VenueFloors.swift") == (sources / "VenueFloors.swift").read_text()
    program = compile_with_stand_in("MapLibre", sources, "VenueFloors.swift", venue.service.folder / "maplibre")
    address = f"{venue.address}/style.json?lang=en&theme=light&token={venue.token}"
    style = json.load(urllib.request.urlopen(address))
    path = venue.service.folder / "style.json"
    path.write_text(json.dumps(style))
    result = subprocess.run([program, venue.address, venue.token, path], input="0\n1\nreload\n", capture_output=True, text=True, check=True)
    shown, *floors, reloads = result.stdout.splitlines()
    assert shown == address and reloads == "1", result.stdout
    for ordinal, filters in enumerate(map(json.loads, floors)):
        for layer, layer_filter in zip(style["layers"], filters, strict=True):
            expected = layer.get("filter")
            if layer.get("source") == "venue":
                expected = ["all", ["==", ["get", "ordinal"], ordinal], *expected[2:]]
            assert layer_filter == expected, layer["id"]


def compile_java(folder):
    sources, target = HERE / "apps/android", folder / "android"
    subprocess.run(["javac", "--release", "17", "-encoding", "UTF-8", "-Xlint:all", "-Werror", "-cp", JSON_OF_ANDROID, "-d", target,
                    *sources.rglob("*.java")], check=True)
    return ["java", "-cp", f"{JSON_OF_ANDROID}:{target}", "Main"]


def check_phone(venue, name, command, file, position):
    section(f"{name}: addresses of tiles, and the cache is cleared only for a revision that changes them")
    assert example(f"{name}/{file}") == (HERE / "apps" / name / file).read_text()
    arguments = [venue.address, "0", venue.token, str(venue.revision)]
    with subprocess.Popen([*command, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1) as program:
        def call(line):
            program.stdin.write(line + "\n")
            return program.stdout.readline().strip()

        def address(tile):
            z, x, y = tile.split("/")
            return call(f"{x} {y} {z}")

        stale = venue.change()[0]
        tile = next(tile for tile in sorted(stale) if tile.startswith("18/"))
        other = mercantile.tile(position[0] + 1, position[1], 18)
        other = f"{other.z}/{other.x}/{other.y}"
        first = address(tile)
        assert tile_of(first) == (0, tile) and "version=" not in first, first
        with urllib.request.urlopen(first) as response:
            assert pixels(response.read()).shape == (512, 512, 3)
        assert call("refresh") == "1"
        assert address(tile).startswith(first + "&version=") and "version=" not in address(other)
        urllib.request.urlopen(address(tile)).close()
        venue.change_nothing_visible()
        assert call("refresh") == "1"
        assert address("13/7276/3225") in ("none", "null")
        program.stdin.close()
    assert program.returncode == 0, program.returncode


def difference(first, second):
    """The share of the pixels that differ."""
    return (abs(pixels(first) - pixels(second)) > 8).any(axis=2).mean()


if __name__ == "__main__":
    main()
