"""Helpers for the tests of the desk."""
import io
import zipfile

from playwright.sync_api import expect


def open_desk(windows, venue, view="", **options):
    """A window with a view of the desk of a venue."""
    page = windows.open(f"#/{venue}/desk{view}", api_key=options.pop("api_key", windows.service.admin_key), **options)
    page.wait_for_selector(".desk-tabs")
    return page


def count_in_view(page, selector):
    """How many elements are completely in the window."""
    return page.locator(selector).evaluate_all(
        "all => all.map((each) => each.getBoundingClientRect()).filter(({ bottom, top }) => top >= 0 && bottom <= innerHeight).length")


def submit_upload(page, archive, timing="hold", message=""):
    """Chooses an archive and its options, and sends it. Afterwards the window shows the page of the upload."""
    page.set_input_files("#archive", str(archive))
    if message:
        page.fill("#upload-message", message)
    page.check(f"#upload-{timing}")
    page.locator(".archive-options button.primary").click()
    page.wait_for_url("**/desk/uploads/*")


def expect_upload_state(page, state):
    """Waits until the page of an upload shows this state."""
    expect(page.locator(".upload-header .tag")).to_have_text(state, timeout=60_000)


def stage_upload(service, venue, archive, edits, seed=3):
    """Stages an edited copy of an archive. Returns the id of the upload and the new archive."""
    following = service.generate(f"{archive.stem}+.zip", "--next-of", archive, "--edit", edits, "--seed", seed)
    service.run_venue("push", following, "--to", venue, "--hold")
    [waiting] = service.get_json(f"/venues/{venue}/uploads?state=staged")["uploads"]
    return waiting["id"], following


def push_unpublished(service, venue, archive, *options):
    """Pushes an archive that the server does not publish. Returns the id of the upload."""
    try:
        service.run_venue("push", archive, "--to", venue, *options)
    except RuntimeError:
        return service.get_json(f"/venues/{venue}/uploads?limit=1")["uploads"][0]["id"]
    raise AssertionError(f"{archive} was published")


def head_revision(service, venue):
    return service.get_json(f"/venues/{venue}")["head"]


def archive_without(archive, target, file):
    """A copy of an archive without one file."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if name != file:
                new.writestr(name, old.read(name))
    return target


def damaged_archive(archive, target):
    """A copy of an archive with changed bytes in a file, so that its checksum is wrong."""
    data = bytearray(archive.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as whole:
        start = whole.getinfo("unit.geojson").header_offset + 200
    data[start:start + 64] = bytes(64)
    target.write_bytes(data)
    return target
