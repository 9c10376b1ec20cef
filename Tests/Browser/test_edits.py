"""Editing what a place says: the form, the review, undo, conflicts, and who may do it."""
import re

import pytest
from playwright.sync_api import expect

import edits
from edits import open_card, open_form, proceed, publish, undo
from test_manage import make_key
from toasts import expect_toast


@pytest.fixture
def mall_shop(service, venue_key):
    """A new venue, and a shop on its ground floor."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    return venue_key, edits.shops(service, venue_key)[0]


def test_edit_is_reviewed_published_and_undone(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-name-en", "Blue Door Books")
    page.fill("#edit-phone", "+81312345678")
    page.fill("#edit-message", "Called the shop: 3+1 phones & a fax")
    proceed(page)
    rows = page.locator(".change-table tbody tr")
    expect(rows).to_have_count(2)
    assert rows.all_inner_texts() == [
        f"Name (English)\t{shop['properties']['name']['en']}\tBlue Door Books", f"Phone\t{shop['properties']['phone']}\t+81312345678"]
    expect(page.locator(".step-dialog")).to_contain_text("1 shop renamed")
    assert edits.head(service, venue) == 1, "nothing is published before the review was confirmed"
    proceed(page)
    expect(page.locator("#place-name")).to_have_text("Blue Door Books")
    expect(page.locator("[data-pointer='/properties/phone']")).to_contain_text("edited by admin")
    expect(page.locator("[data-pointer='/properties/phone']")).to_contain_text(shop["properties"]["phone"])
    [newest] = service.get_json(f"/venues/{venue}/revisions?limit=1")["revisions"]
    assert (newest["kind"], newest["message"]) == ("edit", "Called the shop: 3+1 phones & a fax")
    undo(page)
    expect(page.locator("#place-name")).to_have_text(shop["properties"]["name"]["en"])
    expect(page.locator(".override-note")).to_have_count(0)
    assert edits.properties(service, venue, shop["id"]) == shop["properties"] and edits.overrides(service, venue) == []


def test_buttons_of_a_card_are_not_replaced_when_its_edits_are_read(windows, service, mall_shop):
    venue, shop = mall_shop
    page = windows.open(api_key=service.admin_key)
    page.evaluate("""() => {
        window.replaced = 0;
        new MutationObserver((records) => {
            for (const each of records.flatMap(({ removedNodes }) => [...removedNodes])) if (each.dataset?.id === "edit-edit") window.replaced += 1;
        }).observe(document.body, { subtree: true, childList: true });
    }""")
    with page.expect_response("**/overrides?feature=*"):
        page.evaluate(f"location.hash = '#/{venue}?floor=0&place={shop['id']}'")
    page.wait_for_selector("[data-id=edit-edit]")
    edits.patch(service, venue, shop["id"], {"hours": "off"}, until="2199-01-05T18:00:00+09:00")
    page.wait_for_selector("[data-id=edit-reopen]")
    assert page.evaluate("window.replaced") == 1, "only when other buttons were needed"


def test_edit_undo_brings_back_the_former_edit(windows, service, mall_shop):
    venue, shop = mall_shop
    edits.patch(service, venue, shop["id"], {"phone": "+81300000001"}, until="2199-01-01T00:00:00Z")
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-phone", "+81300000002")
    page.fill("#edit-website", "")
    publish(page)
    expect(page.locator("[data-pointer='/properties/phone']")).not_to_contain_text("2199")
    assert edits.properties(service, venue, shop["id"])["phone"] == "+81300000002"
    undo(page)
    assert edits.properties(service, venue, shop["id"]) == {**shop["properties"], "phone": "+81300000001"}
    [override] = edits.overrides(service, venue)
    assert (override["value"], override["until"]) == ("+81300000001", "2199-01-01T00:00:00.000Z")


def test_edit_undo_leaves_what_somebody_else_has_changed_since(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-phone", "+81300000002")
    publish(page)
    edits.patch(service, venue, shop["id"], {"phone": "+81300000003"})
    page.locator(".toast button").click()
    expect_toast(page, "Not undone", "problem")
    assert edits.properties(service, venue, shop["id"])["phone"] == "+81300000003"


def test_edit_asks_whose_value_holds_when_both_changed_it(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-phone", "+81300000002")
    page.fill("#edit-website", "https://mine.example.com/")
    page.fill("#edit-name-en", "Mine")
    theirs = {"phone": "+81300000003", "website": "https://theirs.example.com/", "hours": "off"}
    edits.patch(service, venue, shop["id"], theirs, message="By telephone")
    proceed(page)
    expect(page.locator("#step-title")).to_have_text("Somebody else changed this place")
    expect(page.locator(".conflict")).to_contain_text("admin published a change")
    expect(page.locator(".conflict")).to_contain_text("By telephone")
    expect(page.locator(".conflict li")).to_contain_text("closed every day")
    assert page.locator(".conflict-part legend").all_inner_texts() == ["Phone", "Website"]
    expect(page.locator(".conflict-part").first).to_contain_text(f"Before: {shop['properties']['phone']}")
    page.locator(".conflict-part").first.get_by_text("Theirs").click()
    proceed(page)
    expect(page.locator(".change-table tbody tr")).to_have_count(2)
    # The form has what was decided, over what is published now.
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator("#edit-phone")).to_have_value("+81300000003")
    expect(page.locator("#edit-website")).to_have_value("https://mine.example.com/")
    expect(page.locator("#edit-hours")).to_have_value("off")
    publish(page)
    now = edits.properties(service, venue, shop["id"])
    assert (now["phone"], now["website"], now["hours"]) == ("+81300000003", "https://mine.example.com/", "off")
    assert now["name"]["en"] == "Mine"


def test_edit_between_review_and_publication_is_noticed(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-phone", "+81300000002")
    proceed(page)
    page.wait_for_selector(".change-table")
    edits.patch(service, venue, shop["id"], {"phone": "+81300000003"})
    proceed(page)
    expect(page.locator(".conflict-part")).to_contain_text("+81300000003")
    assert edits.properties(service, venue, shop["id"])["phone"] == "+81300000003"


def test_edit_whose_response_was_lost_is_not_a_conflict(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-phone", "+81300000002")
    proceed(page)
    page.wait_for_selector(".change-table")
    sent = []

    def lose(route):
        if route.request.method == "PATCH" and not sent:
            sent.append(route.fetch().status)
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/features/*", lose)
    proceed(page)
    expect(page.locator(".step-dialog > form > .error-message")).to_contain_text("does not respond")
    proceed(page)
    expect(page.locator("#step-title")).to_have_text("This has been published already")
    assert sent == [201] and edits.head(service, venue) == 2


def test_edit_goes_back_to_the_source(windows, service, mall_shop):
    venue, shop = mall_shop
    edits.patch(service, venue, shop["id"], {"phone": "+81300000001", "website": "https://ours.example.com/"})
    page = open_card(windows, venue, shop["id"])
    page.get_by_role("button", name="Revert to what the source says: Phone").click()
    expect(page.locator(".change-table tbody")).to_contain_text(shop["properties"]["phone"])
    proceed(page)
    expect(page.locator("[data-pointer='/properties/phone']")).to_have_count(0)
    assert edits.properties(service, venue, shop["id"])["phone"] == shop["properties"]["phone"]
    undo(page)
    assert edits.properties(service, venue, shop["id"])["phone"] == "+81300000001"
    # In the form, the value of the source is entered and published like any other.
    open_form(page)
    page.locator(".field", has=page.locator("#edit-website")).get_by_role("button", name="Use that").click()
    expect(page.locator("#edit-website")).to_have_value(shop["properties"]["website"])
    publish(page)
    assert [each["pointer"] for each in edits.overrides(service, venue)] == ["/properties/phone"]


def test_edit_problem_is_shown_at_its_field(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-phone", "extension 5")
    proceed(page)
    expect(page.locator(".plan-findings")).to_contain_text("Phone: “extension 5” is not a number")
    service.run_venue("set", venue, "validation=strict")
    proceed(page)
    expect(page.locator("#edit-phone")).to_be_focused()
    expect(page.locator("#edit-phone")).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#edit-phone-problem")).to_contain_text("is not a number")
    assert edits.head(service, venue) == 1
    page.fill("#edit-phone", "+81300000002")
    expect(page.locator("#edit-phone-problem")).to_be_empty()
    publish(page)
    assert edits.properties(service, venue, shop["id"])["phone"] == "+81300000002"


def test_edit_of_names_changes_single_languages(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    page.fill("#edit-name-ja", "青い扉書店")
    page.select_option("#edit-name-language", "ko")
    page.keyboard.type("파란 문")
    publish(page)
    assert edits.properties(service, venue, shop["id"])["name"] == {**shop["properties"]["name"], "ja": "青い扉書店", "ko": "파란 문"}
    assert {each["pointer"] for each in edits.overrides(service, venue)} == {"/properties/name/ja", "/properties/name/ko"}
    undo(page)
    assert edits.properties(service, venue, shop["id"]) == shop["properties"]


def test_edit_category_is_chosen_from_a_list(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    open_form(page)
    assert page.locator("#edit-categories option[value=sushi]").count() == 1
    page.fill("#edit-category", "cobbler")
    expect(page.locator("#edit-category-name")).to_contain_text("Not one of the usual categories")
    page.fill("#edit-category", "shoerepair")
    expect(page.locator("#edit-category-name")).to_have_text("Shoe repair")
    publish(page)
    assert edits.properties(service, venue, shop["id"])["category"] == "shoerepair"


def test_edit_by_keyboard_alone_asks_before_discarding(windows, service, mall_shop):
    venue, shop = mall_shop
    page = open_card(windows, venue, shop["id"])
    page.focus("[data-id=edit-edit]")
    page.keyboard.press("Enter")
    expect(page.locator("#edit-name-en")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".step-dialog")).to_have_count(0)
    expect(page.locator("[data-id=edit-edit]")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#edit-name-en")).to_be_focused()
    page.keyboard.press("Control+A")
    page.keyboard.type("By keyboard")
    page.keyboard.press("Escape")
    expect(page.locator(".discard-question")).to_be_visible()
    page.keyboard.press("Enter")
    expect(page.locator("#edit-name-en")).to_be_focused()
    expect(page.locator("#edit-name-en")).to_have_value("By keyboard")
    page.keyboard.press("Enter")
    page.wait_for_selector(".change-table")
    for _ in range(4):  # Close, Cancel, Back and Publish.
        page.keyboard.press("Tab")
    expect(page.locator(".step-dialog footer .primary")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("#place-name")).to_have_text("By keyboard")
    expect(page.locator("[data-id=edit-edit]")).to_be_focused()
    assert edits.properties(service, venue, shop["id"])["name"]["en"] == "By keyboard"


@pytest.mark.parametrize("role", ["read", None])
def test_edit_entry_points_are_hidden_from_readers(windows, service, mall_shop, role):
    venue, shop = mall_shop
    service.run_venue("set", venue, "public=on")
    secret = make_key(service, f"reader {venue}", role, venue) if role else None
    page = windows.open(api_key=secret)
    target = f"#/{venue}?floor=0&place={shop['id']}"
    if secret:
        # The page asks once whether the key may edit, and is refused.
        with page.expect_response(lambda response: "/overrides?" in response.url) as asked:
            page.evaluate(f"location.hash = '{target}'")
        assert asked.value.status == 403
    else:
        page.evaluate(f"location.hash = '{target}'")
    page.wait_for_selector(".live-state.live")
    page.wait_for_selector(".place-card")
    page.click(".place-card .back")
    expect(page.locator(".list-title")).to_be_visible()
    assert page.locator(".list-edits, .card-buttons, .card-overrides").count() == 0
    modules = [url for url in windows.urls if "/editing/" in url and url.endswith(".js")]
    # The module that decides whether there is editing is in the first bundle, or alone.
    assert {url.rsplit("/", 1)[1] for url in modules} <= {"editing.js"}
    page.evaluate(f"location.hash = '#/{venue}/desk/overrides'")
    expect(page.get_by_role("alert")).to_be_visible()
    assert page.locator(".overrides, .override").count() == 0


def test_edit_messages_are_complete_in_japanese(windows, service):
    page = windows.open()
    found = page.evaluate("""async () => {
        const messages = {};
        for (const language of ["en", "ja"]) {
            const shared = (await import(`/console/localization/${language}.js`)).default;
            messages[language] = { ...shared, ...(await import(`/console/localization/editing/${language}.js`)).default };
        }
        const edits = (language) => Object.keys(messages[language]).filter((name) => name.startsWith("edit.")).sort();
        const placeholders = (text) => typeof text === "string" ? [...text.matchAll(/\\{\\w+\\}/g)].map(String).sort().join() : "function";
        const different = edits("en").filter((name) => placeholders(messages.en[name]) !== "function"
            && placeholders(messages.en[name]) !== placeholders(messages.ja[name]));
        return { en: edits("en"), ja: edits("ja"), different };
    }""")
    assert found["en"] == found["ja"] and found["different"] == []
    sources = "".join(path.read_text() for path in (edits.WEB / "map/editing").glob("*.js"))
    sources += "".join(path.read_text() for path in (edits.WEB / "desk/overrides").glob("*.js"))
    used = set(re.findall(r'localized\("(edit\.[A-Za-z_.]+)"', sources))
    assert len(used) > 50 and used - set(found["en"]) == set()


def test_edit_that_an_upload_contests_is_marked_on_the_open_card(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    shop = edits.shops(service, venue_key)[0]
    edits.patch(service, venue_key, shop["id"], {"phone": "+81300000001"})
    page = open_card(windows, venue_key, shop["id"])
    note = page.locator("[data-pointer='/properties/phone']")
    expect(note).to_contain_text(f"The source says “{shop['properties']['phone']}”")
    change = edits.with_properties({shop["id"]: {"phone": "+81399999999", "website": "https://new.example.com/"}})
    service.run_venue("push", edits.changed_archive(archive, service.folder / f"{venue_key}-2.zip", change), "--to", venue_key)
    expect(note).to_contain_text("The source now says “+81399999999”")
    note.get_by_role("link", name="Decide").click()
    expect(page.locator(".override.is-contested")).to_have_count(1)
    expect(page.locator(".tab-badge")).to_contain_text("1")
