"""Links for visitors: the poster on paper, and where its link leads. The addresses: Tests/Console/visitor-links.test.js."""
import re

from playwright.sync_api import expect

from accessibility import findings
from desk import open_desk


def test_poster_is_one_sheet_of_paper_and_its_link_opens_the_map_there(windows, service, mall):
    page = open_desk(windows, mall, "/links", viewport=(1440, 900), bypass_csp=True)
    poster = page.locator(".poster")
    expect(poster.locator(".qr-code")).to_be_visible()
    # The whole poster is on the first screen, beside the form.
    box = poster.bounding_box()
    assert box["y"] + box["height"] <= 900
    assert not findings(page)
    before = poster.locator(".qr-code path").get_attribute("d")
    page.get_by_label("Floor to begin with").select_option("1")
    center = service.features(mall, 1, "level")[0]["geometry"]["coordinates"]
    while not isinstance(center[0], float):
        center = center[0]
    page.get_by_label("Position of the poster or the kiosk").fill(f"{center[0]}, {center[1]}")
    link = page.get_by_label("Link", exact=True).input_value()
    assert link == f"{service.address}/#/{mall}?at={center[0]},{center[1]}&floor=1"
    expect(poster).to_contain_text(link)
    assert poster.locator(".qr-code path").get_attribute("d") != before
    # On paper there is nothing else.
    sheet = page.pdf(prefer_css_page_size=True, print_background=True)
    assert len(re.findall(rb"/Type\s*/Page\b", sheet)) == 1
    page.emulate_media(media="print")
    for other in (".bar", ".desk-header", ".links-form", ".links-poster button"):
        expect(page.locator(other)).to_be_hidden()
    page.emulate_media(media="screen")
    page.goto(link)
    page.wait_for_selector(".live-state.live")
    expect(page.locator(".map-pin")).to_be_visible()
