"""Helpers for the tests of edits."""
import json
import pathlib
import urllib.error
import urllib.parse
import urllib.request
import zipfile

from playwright.sync_api import expect

from service import ROOT
from toasts import expect_toast

WEB = pathlib.Path(ROOT) / "Sources/WebConsole/Web"
MERGE_PATCH = "application/merge-patch+json"


def call(service, method, path, body=None, content_type="application/json"):
    """Sends a request with the admin key, and returns the parsed response."""
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {service.admin_key}", "Content-Type": content_type}
    request = urllib.request.Request(service.address + path, method=method, data=data, headers=headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return json.load(response)


def patch(service, venue, feature, properties, **query):
    encoded = urllib.parse.urlencode(query, quote_via=urllib.parse.quote)
    return call(service, "PATCH", f"/venues/{venue}/features/{feature}?{encoded}", {"properties": properties}, MERGE_PATCH)


def properties(service, venue, feature):
    return service.get_json(f"/venues/{venue}/features/{feature}")["properties"]


def overrides(service, venue, **query):
    return service.get_json(f"/venues/{venue}/overrides?{urllib.parse.urlencode(query)}")["overrides"]


def head(service, venue):
    return service.get_json(f"/venues/{venue}")["head"]


def exists(service, venue, feature):
    try:
        service.get_json(f"/venues/{venue}/features/{feature}")
        return True
    except urllib.error.HTTPError as error:
        assert error.code == 404
        return False


def shops(service, venue, floor=0):
    """The occupants of a floor that the map shows, by id."""
    return service.get_json(f"/venues/{venue}/revisions/1/features?level=ordinal:{floor}&type=occupant")["features"]


def changed_archive(archive, target, change):
    """A copy of an archive in which `change` has returned the occupants, or None for those that are missing."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "occupant.geojson":
                collection = json.loads(data)
                collection["features"] = [kept for kept in map(change, collection["features"]) if kept]
                data = json.dumps(collection).encode()
            new.writestr(name, data)
    return target


def with_properties(changes):
    """A change for `changed_archive`: properties by feature id, or None to leave the feature out."""
    def change(feature):
        new = changes.get(feature["id"], {})
        if new is None:
            return None
        feature["properties"].update(new)
        return feature
    return change


def open_card(windows, venue, feature, **options):
    """A window with the card of a place, whose buttons for publishers are shown."""
    page = windows.open(f"#/{venue}?floor=0&place={feature}", api_key=windows.service.admin_key, **options)
    page.wait_for_selector("[data-id=edit-edit]")
    return page


def open_form(page):
    page.click("[data-id=edit-edit]")
    page.wait_for_selector(".place-form")


def proceed(page):
    """Performs the main action of a step of the dialog."""
    page.locator(".step-dialog footer button").last.click()


def publish(page):
    """Goes on from the form to the review and publishes. Waits until the dialog has closed."""
    proceed(page)
    page.wait_for_selector(".change-table")
    proceed(page)
    expect(page.locator(".step-dialog")).to_have_count(0)


def undo(page):
    page.locator(".toast button").first.click()
    expect_toast(page, "Undone with revision")
