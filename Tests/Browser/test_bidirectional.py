"""Names that are written from right to left keep their place on the screen. The elements that isolate them are tested in Tests/Console."""
from playwright.sync_api import expect

import edits
from desk import open_desk, push_unpublished
from edits import open_card, open_form, proceed
from service import edited_archive

OLD, NEW = "בית קפה 24", "מסעדה 7"


def named(archive, service, target, names):
    """A copy of an archive in which the first shops have these names."""
    def rename(features):
        for feature, name in zip(sorted(features, key=lambda each: each["id"]), names):
            feature["properties"]["name"] = {"en": name}

    return edited_archive(archive, service.folder / target, {"occupant.geojson": rename})


def assert_order(locators):
    """Elements are side by side in this order, or each below the one before. An element may take several lines."""
    lines = [locator.evaluate("(element) => [...element.getClientRects()].map((line) => line.toJSON())") for locator in locators]
    for one, other in zip(lines, lines[1:]):
        assert one[-1]["right"] <= other[0]["x"] + 1 or one[-1]["bottom"] <= other[0]["y"] + 1, lines


def test_renamed_shop_keeps_the_order_of_its_names(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 12, "--seed", 7)
    service.run_venue("push", named(archive, service, f"{venue_key}-1.zip", [OLD]), "--to", venue_key, "--new")
    service.run_venue("push", named(archive, service, f"{venue_key}-2.zip", [NEW]), "--to", venue_key)
    page = open_desk(windows, venue_key, "/compare?from=1&to=2", viewport=(1600, 900))
    name = page.locator(".change-name", has_text=OLD)
    expect(name.locator("bdi")).to_have_text([OLD, NEW])
    expect(name).to_have_text(f"Changed: {OLD} → {NEW}")
    assert_order(name.locator("bdi").all())


def test_guard_names_shops_in_their_order(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 24, "--seed", 7)
    names = ["בית קפה", "מסעדה 7", "חנות ספרים", "ספריה"]
    first = named(archive, service, f"{venue_key}-1.zip", names)
    service.run_venue("push", first, "--to", venue_key, "--new")
    few = lambda features: sorted(features, key=lambda each: each["id"])[20:21]
    smaller = edited_archive(first, service.folder / f"{venue_key}-few.zip",
                             {f"{name}.geojson": few for name in ("unit", "occupant", "anchor", "opening")})
    upload = push_unpublished(service, venue_key, smaller)
    page = open_desk(windows, venue_key, f"/uploads/{upload}", viewport=(1600, 900))
    shops = page.locator(".reasons [data-guard=removal] bdi")
    expect(shops).to_have_count(3)
    assert_order(shops.all())


def test_editor_and_its_toast_isolate_the_name_of_a_shop(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 12, "--seed", 7)
    service.run_venue("push", named(archive, service, f"{venue_key}-1.zip", [OLD]), "--to", venue_key, "--new")
    shop = next(each for each in edits.shops(service, venue_key) if each["properties"]["name"]["en"] == OLD)
    page = open_card(windows, venue_key, shop["id"])
    open_form(page)
    title = page.locator(".step-dialog h2")
    expect(title).to_have_text(f"Edit {OLD}")
    expect(title.locator("bdi")).to_have_text(OLD)
    page.fill("#edit-phone", "+81312345678")
    proceed(page)
    expect(title.locator("bdi")).to_have_text(OLD)
    proceed(page)
    toast = page.locator(".toast.done", has_text="was published")
    expect(toast.locator("bdi")).to_have_text(OLD)
    # The number at the end of the name stays in it: the colon and the words follow.
    name, colon = toast.evaluate("""(toast) => {
        const [name] = toast.querySelectorAll("bdi");
        const range = document.createRange();
        range.setStart(name.nextSibling, 0);
        range.setEnd(name.nextSibling, 1);
        return [name, range].map((each) => each.getBoundingClientRect().left);
    }""")
    assert name < colon
    floor = page.locator(".list-title, .place-card").first
    assert "\u2068" not in floor.inner_text()
