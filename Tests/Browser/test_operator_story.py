"""An operator with a mouse, and with a finger on a phone: from the list of venues through the review of an upload to its publication, and
back to the old revision. Without a pointer: test_operator_keyboard.py."""
import pytest
from playwright.sync_api import expect

from desk import head_revision, expect_upload_state
from test_operator_keyboard import TEXTS
from test_visitor_story import IS_DARK, expect_fits

MOUSE = {"viewport": (1280, 800)}
PHONE = {"viewport": (390, 844), "has_touch": True, "is_mobile": True, "device_scale_factor": 2}


# Each language, colour scheme and preference for motion once: what the pages say does not depend on the device.
@pytest.mark.parametrize(("locale", "device", "scheme", "motion"), [
    pytest.param("en-US", MOUSE, "dark", "no-preference", id="mouse"), pytest.param("ja-JP", PHONE, "light", "reduce", id="phone-ja")])
def test_operator_publishes_and_rolls_back(windows, service, venue_key, locale, device, scheme, motion):
    archive = service.create_venue(venue_key)
    following = service.generate(f"{venue_key}+.zip", "--next-of", archive, "--edit", "rename=3,move=2,floor", "--seed", 5)
    texts = TEXTS[locale]
    page = windows.open(api_key=service.admin_key, locale=locale, color_scheme=scheme, reduced_motion=motion, **device)

    def press(target):
        target.tap() if device is PHONE else target.click()

    # From the list of venues to the map, and to the desk.
    page.locator("#venue-search").fill(venue_key)
    expect(page.locator(".venue-card")).to_have_count(1)
    expect_fits(page)
    press(page.locator(f".venue-card a.card[href='#/{venue_key}']"))
    page.wait_for_selector(".live-state.live", state="attached")
    press(page.get_by_role("link", name=texts["desk"]))
    expect(page.locator(".desk-tabs")).to_be_visible()
    assert page.evaluate(IS_DARK) == (scheme == "dark")
    expect_fits(page)

    # An upload that waits for a decision.
    with page.expect_file_chooser() as chooser:
        press(page.locator(".drop-zone label[for=archive]"))
    chooser.value.set_files(str(following))
    page.locator("#upload-message").fill("Spring")
    press(page.locator("label[for=upload-hold]"))
    expect(page.locator("#upload-hold")).to_be_checked()
    press(page.locator(".archive-options button.primary"))
    expect_upload_state(page, texts["staged"])
    upload = page.url.rsplit("/", 1)[1]

    # The review: both states of a floor, a change of the list on the map, and the findings.
    floors = page.locator(".level-rail tbody button")
    press(floors.last)
    expect(floors.last).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".comparison:not([aria-busy])")).to_be_visible()
    press(page.get_by_role("button", name=texts["split"]))
    expect(page.locator(".diff-label-after")).to_be_visible()
    view_box = page.locator(".diff-drawing").get_attribute("viewBox")
    press(page.locator(".change summary").first)
    expect(page.locator(".change[open] .change-body table").first).to_be_visible()
    expect(page.locator(".diff-drawing")).not_to_have_attribute("viewBox", view_box)
    expect_fits(page)
    rule = page.locator(".rule", has_text="TO-").first
    if rule.get_attribute("open") is None:
        press(rule.locator("summary"))
    press(rule.locator(".finding-link").first)
    view = page.locator(".finding-view")
    expect(view.locator(".diff-pin path")).to_be_visible()
    press(view.get_by_role("button", name=texts["next"]))
    expect(view.locator(".count")).to_contain_text(texts["second"])
    expect_fits(page)

    # The decision is in view wherever the page is.
    decision = page.locator(".decision .desk-actions button").first
    expect(decision).to_be_in_viewport()
    press(decision)
    dialog = page.locator("dialog")
    expect(dialog).to_be_visible()
    for checkbox in dialog.locator("input[type=checkbox]").all():
        press(checkbox)
    press(dialog.locator("footer button").last)
    expect_upload_state(page, texts["published"])
    assert head_revision(service, venue_key) == 2
    assert service.get_json(f"/uploads/{upload}")["state"] == "published"

    # Back to the first revision.
    press(page.locator(".desk-tabs a[href$='/history']"))
    press(page.locator("#revision-1 a[href*='restore']"))
    expect(page.get_by_role("heading", name=texts["restore"])).to_be_visible()
    press(page.locator(".preview .desk-actions button.primary"))
    expect(dialog).to_be_visible()
    press(dialog.locator("footer button").last)
    page.wait_for_url(f"**/#/{venue_key}/desk/history")
    expect(page.locator("#revision-3")).to_contain_text(texts["newest"])
    assert head_revision(service, venue_key) == 3
    expect_fits(page)
