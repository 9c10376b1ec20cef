"""Links to places: the dialog and the QR code, which an independent decoder reads (ZXing)."""
import io
import re

import numpy
import zxingcpp
from PIL import Image
from playwright.sync_api import expect


def decoded(picture):
    """The text of the QR code in a PNG."""
    [code] = zxingcpp.read_barcodes(Image.open(io.BytesIO(picture)).convert("L"))
    return code.text


def test_qr_code_of_a_shared_place_opens_the_place(windows, mall):
    """In the dark mode, too, it is dark on light."""
    locale, scheme, label = "ja", "dark", "リンクのQRコード"
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
