// A field for a point in time, in the time zone of the venue.

import { LocalClock } from "../../client/hours/local-clock.js";
import { h } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

/** `{element, input, timeZone, read()}`: `timeZone` is that of the venue, or else of the browser; `read` returns an RFC 3339 time, or null for an empty field; it throws an error with a localized message. */
export function timeField(id, { title, help, timeZone, isRequired = false }) {
    const zone = LocalClock.of(timeZone) ? timeZone : Intl.DateTimeFormat().resolvedOptions().timeZone;
    const input = h("input", { id, type: "datetime-local", max: "9999-12-31T23:59", required: isRequired, "aria-describedby": `${id}-help` });
    return {
        input,
        timeZone: zone,
        element: h("div", { class: "field" },
            h("label", { for: id }, title), input,
            h("p", { class: "help", id: `${id}-help` }, help, " ", localized("edit.zone", { zone }))),
        read() {
            if (!input.value && !input.validity.badInput) {
                if (isRequired) fail("edit.untilMissing");
                return null;
            }
            const instant = instantOf(input.value, zone);
            if (instant === null) fail("edit.untilMissing");
            if (instant <= Date.now()) fail("edit.untilPassed");
            return new Date(instant).toISOString();
        },
    };

    function fail(message) {
        input.focus();
        throw new Error(localized(message));
    }
}

/** The first instant, in milliseconds, at which clocks of a time zone show a local time such as `2026-12-24T18:00`; null for none. */
function instantOf(local, zone) {
    const match = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(local);
    if (!match) return null;
    const [year, month, day, hour, minute] = match.slice(1).map(Number);
    const number = Date.UTC(year, month - 1, day) / 86_400_000;
    const [instant] = LocalClock.of(zone).instants(number, [hour * 60 + minute]);
    return instant === undefined ? null : instant * 1000;
}
