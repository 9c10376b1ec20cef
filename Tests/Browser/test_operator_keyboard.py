"""An operator without a pointer: from the list of venues through the review of an upload to its publication, and back to the old revision."""
from playwright.sync_api import expect

from desk import expect_upload_state, head_revision


def evaluate(target, condition):
    """Whether a condition holds for an element. A list that is drawn again meanwhile replaces the element that was found by another one."""
    while True:
        holds = target.evaluate(f"(element) => element.isConnected ? Boolean(({condition})(element)) : null")
        if holds is not None:
            return holds


class Keyboard:
    """Reaches elements with the Tab key only, as it is pressed by somebody who sees where the focus is."""

    def __init__(self, page):
        self.page = page

    def press(self, *keys):
        for key in keys:
            self.page.keyboard.press(key)

    def go_to(self, target, backwards=False, limit=120):
        """Presses Tab until an element has the focus, which must be visible on the screen."""
        expect(target).to_be_visible()
        for _ in range(limit):
            self.press("Shift+Tab" if backwards else "Tab")
            if evaluate(target, "(element) => element === document.activeElement"):
                assert evaluate(target, IS_ON_SCREEN), f"{target} has the focus outside of the screen or behind something"
                return
        focused = self.page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        raise AssertionError(f"{target} is not reached; the focus is at {focused}")

    def activate(self, target, **options):
        self.go_to(target, **options)
        self.press("Enter")


# The focus is not hidden by what sticks to the edges of the page.
IS_ON_SCREEN = """(element) => {
    // A file input is hidden behind the zone that shows its focus.
    const visible = element.closest(".drop-zone") ?? element;
    const { left, top, right, bottom } = visible.getBoundingClientRect();
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    const hit = document.elementFromPoint(Math.min(Math.max(x, 0), innerWidth - 1), Math.min(Math.max(y, 0), innerHeight - 1));
    const isHit = [visible, visible.labels?.[0]].some((each) => each?.contains(hit)) || hit?.contains(visible);
    return x >= 0 && y >= 0 && x <= innerWidth && y <= innerHeight && isHit;
}"""


# What the steps of an operator are called.
TEXTS = {
    "en-US": {"desk": "Manage", "staged": "Staged", "published": "Published", "next": "Next finding", "second": "Finding 2 of",
              "restore": "Roll back to revision 1", "newest": "Newest", "split": "Before and after"},
    "ja-JP": {"desk": "管理", "staged": "確認待ち", "published": "公開済み", "next": "次の指摘", "second": "指摘 2/",
              "restore": "リビジョン 1 に戻す", "newest": "最新", "split": "前後の比較"},
}


def test_operator_publishes_and_rolls_back_by_keyboard(windows, service, venue_key):
    locale = "ja-JP"
    texts = TEXTS[locale]
    archive = service.create_venue(venue_key)
    following = service.generate(f"{venue_key}+.zip", "--next-of", archive, "--edit", "rename=3,move=2,floor", "--seed", 5)
    page = windows.open(api_key=service.admin_key, locale=locale, color_scheme="light", reduced_motion="no-preference")
    keyboard = Keyboard(page)

    # From the list of venues to the map, and to the desk.
    keyboard.go_to(page.locator("#venue-search"))
    page.keyboard.type(venue_key)
    expect(page.locator(".venue-card")).to_have_count(1)
    keyboard.activate(page.locator(f".venue-card a.card[href='#/{venue_key}']"))
    page.wait_for_selector(".live-state.live")
    keyboard.activate(page.get_by_role("link", name=texts["desk"]))
    expect(page.locator(".desk-tabs")).to_be_visible()

    # An upload that waits for a decision.
    keyboard.go_to(page.locator("#archive"))
    with page.expect_file_chooser() as chooser:
        keyboard.press("Enter")
    chooser.value.set_files(str(following))
    expect(page.locator("#upload-message")).to_be_focused()
    page.keyboard.type("Spring")
    keyboard.go_to(page.locator("#upload-hold"))
    keyboard.press("ArrowDown", "ArrowUp")
    expect(page.locator("#upload-hold")).to_be_checked()
    # Enter in the field sends the form.
    keyboard.go_to(page.locator("#upload-message"), backwards=True)
    keyboard.press("Enter")
    expect_upload_state(page, texts["staged"])
    upload = page.url.rsplit("/", 1)[1]

    # The review: floors, changes, findings.
    keyboard.go_to(page.locator(".decision .desk-actions button").first)
    floors = page.locator(".level-rail tbody button")
    keyboard.go_to(floors.last)
    keyboard.press("Enter")
    expect(floors.last).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".comparison:not([aria-busy])")).to_be_visible()
    keyboard.go_to(page.locator(".change summary").first)
    keyboard.press("Enter")
    expect(page.locator(".change[open] .change-body table").first).to_be_visible()
    rule = page.locator(".rule", has_text="TO-").first
    keyboard.go_to(rule.locator("summary"), limit=400)
    if rule.get_attribute("open") is None:
        keyboard.press("Enter")
    keyboard.activate(rule.locator(".finding-link").first)
    view = page.locator(".finding-view")
    expect(view.locator(".diff-pin path")).to_be_visible()
    expect(view).to_be_focused()
    keyboard.activate(view.get_by_role("button", name=texts["next"]))
    expect(view.locator(".count")).to_contain_text(texts["second"])

    # The decision is nearer than the whole way back: it follows the skip link to the content.
    page.keyboard.press("Control+Home")
    page.evaluate("document.activeElement.blur()")
    keyboard.activate(page.locator("#skip"))
    publish = page.locator(".decision .desk-actions button").first
    keyboard.activate(publish)
    dialog = page.locator("dialog")
    expect(dialog).to_be_visible()
    keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(publish).to_be_focused()
    keyboard.press("Enter")
    expect(dialog).to_be_visible()
    for checkbox in dialog.locator("input[type=checkbox]").all():
        keyboard.go_to(checkbox)
        keyboard.press("Space")
    keyboard.activate(dialog.locator("footer button").last)
    expect_upload_state(page, texts["published"])
    expect(page.locator(".outcome")).to_be_focused()
    assert head_revision(service, venue_key) == 2
    assert service.get_json(f"/uploads/{upload}")["state"] == "published"

    # Back to the first revision.
    page.evaluate("document.activeElement.blur()")
    keyboard.activate(page.locator(".desk-tabs a[href$='/history']"))
    keyboard.activate(page.locator("#revision-1 a[href*='restore']"))
    expect(page.get_by_role("heading", name=texts["restore"])).to_be_visible()
    keyboard.activate(page.locator(".preview .desk-actions button.primary"))
    expect(dialog).to_be_visible()
    keyboard.activate(dialog.locator("footer button").last)
    page.wait_for_url(f"**/#/{venue_key}/desk/history")
    expect(page.locator("#revision-3")).to_contain_text(texts["newest"])
    assert head_revision(service, venue_key) == 3
