"""An operator's actions on a network that answers nothing: a decision about an upload, and a rollback, which the server may have carried out."""
import pytest
from playwright.sync_api import expect

from desk import head_revision, open_desk, stage_upload
from test_network import respond, wait_with_clock
from toasts import expect_toast

NO_RESPONSE = {"en-US": "The server does not respond", "ja-JP": "サーバーが応答しません"}
# What the page says of an action that had been carried out, when it is tried again.
ALREADY_DONE = {
    "decision": {"en-US": "This upload has already been published or discarded.", "ja-JP": "このアップロードはすでに処理されました。"},
    "rollback": {"en-US": "A new revision was published in the meantime.", "ja-JP": "その間に新しいリビジョンが公開されました。"},
}
DONE = "() => window.shownToasts.filter(({ kinds }) => kinds.includes('done')).length"


class Action:
    """A decision about a staged upload, or the rollback of a second revision, in a dialog that is open."""

    def __init__(self, name, windows, service, venue, locale):
        self.name, self.service, self.venue = name, service, venue
        archive = service.create_venue(venue, "--levels", 1, "--units", 12, "--seed", 7)
        if name == "rollback":
            service.publish_edit(venue, archive, "rename=2")
            self.method, self.path, view = "POST", f"/venues/{venue}/rollback", "/restore?to=1"
        else:
            self.upload, _ = stage_upload(service, venue, archive, "rename=2")
            self.method = "POST" if name == "publish" else "DELETE"
            self.path, view = f"/uploads/{self.upload}{'/publish' if name == 'publish' else ''}", f"/uploads/{self.upload}"
        self.page = open_desk(windows, venue, view, locale=locale)
        buttons = self.page.locator(".decision .desk-actions button")
        (buttons.last if name == "discard" else buttons.first).click()
        self.button = self.page.locator("dialog footer button").last
        expect(self.button).to_be_enabled()

    def is_this(self, request):
        is_preview = request.method == "POST" and "dry_run" in request.post_data_json
        return request.method == self.method and request.url.partition("?")[0] == self.service.address + self.path and not is_preview

    @property
    def state(self):
        """The state of the upload and the newest revision."""
        upload = None if self.name == "rollback" else self.service.get_json(f"/uploads/{self.upload}")["state"]
        return upload, head_revision(self.service, self.venue)


STATES = {
    "publish": (("staged", 1), ("published", 2)), "discard": (("staged", 1), ("discarded", 1)), "rollback": ((None, 2), (None, 3)),
}


@pytest.mark.parametrize("is_carried_out", [False, True], ids=["lost-request", "lost-response"])
@pytest.mark.parametrize("locale", list(NO_RESPONSE))
@pytest.mark.parametrize("name", list(STATES))
def test_action_without_a_response_can_be_tried_again(windows, service, venue_key, name, locale, is_carried_out):
    action = Action(name, windows, service, venue_key, locale)
    page, button, dialog = action.page, action.button, action.page.locator("dialog")
    before, after = STATES[name]
    carried_out = []

    def lose(route):
        if is_carried_out and action.is_this(route.request):
            carried_out.append(route.fetch().ok)

    page.clock.install()
    page.route("**/*", lose)
    with page.expect_request(action.is_this):
        button.click()
    for _ in range(2_400):
        if carried_out or not is_carried_out:
            break
        page.wait_for_timeout(50)  # Polling interval; the test does not depend on it.
    assert carried_out == [True] * is_carried_out and action.state == (after if is_carried_out else before)

    # A server that waits for the publication gets its time. Until then the action cannot be started again.
    error = dialog.locator(".error-message")
    page.clock.run_for(30_000)
    expect(button).to_be_disabled()
    assert error.inner_text() == ""
    wait_with_clock(page, error.filter(has_text=NO_RESPONSE[locale]), step=10_000)
    expect(button).to_be_enabled()
    expect(page.locator(".outcome")).to_have_count(0)
    assert page.evaluate(DONE) == 0, "nothing claims success"

    respond(page)
    page.clock.resume()
    button.click()
    expect(dialog).to_have_count(0)
    if is_carried_out:
        expect_toast(page, ALREADY_DONE["rollback" if name == "rollback" else "decision"][locale], "problem")
        assert page.evaluate(DONE) == 0, "it was not done now"
    else:
        expect_toast(page, kind="done")
    if name != "rollback":
        expect(page.locator(f".outcome.is-{after[0]}")).to_be_visible()
    elif is_carried_out:
        expect(page.locator(".preview .notice")).to_be_visible()
        expect(page.locator(".preview button")).to_have_count(0)
    else:
        page.wait_for_url(f"**/#/{venue_key}/desk/history")
    assert action.state == after, "it was done once"
