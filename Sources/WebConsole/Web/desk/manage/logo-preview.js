// The logo of a venue as the map shows it.

import { fill, h } from "../../ui/element.js";
import { labelText } from "../../map/labels.js";
import { notPermitted } from "./not-permitted.js";
import { venueLogo } from "../../ui/venue-logo.js";
import { webAddress } from "./web-address.js";
import { localized } from "../../localization/localization.js";

/** `{element, show(address)}`. */
export function logoPreview(desk) {
    const element = h("div", { class: "logo-preview", role: "status" });
    const name = () => labelText(desk.venue?.name) ?? desk.venueKey;
    return {
        element,
        show(address) {
            const known = webAddress(address);
            if (!known) return fill(element);
            const obstacle = notPermitted(desk, "image", known.origin);
            if (obstacle) return fill(element, obstacle);
            const missing = () => fill(element, h("p", { class: "help" }, localized("desk.settings.logo.missing")));
            return fill(element, h("p", { class: "help" }, localized("desk.settings.logo.shown")), venueLogo(address, name(), missing));
        },
    };
}
