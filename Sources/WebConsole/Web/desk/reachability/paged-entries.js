// Long lists of which a page is shown at first.

import { button } from "../fields.js";
import { formatNumber } from "../formats.js";
import { localized } from "../../localization/localization.js";

const pageSize = 50;

/** Fills an element with the first entries, and returns the button that shows more. */
export function showPaged(element, entries, entryOf) {
    const more = button("quiet", "", () => showMore());
    let shown = 0;
    const showMore = () => {
        const first = shown;
        shown += pageSize;
        element.append(...entries.slice(first, shown).map(entryOf));
        if (first > 0) element.children[first]?.querySelector("a")?.focus();
        more.hidden = entries.length <= shown;
        more.textContent = localized("desk.reachability.showMore", { n: formatNumber(Math.max(0, entries.length - shown)) });
    };
    showMore();
    return more;
}
