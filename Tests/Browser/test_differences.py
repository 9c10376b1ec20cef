"""Comparisons: the table, the map and the list of changes."""
import json
import re
import zipfile

from playwright.sync_api import expect

from desk import open_desk, stage_upload
from service import edited_archive
from test_malformed_archives import malformed_archive


def open_comparison(windows, service, venue_key, edits="rename=6,move=6,add=2,remove=2,hours=3", **options):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 40, "--seed", 7)
    service.publish_edit(venue_key, archive, edits)
    page = open_desk(windows, venue_key, "/compare?from=1&to=2", **options)
    expect(page.locator(".change").first).to_be_visible()
    return page


def test_comparison_table_and_lists_contain_every_change(windows, service, venue_key):
    page = open_comparison(windows, service, venue_key)
    changes = service.get_json(f"/venues/{venue_key}/diff?from=1&to=2")["changes"]
    rows = page.locator(".level-table tbody tr")
    numbers = [[int(cell) for cell in row.locator("td").all_inner_texts()] for row in rows.all()]
    kinds = [sum(change["kind"] == kind for change in changes) for kind in ("added", "changed", "removed")]
    assert [sum(column) for column in zip(*numbers)] == kinds
    seen = set()
    for row in rows.all():
        name = row.locator("th").inner_text()
        row.locator("button").click()
        expect(row).to_have_class("is-selected")
        expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
        seen |= set(page.locator(".change").evaluate_all("all => all.map((each) => each.dataset.id)"))
        assert name
    assert seen == {change["id"] for change in changes}


def test_comparison_kinds_differ_by_symbol_and_pattern(windows, service, venue_key):
    page = open_comparison(windows, service, venue_key)
    signs = {}
    for row in page.locator(".level-table button").all():
        row.click()
        expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
        for sign in page.locator(".diff-symbol").all():
            kind = sign.get_attribute("class").split("diff-is-")[1].split()[0]
            signs.setdefault(kind, set()).add(sign.locator("text").text_content())
    assert signs == {"added": {"+"}, "moved": {"→"}, "changed": {"~"}, "removed": {"−"}}
    patterns = page.locator("pattern path").evaluate_all("all => all.map((each) => each.getAttribute('d'))")
    assert len(set(patterns)) == 4


def test_comparison_keeps_the_focus_when_the_names_of_floors_arrive(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 16)
    service.run_venue("set", venue_key, "removal_guard=off")
    service.publish_edit(venue_key, archive, "remove-floor,rename=2")
    page = windows.open(api_key=service.admin_key)
    held = []
    # The names of floors that the venue does not have any more.
    page.route(re.compile(r"/diff\?.*level=venue&bodies=true"), lambda route: held.append(route))
    with page.expect_request(re.compile(r"/diff\?.*level=venue&bodies=true")):
        page.evaluate(f"location.hash = '#/{venue_key}/desk/compare?from=1&to=2'")
    buttons = page.locator(".level-table button")
    expect(buttons.last).to_be_visible()
    before = buttons.all_inner_texts()
    index = next(i for i, text in enumerate(before) if re.fullmatch("[0-9a-f]{8}", text))
    buttons.nth(index).focus()
    for route in held:
        route.continue_()
    page.unroute_all(behavior="ignoreErrors")
    # Its name, and its place among the others, are known now.
    removed = next(each for each in service.features(venue_key, 1, "level") if each["id"].startswith(before[index]))
    expect(page.locator(".level-table button:focus")).to_have_text(removed["properties"]["short_name"]["en"])


def test_floors_of_a_comparison_are_not_replaced_if_their_names_are_the_same(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 16)
    service.publish_edit(venue_key, archive, "rename=4")
    page = windows.open(api_key=service.admin_key)

    def rename(route):
        """Usually both buildings have floors of the same names, which take more than this response to tell apart."""
        response = route.fetch()
        document = response.json()
        for number, level in enumerate(document["levels"]):
            level["short_name"] = {"en": f"Floor {number}"}
        route.fulfill(response=response, json=document)

    page.route(f"**/venues/{venue_key}", rename)
    page.evaluate("""() => {
        window.replaced = 0;
        new MutationObserver((records) => {
            for (const each of records.flatMap(({ removedNodes }) => [...removedNodes])) if (each.querySelector?.(".level-table")) window.replaced += 1;
        }).observe(document.body, { subtree: true, childList: true });
    }""")
    page.evaluate(f"location.hash = '#/{venue_key}/desk/compare?from=1&to=2'")
    expect(page.locator(".change").first).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert page.evaluate("window.replaced") == 0
    page.unroute_all(behavior="ignoreErrors")


