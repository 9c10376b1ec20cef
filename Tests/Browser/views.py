"""The views that pictures are taken of: a name, an address, and what is done there. The desk's are in desk_views.py."""


def place(page):
    page.locator(".place").nth(3).click()
    page.wait_for_selector(".place-card")


def search(page):
    page.fill("#search", "coffee")
    page.wait_for_function("() => document.querySelector('.list-title').textContent !== ''")


def restrooms(page):
    page.click("[data-chip=restroom]")


def legend(page):
    page.click(".legend summary")


def list_of_floor(page):
    if page.locator("[data-chip=list]").is_visible():
        page.click("[data-chip=list]")


VIEWS = [
    ("welcome", "", None, None),
    ("venues", "", "key", None),
    ("map", "#/mall", "key", None),
    ("list", "#/mall?floor=1", "key", list_of_floor),
    ("place", "#/mall?floor=1", "key", lambda page: (list_of_floor(page), place(page))),
    ("search", "#/mall", "key", search),
    ("restrooms", "#/mall?floor=1", "key", restrooms),
    ("legend", "#/mall?floor=2", "key", legend),
    ("missing", "#/nowhere", "key", None),
]
