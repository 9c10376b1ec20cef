"""What the tests of the desk share."""
import io
import zipfile

from playwright.sync_api import expect


def open_desk(windows, venue, part="", **options):
    """A window at a part of a venue's desk, which is there."""
    page = windows.open(f"#/{venue}/desk{part}", api_key=options.pop("key", windows.service.admin_key), **options)
    page.wait_for_selector(".desk-tabs")
    return page


def submit_upload(page, archive, when="hold", message=""):
    """Picks an archive, says when, and sends it. The window is at the upload's own page then."""
    page.set_input_files("#archive", str(archive))
    if message:
        page.fill("#upload-message", message)
    page.check(f"#upload-{when}")
    page.locator(".archive-options button.primary").click()
    page.wait_for_url("**/desk/uploads/*")


def expect_upload_state(page, state):
    """Waits until an upload's page says what became of it."""
    expect(page.locator(".upload-header .tag")).to_have_text(state, timeout=60_000)


def stage_upload(service, venue, archive, edits, seed=3):
    """Stages the next revision of an archive; the id of the upload and the archive."""
    following = service.generate(f"{archive.stem}+.zip", "--next-of", archive, "--edit", edits, "--seed", seed)
    service.run_venue("push", following, "--to", venue, "--hold")
    [waiting] = service.get_json(f"/venues/{venue}/uploads?state=staged")["uploads"]
    return waiting["id"], following


def push_unpublished(service, venue, archive):
    """Pushes an archive that will not be published; the id of the upload."""
    try:
        service.run_venue("push", archive, "--to", venue)
    except RuntimeError:
        return service.get_json(f"/venues/{venue}/uploads?limit=1")["uploads"][0]["id"]
    raise AssertionError(f"{archive} was published")


def head_revision(service, venue):
    return service.get_json(f"/venues/{venue}")["head"]


def archive_without(archive, target, member):
    """A copy of an archive that lacks a member."""
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if name != member:
                new.writestr(name, old.read(name))
    return target


def damaged_archive(archive, target):
    """A copy of an archive in which bytes of its contents are others, so that their sums are wrong."""
    data = bytearray(archive.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(data))) as whole:
        start = whole.getinfo("unit.geojson").header_offset + 200
    data[start:start + 64] = bytes(64)
    target.write_bytes(data)
    return target
