"""The map in a frame of another site's page: a second server on another origin serves that page."""
import http.server
import json
import threading

import pytest
from playwright.sync_api import expect


@pytest.fixture
def other_site():
    """`(origin, pages)` of a server that responds with `pages`, by path."""
    pages = {}

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            body = pages.get(self.path, "").encode()
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *arguments):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    # Another host than that of the service, so that browsers treat it as another site, not only as another origin.
    yield f"http://localhost:{server.server_port}", pages
    server.shutdown()
    server.server_close()


def visit(windows, service, venue_key, other_site, address=None):
    """A window with a page of the other site that has a frame with the map."""
    origin, pages = other_site
    assert "localhost" not in service.address
    pages["/"] = f"""<!doctype html><title>Shops</title><h1>Our shops</h1>
        <iframe title="Map" width="900" height="600" src="{address or f'{service.address}/embed/{venue_key}'}"></iframe>"""
    windows.other_origins.add(origin)
    page = windows.open()
    page.goto(f"{origin}/")
    return page


def test_map_is_shown_in_a_frame_of_a_permitted_site(windows, service, venue_key, other_site):
    service.create_venue(venue_key, "--levels", 2, "--units", 12, "--seed", 7)
    service.run_venue("set", venue_key, "public=on", f"embed_origins={json.dumps([other_site[0]])}")
    page = visit(windows, service, venue_key, other_site)
    frame = page.frame_locator("iframe")
    expect(frame.locator(".live-state.live")).to_be_attached()
    expect(frame.get_by_role("banner")).to_be_hidden()
    place = frame.locator(".place").first
    name = place.locator(".place-name").inner_text()
    place.click()
    expect(frame.locator(".place-card h2")).to_have_text(name)
    frame.locator(".floors [data-ordinal='1']").click()
    expect(frame.locator(".floors [aria-current]")).to_have_attribute("data-ordinal", "1")
    assert page.url == f"{other_site[0]}/", "the page around it stays"
    assert page.frames[1].evaluate("window.policyViolations") == []


def test_browser_refuses_the_frame_of_other_sites(windows, service, venue_key, other_site):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    origin = json.dumps([other_site[0]])
    for what, settings, path in [
        ("no setting", ["public=on"], "/embed/{venue}"),
        ("another origin", ["public=on", 'embed_origins=["https://www.example.com"]'], "/embed/{venue}"),
        ("not public", ["public=off", f"embed_origins={origin}"], "/embed/{venue}"),
        ("page of the console", ["public=on", f"embed_origins={origin}"], "/?embed#/{venue}"),
    ]:
        service.run_venue("set", venue_key, *settings)
        expect_refusal(windows, service, venue_key, other_site, path, what)


def expect_refusal(windows, service, venue_key, other_site, path, what):
    page = visit(windows, service, venue_key, other_site, service.address + path.replace("{venue}", venue_key))
    page.wait_for_function("() => frames.length === 1")
    page.frame_locator("iframe").locator("body").wait_for(state="attached")
    expect(page.frame_locator("iframe").locator("#main")).to_have_count(0)
    for _ in range(200):
        if windows.errors:
            break
        page.wait_for_timeout(100)
    [refusal] = windows.errors
    assert "frame-ancestors" in refusal and service.address in refusal, what
    windows.errors.clear()  # Expected here, and a failure of other tests.
