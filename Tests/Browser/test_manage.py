"""Keys, roles, settings, deletion, and the desk's words."""
import json
import pathlib
import re
import urllib.error
import urllib.request

import pytest
from playwright.sync_api import expect

from desk import head, open_desk
from service import ROOT


@pytest.fixture(scope="module")
def edited(service):
    """A venue with two revisions that nobody changes any more."""
    archive = service.make_venue("mall.edited")
    service.edit("mall.edited", archive, "rename=5,move=2")
    return "mall.edited"


def answers(service, key, path):
    request = urllib.request.Request(service.address + path, headers={"Authorization": f"Bearer {key}"})
    try:
        return urllib.request.urlopen(request, timeout=30).status
    except urllib.error.HTTPError as error:
        return error.code


def make_key(service, name, role, *venues):
    options = [option for venue in venues for option in ("--venue", venue)]
    made = json.loads(service.venue("keys", "create", "--name", name, "--role", role, *options, "--json"))
    return made["secret"]


def test_a_key_is_made_shown_once_and_revoked(windows, service, mall):
    page = windows.open("#/~/keys", key=service.key)
    page.get_by_role("button", name="Make a key").click()
    page.locator("dialog footer .primary").click()
    expect(page.locator("dialog .told")).to_contain_text("name")
    page.fill("#key-name", "phones of the test")
    page.fill("#key-venues", mall)
    page.locator("dialog footer .primary").click()
    secret = page.locator("#key-secret").input_value()
    assert secret.startswith("vsk_") and answers(service, secret, f"/venues/{mall}") == 200
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.locator("dialog").get_by_role("button", name="Copy").click()
    expect(page.locator("dialog [role=status]")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()") == secret
    page.get_by_role("button", name="I have it").click()
    row = page.locator(".keys tbody tr", has_text="phones of the test")
    expect(row).to_be_visible()
    assert secret not in page.content(), "shown once"
    row.get_by_role("button", name="Revoke").click()
    page.locator("dialog").get_by_role("button", name="Revoke").click()
    expect(row).to_have_count(0)
    assert answers(service, secret, f"/venues/{mall}") == 401


def test_a_read_key_sees_no_desk_controls(windows, service, mall):
    secret = make_key(service, "reader", "read", mall)
    page = open_desk(windows, mall, key=secret)
    expect(page.locator(".revision").first).to_be_visible()
    assert page.locator(".desk-tabs a").all_inner_texts() == ["Log", "Compare"]
    assert page.locator(".drop-zone, .decision, a[href*=restore]").count() == 0
    for part in ("/settings", "/restore?to=1", "/uploads/00000000-0000-4000-8000-000000000000"):
        page.evaluate(f"location.hash = '#/{mall}/desk{part}'")
        expect(page.get_by_role("alert")).to_contain_text("may not do this")
    page.evaluate("location.hash = '#/'")
    expect(page.locator(".cards")).to_be_visible()
    assert page.locator("a[href='#/~/new'], a[href='#/~/keys']").count() == 0
    page.evaluate("location.hash = '#/~/keys'")
    expect(page.get_by_role("alert")).to_contain_text("may not do this")


def test_a_publisher_has_no_settings(windows, service, mall):
    page = open_desk(windows, mall, key=make_key(service, "ops", "publish", mall))
    expect(page.locator(".drop-zone")).to_be_visible()
    assert page.locator(".desk-tabs a").all_inner_texts() == ["Uploads", "Log", "Compare"]


def test_a_key_that_is_revoked_meanwhile_is_told_so(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 8)
    page = open_desk(windows, key, key=make_key(service, f"gone {key}", "publish", key))
    expect(page.locator(".drop-zone")).to_be_visible()
    [made] = [each for each in service.ask("/keys")["keys"] if each["name"] == f"gone {key}"]
    service.venue("keys", "revoke", made["id"])
    page.set_input_files("#archive", str(archive))
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".desk-card.is-bad")).to_contain_text("does not know your key any more")
    expect(page.locator(".desk-card.is-bad").get_by_role("button", name="Try again")).to_be_visible()


def test_settings_are_saved_and_only_what_was_changed_is_sent(windows, service, key):
    service.make_venue(key, "--levels", 1, "--units", 8)
    page = open_desk(windows, key, "/settings")
    save = page.get_by_role("button", name="Save")
    expect(save).to_be_disabled()
    page.fill("#set-time_zone", "Nowhere/Land")
    save.click()
    expect(page.locator(".settings .told")).not_to_be_empty()
    page.fill("#set-time_zone", "Europe/Oslo")
    page.check("#set-public")
    expect(page.locator(".notice")).to_contain_text("everybody")
    service.venue("set", key, "keep_revisions=50")
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        save.click()
    assert sent.value.post_data_json == {"time_zone": "Europe/Oslo", "public": True}
    expect(page.locator(".toast")).to_contain_text("Saved")
    settings = service.ask(f"/venues/{key}")["settings"]
    assert (settings["time_zone"], settings["public"], settings["keep_revisions"]) == ("Europe/Oslo", True, 50)


def test_keeping_fewer_revisions_is_asked_about(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 12)
    service.edit(key, archive, "rename=2")
    page = open_desk(windows, key, "/settings")
    page.fill("#set-keep_revisions", "1")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("dialog")).to_contain_text("The history would begin at revision 2")
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    assert service.ask(f"/venues/{key}")["settings"]["keep_revisions"] is None
    page.get_by_role("button", name="Save").click()
    page.locator("dialog footer .danger").click()
    expect(page.locator(".toast")).to_contain_text("Saved")
    assert service.ask(f"/venues/{key}")["settings"]["keep_revisions"] == 1


