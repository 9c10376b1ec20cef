"""API keys, roles, settings, pruning, deletion, and the messages of the desk."""
import json
import pathlib
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from desk import head_revision, open_desk
from service import ROOT
from toasts import expect_toast


@pytest.fixture(scope="module")
def edited(service):
    """A venue with two revisions that no test changes."""
    archive = service.create_venue("mall.edited")
    service.publish_edit("mall.edited", archive, "rename=5,move=2")
    return "mall.edited"


def status(service, api_key, path):
    request = urllib.request.Request(service.address + path, headers={"Authorization": f"Bearer {api_key}"})
    try:
        return urllib.request.urlopen(request, timeout=30).status
    except urllib.error.HTTPError as error:
        return error.code


def make_key(service, name, role, *venues):
    options = [option for venue in venues for option in ("--venue", venue)]
    made = json.loads(service.run_venue("keys", "create", "--name", name, "--role", role, *options, "--json"))
    return made["secret"]


def test_key_is_created_shown_once_and_revoked(windows, service, mall):
    page = windows.open("#/~/keys", api_key=service.admin_key)
    page.get_by_role("button", name="Create a key").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("dialog .error-message")).to_contain_text("name")
    page.fill("#key-name", "phones of the test")
    page.fill("#key-venues", mall)
    page.locator("dialog footer .primary").click()
    secret = page.locator("#key-secret").input_value()
    assert secret.startswith("vsk_") and status(service, secret, f"/venues/{mall}") == 200
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("dialog").get_by_role("button", name="Copy").click()
    expect(page.locator("dialog [role=status]")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == secret
    page.get_by_role("button", name="I have copied it").click()
    row = page.locator(".keys tbody tr", has_text="phones of the test")
    expect(row).to_be_visible()
    assert secret not in page.content(), "shown once"
    row.get_by_role("button", name="Revoke").click()
    page.locator("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert status(service, secret, f"/venues/{mall}") == 401


def test_read_key_sees_no_management_controls(windows, service, mall):
    secret = make_key(service, "reader", "read", mall)
    page = open_desk(windows, mall, api_key=secret)
    expect(page.locator(".revision").first).to_be_visible()
    assert page.locator(".desk-tabs a").all_inner_texts() == ["Log", "Compare"]
    assert page.locator(".drop-zone, .decision, a[href*=restore]").count() == 0
    for view in ("/settings", "/restore?to=1", "/uploads/00000000-0000-4000-8000-000000000000"):
        page.evaluate(f"location.hash = '#/{mall}/desk{view}'")
        expect(page.get_by_role("alert")).to_contain_text("does not permit this")
    page.evaluate("location.hash = '#/'")
    expect(page.locator(".cards")).to_be_visible()
    assert page.locator("a[href='#/~/new'], a[href='#/~/keys']").count() == 0
    page.evaluate("location.hash = '#/~/keys'")
    expect(page.get_by_role("alert")).to_contain_text("does not permit this")


@pytest.mark.parametrize("role", ["read", "publish"])
def test_key_of_another_venue_sees_no_log_of_a_public_venue(windows, service, mall, venue_key, role):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    service.run_venue("set", venue_key, "public=on")
    service.publish_edit(venue_key, archive, "rename=2")
    page = windows.open(api_key=make_key(service, f"{role} another venue", role, mall))
    for view in ("/history", "/compare?from=1&to=2", "", "/restore?to=1"):
        page.goto(f"{service.address}/#/{venue_key}/desk{view}")
        expect(page.get_by_role("alert")).to_contain_text("does not permit this")
        expect(page.locator(".timeline, .desk-tabs")).to_have_count(0)
    assert not [url for url in windows.urls if f"{venue_key}/revisions?" in url or f"{venue_key}/diff" in url], "not even requested"


def test_revoked_key_sees_no_log_of_a_public_venue(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    service.run_venue("set", venue_key, "public=on")
    secret = make_key(service, f"lost {venue_key}", "publish", venue_key)
    page = open_desk(windows, venue_key, "/history", api_key=secret)
    expect(page.locator(".timeline")).to_be_visible()
    [api_key] = [each for each in service.get_json("/keys")["keys"] if each["name"] == f"lost {venue_key}"]
    service.run_venue("keys", "revoke", api_key["id"])
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("This key is not valid")
    expect(page.locator(".timeline")).to_have_count(0)


def test_publish_key_sees_no_settings(windows, service, mall):
    page = open_desk(windows, mall, api_key=make_key(service, "ops", "publish", mall))
    expect(page.locator(".drop-zone")).to_be_visible()
    assert page.locator(".desk-tabs a").all_inner_texts() == ["Uploads", "Edits", "Log", "Compare"]


def test_upload_with_revoked_key_is_explained(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key, api_key=make_key(service, f"gone {venue_key}", "publish", venue_key))
    expect(page.locator(".drop-zone")).to_be_visible()
    [made] = [each for each in service.get_json("/keys")["keys"] if each["name"] == f"gone {venue_key}"]
    service.run_venue("keys", "revoke", made["id"])
    page.set_input_files("#archive", str(archive))
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".desk-card.is-bad")).to_contain_text("does not know your key any more")
    expect(page.locator(".desk-card.is-bad").get_by_role("button", name="Try again")).to_be_visible()


def test_settings_are_saved_by_sending_only_changes(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key, "/settings")
    save = page.get_by_role("button", name="Save")
    expect(save).to_be_disabled()
    page.fill("#set-time_zone", "Nowhere/Land")
    save.click()
    expect(page.locator(".settings .error-message")).not_to_be_empty()
    page.fill("#set-time_zone", "Europe/Oslo")
    page.check("#set-public")
    expect(page.locator(".notice")).to_contain_text("everybody")
    service.run_venue("set", venue_key, "keep_revisions=50")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save.click()
    assert sent.value.post_data_json == {"time_zone": "Europe/Oslo", "public": True}
    expect_toast(page, "Saved")
    settings = service.get_json(f"/venues/{venue_key}")["settings"]
    assert (settings["time_zone"], settings["public"], settings["keep_revisions"]) == ("Europe/Oslo", True, 50)


def test_appearance_and_origins_are_settings(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key, "/settings")
    save = page.get_by_role("button", name="Save")
    appearance, origins = page.get_by_label("Appearance of maps"), page.get_by_label("Sites that may show the map")
    for faulty in ("{", '{"colours": {"shop": "red"}}'):
        appearance.fill(faulty)
        save.click()
        expect(page.locator(".settings .error-message")).not_to_be_empty()
    appearance.fill('{"hidden": ["parking"], "colours": {"shop": "#ffcc00"}}')
    origins.fill("https://a.example.com\nhttps://*.example.org")
    save.click()
    expect_toast(page, "Saved")
    expect(save).to_be_disabled()
    settings = service.get_json(f"/venues/{venue_key}")["settings"]
    assert settings["appearance"] == {"colours": {"shop": "#ffcc00"}, "hidden": ["parking"]}
    assert settings["embed_origins"] == ["https://a.example.com", "https://*.example.org"]
    page.reload()
    expect(appearance).to_have_value(re.compile("#ffcc00"))
    expect(save).to_be_disabled()
    appearance.fill("")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save.click()
    assert sent.value.post_data_json == {"appearance": None}


def test_basemap_is_a_setting(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key, "/settings")
    save, basemap = page.get_by_role("button", name="Save"), page.get_by_label("Basemap")
    for faulty in ("https://tiles.example.com/style.json", '{"style": "http://tiles.example.com/style.json"}'):
        basemap.fill(faulty)
        save.click()
        expect(page.locator(".settings .error-message")).not_to_be_empty()
    value = {"tiles": "https://tiles.example.com/{z}/{x}/{y}.png", "attribution": "© Example"}
    basemap.fill(json.dumps(value))
    save.click()
    expect_toast(page, "Saved")
    assert service.get_json(f"/venues/{venue_key}")["basemap"] == value
    basemap.fill("")
    # The button is also disabled while the request is sent.
    with page.expect_response(lambda response: response.request.method == "PATCH"):
        save.click()
    expect(save).to_be_disabled()
    assert "basemap" not in service.get_json(f"/venues/{venue_key}")


def test_settings_require_confirmation_to_keep_fewer_revisions(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12)
    service.publish_edit(venue_key, archive, "rename=2")
    page = open_desk(windows, venue_key, "/settings")
    page.fill("#set-keep_revisions", "1")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog")).to_contain_text("The history would begin at revision 2")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert service.get_json(f"/venues/{venue_key}")["settings"]["keep_revisions"] is None
    page.get_by_role("button", name="Save").click()
    page.locator("dialog footer .danger").click()
    expect_toast(page, "Saved")
    assert service.get_json(f"/venues/{venue_key}")["settings"]["keep_revisions"] == 1


def test_venue_deletion_requires_typing_its_key(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = open_desk(windows, venue_key, "/settings")
    page.locator(".danger-zone button").click()
    page.fill("#delete-key", "mall")
    page.locator("dialog footer .danger").click()
    expect(page.locator("dialog .error-message")).to_contain_text(venue_key)
    assert head_revision(service, venue_key) == 1
    page.fill("#delete-key", venue_key)
    page.locator("dialog footer .danger").click()
    expect_toast(page, "has been deleted")
    assert status(service, service.admin_key, f"/venues/{venue_key}") == 410


def test_pruning_requires_confirmation_after_preview(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 12)
    following = service.publish_edit(venue_key, archive, "rename=2")
    service.publish_edit(venue_key, following, "rename=2", seed=8)
    page = open_desk(windows, venue_key, "/settings")
    page.fill("#prune-keep", "1")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator("dialog")).to_contain_text("The history would begin at revision 3")
    assert service.get_json(f"/venues/{venue_key}")["first"] == 1
    page.locator("dialog footer .danger").click()
    expect_toast(page, "revision 3")
    assert service.get_json(f"/venues/{venue_key}")["first"] == 3


def test_japanese_messages_are_complete(windows, service, mall):
    page = open_desk(windows, mall, locale="ja-JP")
    assert page.locator(".desk-tabs a").all_inner_texts() == ["アップロード", "手動編集", "ログ", "比較", "設定"]
    expect(page.locator(".revision .descriptions").first).to_contain_text("追加")
    # Every message exists in both languages with the same placeholders, and every message key in the code exists.
    found = page.evaluate("""async () => {
        const messages = {};
        for (const language of ["en", "ja"]) {
            messages[language] = {};
            for (const name of ["uploads", "changes", "history", "manage", "overrides", "problems", "rules"]) {
                const part = (await import(`/console/localization/desk/${language}/${name}.js`)).default;
                Object.assign(messages[language], part);
            }
        }
        const placeholders = (text) => typeof text === "string" ? [...text.matchAll(/\\{\\w+\\}/g)].map(String).sort().join() : "function";
        const different = Object.keys(messages.en).filter((name) => !(name in messages.ja)
            || ![placeholders(messages.en[name]), "function"].includes(placeholders(messages.ja[name]))
                && placeholders(messages.en[name]) !== "function");
        const additional = Object.keys(messages.ja).filter((name) => !(name in messages.en));
        return { different, additional, names: Object.keys(messages.en) };
    }""")
    assert found["different"] == [] and found["additional"] == []
    names = set(found["names"])
    sources = "".join(path.read_text() for path in pathlib.Path(ROOT / "Sources/WebConsole/Web/desk").rglob("*.js"))
    used = set(re.findall(r'"(desk\.[A-Za-z.]+)"', sources))
    assert used - names == set()


def test_rule_titles_equal_those_of_the_rule_book(windows, service):
    page = windows.open()
    titles = page.evaluate("import('/console/localization/desk/en/rules.js').then((module) => module.default)")
    rule_book = json.loads(service.run_venue("rules", "--json"))["rules"]
    assert titles == {f"rule.{rule['id']}": rule["title"] for rule in rule_book}


@pytest.mark.parametrize("view", ["", "/history", "/compare", "/settings", "/restore?to=1"])
@pytest.mark.parametrize("viewport", [(390, 844), (1280, 800)])
def test_desk_views_fit_the_viewport_and_have_accessible_names(windows, edited, view, viewport):
    page = open_desk(windows, edited, view, viewport=viewport)
    expect(page.locator(".desk-view .spinner")).to_have_count(0)
    assert page.evaluate("document.getElementById('main').scrollWidth") <= viewport[0]
    nameless = page.evaluate("""() => [...document.querySelectorAll("button, a, input, select, summary")].filter((element) =>
        element.offsetParent && !(element.innerText || element.getAttribute("aria-label") || element.labels?.length)
    ).map((element) => element.outerHTML)""")
    assert nameless == []
    small = page.evaluate("""() => [...document.querySelectorAll("button, a.button")].filter((element) =>
        element.offsetParent && element.getBoundingClientRect().height < 32).map((element) => element.outerHTML)""")
    assert small == []


@pytest.mark.parametrize("view", ["", "/history", "/compare", "/settings", "/restore?to=1"])
def test_desk_views_load_without_layout_shift(windows, service, edited, view):
    page = windows.open(api_key=service.admin_key)
    expect(page.locator(".cards")).to_be_visible()
    page.evaluate("""() => {
        window.layoutShifts = [];
        new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries()) window.layoutShifts.push([value, sources.map(({ node }) => node?.className)]);
        }).observe({ type: "layout-shift", buffered: false });
    }""")
    page.evaluate(f"location.hash = '#/{edited}/desk{view}'")
    page.wait_for_selector(".desk-tabs")
    expect(page.locator(".spinner")).to_have_count(0)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    jumps = page.evaluate("window.layoutShifts")
    assert sum(value for value, _ in jumps) < 0.1, jumps


def test_upload_works_by_keyboard_alone(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    page = open_desk(windows, venue_key)
    page.wait_for_selector("#archive", state="attached")
    page.focus("#archive")
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Enter")
    chooser.value.set_files(str(following))
    expect(page.locator("#upload-message")).to_be_focused()
    page.keyboard.type("By keyboard")
    page.keyboard.press("Enter")
    page.wait_for_url("**/desk/uploads/*")
    page.locator(".decision .primary").focus()
    page.keyboard.press("Enter")
    expect(page.locator("dialog")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator(".decision .primary")).to_be_focused()
