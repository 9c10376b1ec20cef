// Asks for the time zone of a venue. Without one, nobody can say what is open now.

import { requestJSON } from "../api.js";
import { button } from "./fields.js";
import { fill, h, icon } from "../ui/element.js";
import { problemLine } from "./problem-messages.js";
import { localized } from "../localization/localization.js";

/** A notice if the venue has no time zone, or one that the server proposes from its position; else null. */
export function timeZoneNotice(desk) {
    const { venue, venueKey } = desk;
    const zone = venue?.about.time_zone;
    const isProposal = zone && venue.time_zone_source === "position";
    if (!venue || (zone && !isProposal)) return null;
    const notice = h("p", { class: "notice time-zone-notice", role: "status" });
    const confirm = async () => {
        try {
            const { about, time_zone_source: source } = await requestJSON(
                `/venues/${encodeURIComponent(venueKey)}`, { method: "PATCH", json: { time_zone: zone } });
            desk.venue = { ...desk.venue, about, time_zone_source: source };
            notice.remove();
        } catch (error) {
            fill(notice, icon("alert"), problemLine(error));
        }
    };
    return fill(notice, icon("clock"), h("span", {}, localized(isProposal ? "desk.timeZone.proposed" : "desk.timeZone.missing", { zone })),
        isProposal && desk.can("admin") && button("quiet", localized("desk.timeZone.confirm", { zone }), confirm),
        desk.can("admin") && h("a", { class: "button quiet", href: `#/${venueKey}/desk/settings` }, localized("desk.timeZone.choose")));
}
