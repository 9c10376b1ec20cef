// The link to the audit log, for keys that may read it: those with the role `admin` for all venues.

import { h, icon } from "../ui/element.js";
import { localized } from "../localization/localization.js";

/** To the entries of a venue, or to all of them. */
export const auditLink = (venueKey = null) => h(
    "a", { class: "button quiet", href: venueKey ? `#/~/audit?venue=${encodeURIComponent(venueKey)}` : "#/~/audit" },
    icon("list"), localized("desk.audit.title"));
