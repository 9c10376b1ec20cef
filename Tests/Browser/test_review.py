"""Review and portfolio: findings on a map, large comparisons, timed and first uploads, the list of venues."""
import re

from playwright.sync_api import expect

import edits
from accessibility import findings
from desk import expect_upload_state, head_revision, open_desk, push_unpublished, stage_upload, submit_upload


def open_finding(page):
    rule = page.locator(".rule", has_text="TO-").first
    rule.locator("summary").click()
    rule.locator(".finding-link").first.click()


def test_finding_of_staged_upload_is_shown_on_what_was_uploaded(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    open_finding(page)
    view = page.locator(".finding-view")
    expect(view.locator(".diff-pin path")).to_be_visible()
    expect(view.locator(".finding-message")).not_to_be_empty()
    message = view.locator(".finding-message").inner_text()
    assert f"/desk/uploads/{waiting}?finding=TO-" in page.url, "not the published map"
    page.reload()
    expect(view.locator(".diff-pin path")).to_be_visible()
    expect(view.locator(".finding-message")).to_have_text(message)
    view.get_by_role("button", name="Next finding").click()
    expect(view.locator(".count")).to_contain_text("Finding 2 of")
    expect(page).to_have_url(re.compile(":1$"))
    view.get_by_role("button", name="Previous finding").click()
    expect(view.locator(".finding-message")).to_have_text(message)


def test_findings_are_japanese_for_japanese_readers(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}", locale="ja-JP")
    rules = page.locator(".rule")
    expect(rules.first).to_be_visible()
    for rule in rules.all():
        if rule.get_attribute("open") is None:
            rule.locator("summary").click()
    messages = page.locator(".findings .finding-message")
    expect(messages.first).to_be_visible()
    texts = messages.all_inner_texts()
    english = [text for text in texts if not re.search("[ぁ-ん]", text) or re.search("[a-z]+ [a-z]+ [a-z]+", text)]
    assert len(texts) > 10 and english == []
    expect(page.locator(".finding-detail")).to_have_count(0)
    rule = page.locator(".rule", has_text="TO-").first
    rule.locator(".finding-link").first.click()
    expect(page.locator(".finding-view .finding-message")).to_have_text(re.compile("[ぁ-ん]"))


def test_finding_without_a_japanese_sentence_has_the_title_of_its_rule(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=2")
    page = windows.open(api_key=service.admin_key, locale="ja-JP")

    def replace(route):
        response = route.fetch()
        document = response.json()
        for finding in document["findings"]:
            finding["message"] = "Something of a later version."
        route.fulfill(response=response, json=document)

    page.route("**/findings?**", replace)
    page.evaluate(f"location.hash = '#/{venue_key}/desk/uploads/{waiting}'")
    rule = page.locator(".rule").first
    rule.locator("summary").click()
    message = rule.locator(".finding-message").first
    expect(message.locator(".finding-detail")).to_have_text("Something of a later version.")
    expect(message.locator(".finding-detail")).to_have_attribute("lang", "en")
    title = rule.locator(".rule-title").inner_text()
    assert re.search("[ぁ-ん]", title)
    expect(message).to_contain_text(title)


def test_finding_of_first_staged_upload_is_shown_without_a_published_map(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 24, "--seed", 7)
    service.run_venue("push", archive, "--to", venue_key, "--new", "--hold")
    [waiting] = service.get_json(f"/venues/{venue_key}/uploads?state=staged")["uploads"]
    page = open_desk(windows, venue_key, f"/uploads/{waiting['id']}")
    open_finding(page)
    expect(page.locator(".finding-view .diff-pin path")).to_be_visible()
    expect(page.locator(".finding-view .diff-shape").first).to_be_attached()


def test_finding_of_published_upload_is_shown_on_the_map_with_its_message(windows, service, venue_key):
    service.create_venue(venue_key)
    [upload] = service.get_json(f"/venues/{venue_key}/uploads?limit=1")["uploads"]
    page = open_desk(windows, venue_key, f"/uploads/{upload['id']}")
    expect(page.locator(".upload-header")).to_be_visible()
    expect(page.locator(".desk-phases")).to_have_count(0, timeout=60_000)
    open_finding(page)
    page.wait_for_selector(".live-state.live")
    note = page.locator(".finding-note")
    expect(note).to_contain_text("Finding 1 of")
    message = note.locator("p").first.inner_text()
    assert message
    page.reload()
    expect(page.locator(".finding-note p").first).to_have_text(message)
    expect(page.locator(".map-pin")).to_be_visible()
    note.get_by_role("link", name="Next finding").click()
    expect(page.locator(".finding-note")).to_contain_text("Finding 2 of")


def test_venue_whose_first_upload_waits_is_listed_and_gets_no_second_one(windows, service, venue_key):
    archive = service.generate(f"{venue_key}.zip", "--levels", 1, "--units", 8)
    page = windows.open("#/~/new", api_key=service.admin_key)
    page.fill("#new-key", venue_key)
    submit_upload(page, archive, "hold")
    expect_upload_state(page, "Staged")
    # Everybody who may publish to the venue sees it, also on another machine.
    colleague = edits.call(service, "POST", "/keys", {"name": f"colleague {venue_key}", "role": "publish", "venues": [venue_key]})["secret"]
    portfolio = windows.open("#/", api_key=colleague)
    card = portfolio.locator(".venue-card", has_text=venue_key)
    expect(card).to_contain_text("Nothing published yet")
    portfolio.get_by_role("button", name="Last upload failed").click()
    expect(card).to_have_count(0)
    portfolio.get_by_role("button", name="Waiting for a decision").click()
    card.get_by_role("link", name="1 waiting").click()
    expect_upload_state(portfolio, "Staged")
    page.goto(f"{service.address}/#/~/new")
    page.fill("#new-key", venue_key)
    page.set_input_files("#archive", str(service.generate(f"{venue_key}-2.zip", "--levels", 1, "--units", 9)))
    page.locator(".archive-options button.primary").click()
    expect(page.locator(".archive-options .error-message")).to_contain_text("already waits")
    assert len(service.get_json(f"/venues/{venue_key}/uploads")["uploads"]) == 1
    # On a machine that does not know the key either, its address leads to the uploads.
    other = windows.open(f"#/{venue_key}", api_key=service.admin_key)
    expect(other.locator(".state")).to_contain_text("Nothing has been published yet")
    other.get_by_role("link", name="Show the uploads").click()
    expect(other.locator(".desk-waiting")).to_be_visible()


def visible_height(page):
    """How much of the map of a difference is in view, in pixels, before the page is scrolled."""
    box = page.locator(".diff-drawing").bounding_box()
    assert page.evaluate("document.getElementById('main').scrollTop") == 0
    return page.viewport_size["height"] - box["y"]


def test_map_of_a_difference_is_in_view_with_many_floors(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 33, "--units", 3, "--seed", 7)
    service.publish_edit(venue_key, archive, "rename=90,move=90")
    page = open_desk(windows, venue_key, "/compare?from=1&to=2")
    expect(page.locator(".change").first).to_be_visible()
    assert page.locator(".level-table tbody tr").count() > 25
    assert visible_height(page) > 350


def test_map_of_a_difference_is_in_view_below_a_decision(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 2, "--units", 40, "--seed", 7)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=4,move=3,add=2,remove=2,hours=2")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    expect(page.locator(".change").first).to_be_visible()
    assert visible_height(page) > 250
    smaller = service.generate(f"{venue_key}-less.zip", "--next-of", archive, "--edit", "remove-floor,rename=5,move=3", "--seed", 3)
    guarded = push_unpublished(service, venue_key, smaller)
    page.goto(f"{service.address}/#/{venue_key}/desk/uploads/{guarded}")
    expect(page.locator(".reasons")).to_contain_text("would disappear")
    expect(page.locator(".diff-surface .floor-unit").first).to_be_attached()
    assert visible_height(page) > 150
    # What sticks to the top leaves enough for the map when the page is scrolled to it.
    expect(page.locator(".rule").first).to_be_visible()
    page.wait_for_function("""() => document.querySelector(".desk-view").style.getPropertyValue("--decision-height")
        === `${document.querySelector(".decision").parentElement.offsetHeight}px`""")
    page.locator(".comparison").evaluate("each => each.scrollIntoView()")
    bottom = page.locator(".decision").bounding_box()
    drawing = page.locator(".diff-drawing").bounding_box()
    assert drawing["y"] >= bottom["y"] + bottom["height"]
    assert min(drawing["y"] + drawing["height"], 800) - drawing["y"] > 300


def test_map_of_a_difference_begins_on_the_first_screen_of_a_laptop(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 3, "--units", 24, "--seed", 7)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=4,move=3,add=2,remove=2,hours=2")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    expect(page.locator(".change").first).to_be_visible()
    title, note, publish = (
        page.locator(f".decision {each}").first.bounding_box() for each in ("h2", "p", "button"))
    # The decision is one line.
    for each in (title, note, publish):
        assert abs(each["y"] + each["height"] / 2 - publish["y"] - publish["height"] / 2) < 6
    assert page.locator(".diff-drawing").bounding_box()["y"] < 500


def test_map_of_a_difference_is_on_the_first_screen_of_a_phone(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 3, "--units", 24, "--seed", 7)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=4,move=3,add=2,remove=2,hours=2")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}", viewport=(390, 844), bypass_csp=True)
    expect(page.locator(".change").first).to_be_visible()
    drawing, decision = (page.locator(each).bounding_box() for each in (".diff-drawing", ".decision"))
    assert drawing["y"] < 844 * 0.7 and decision["y"] + decision["height"] < drawing["y"]
    # The floors are beside each other above the map; the sentences and the list are below it.
    floors = [each.bounding_box() for each in page.locator(".level-rail tbody button").all()]
    assert len(floors) > 1 and len({each["y"] for each in floors}) == 1 and floors[0]["y"] < drawing["y"]
    assert page.locator(".change-descriptions").bounding_box()["y"] > drawing["y"] + drawing["height"]
    assert page.locator(".change").first.bounding_box()["y"] > drawing["y"] + drawing["height"]
    selected = page.locator(".level-rail tr.is-selected")
    page.locator(".level-rail tr:not(.is-selected) button").first.click()
    expect(selected).to_have_count(1)
    expect(page.locator(".comparison")).not_to_have_attribute("aria-busy", "true")
    # Who uploaded it is one tap away.
    author = page.locator(".upload-header > dl dt").first
    expect(author).to_be_hidden()
    page.locator(".upload-header summary").click()
    expect(author).to_be_visible()
    page.evaluate("document.getElementById('main').scrollTo(0, 100_000)")
    expect(page.locator(".decision").get_by_role("button", name="Publish")).to_be_in_viewport()
    assert not findings(page)


def test_decision_stays_in_view_while_changes_are_reviewed(windows, service, venue_key):
    archive = service.create_venue(venue_key)
    waiting, _ = stage_upload(service, venue_key, archive, "rename=3")
    page = open_desk(windows, venue_key, f"/uploads/{waiting}")
    expect(page.locator(".rule").first).to_be_visible()
    page.evaluate("document.getElementById('main').scrollTo(0, 100_000)")
    expect(page.locator(".decision").get_by_role("button", name="Publish")).to_be_in_viewport()


def test_publishing_a_scheduled_upload_says_that_it_is_now(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    following = service.generate(f"{venue_key}-2.zip", "--next-of", archive, "--edit", "rename=2", "--seed", 5)
    page = open_desk(windows, venue_key, timezone_id="UTC")
    page.set_input_files("#archive", str(following))
    page.check("#upload-time")
    page.fill("#upload-when", "2099-04-01T09:30")
    page.locator(".archive-options button.primary").click()
    expect_upload_state(page, "Scheduled")
    expect(page.locator(".decision")).to_contain_text("UTC")
    expect(page.locator(".decision")).to_contain_text("at the venue")
    page.locator(".decision").get_by_role("button", name="Publish now").click()
    expect(page.locator("dialog")).to_contain_text("scheduled for")
    expect(page.locator("dialog")).to_contain_text("at the venue")
    page.locator("dialog").get_by_role("button", name="Cancel").click()
    assert head_revision(service, venue_key) == 1


def test_guarded_upload_has_a_dangerous_button(windows, service, venue_key):
    service.create_venue(venue_key)
    guarded = push_unpublished(service, venue_key, service.generate("smaller.zip", "--levels", 1, "--units", 4, "--seed", 9))
    page = open_desk(windows, venue_key, f"/uploads/{guarded}")
    expect(page.locator(".decision button.danger")).to_have_text("Publish")


def test_proposed_time_zone_is_confirmed_on_the_desk(windows, service, venue_key):
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    page = windows.open(api_key=service.admin_key, bypass_csp=True)

    def propose(route):
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "time_zone_source": "position"})

    page.route(f"**/venues/{venue_key}", lambda route: propose(route) if route.request.method == "GET" else route.continue_())
    page.evaluate(f"location.hash = '#/{venue_key}/desk'")
    expect(page.locator(".time-zone-notice")).to_be_visible()
    assert findings(page) == []
    with page.expect_request(lambda request: request.method == "PATCH") as sent:
        page.get_by_role("button", name="Yes, Asia/Tokyo").click()
    assert sent.value.post_data_json == {"time_zone": "Asia/Tokyo"}
    expect(page.locator(".time-zone-notice")).to_have_count(0)


