// Why this page may not load something of another host, and where it may: the content security policy permits only hosts of the saved settings,
// at an address that the server names.

import { h } from "../../ui/element.js";
import { mayLoad } from "../../map/page-origins.js";
import { localized } from "../../localization/localization.js";

/** A text for the place of the preview; null if this page may load from the origin. `kind` is `image` or `basemap`. */
export function notPermitted(desk, kind, origin) {
    if (mayLoad(kind, origin, location.search)) return null;
    const { page } = desk.venue ?? {};
    if (!page || !mayLoad(kind, origin, page.slice(page.indexOf("?")))) {
        return h("p", { class: "help" }, localized("desk.settings.preview.afterSave", { host: new URL(origin).host }));
    }
    return h("p", { class: "help" },
        h("a", { class: "button quiet", href: page + location.hash }, localized("desk.settings.preview.load", { host: new URL(origin).host })));
}
