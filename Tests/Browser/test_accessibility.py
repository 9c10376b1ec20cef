"""Every view without findings of axe-core, on phones and wide screens, in both languages and colour schemes. In the views of the desk, every
time of day has its time zone, and every button a name or an icon."""
import re

import pytest

import desk_views
import edits_views
import state_views
import views
from accessibility import findings
from edits import WEB
from page_clock import NOON
from screenshot_state import wait_until_shown, wait_until_still


@pytest.fixture(scope="module")
def all_views(service, mall):
    """All views; their venues are created once."""
    views.prepare(service)
    desk_views.prepare(service)
    edits_views.prepare(service)
    state_views.prepare(service)
    return [*views.VIEWS, *desk_views.VIEWS, *edits_views.VIEWS, *state_views.VIEWS]


# The texts and titles of a page. Opening hours are rules, not times: they are left out, with the values of features.
TEXTS = """() => {
    const left = ".override-values, .fields, .change-name, input, textarea, .finding-message, .finding-note";
    const texts = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT);
    while (walker.nextNode()) {
        const element = walker.currentNode;
        if (element.closest(left)) continue;
        if (element.title) texts.push(element.title);
        // A sentence with names has several nodes.
        if ([...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && /\\d:\\d\\d|\\d時/.test(node.data))) texts.push(element.textContent);
    }
    return texts;
}"""
# A digest such as "sha-256:73b2…" is no time.
TIME = re.compile(r"(?<!\d)\d{1,2}:\d{2}(?![\da-f])|\d{1,2}時(?!間)")
TIME_WITH_ZONE = re.compile(r"(?:\d{1,2}:\d{2}|\d{1,2}時\d{1,2}分)(?::\d{2})?(?:\s[AP]M)?\s(?![AP]M\b)[A-Z]{2,5}")
# Texts that an icon would replace.
SYMBOL_BUTTONS = """() => [...document.querySelectorAll("button, [role=button], summary")].map((each) => each.textContent.trim())
    .filter((text) => /^[^\\p{L}\\p{N}]+$/u.test(text))"""


PHONE, WIDE = ("on a phone", (390, 844)), ("on a wide screen", (1280, 800))


# Colours do not depend on the language, nor sizes of texts on the colour scheme, so two of the four combinations have everything.
# They take longer than any other test, so each may be in a process of its own.
@pytest.mark.parametrize(("locale", "scheme"), [
    pytest.param(*each, marks=pytest.mark.xdist_group("-".join(each))) for each in [("ja-JP", "light"), ("en-US", "dark")]])
def test_views_have_no_accessibility_findings(windows, service, all_views, locale, scheme):
    """Each view is opened once in each language, on a phone, and then shown on a wide screen."""
    found, times, wrong, symbols = {}, 0, {}, {}
    pages = {is_signed_in: windows.open(
        "#/~", api_key=service.admin_key if is_signed_in else None, locale=locale, color_scheme=scheme, timezone_id="America/New_York", reduced_motion="reduce",
        bypass_csp=True, now=NOON) for is_signed_in in (True, False)}
    for name, path, is_signed_in, act in all_views:
        page = pages[is_signed_in]
        # What one view remembers, such as walls, is not for the next one.
        page.evaluate("localStorage.clear()")
        for index, (size, (width, height)) in enumerate([PHONE, WIDE]):
            page.set_viewport_size({"width": width, "height": height})
            if index == 0:
                # Another query loads the page again, although only the fragment differs.
                page.goto(f"{service.address}/{path}" if path.startswith("embed") else f"{service.address}/?{name}{path}")
                wait_until_shown(page, path)
                if act:
                    act(page)
            wait_until_still(page)
            if lines := findings(page):
                found[f"{name} {size}"] = lines
        # The last view of a finding is a map, which has opening hours.
        if name != "desk-finding-map" and (path == "" or "/desk" in path or "/~/" in path):
            for text in page.evaluate(TEXTS):
                times += len(TIME.findall(text))
                if len(TIME.findall(text)) > len(TIME_WITH_ZONE.findall(text)):
                    wrong.setdefault(name, []).append(text)
            if texts := page.evaluate(SYMBOL_BUTTONS):
                symbols[name] = texts
    assert found == {} and wrong == {} and symbols == {}
    assert times > 40


def test_every_page_is_a_view(all_views):
    """The views of the desk are those of its router; a page that is added there needs a view, too."""
    source = (WEB / "desk/desk-page.js").read_text()
    names = {kind: set(re.findall(r"^    (\w+): ", re.search(rf"const {kind} = \{{\n(.*?)\n\}};", source, re.DOTALL)[1], re.MULTILINE))
             for kind in ("venueViews", "globalViews")}
    paths = [path.partition("?")[0].removeprefix("#/").split("/") for _, path, _, _ in all_views]
    of_venues = [path[2:] for path in paths if path[1:2] == ["desk"]]
    shown = {"overview" if not path else "allUploads" if path == ["uploads"] else path[0] for path in of_venues}
    assert shown == names["venueViews"]
    assert {path[1] for path in paths if path[0] == "~"} == names["globalViews"]
    assert {("", ), ("mall", ), ("embed", "states")} <= {tuple(path) for path in paths}


def test_accessibility_findings_are_noticed(windows, service):
    page = windows.open(bypass_csp=True)
    page.wait_for_selector(".welcome")
    page.evaluate("document.querySelector('main').append(document.createElement('button'))")
    assert any(line.startswith("button-name") for line in findings(page))