def test_proposed_time_zone_is_shown_to_publishers_without_buttons(windows, service, venue_key):
    """Only administrators may change settings."""
    service.create_venue(venue_key, "--levels", 1, "--units", 8)
    key = edits.call(service, "POST", "/keys", {"name": f"publisher {venue_key}", "role": "publish", "venues": [venue_key]})["secret"]
    page = windows.open(api_key=key)

    def propose(route):
        response = route.fetch()
        route.fulfill(response=response, json={**response.json(), "time_zone_source": "position"})

    page.route(f"**/venues/{venue_key}", propose)
    page.evaluate(f"location.hash = '#/{venue_key}/desk'")
    notice = page.locator(".time-zone-notice")
    expect(notice).to_contain_text("Asia/Tokyo")
    expect(notice.locator("button, a")).to_have_count(0)


def test_venues_are_searched_ordered_and_filtered(windows, service, venue_key):
    archive = service.create_venue(venue_key, "--levels", 1, "--units", 8)
    stage_upload(service, venue_key, archive, "rename=2")
    # Words are found anywhere in a key: the further word is none of hexadecimal digits, which every key has.
    other = f"{venue_key}-west"
    service.create_venue(other, "--levels", 1, "--units", 8)
    service.run_venue("set", other, "public=on")
    page = windows.open(api_key=service.admin_key)
    page.fill("#venue-search", venue_key)
    expect(page.locator(".card-key")).to_have_count(2)
    expect(page.locator(".card-published time").first).to_be_visible()
    expect(page.locator(".venue-picture path").first).to_be_attached()
    keys = page.locator(".card-key")
    # Each word may be in the key or in the name, in any language.
    name = service.get_json(f"/venues/{venue_key}")["name"]["ja"]
    page.fill("#venue-search", f"{other} {name}")
    expect(keys).to_have_text([other])
    page.fill("#venue-search", venue_key)
    page.select_option("#venue-order", "waiting")
    expect(keys.first).to_have_text(venue_key)
    page.select_option("#venue-order", "published")
    expect(keys.first).to_have_text(other)
    page.get_by_role("button", name="Waiting for a decision").click()
    expect(keys).to_have_text([venue_key])
    page.get_by_role("button", name="Public", exact=True).click()
    expect(keys).to_have_text([other])
    page.get_by_role("button", name="All", exact=True).click()
    page.locator(".card-links .tag.warn").click()
    expect(page.locator(".desk-row")).to_have_count(1)
