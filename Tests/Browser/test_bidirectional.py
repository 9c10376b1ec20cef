"""Names that are written from right to left keep their place in sentences, and the words around them."""
from playwright.sync_api import expect

import edits
from desk import open_desk, push_unpublished
from edits import open_card, open_form, proceed
from service import edited_archive

OLD, NEW, MESSAGE = "בית קפה 24", "מסעדה 7", "تحديث ٣ (1F)"


def named(archive, service, target, names):
    """A copy of an archive in which the first shops have these names."""
    def rename(features):
        for feature, name in zip(sorted(features, key=lambda each: each["id"]), names):
            feature["properties"]["name"] = {"en": name}

    return edited_archive(archive, service.folder / target, {"occupant.geojson": rename})


def assert_order(locators):
    """Elements are side by side in this order, or each below the one before."""
    boxes = [locator.bounding_box() for locator in locators]
    for one, other in zip(boxes, boxes[1:]):
        assert one["x"] + one["width"] <= other["x"] + 1 or one["y"] + one["height"] <= other["y"] + 1, boxes


def test_renamed_shop_keeps_the_order_of_its_names(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 12, "--seed", 7)
    service.run_venue("push", named(archive, service, f"{venue_key}-1.zip", [OLD]), "--to", venue_key, "--new")
    service.run_venue("push", named(archive, service, f"{venue_key}-2.zip", [NEW]), "--to", venue_key, "--message", MESSAGE)
    page = open_desk(windows, venue_key, "/compare?from=1&to=2", viewport=(1600, 900))
    name = page.locator(".change-name", has_text=OLD)
    expect(name.locator("bdi")).to_have_text([OLD, NEW])
    expect(name).to_have_text(f"Changed: {OLD} → {NEW}")
    assert_order(name.locator("bdi").all())
    attribution = page.locator(".desk-section > div > .help bdi")
    expect(attribution).to_have_text(["admin", "admin", MESSAGE])
    page.evaluate(f"location.hash = '#/{venue_key}/desk/history'")
    expect(page.locator("#revision-2 .revision-message bdi")).to_have_text(MESSAGE)


def test_upload_with_a_message_from_right_to_left_keeps_its_row(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    service.run_venue("push", following, "--to", venue_key, "--hold", "--message", MESSAGE)
    page = open_desk(windows, venue_key)
    for title in (".desk-waiting .card-title", ".desk-row .desk-row-title"):
        expect(page.locator(title).first).to_have_text(MESSAGE)
        assert page.locator(title).first.evaluate("each => each.localName") == "bdi"
    page.locator(".desk-waiting").click()
    expect(page.locator(".upload-header h2 bdi")).to_have_text(MESSAGE)
    service.run_venue("push", following, "--to", venue_key, "--at", "2199-01-07T21:00:00Z", "--message", MESSAGE)
    page.goto(f"{service.address}/#/~/calendar")
    expect(page.locator(f".desk-row[href*='{venue_key}'] .desk-row-title bdi")).to_have_text(MESSAGE)


def test_guard_names_shops_in_their_order(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 24, "--seed", 7)
    names = ["בית קפה", "מסעדה 7", "חנות ספרים", "ספריה"]
    first = named(archive, service, f"{venue_key}-1.zip", names)
    service.run_venue("push", first, "--to", venue_key, "--new")
    few = lambda features: sorted(features, key=lambda each: each["id"])[20:21]
    smaller = edited_archive(first, service.folder / f"{venue_key}-few.zip",
                             {f"{name}.geojson": few for name in ("unit", "occupant", "anchor", "opening")})
    upload = push_unpublished(service, venue_key, smaller)
    for locale in ("en-US", "ja-JP"):
        page = open_desk(windows, venue_key, f"/uploads/{upload}", viewport=(1600, 900), locale=locale)
        shops = page.locator(".reasons [data-guard=removal] bdi")
        expect(shops).to_have_count(3)
        assert_order(shops.all())
        assert "\u2068" not in page.locator(".reasons").inner_text()


def test_venue_guard_isolates_both_names(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12)

    def replace(features):
        features[0]["id"] = "11111111-1111-4111-8111-111111111112"
        features[0]["properties"]["name"] = {"en": "מרכז 5"}
        features[0]["properties"]["display_point"] = {"type": "Point", "coordinates": [2.35, 48.85]}
        features[0]["geometry"] = {"type": "Polygon", "coordinates": [[[2.35, 48.85], [2.36, 48.85], [2.36, 48.86], [2.35, 48.85]]]}

    upload = push_unpublished(service, venue_key, edited_archive(archive, service.folder / f"{venue_key}-2.zip", {"venue.geojson": replace}))
    [published] = service.features(venue_key, 1, "venue")
    page = open_desk(windows, venue_key, f"/uploads/{upload}")
    names = [published["properties"]["name"]["en"], "מרכז 5"]
    expect(page.locator(".reasons [data-guard=other_venue] bdi")).to_have_text(names)
    page.locator(".decision .danger").click()
    expect(page.locator("dialog [data-guard=other_venue] bdi")).to_have_text(names)


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


SENTENCES = {
    "2 shops moved on 1F.": "2 shops moved on 1F.",
    "The shop “مقهى” was renamed.": "The shop “<bdi>مقهى</bdi>” was renamed.",
    "مقهى 12 has no anchor, and كتب neither.": "<bdi>مقهى 12</bdi> has no anchor, and <bdi>كتب</bdi> neither.",
    "「בית קפה」の名前が変わりました。": "「<bdi>בית קפה</bdi>」の名前が変わりました。",
    "“Café” and “مقهى” have the same anchor.": "“<bdi>Café</bdi>” and “<bdi>مقهى</bdi>” have the same anchor.",
    "\u2068مقهى\u2069 is not published.": "<bdi>مقهى</bdi> is not published.",
    "<b>مقهى</b>": "&lt;b&gt;<bdi>مقهى</bdi>&lt;/b&gt;",
}


def test_names_in_sentences_of_the_server_are_elements_of_their_own(windows):
    page = windows.open()
    rendered = page.evaluate("""async (sentences) => {
        const { withForeignNames } = await import("/console/ui/names.js");
        return sentences.map((sentence) => {
            const element = document.createElement("p");
            element.append(...withForeignNames(sentence));
            return element.innerHTML;
        });
    }""", list(SENTENCES))
    assert rendered == list(SENTENCES.values())


def test_name_with_marks_of_its_own_is_one_element(windows):
    """Some editors put isolates into names."""
    page = windows.open()
    rendered = page.evaluate("""async (name) => {
        const { isolated, withNames } = await import("/console/ui/names.js");
        const element = document.createElement("p");
        element.append(...withNames(`Moved ${isolated(name)} to the floor above`));
        return element.innerHTML;
    }""", "\u2067מקס\u2069 12")
    assert rendered == "Moved <bdi>מקס 12</bdi> to the floor above"
