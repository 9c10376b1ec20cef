"""What tests read from the map of a page."""
import base64
import uuid

from playwright.sync_api import expect


def visible_middle(page):
    """The position in the middle of the part of the map that the panel leaves free."""
    return page.evaluate("""() => {
        const panel = document.querySelector(".panel").getBoundingClientRect();
        const canvas = document.querySelector(".map-canvas").getBoundingClientRect();
        const right = document.querySelector(".map-side").getBoundingClientRect().left;
        const map = document.querySelector(".map-page").venueMap.mapLibre;
        return map.unproject([(panel.right + right) / 2 - canvas.left, (canvas.height - 40) / 2]).toArray();
    }""")


def settle(page):
    page.wait_for_function("""() => {
        const { venueMap } = document.querySelector(".map-page");
        const map = venueMap.mapLibre;
        return map.loaded() && !map.isMoving() && venueMap.areLabelsComplete;
    }""")


def metres(one, other):
    return (((one[0] - other[0]) * 90_600) ** 2 + ((one[1] - other[1]) * 111_320) ** 2) ** 0.5


def show_whole_list(page):
    """Scrolls down the list of places until it does not continue."""
    page.wait_for_function("""() => {
        const body = document.querySelector(".panel-body");
        body.scrollTop = body.scrollHeight;
        return body.querySelector(".place") && !body.querySelector("[data-id=more]");
    }""")


def some_feature(service, venue_key, ordinal):
    return service.get_json(f"/venues/{venue_key}/revisions/1/features?level=ordinal:{ordinal}&type=occupant")["features"][0]


def expect_floor(page, ordinal, **options):
    expect(page.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", str(ordinal), **options)


def short_id(text):
    """The id of a place in a shared link."""
    return base64.urlsafe_b64encode(uuid.UUID(text).bytes).decode().rstrip("=")
