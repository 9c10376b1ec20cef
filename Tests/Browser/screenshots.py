"""Takes screenshots of all views, or of those that are named: {view}-{wide|phone}-{light|dark}-{en|ja}.png in a folder. With
`--documentation` instead of a folder, renews the pictures of the documentation."""
import pathlib
import sys

from PIL import Image
from playwright.sync_api import sync_playwright

import desk_views
import edits_views
import state_views
import views
from conftest import CHROMIUM, FLAGS
from page_clock import NOON
from screenshot_state import wait_until_shown, wait_until_still
from service import ROOT, Service

SIZES = {"wide": ((1280, 800), 1), "phone": ((390, 844), 2)}
# Where the views are. The venues of the last ones are not in the pictures of the list of venues.
PASSES = [[views, desk_views, edits_views], [state_views]]
# The pictures of the documentation by the names of their screenshots.
PICTURES = {
    "front-wide-light-en": "Tests/Browser/console.png", "venues-wide-light-en": "docs/images/console-venues.png",
    "place-phone-light-ja": "docs/images/console-place.png", "search-wide-dark-ja": "docs/images/console-search.png",
    "walls-wide-light-en": "docs/images/console-walls.png", "kiosk-wide-light-en": "docs/images/console-kiosk.png",
    "edit-form-wide-light-en": "docs/images/console-edit.png", "desk-changes-wide-light-en": "docs/images/console-review.png",
    "desk-split-wide-light-en": "docs/images/console-before-after.png", "directions-wide-light-en": "docs/images/console-directions.png",
}


def smaller(path):
    """Compresses a picture as well as possible. It keeps all its colours."""
    with Image.open(path) as picture:
        picture.convert("RGB").save(path, optimize=True)


def take(browser, service, pages, target, chosen):
    """Takes the pictures of `pages`, which are views, each in both sizes and colour schemes."""
    is_documentation = target == "--documentation"
    for size, (viewport, scale) in SIZES.items():
        for scheme in ("light", "dark"):
            locale = "ja" if (size, scheme) in (("wide", "dark"), ("phone", "light")) else "en"
            for name, path, is_signed_in, act in pages:
                picture = f"{name}-{size}-{scheme}-{locale}"
                if (chosen and name not in chosen) or (is_documentation and picture not in PICTURES):
                    continue
                context = browser.new_context(
                    viewport={"width": viewport[0], "height": viewport[1]}, device_scale_factor=scale, service_workers="block",
                    color_scheme=scheme, locale=locale, timezone_id="Asia/Tokyo")
                context.set_default_timeout(60_000)
                if is_signed_in:
                    context.add_init_script(f"sessionStorage.setItem('venuesync.key', '{service.admin_key}')")
                page = context.new_page()
                page.clock.set_fixed_time(NOON)
                page.goto(f"{service.address}/{path}")
                wait_until_shown(page, path)
                if act:
                    act(page)
                    wait_until_still(page)
                file = ROOT / PICTURES[picture] if is_documentation else pathlib.Path(target) / f"{picture}.png"
                page.screenshot(path=file)
                smaller(file)
                context.close()


def main(target, *chosen):
    with Service() as service:
        service.create_venue("mall", "--levels", 4, "--units", 60, "--seed", 7)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
            # The documentation has no rarer states.
            for modules in PASSES[:1] if target == "--documentation" else PASSES:
                for each in modules:
                    each.prepare(service)
                take(browser, service, [view for each in modules for view in each.VIEWS], target, chosen)
            browser.close()


main(*sys.argv[1:])
