// The operator's links beside the list of venues.

import "./messages.js";
import { auditLink } from "./audit-link.js";
import { h, icon } from "../ui/element.js";
import { canManageKeys, canPublish } from "./role.js";
import { localized } from "../localization/localization.js";

/** The links that the key is allowed to use; null if it can only read. */
export async function venueActions(venues, signal) {
    const isAdmin = await canManageKeys(signal);
    if (!isAdmin && !(await canPublish(venues, signal))) return null;
    return h(
        "div", {},
        h("a", { class: "button quiet", href: "#/~/calendar" }, icon("clock"), localized("desk.calendar.title")),
        isAdmin && auditLink(),
        isAdmin && h("a", { class: "button quiet", href: "#/~/keys" }, icon("key"), localized("desk.keys.title")),
        h("a", { class: "button primary", href: "#/~/new" }, icon("upload"), localized("desk.new.title")));
}
