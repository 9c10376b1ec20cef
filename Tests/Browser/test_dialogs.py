"""The dialogs of the editor, which have steps, can be cancelled, and nothing has happened then. Other dialogs: Tests/Console/dialogs.test.js."""
import re

from playwright.sync_api import expect

import edits_views
import state_views
from edits import WEB
from screenshot_state import wait_until_still

STEP_DIALOGS = ["edit-form", "edit-review", "edit-close", "edit-hide"]


def test_list_of_dialogs_is_complete():
    """Every dialog that is tested for accessibility can also be cancelled."""
    source = (WEB.parents[2] / "Tests/Console/dialogs.test.js").read_text()
    cancelled = re.findall(r"^    \"?([a-z ]+)\"?: \[", source, re.MULTILINE)
    assert [name.replace("-", " ") for name, _, _ in state_views.dialogs("id")] == [name for name in cancelled if name != "sign in"]


def test_step_dialogs_can_be_cancelled(windows, service):
    edits_views.prepare(service)
    views = {name: (path, act) for name, path, _, act in edits_views.VIEWS}
    page = windows.open(api_key=service.admin_key)
    changes = []
    page.on("request", lambda request: request.method not in ("GET", "HEAD") and "dry_run=true" not in request.url and "dry_run\":true" not in (request.post_data or "")
            and changes.append(f"{request.method} {request.url}"))
    for name in STEP_DIALOGS:
        path, act = views[name]
        page.goto(f"{service.address}/?{name}{path}")
        wait_until_still(page)
        act(page)
        dialog = page.locator("dialog[open]")
        expect(dialog).to_be_visible()
        before = page.url
        cancel = dialog.get_by_role("button", name="Cancel", exact=True)
        expect(cancel, name).to_have_count(1)
        cancel.click()
        if name == "edit-review":
            # What was typed is not discarded without a question.
            dialog.get_by_role("button", name="Discard", exact=True).click()
        expect(dialog).to_have_count(0)
        assert page.url == before, name
    assert changes == []
