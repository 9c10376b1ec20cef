"""Views of rarer states: every outcome of an upload, venues that have nothing to show, errors, and dialogs."""
from desk import archive_without, push_unpublished, stage_upload
from rejected_archives import archive_with_lost_levels, reject
from service import edited_archive

VIEWS = []
FILES_OF_FLOORS = ["level", "unit", "section", "anchor", "amenity", "kiosk", "fixture", "detail", "opening", "occupant", "geofence",
                   "footprint", "relationship"]


def prepare(service):
    """Creates the venues, and adds the views, which need the ids of their uploads; once for all tests."""
    if VIEWS:
        return
    archive = service.create_venue("states", "--levels", 1, "--units", 12, "--seed", 7)
    published = newest(service)
    service.run_venue("push", archive, "--to", "states")
    unchanged = newest(service)
    discarded, following = stage_upload(service, "states", archive, "rename=2")
    service.run_venue("discard", discarded)
    rejected = push_unpublished(service, "states", archive_without(archive, service.folder / "less.zip", "venue.geojson"))
    service.run_venue("push", following, "--to", "states", "--at", "2199-01-07T21:00:00Z", "--message", "New year")
    scheduled = newest(service)
    service.run_venue("set", "states", "public=on")
    # Two revisions, and an upload that waits.
    other = service.create_venue("states.two", "--levels", 1, "--units", 12, "--seed", 8)
    newer = service.publish_edit("states.two", other, "rename=2")
    waiting, _ = stage_upload(service, "states.two", newer, "move=2", seed=6)
    service.run_venue("push", archive, "--to", "states.new", "--new", "--hold")
    service.run_venue("push", archive, "--to", "states.timed", "--new", "--at", "2199-01-07T21:00:00Z")
    wrong = archive_with_lost_levels(archive, service.folder / "states-wrong.zip", 3)
    # Only the changes of the newest one are stored.
    first, second = (reject(service, "states.rejected", wrong, "--new")["id"] for _ in range(2))
    empty = edited_archive(archive, service.folder / "empty.zip", {f"{name}.geojson": lambda _: [] for name in FILES_OF_FLOORS})
    service.run_venue("push", empty, "--to", "states.empty", "--new")
    service.run_venue("keys", "create", "--name", "reader", "--role", "read", "--venue", "states")
    uploads = "#/states/desk/uploads"
    VIEWS.extend((name, path, True, act) for name, path, act in [
        ("state-published", f"{uploads}/{published}", None),
        ("state-unchanged", f"{uploads}/{unchanged}", None),
        ("state-discarded", f"{uploads}/{discarded}", None),
        ("state-rejected", f"{uploads}/{rejected}", None),
        ("state-failed", f"{uploads}/{unchanged}", fail_upload),
        ("state-scheduled", f"{uploads}/{scheduled}", None),
        ("state-uploads", uploads, None),
        ("state-overview", "#/states/desk", None),
        ("state-unpublished", "#/states.new/desk", None),
        ("state-unpublished-map", "#/states.new", None),
        ("state-unpublished-log", "#/states.new/desk/history", None),
        ("state-rejected-finding", f"#/states.rejected/desk/uploads/{second}", open_finding),
        ("state-rejected-finding-words", f"#/states.rejected/desk/uploads/{first}", open_finding),
        ("state-no-floors", "#/states.empty?floor=0", None),
        ("state-no-floors-desk", "#/states.empty/desk", None),
        ("state-error", "#/states/desk", break_server),
        ("state-no-venue", "#/nowhere/desk", None),
        ("state-missing-upload", f"{uploads}/00000000-0000-4000-8000-000000000000", None),
        ("state-embed", "embed/states", None),
        *[(f"dialog-{name}", path, act) for name, path, act in dialogs(waiting)],
        # The last one: its handler may still respond to a request when the view has been looked at.
        ("state-time-zone", "#/states/desk", propose_time_zone),
    ])


def newest(service, venue="states"):
    return service.get_json(f"/venues/{venue}/uploads?limit=1")["uploads"][0]["id"]


def dialogs(waiting):
    """All dialogs of the desk in which something is decided: name, address, and what opens them."""
    upload = f"#/states.two/desk/uploads/{waiting}"
    return [
        ("publish", upload, lambda page: page.locator(".decision .desk-actions button").first.click()),
        ("discard", upload, lambda page: page.locator(".decision .desk-actions button").last.click()),
        ("discard-many", "#/states.two/desk/uploads?state=staged", discard_selected),
        ("restore", "#/states.two/desk/restore?to=1", lambda page: page.locator(".preview .primary").click()),
        ("keep", "#/states.two/desk/settings", keep_fewer),
        ("prune", "#/states.two/desk/settings", prune),
        ("delete", "#/states.two/desk/settings", lambda page: page.locator(".danger-zone button").click()),
        ("key", "#/~/keys", lambda page: page.locator(".desk-header-line .primary").click()),
        ("revoke", "#/~/keys", revoke),
    ]


def discard_selected(page):
    page.locator(".upload-list input[type=checkbox]").first.check()
    page.locator(".upload-actions button").last.click()


def keep_fewer(page):
    page.fill("#set-keep_revisions", "1")
    page.locator("form.settings .primary").click()


def prune(page):
    page.fill("#prune-keep", "1")
    page.locator("#prune-keep ~ button").click()


def revoke(page):
    page.locator(".keys tbody tr:first-child button:last-child").click()


def open_finding(page):
    page.locator(".finding-link").first.click()
    page.wait_for_selector(".finding-view :is(.facts, .diff-map)")


def fail_upload(page):
    """Shows an upload as one at which the server failed, which no archive causes."""
    name = page.url.rsplit("/", 1)[1]

    def respond(route):
        upload = route.fetch().json()
        route.fulfill(json={**upload, "state": "failed", "failure": "The disk is full.", "changes": None})

    page.route(f"**/uploads/{name}*", respond)
    page.reload()
    page.wait_for_selector(".outcome.is-failed")
    page.unroute(f"**/uploads/{name}*")


def break_server(page):
    problem = {"type": "/problems/internal", "title": "Internal Server Error", "detail": "It was logged."}
    page.route("**/venues/states/**", lambda route: route.fulfill(status=500, json=problem))
    page.reload()
    page.wait_for_selector("[role=alert] h1, [role=alert] h2")
    page.unroute("**/venues/states/**")


def propose_time_zone(page):
    """Shows a time zone as one that the server proposes from the position of the venue."""
    def respond(route):
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "time_zone_source": "position"})

    page.route("**/venues/states", respond)
    page.reload()
    page.wait_for_selector(".time-zone-notice button")
