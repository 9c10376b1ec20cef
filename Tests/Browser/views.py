"""The views for screenshots: name, URL fragment, whether to sign in, and an action to perform first. Those of the desk are in
desk_views.py, those of the editor in edits_views.py, and rarer states in state_views.py."""


def open_place(page):
    page.locator(".place").nth(3).click()
    page.wait_for_selector(".place-card")


def search_coffee(page):
    page.fill("#search", "coffee")
    page.wait_for_function("() => document.querySelector('.list-title').textContent !== ''")


def filter_restrooms(page):
    page.click("[data-chip=restroom]")


def open_legend(page):
    page.click(".legend summary")


def show_walls(page):
    page.click("[data-tool=walls]")


def open_share_dialog(page):
    page.click("[data-tool=share]")
    page.wait_for_selector("dialog .qr-code")


def open_sign_in_dialog(page):
    page.click(".welcome button.primary")
    page.wait_for_selector("dialog #key")


def list_of_floor(page):
    if page.locator("[data-chip=list]").is_visible():
        page.click("[data-chip=list]")


def choose_start(page):
    """Opens directions from the card of a place, which asks for the start."""
    list_of_floor(page)
    open_place(page)
    page.click(".place-card [data-action=directions]")
    page.wait_for_selector(".directions-choice")


def show_way(page):
    """Directions to a shop of another floor; a kiosk knows where they start."""
    choose_start(page)
    page.click(".floors li:last-child button")
    # Until then, the list is that of the floor before.
    page.wait_for_selector(".floors li:last-child [aria-current]")
    list_of_floor(page)
    page.locator(".place").nth(8).click()
    page.wait_for_selector(".directions-sum")
    page.wait_for_selector(".route-runner", state="detached")


def show_way_from_kiosk(page):
    list_of_floor(page)
    open_place(page)
    page.click(".place-card [data-action=directions]")
    page.wait_for_selector(".directions-sum")


def show_last_step(page):
    show_way(page)
    for _ in range(9):
        if page.locator("[data-action=next]").is_disabled():
            break
        page.click("[data-action=next]")


def prepare(service):
    """Adds a small mall on whose floors most names fit."""
    service.create_venue("plaza", "--levels", 3, "--units", 24, "--seed", 7)


VIEWS = [
    ("welcome", "", False, None),
    ("sign-in", "", False, open_sign_in_dialog),
    ("venues", "", True, None),
    ("front", "#/plaza", True, None),
    ("map", "#/mall", True, None),
    ("list", "#/mall?floor=1", True, list_of_floor),
    ("place", "#/mall?floor=1", True, lambda page: (list_of_floor(page), open_place(page))),
    ("share", "#/mall?floor=1", True, open_share_dialog),
    ("search", "#/mall?floor=1", True, search_coffee),
    ("restrooms", "#/mall?floor=1", True, filter_restrooms),
    ("legend", "#/mall?floor=2", True, open_legend),
    ("walls", "#/plaza?floor=1", True, show_walls),
    ("kiosk", "#/plaza?kiosk&floor=0&at=139.6384,35.4518", True, None),
    ("kiosk-place", "#/mall?kiosk&floor=1", True, lambda page: (list_of_floor(page), open_place(page))),
    ("directions-start", "#/mall?floor=2", True, choose_start),
    ("directions", "#/mall?floor=2", True, show_way),
    ("directions-last-step", "#/mall?floor=2", True, show_last_step),
    ("directions-fault", "#/mall?from=home&to=1,2,3", True, lambda page: page.wait_for_selector(".directions-choice")),
    ("kiosk-directions", "#/plaza?kiosk&floor=1&at=139.6384,35.4518&home=0", True, show_way_from_kiosk),
    ("embed", "#/mall?embed", True, None),
    ("missing", "#/nowhere", True, None),
]
