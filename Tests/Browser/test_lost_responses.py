"""An operator's actions whose responses are lost, with a service that has carried them out. Lost requests, the decision to discard, and the
texts in Japanese: Tests/Console/lost-responses.test.js."""
import pytest
from playwright.sync_api import expect

from desk import head_revision, open_desk, stage_upload
from page_clock import respond, wait_with_clock
from toasts import expect_toast

NO_RESPONSE = "The server does not respond"
# What the page says of an action that had been carried out, when it is tried again.
ALREADY_DONE = {"publish": "This upload has already been published or discarded.", "rollback": "A new revision was published in the meantime."}
DONE = {
    "decision": {"en-US": "This upload has already been published or discarded.", "ja-JP": "このアップロードはすでに処理されました。"},
    "rollback": {"en-US": "A new revision was published in the meantime.", "ja-JP": "その間に新しいリビジョンが公開されました。"},
}
DONE = "() => window.shownToasts.filter(({ kinds }) => kinds.includes('done')).length"


class Action:
    """A decision about a staged upload, or the rollback of a second revision, in a dialog that is open."""

    def __init__(self, name, windows, service, venue):
        self.name, self.service, self.venue = name, service, venue
        archive = service.create_venue(venue, "--levels", 1, "--units", 12, "--seed", 7)
        if name == "rollback":
            service.publish_edit(venue, archive, "rename=2")
            self.path, view = f"/venues/{venue}/rollback", "/restore?to=1"
        else:
            self.upload, _ = stage_upload(service, venue, archive, "rename=2")
            self.path, view = f"/uploads/{self.upload}/publish", f"/uploads/{self.upload}"
        self.page = open_desk(windows, venue, view)
        self.page.locator(".decision .desk-actions button").first.click()
        self.button = self.page.locator("dialog footer button").last
        expect(self.button).to_be_enabled()

    def is_this(self, request):
        is_preview = request.method == "POST" and "dry_run" in request.post_data_json
        return request.method == "POST" and request.url.partition("?")[0] == self.service.address + self.path and not is_preview

    @property
    def state(self):
        """The state of the upload and the newest revision."""
        upload = None if self.name == "rollback" else self.service.get_json(f"/uploads/{self.upload}")["state"]
        return upload, head_revision(self.service, self.venue)


STATES = {"publish": ("published", 2), "rollback": (None, 3)}


@pytest.mark.parametrize("name", list(STATES))
def test_action_whose_response_was_lost_is_carried_out_once(windows, service, venue_key, name):
    action = Action(name, windows, service, venue_key)
    page, button, dialog = action.page, action.button, action.page.locator("dialog")
    carried_out = []

    def lose(route):
        if action.is_this(route.request):
            carried_out.append(route.fetch().ok)

    page.clock.install()
    page.route("**/*", lose)
    with page.expect_request(action.is_this):
        button.click()
    for _ in range(2_400):
        if carried_out:
            break
        page.wait_for_timeout(50)  # Polling interval; the test does not depend on it.
    assert carried_out == [True] and action.state == STATES[name]

    # A server that waits for the publication gets its time. Until then the action cannot be started again.
    error = dialog.locator(".error-message")
    page.clock.run_for(30_000)
    expect(button).to_be_disabled()
    assert error.inner_text() == ""
    wait_with_clock(page, error.filter(has_text=NO_RESPONSE), step=10_000)
    expect(button).to_be_enabled()

    respond(page)
    page.clock.resume()
    button.click()
    expect(dialog).to_have_count(0)
    expect_toast(page, ALREADY_DONE[name], "problem")
    assert page.evaluate(DONE) == 0, "it was not done now"
    expect(page.locator(".outcome.is-published" if name == "publish" else ".preview .notice")).to_be_visible()
    assert action.state == STATES[name], "it was done once"
