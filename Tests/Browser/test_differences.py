"""A difference on the map and in its list."""
import json
import re
import zipfile

from playwright.sync_api import expect

from desk import open_desk, staged
from test_strange import strange


def compared(windows, service, key, edits="rename=6,move=6,add=2,remove=2,hours=3"):
    archive = service.make_venue(key, "--levels", 2, "--units", 40, "--seed", 7)
    service.edit(key, archive, edits)
    page = open_desk(windows, key, "/compare?from=1&to=2")
    expect(page.locator(".change").first).to_be_visible()
    return page


def test_every_change_is_in_the_numbers_and_in_the_lists(windows, service, key):
    page = compared(windows, service, key)
    changes = service.ask(f"/venues/{key}/diff?from=1&to=2")["changes"]
    rows = page.locator(".level-table tbody tr")
    numbers = [[int(cell) for cell in row.locator("td").all_inner_texts()] for row in rows.all()]
    kinds = [sum(change["kind"] == kind for change in changes) for kind in ("added", "changed", "removed")]
    assert [sum(column) for column in zip(*numbers)] == kinds
    seen = set()
    for row in rows.all():
        name = row.locator("th").inner_text()
        row.locator("button").click()
        expect(row).to_have_class("is-chosen")
        expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
        seen |= set(page.locator(".change").evaluate_all("all => all.map((each) => each.dataset.id)"))
        assert name
    assert seen == {change["id"] for change in changes}


def test_kinds_are_told_apart_without_colours(windows, service, key):
    page = compared(windows, service, key)
    signs = {}
    for row in page.locator(".level-table button").all():
        row.click()
        expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
        for sign in page.locator(".diff-sign").all():
            kind = sign.get_attribute("class").split("diff-is-")[1].split()[0]
            signs.setdefault(kind, set()).add(sign.locator("text").text_content())
    assert signs == {"added": {"+"}, "moved": {"→"}, "changed": {"~"}, "removed": {"−"}}
    patterns = page.locator("pattern path").evaluate_all("all => all.map((each) => each.getAttribute('d'))")
    assert len(set(patterns)) == 4


def test_the_list_and_the_map_point_at_each_other(windows, service, key):
    page = compared(windows, service, key)
    shapes = page.locator(".diff-after .diff-shape")
    entry = page.locator(f".change[data-id='{shapes.first.get_attribute('data-id')}']")
    before = page.locator(".diff-drawing").get_attribute("viewBox")
    entry.locator("summary").click()
    expect(entry.locator(".fields tbody tr").first).to_be_visible()
    assert page.locator(".diff-drawing").get_attribute("viewBox") != before
    expect(page.locator(".diff-shape.is-picked").first).to_be_visible()
    entry.locator("summary").click()
    page.get_by_role("button", name="Show the whole floor").click()
    assert page.locator(".diff-drawing").get_attribute("viewBox") == before
    sign = page.locator(".diff-sign:not(.is-crowded)").first
    sign.click()
    picked = page.locator(f".change[data-id='{sign.get_attribute('data-id')}']")
    expect(picked).to_have_attribute("open", "")


def test_before_and_after_are_parted_by_a_seam_that_moves_by_keyboard(windows, service, key):
    page = compared(windows, service, key)
    page.get_by_role("button", name="Before and after").click()
    expect(page.locator(".diff-label-before")).to_have_text("Revision 1")
    seam = page.locator(".diff-seam")
    middle = float(seam.get_attribute("x1"))
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    assert float(seam.get_attribute("x1")) < middle
    page.keyboard.press("End")
    assert float(seam.get_attribute("x1")) > middle
    # Or by its handle.
    page.locator(".diff-handle").scroll_into_view_if_needed()
    box = page.locator(".diff-drawing").bounding_box()
    handle = page.locator(".diff-handle").bounding_box()
    page.mouse.move(handle["x"] + 20, handle["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, handle["y"] + 20)
    page.mouse.up()
    expect(slider).to_have_value("25")
    assert float(seam.get_attribute("x1")) < middle


def test_kinds_and_types_are_filtered(windows, service, key):
    page = compared(windows, service, key)
    total = page.locator(".change").count()
    changed = page.locator(".change.diff-is-changed").count()
    chip = page.locator(".diff-chip.diff-is-changed")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".change")).to_have_count(total - changed)
    chip.click()
    page.select_option("#change-type", "occupant")
    assert set(page.locator(".change-facts").evaluate_all("all => all.map((each) => each.textContent.split(' ·')[0])")) == {"Shop"}


def test_a_staged_upload_shows_what_it_would_change(windows, service, key):
    archive = service.make_venue(key, "--levels", 2, "--units", 40, "--seed", 7)
    waiting, _ = staged(service, key, archive, "rename=4,floor")
    page = open_desk(windows, key, f"/uploads/{waiting}")
    expect(page.locator(".level-table")).to_contain_text("Venue-wide")
    added = [change["after"]["properties"]["short_name"]["en"]
             for change in service.ask(f"/uploads/{waiting}/changes?level=venue")["changes"] if change["feature_type"] == "level"]
    assert added, "the floor that comes has its name"
    for name in added:
        expect(page.locator(".level-table")).to_contain_text(name)
    expect(page.locator(".diff-stayed-areas, .diff-shape").first).to_be_attached()


def test_nonsense_is_compared_as_far_as_it_goes(windows, service, key):
    archive = service.make_venue(key, "--levels", 2, "--units", 24, "--seed", 7)
    strange(archive, service.folder / f"{key}-strange.zip")
    service.venue("push", service.folder / f"{key}-strange.zip", "--to", key)
    page = open_desk(windows, key, "/compare?from=1&to=2")
    for row in page.locator(".level-table button").all():
        row.click()
        expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
        expect(page.locator(".diff-drawing")).to_have_attribute("viewBox", re.compile(r"^(-?[\d.e-]+ ?){4}$"))
        for entry in page.locator(".change summary").all()[:12]:
            entry.click()
    for mode in ("Before and after", "Changes"):
        page.get_by_role("button", name=mode, exact=True).click()
    assert page.evaluate("window.broken") is None
    page.evaluate(f"location.hash = '#/{key}/desk/uploads/{service.ask(f'/venues/{key}/uploads?limit=1')['uploads'][0]['id']}'")
    expect(page.locator(".rule").first).to_be_visible()
    for rule in page.locator(".rule > summary").all()[:10]:
        rule.click()
    expect(page.locator(".finding-message").first).to_be_visible()


def test_what_a_venue_says_never_becomes_part_of_the_page(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 8)
    evil = service.folder / f"{key}-evil.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(evil, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "occupant.geojson":
                collection = json.loads(text)
                for feature in collection["features"]:
                    feature["properties"]["name"] = {"en": "<img src=x onerror='window.evil = 1'>"}
                text = json.dumps(collection)
            new.writestr(name, text)
    service.venue("push", evil, "--to", key, "--message", "<script>window.evil = 1</script>")
    page = open_desk(windows, key, "/compare?from=1&to=2")
    expect(page.locator(".change-name").first).to_contain_text("<img src=x")
    page.locator(".change summary").first.click()
    assert page.evaluate("window.evil") is None and page.locator(".page img").count() == 0
