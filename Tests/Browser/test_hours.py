"""Opening hours, compared with another implementation: opening_hours_py. What the console cannot parse must be unknown."""
import datetime
import re

import opening_hours
import pytest
from playwright.sync_api import expect

TEXTS = [
    "Mo-Su 10:00-20:30", "Mo-Fr 09:00-18:00; Sa 10:00-14:00", "24/7", "Mo-Su 10:00-21:00; Jan 01 off", "Fr-Sa 18:00-02:00",
    "Mo-Fr 11:00-14:00,17:00-22:00", "Tu-Su 10:00-19:00; We off", "Mo-Su 07:00-24:00", "Sa-Mo 08:00-12:00",
    "Mo,We,Fr 08:00-12:00,13:00-17:30", "Dec 25-Jan 03 off", "Mo-Su 10:00-20:00; Dec 25-Jan 03 off", "10:00-19:00",
    "Jun-Aug: Mo-Su 09:00-21:00; Sep-May: Mo-Fr 09:00-17:00", "Mo-Fr 09:00-17:00; Tu 10:00-12:00", "Su 22:00-26:00",
    "Mo-Fr 08:00-20:00, Sa 09:00-13:00", "Mo-Su 00:00-24:00; Su 12:00-14:00 off", "off", "Th-Tu 11:00-23:00",
    "week 1-10 Mo 10:00-12:00", "Mo[1] 10:00-12:00", "SH off",
]
UNKNOWN = ["sunrise-sunset", "after lunch", "10-2", "Mo-Fr 9:00 - late"]


def test_opening_hours_states_agree_with_another_implementation(windows):
    page = windows.open()
    zone = datetime.timezone(datetime.timedelta(hours=9))
    start = datetime.datetime(2026, 1, 1, 0, 7, tzinfo=zone)
    # Every 97 minutes of two weeks in winter, in summer and around New Year.
    moments = [start + datetime.timedelta(days=day, minutes=97 * step)
               for day in (0, 160, 350) for step in range(14 * 24 * 60 // 97)]
    states = page.evaluate("""async ([texts, moments]) => {
        const { OpeningHours } = await import("/console/client/hours/opening-hours.js");
        return texts.map((text) => {
            const hours = new OpeningHours(text);
            return moments.map((moment) => hours.state(new Date(moment), "Asia/Tokyo"));
        });
    }""", [TEXTS, [moment.timestamp() * 1000 for moment in moments]])
    differences = []
    for text, ours in zip(TEXTS, states):
        oracle = opening_hours.OpeningHours(text)
        for moment, state in zip(moments, ours):
            expected = str(oracle.state(moment.replace(tzinfo=None))[0]).lower()
            if state != expected:
                differences.append((text, f"{moment:%a %d %b %H:%M}", state, expected))
    assert differences == [], f"{len(differences)}: {differences[:8]}"


def test_opening_hours_next_change_agrees_with_another_implementation(windows):
    page = windows.open()
    zone = datetime.timezone(datetime.timedelta(hours=9))
    moments = [datetime.datetime(2026, 3, 2, 3, 11, tzinfo=zone) + datetime.timedelta(minutes=211 * step) for step in range(60)]
    texts = [text for text in TEXTS if text not in ("24/7", "off", "Dec 25-Jan 03 off", "SH off")]
    changes = page.evaluate("""async ([texts, moments]) => {
        const { OpeningHours } = await import("/console/client/hours/opening-hours.js");
        return texts.map((text) => moments.map((moment) => {
            const change = new OpeningHours(text).nextChange(new Date(moment), "Asia/Tokyo");
            return change && change.getTime() / 60_000 + 9 * 60;
        }));
    }""", [texts, [moment.timestamp() * 1000 for moment in moments]])
    epoch = datetime.datetime(1970, 1, 1)
    for text, ours in zip(texts, changes):
        for moment, change in zip(moments, ours):
            expected = opening_hours.OpeningHours(text).next_change(moment.replace(tzinfo=None))
            minutes = expected and (expected - epoch).total_seconds() / 60
            assert change == minutes, (text, moment)


def test_opening_hours_that_cannot_be_parsed_are_unknown_not_closed(windows):
    page = windows.open()
    states = page.evaluate("""async (texts) => {
        const { PlaceHours } = await import("/console/map/place-hours.js");
        return texts.map((text) => new PlaceHours(text, "Asia/Tokyo").state().state);
    }""", UNKNOWN)
    assert states == ["unknown"] * len(UNKNOWN)


def test_opening_hours_as_people_write_them_are_read_and_marked(windows):
    page = windows.open()
    seen = page.evaluate("""async (texts) => {
        const { PlaceHours } = await import("/console/map/place-hours.js");
        const { weekTable } = await import("/console/map/hours-view.js");
        return texts.map((text) => {
            const hours = new PlaceHours(text, "Asia/Tokyo");
            const table = document.createElement("div");
            table.append(...[weekTable({ hours })].flat().filter(Boolean));
            return [hours.state(new Date("2026-03-02T10:00:00+09:00")).state, hours.isLenient, table.textContent.includes(text)];
        });
    }""", ["Mo-Fr 09:00-17:00", "Mon-Fri 9am-5pm", "月〜金 10:00〜20:00"])
    assert seen == [["open", False, False], ["open", True, True], ["open", True, True]]


@pytest.mark.parametrize(("locale", "zone", "text"), [
    ("en-US", "America/New_York", "Times at the venue (GMT+9)"), ("ja-JP", "America/New_York", "現地時間（JST）"), ("en-US", "Asia/Seoul", None),
])
def test_opening_hours_name_their_time_zone_where_clocks_show_another_time(windows, service, mall, locale, zone, text):
    shop = next(each for each in service.features(mall, 1, "occupant") if each["properties"]["hours"])
    page = windows.map(mall, f"?place={shop['id']}", locale=locale, timezone_id=zone)
    expect(page.locator(".place-card .week")).to_be_visible()
    notes = page.locator(".place-hours .help")
    expect(notes.filter(has_text=re.compile("Times at|現地時間"))).to_have_text([text] if text else [])
