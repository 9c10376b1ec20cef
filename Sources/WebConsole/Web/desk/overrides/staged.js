// The link from a staged upload to the edits that it contradicts.

import { h } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

export function overridesLink(desk, upload) {
    const count = upload.overrides?.contested ?? 0;
    return [
        " ", localized("desk.overrides.stagedCount", { n: count }), " ",
        h("a", { class: "override-link", href: `#/${desk.venueKey}/desk/overrides` }, localized("desk.overrides.stagedLink")),
    ];
}