def test_comparison_list_and_map_select_the_same_change(windows, service, venue_key):
    page = open_comparison(windows, service, venue_key)
    shapes = page.locator(".diff-after .diff-shape")
    entry = page.locator(f".change[data-id='{shapes.first.get_attribute('data-id')}']")
    before = page.locator(".diff-drawing").get_attribute("viewBox")
    entry.locator("summary").click()
    expect(entry.locator(".fields tbody tr").first).to_be_visible()
    assert page.locator(".diff-drawing").get_attribute("viewBox") != before
    expect(page.locator(".diff-shape.is-selected").first).to_be_visible()
    entry.locator("summary").click()
    page.get_by_role("button", name="Show the whole floor").click()
    assert page.locator(".diff-drawing").get_attribute("viewBox") == before
    sign = page.locator(".diff-symbol:not(.is-crowded)").first
    sign.click()
    picked = page.locator(f".change[data-id='{sign.get_attribute('data-id')}']")
    expect(picked).to_have_attribute("open", "")


def test_comparison_divider_moves_by_keyboard_and_pointer(windows, service, venue_key):
    page = open_comparison(windows, service, venue_key)
    page.get_by_role("button", name="Before and after").click()
    expect(page.locator(".diff-label-before")).to_have_text("Revision 1")
    divider = page.locator(".diff-divider")
    middle = float(divider.get_attribute("x1"))
    slider = page.get_by_role("slider")
    slider.focus()
    page.keyboard.press("Home")
    assert float(divider.get_attribute("x1")) < middle
    page.keyboard.press("End")
    assert float(divider.get_attribute("x1")) > middle
    # The handle moves it too.
    page.locator(".diff-handle").scroll_into_view_if_needed()
    box = page.locator(".diff-drawing").bounding_box()
    handle = page.locator(".diff-handle").bounding_box()
    page.mouse.move(handle["x"] + 20, handle["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 4, handle["y"] + 20)
    page.mouse.up()
    expect(slider).to_have_value("25")
    assert float(divider.get_attribute("x1")) < middle


def test_comparison_labels_and_colours_places_on_both_sides(windows, service, venue_key):
    for language in ("en", "ja"):
        key = f"{venue_key}-{language}"
        page = open_comparison(windows, service, key, "rename=6,move=4", locale=language)
        labels = lambda side, what="name": page.locator(f".diff-labels-{side} text").evaluate_all(
            f"all => all.map((each) => each.dataset.{what})")
        changes = service.get_json(f"/venues/{key}/diff?from=1&to=2&bodies=true&limit=1000")["changes"]
        renamed = [change for change in changes if change["feature_type"] == "occupant" and change["kind"] == "changed"
                   and change["before"]["properties"]["name"] != change["after"]["properties"]["name"]]
        names = [[change[side]["properties"]["name"].get(language) for change in renamed] for side in ("before", "after")]
        assert set(labels("before")) & set(names[0]) and set(labels("after")) & set(names[1])
        assert not set(labels("both", "feature")) & {change["id"] for change in renamed}
        assert len(labels("both")) > 5
        # Enough space for the names of a renamed shop: the list brings it into view.
        page.locator(f".change[data-id='{renamed_on(page, renamed)}'] > summary").click()
        # On top of each other, there is one name for each place; side by side, each side has its own.
        shown = page.locator(".diff-labels-before text:not(.is-crowded)").first
        expect(shown).not_to_be_visible()
        split = page.get_by_role("button", name="Before and after" if language == "en" else "前後の比較")
        split.focus()
        page.keyboard.press("Enter")
        for side in ("before", "after"):
            group = page.locator(f".diff-labels-{side}")
            assert group.get_attribute("clip-path") == page.locator(f"g.diff-{side}").get_attribute("clip-path") is not None
        page.get_by_role("slider").focus()
        page.keyboard.press("End")
        expect(shown).to_be_visible()
        fills = page.locator(".diff-before .diff-area, .diff-after .diff-area, .floor-unit").evaluate_all(
            "all => all.map((each) => getComputedStyle(each).fill)")
        assert len(set(fills)) > 3 and not any("url" in fill for fill in fills), fills
        # No two visible labels of a side overlap.
        overlaps = page.evaluate("""() => {
            const boxes = [...document.querySelectorAll(".diff-labels-both text, .diff-labels-after text")]
                .filter((each) => getComputedStyle(each).display !== "none").map((each) => each.getBoundingClientRect());
            return boxes.filter((one, i) => boxes.some((two, j) => j > i && one.left < two.right && two.left < one.right
                && one.top < two.bottom && two.top < one.bottom)).length;
        }""")
        assert overlaps == 0


def renamed_on(page, renamed):
    """The id of a renamed shop on the floor that is shown."""
    shown = page.locator(".change").evaluate_all("all => all.map((each) => each.dataset.id)")
    return next(change["id"] for change in renamed if change["id"] in shown)


def test_comparison_filters_by_kind_and_type(windows, service, venue_key):
    page = open_comparison(windows, service, venue_key)
    total = page.locator(".change").count()
    changed = page.locator(".change.diff-is-changed").count()
    chip = page.locator(".diff-chip.diff-is-changed")
    chip.click()
    expect(chip).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".change")).to_have_count(total - changed)
    chip.click()
    page.select_option("#change-type", "occupant")
    assert set(page.locator(".change-facts").evaluate_all("all => all.map((each) => each.textContent.split(' ·')[0])")) == {"Shop"}