def test_a_venue_is_deleted_only_when_its_key_is_typed(windows, service, key):
    service.make_venue(key, "--levels", 1, "--units", 8)
    page = open_desk(windows, key, "/settings")
    page.locator(".danger-zone button").click()
    page.fill("#delete-key", "mall")
    page.locator("dialog footer .danger").click()
    expect(page.locator("dialog .told")).to_contain_text(key)
    assert head(service, key) == 1
    page.fill("#delete-key", key)
    page.locator("dialog footer .danger").click()
    expect(page.locator(".toast")).to_contain_text("is deleted")
    assert answers(service, service.key, f"/venues/{key}") == 410


def test_history_ends_only_after_a_look_at_what_goes(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 12)
    following = service.edit(key, archive, "rename=2")
    service.edit(key, following, "rename=2", seed=8)
    page = open_desk(windows, key, "/settings")
    page.fill("#prune-keep", "1")
    page.get_by_role("button", name="Show what would go").click()
    expect(page.locator("dialog")).to_contain_text("The history would begin at revision 3")
    assert service.ask(f"/venues/{key}")["first"] == 1
    page.locator("dialog footer .danger").click()
    expect(page.locator(".toast")).to_contain_text("revision 3")
    assert service.ask(f"/venues/{key}")["first"] == 3


def test_the_desk_speaks_japanese_throughout(windows, service, mall):
    page = open_desk(windows, mall, locale="ja-JP")
    assert page.locator(".desk-tabs a").all_inner_texts() == ["アップロード", "ログ", "比較", "設定"]
    expect(page.locator(".revision .words").first).to_contain_text("追加")
    # Every word there is in both languages, with the same places for values, and none is missing where it is used.
    found = page.evaluate("""async () => {
        const books = {};
        for (const language of ["en", "ja"]) {
            books[language] = {};
            for (const name of ["uploads", "changes", "history", "manage", "problems", "rules"]) {
                const book = (await import(`/console/words/desk/${language}/${name}.js`)).default;
                Object.assign(books[language], book);
            }
        }
        const values = (text) => typeof text === "string" ? [...text.matchAll(/\\{\\w+\\}/g)].map(String).sort().join() : "function";
        const odd = Object.keys(books.en).filter((name) => !(name in books.ja)
            || ![values(books.en[name]), "function"].includes(values(books.ja[name])) && values(books.en[name]) !== "function");
        return { odd, more: Object.keys(books.ja).filter((name) => !(name in books.en)), names: Object.keys(books.en) };
    }""")
    assert found["odd"] == [] and found["more"] == []
    names = set(found["names"])
    sources = "".join(path.read_text() for path in pathlib.Path(ROOT / "Sources/WebConsole/Web/desk").rglob("*.js"))
    used = set(re.findall(r'"(desk\.[A-Za-z.]+)"', sources))
    assert used - names == set()


def test_the_titles_of_rules_are_those_of_the_book(windows, service):
    page = windows.open()
    titles = page.evaluate("import('/console/words/desk/en/rules.js').then((module) => module.default)")
    book = json.loads(service.venue("rules", "--json"))["rules"]
    assert titles == {f"rule.{rule['id']}": rule["title"] for rule in book}


@pytest.mark.parametrize("part", ["", "/history", "/compare", "/settings", "/restore?to=1"])
@pytest.mark.parametrize("viewport", [(390, 844), (1280, 800)])
def test_nothing_sticks_out_and_nothing_that_acts_is_without_a_name(windows, edited, part, viewport):
    page = open_desk(windows, edited, part, viewport=viewport)
    expect(page.locator(".desk-part .spinner")).to_have_count(0)
    assert page.evaluate("document.getElementById('main').scrollWidth") <= viewport[0]
    nameless = page.evaluate("""() => [...document.querySelectorAll("button, a, input, select, summary")].filter((element) =>
        element.offsetParent && !(element.innerText || element.getAttribute("aria-label") || element.labels?.length)
    ).map((element) => element.outerHTML)""")
    assert nameless == []
    small = page.evaluate("""() => [...document.querySelectorAll("button, a.button")].filter((element) =>
        element.offsetParent && element.getBoundingClientRect().height < 32).map((element) => element.outerHTML)""")
    assert small == []


@pytest.mark.parametrize("part", ["", "/history", "/compare", "/settings", "/restore?to=1"])
def test_nothing_jumps_while_a_part_of_the_desk_comes(windows, service, edited, part):
    page = windows.open(key=service.key)
    expect(page.locator(".cards")).to_be_visible()
    page.evaluate("""() => {
        window.jumps = [];
        new PerformanceObserver((list) => {
            for (const { value, sources } of list.getEntries()) window.jumps.push([value, sources.map(({ node }) => node?.className)]);
        }).observe({ type: "layout-shift", buffered: false });
    }""")
    page.evaluate(f"location.hash = '#/{edited}/desk{part}'")
    page.wait_for_selector(".desk-tabs")
    expect(page.locator(".spinner")).to_have_count(0)
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    jumps = page.evaluate("window.jumps")
    assert sum(value for value, _ in jumps) < 0.1, jumps


def test_an_upload_goes_by_keyboard_alone(windows, service, key):
    archive = service.make_venue(key, "--levels", 1, "--units", 8)
    following = service.generate(f"{key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    page = open_desk(windows, key)
    # The browser hands its file dialog over from the first listener on, and not at once: one that comes before is lost.
    page.on("filechooser", lambda _: None)
    expect(page.locator(".spinner")).to_have_count(0)
    page.reload()
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
