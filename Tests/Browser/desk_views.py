"""The views of the desk for screenshots. `mall.desk` has two revisions, a staged upload and a rejected one."""
from desk import damaged_archive, push_unpublished, stage_upload

VIEWS = []


def prepare(service):
    """Creates the venues, and adds the views, which need the ids of their uploads; once for all tests."""
    if VIEWS:
        return
    archive = service.create_venue("mall.desk", "--levels", 3, "--units", 40, "--seed", 7)
    following = service.publish_edit("mall.desk", archive, "rename=6,move=6,add=3,remove=4,hours=5,remint")
    waiting, _ = stage_upload(service, "mall.desk", following, "rename=2,move=3,relevel=2,floor", seed=5)
    rejected = push_unpublished(service, "mall.desk", damaged_archive(archive, service.folder / "damaged.zip"))
    service.run_venue("push", archive, "--to", "mall.guarded", "--new")
    smaller = service.generate("smaller.zip", "--levels", 1, "--units", 12, "--seed", 9)
    guarded = push_unpublished(service, "mall.guarded", smaller)
    published = service.get_json("/venues/mall.desk/uploads?state=published")["uploads"][0]["id"]
    VIEWS.extend((name, path, True, act) for name, path, act in [
        ("desk", "#/mall.desk/desk", None),
        ("desk-archive", "#/mall.desk/desk", choose_file),
        ("desk-waiting", f"#/mall.desk/desk/uploads/{waiting}", None),
        ("desk-changes", f"#/mall.desk/desk/uploads/{waiting}", scroll_to_comparison),
        ("desk-findings", f"#/mall.desk/desk/uploads/{waiting}", open_rule),
        ("desk-finding", f"#/mall.desk/desk/uploads/{waiting}", open_finding),
        ("desk-finding-map", f"#/mall.desk/desk/uploads/{published}", open_published_finding),
        ("desk-uploads", "#/mall.desk/desk/uploads", None),
        ("desk-publish", f"#/mall.desk/desk/uploads/{waiting}", lambda page: page.locator(".decision .primary").click()),
        ("desk-guarded", f"#/mall.guarded/desk/uploads/{guarded}", None),
        ("desk-rejected", f"#/mall.desk/desk/uploads/{rejected}", None),
        ("desk-history", "#/mall.desk/desk/history", None),
        ("desk-compare", "#/mall.desk/desk/compare?from=1&to=2", None),
        ("desk-split", "#/mall.desk/desk/compare?from=1&to=2", split_view),
        ("desk-restore", "#/mall.desk/desk/restore?to=1", select_floor),
        ("desk-reachability", "#/mall.desk/desk/reachability", None),
        ("desk-links", "#/mall.desk/desk/links", None),
        ("desk-settings", "#/mall.desk/desk/settings", None),
        ("desk-calendar", "#/~/calendar", None),
        ("desk-keys", "#/~/keys", None),
        ("desk-audit", "#/~/audit", None),
        ("desk-new", "#/~/new", None),
    ])


def choose_file(page):
    page.set_input_files("#archive", {"name": "summer-2026.zip", "mimeType": "application/zip", "buffer": b"PK\x03\x04" + bytes(90_000)})


def scroll_to_comparison(page):
    page.evaluate("document.querySelector('.comparison-view').scrollIntoView()")


def split_view(page):
    page.get_by_role("button", name="Before and after").or_(page.get_by_role("button", name="前後の比較")).click()
    scroll_to_comparison(page)


def open_rule(page):
    page.locator(".rule summary").first.click()
    page.evaluate("document.getElementById('findings').scrollIntoView()")


def open_finding(page):
    page.locator(".rule summary", has_text="TO-").first.click()
    page.locator(".finding-link").first.click()
    page.wait_for_selector(".finding-view .diff-pin path")


def open_published_finding(page):
    page.locator(".rule summary", has_text="TO-").first.click()
    page.locator(".finding-link").first.click()
    page.wait_for_selector(".live-state.live", state="attached")
    page.wait_for_selector(".finding-note")


def select_floor(page):
    page.check("#scope-some")
    page.locator(".level-checkboxes input").first.check()
    page.wait_for_selector(".preview:not([aria-busy]) > *:not(.state)")
