"""The list of floors on low screens and in venues with many floors."""
import pytest


@pytest.fixture(scope="module")
def tower(service):
    service.create_venue("tower-33", "--levels", 33, "--units", 12)
    return "tower-33"


@pytest.mark.parametrize("viewport, query", [
    ((844, 390), ""), ((932, 430), ""), ((400, 300), "?embed=1"), ((390, 844), ""), ((1280, 800), ""),
])
def test_at_least_three_floors_are_visible_and_the_list_shows_that_it_goes_on(windows, service, tower, viewport, query):
    page = windows.open(f"#/{tower}{query}", api_key=service.admin_key, viewport=viewport)
    page.wait_for_selector(".floors [aria-current]")
    facts = page.evaluate("""() => {
        const list = document.querySelector(".floors");
        const box = list.getBoundingClientRect();
        const isWithin = (each) => each.top >= box.top - 1 && each.bottom <= box.bottom + 1;
        const visible = [...list.querySelectorAll("button")].filter((each) => isWithin(each.getBoundingClientRect()));
        const { left, right, top, bottom } = document.querySelector(".map-tools").getBoundingClientRect();
        return {
            visible: visible.length, hasCurrent: visible.some((each) => each.ariaCurrent), scrolls: list.scrollHeight > list.clientHeight,
            shadows: getComputedStyle(list).backgroundAttachment, inside: box.top >= 0 && box.bottom <= innerHeight && box.right <= innerWidth,
            areApart: right <= box.left || left >= box.right || bottom <= box.top || top >= box.bottom,
        };
    }""")
    assert facts["visible"] >= 3 and facts["hasCurrent"] and facts["scrolls"], facts
    assert facts["inside"] and facts["areApart"], facts
    assert "local" in facts["shadows"], "the shadows at both ends are covered where the list ends"
