"""Links to places: the dialog and the QR code, which an independent decoder reads (ZXing)."""
import io
import re

import numpy
import pytest
import zxingcpp
from PIL import Image
from playwright.sync_api import expect


def decoded(picture):
    """The text of the QR code in a PNG."""
    [code] = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)).convert("L"))
    return code.text


@pytest.mark.parametrize(("locale", "scheme", "label"), [("en", "light", "QR code of the link"), ("ja", "dark", "リンクのQRコード")])
def test_qr_code_of_a_shared_place_opens_the_place(windows, mall, locale, scheme, label):
    page = windows.map(mall, locale=locale, color_scheme=scheme)
    place = page.locator(".place").nth(2)
    name = place.locator(".place-name").inner_text()
    place.focus()
    page.keyboard.press("Enter")
    page.locator("[data-action=share]").focus()
    page.keyboard.press("Enter")
    picture = page.get_by_role("img", name=label)
    expect(picture).to_be_visible()
    expect(page.locator("dialog .share-place")).to_have_text(name)
    link = page.input_value("#share-link")
    assert re.search(rf"/#/{mall}/[\w-]{{22}}$", link)
    assert decoded(picture.screenshot()) == link
    page.keyboard.press("Escape")
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-action=share]")).to_be_focused()
    other = windows.map(mall, link.partition(f"#/{mall}")[2], locale=locale)
    expect(other.locator(".place-card h2")).to_have_text(name)


def test_qr_code_of_a_floor_is_shown_by_the_mouse_on_a_phone_without_a_share_dialog(windows, mall):
    page = windows.map(mall, "?floor=1", viewport=(390, 844))
    page.click("[data-tool=share]")
    link = page.input_value("#share-link")
    assert link.endswith(f"/#/{mall}?floor=1")
    assert decoded(page.locator(".qr-code").screenshot()) == link


@pytest.mark.parametrize("outcome", ["shared", "closed"])
def test_phone_shares_with_the_dialog_of_the_system(windows, mall, outcome):
    """Also when the user closes that dialog, nothing else opens, and there is no error."""
    page = windows.map(mall, "?floor=1", viewport=(390, 844), has_touch=True, is_mobile=True)
    page.evaluate("""(outcome) => {
        navigator.share = (data) => {
            window.shared = data;
            return outcome === "shared" ? Promise.resolve() : Promise.reject(new DOMException("Share canceled", "AbortError"));
        };
    }""", outcome)
    page.tap("[data-tool=share]")
    page.wait_for_function("() => window.shared")
    assert page.evaluate("window.shared.url").endswith(f"/#/{mall}?floor=1")
    page.evaluate("() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))")
    expect(page.locator("dialog, .toast")).to_have_count(0)


def test_mouse_gets_the_qr_code_although_the_system_could_share(windows, mall):
    page = windows.map(mall)
    page.evaluate("() => { navigator.share = (data) => { window.shared = data; return Promise.resolve(); }; }")
    page.click("[data-tool=share]")
    expect(page.locator("dialog .qr-code")).to_be_visible()
    assert page.evaluate("window.shared") is None


@pytest.mark.parametrize(("locale", "close"), [("en", "Close"), ("ja", "閉じる")])
def test_dialog_of_a_link_has_a_button_to_close_it(windows, mall, locale, close):
    page = windows.map(mall, locale=locale)
    page.click("[data-tool=share]")
    page.locator("dialog footer").get_by_role("button", name=close).click()
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("[data-tool=share]")).to_be_focused()


def test_qr_codes_of_every_size_are_decoded(windows):
    page = windows.open()
    texts = [*("x" * length for length in range(1, 667, 19)), "x" * 666, "é" * 333, "日本語の地図", "https://maps.example/#/mall?floor=-1&place=%20"]
    codes = page.evaluate("""async (texts) => {
        const { qrModules } = await import("/console/ui/qr/qr-code.js");
        return texts.map((text) => qrModules(text).map((row) => row.map(Number)));
    }""", texts)
    for text, modules in zip(texts, codes):
        image = numpy.pad(numpy.where(numpy.array(modules) == 1, 0, 255).astype(numpy.uint8), 4, constant_values=255)
        assert [code.text for code in zxingcpp.read_barcodes(image.repeat(4, axis=0).repeat(4, axis=1))] == [text]
    assert {len(modules) for modules in codes} >= {21, 25, 57, 97}
    message = page.evaluate("""import("/console/ui/qr/qr-code.js").then(({ qrModules }) => qrModules("x".repeat(667))).then(() => null, (error) => error.name)""")
    assert message == "RangeError"
