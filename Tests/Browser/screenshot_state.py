"""When a view is ready to be looked at."""


def wait_until_still(page):
    """Waits until the page has loaded and the map does not move any more."""
    page.wait_for_function("() => !document.querySelector('.spinner') && document.querySelector('main').children.length > 0")
    # Pictures of venues are loaded when their cards are visible.
    page.wait_for_function("""() => [...document.querySelectorAll(".card-picture:not(.is-empty)")].every((picture) =>
        picture.children.length > 0 || picture.getBoundingClientRect().top > innerHeight)""")
    page.wait_for_function("""() => {
        const map = document.querySelector(".map-page")?.venueMap?.mapLibre;
        return !map || (map.loaded() && !map.isMoving());
    }""")
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def wait_until_shown(page, path):
    """Waits until the view of a path is drawn, and its map, if it has one, is live."""
    if path.startswith(("#/mall", "#/plaza")) and "desk" not in path:
        page.wait_for_selector(".live-state.live", state="attached")
    wait_until_still(page)