def test_comparison_begins_with_a_floor_also_if_more_has_changed_outside_of_floors(windows, service, venue_key):
    def rename(features):
        for each in features:
            each["properties"]["name"] = {"en": f"Level {each['properties']['ordinal']}"}

    def rename_first(features):
        features[0]["properties"]["name"] = {"en": "Renamed"}

    archive = service.create_venue(venue_key, "--levels", 3, "--units", 8)
    following = edited_archive(archive, service.folder / f"{venue_key}-2.zip", {"level.geojson": rename, "occupant.geojson": rename_first})
    service.run_venue("push", following, "--to", venue_key)
    types = [change["feature_type"] for change in service.get_json(f"/venues/{venue_key}/diff?from=1&to=2")["changes"]]
    assert types.count("level") > 1 and types.count("occupant") == 1 and set(types) == {"level", "occupant"}
    page = windows.open(f"#/{venue_key}/desk/compare?from=1&to=2", api_key=service.admin_key)
    expect(page.locator(".level-table tr.is-selected")).to_have_count(1)
    expect(page.locator(".level-table tr.is-selected")).not_to_contain_text("Venue-wide")
    expect(page.locator(".comparison .change-pane")).to_contain_text("Renamed")


def test_staged_upload_shows_its_changes(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 40, "--seed", 7)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=4,floor")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    expect(page.locator(".level-table")).to_contain_text("Venue-wide")
    added = [change["after"]["properties"]["short_name"]["en"]
             for change in service.get_json(f"/uploads/{waiting}/changes?level=venue")["changes"] if change["feature_type"] == "level"]
    assert added, "the upload adds a floor with a name"
    for name in added:
        expect(page.locator(".level-table")).to_contain_text(name)
    expect(page.locator(".floor-unit, .diff-shape").first).to_be_attached()


def test_comparison_of_malformed_archive_shows_valid_parts(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 24, "--seed", 7)
    malformed_archive(archive, service.folder / f"{venue_key}-malformed.zip")
    service.run_venue("push", service.folder / f"{venue_key}-malformed.zip", "--to", venue_key)
    page = open_desk(windows, venue_key, "/compare?from=1&to=2")
    for row in page.locator(".level-table button").all():
        row.click()
        expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
        expect(page.locator(".diff-drawing")).to_have_attribute("viewBox", re.compile(r"^(-?[\d.e-]+ ?){4}$"))
        for entry in page.locator(".change summary").all()[:12]:
            entry.click()
    for mode in ("Before and after", "Overlay"):
        page.get_by_role("button", name=mode, exact=True).click()
    assert page.evaluate("window.injected") is None
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{service.get_json(f'/venues/{venue_key}/uploads?limit=1')['uploads'][0]['id']}'")
    expect(page.locator(".rule").first).to_be_visible()
    for rule in page.locator(".rule > summary").all()[:10]:
        rule.click()
    expect(page.locator(".finding-message").first).to_be_visible()


def test_comparison_never_interprets_markup_in_names(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    archive_with_markup = service.folder / f"{venue_key}-markup.zip"
    with zipfile.ZipFile(archive) as old, zipfile.ZipFile(archive_with_markup, "w") as new:
        for name in old.namelist():
            text = old.read(name)
            if name == "occupant.geojson":
                collection = json.loads(text)
                for feature in collection["features"]:
                    feature["properties"]["name"] = {"en": "<img src=x onerror='window.injected = 1'>"}
                text = json.dumps(collection)
            new.writestr(name, text)
    service.run_venue("push", archive_with_markup, "--to", venue_key, "--message", "<script>window.injected = 1</script>")
    page = open_desk(windows, venue_key, "/compare?from=1&to=2")
    expect(page.locator(".change-name").first).to_contain_text("<img src=x")
    page.locator(".change summary").first.click()
    assert page.evaluate("window.injected") is None and page.locator(".page img").count() == 0
