"""The views of the editor for screenshots. In `mall.edits`, edits wait for a decision."""
import edits

VIEWS = []


def prepare(service):
    """Creates the venue, and adds the views, which need the ids of its shops; once for all tests."""
    if VIEWS:
        return
    archive = service.create_venue("mall.edits", "--levels", 1, "--units", 16, "--seed", 7)
    shops = edits.shops(service, "mall.edits")
    first, second, third, fourth = (shop["id"] for shop in shops[:4])
    edits.patch(service, "mall.edits", first, {"phone": "+81312345678", "website": "https://www.example.com/"}, message="Called the shop")
    edits.patch(service, "mall.edits", second, {"hours": "Mo-Fr 09:00-18:00; Sa,Su 10:00-17:00"}, message="New hours on the door")
    edits.patch(service, "mall.edits", third, {"hours": "off"}, message="Renovation", until="2199-01-05T18:00:00+09:00")
    edits.call(service, "POST", "/venues/mall.edits/edits", {"edits": [{"hide": fourth}], "message": "Moved out"})
    changes = {first: {"phone": "+81399999999"}, second: {"hours": "Mo-Su 10:00-19:00"}}
    following = edits.changed_archive(archive, service.folder / "mall.edits-2.zip", edits.with_properties(changes))
    service.run_venue("push", following, "--to", "mall.edits")
    card = f"#/mall.edits?floor=0&place={first}"
    VIEWS.extend((name, path, True, act) for name, path, act in [
        ("edit-card", card, wait_for_card),
        ("edit-form", card, open_form),
        ("edit-hours", f"#/mall.edits?floor=0&place={second}", open_hours),
        ("edit-review", card, review),
        ("edit-close", card, lambda page: open_dialog(page, "close")),
        ("edit-hide", card, lambda page: open_dialog(page, "hide")),
        ("edit-move", card, move),
        ("edit-add", "#/mall.edits?floor=0", choose_unit),
        ("edit-shops", "#/mall.edits?floor=0", choose_shops),
        ("edit-shops-review", "#/mall.edits?floor=0", review_shops),
        ("edit-list", "#/mall.edits/desk/overrides", None),
        ("edit-list-all", "#/mall.edits/desk/overrides?state=all", None),
        ("edit-log", "#/mall.edits/desk/history", None),
    ])


def wait_for_card(page):
    page.wait_for_selector(".card-overrides .override-note")


def open_dialog(page, name):
    wait_for_card(page)
    page.click(f"[data-id=edit-{name}]")
    page.wait_for_selector(".step-dialog input")


def open_form(page):
    open_dialog(page, "edit")


def open_hours(page):
    open_dialog(page, "edit")
    page.evaluate("document.querySelector('.hours-field').scrollIntoView({ block: 'center' })")


def choose_shops(page):
    if page.locator("[data-chip=list]").is_visible():
        page.click("[data-chip=list]")
    page.click("[data-id=shop-hours]")
    page.wait_for_selector(".shop-list input")
    for box in page.locator(".shop-list input").all()[:3]:
        box.check()


def review_shops(page):
    choose_shops(page)
    edits.proceed(page)
    page.fill("#edit-hours", "Mo-Fr 10:00-20:00; Sa,Su 10:00-18:00; PH off")
    edits.proceed(page)
    page.wait_for_selector(".change-table")


def review(page):
    open_form(page)
    page.fill("#edit-website", "not an address")
    page.fill("#edit-phone", "+81300000000")
    edits.proceed(page)
    page.wait_for_selector(".change-table")


def move(page):
    wait_for_card(page)
    page.click("[data-id=edit-move]")
    page.wait_for_selector(".map-handle")


def choose_unit(page):
    if page.locator("[data-chip=list]").is_visible():
        page.click("[data-chip=list]")
    page.click("[data-id=add-shop]")
    page.wait_for_selector(".edit-panel .place")
