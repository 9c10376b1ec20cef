// The parameters of the address for what the user searches: `q` is the text, `filter` the kind of facilities or the group, and `open` what is open now.

import { amenityKinds, browsedGroups } from "./categories.js";

const isFilter = (name) => browsedGroups.includes(name) || amenityKinds.some(({ kind }) => kind === name);

/** `{text, kind, isOpenNow}` of an address; `kind` is null for none, or for one that this console does not know. */
export function searchOf(query) {
    const filter = query.get("filter");
    return { text: query.get("q") ?? "", kind: isFilter(filter) ? filter : null, isOpenNow: query.has("open") };
}

export const searchParameters = ({ text, kind, isOpenNow }) => ({
    ...(text.trim() !== "" ? { q: text } : {}), ...(kind ? { filter: kind } : {}), ...(isOpenNow ? { open: 1 } : {}),
});
