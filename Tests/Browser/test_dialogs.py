"""Every dialog in which something is decided can be cancelled, and nothing has happened then."""
import pytest
from playwright.sync_api import expect

import edits_views
import state_views
from screenshot_state import wait_until_still

DIALOGS = ["publish", "discard", "discard-many", "restore", "keep", "prune", "delete", "key", "revoke"]
STEP_DIALOGS = ["edit-form", "edit-review", "edit-close", "edit-hide"]


@pytest.fixture(scope="module")
def views(service):
    """`(path, act)` by the name of the view."""
    state_views.prepare(service)
    edits_views.prepare(service)
    return {name: (path, act) for name, path, _, act in [*state_views.VIEWS, *edits_views.VIEWS]}


def test_list_of_dialogs_is_complete():
    assert [name for name, _, _ in state_views.dialogs("id")] == DIALOGS


@pytest.mark.parametrize("locale", ["en-US", "ja-JP"])
def test_dialogs_can_be_cancelled(windows, service, views, locale):
    page = windows.open(api_key=service.admin_key, locale=locale)
    changes = []
    page.on("request", lambda request: request.method not in ("GET", "HEAD") and "dry_run=true" not in request.url and "dry_run\":true" not in (request.post_data or "")
            and changes.append(f"{request.method} {request.url}"))
    for name in [*[f"dialog-{each}" for each in DIALOGS], *STEP_DIALOGS, "sign-in"]:
        if name == "sign-in":
            page.evaluate("sessionStorage.removeItem('venuesync.key')")
        path, act = views.get(name) or ("", lambda page: page.click(".welcome button.primary"))
        page.goto(f"{service.address}/?{name}{path}")
        wait_until_still(page)
        act(page)
        dialog = page.locator("dialog[open]")
        expect(dialog).to_be_visible()
        before = page.url
        cancel = dialog.get_by_role("button", name="Cancel" if locale == "en-US" else "キャンセル", exact=True)
        expect(cancel, name).to_have_count(1)
        cancel.click()
        expect(dialog).to_have_count(0)
        assert page.url == before, name
    assert changes == []
