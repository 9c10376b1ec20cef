// The public keys with which a venue's map must be signed. A link brings them in the parameter `trust=`, and this browser remembers them
// when the user trusts them, so that nobody who changes what the server, a cache or a mirror sends can replace them. Anybody can write a
// link, so no key is remembered or used without a question.

import { TrustedKeys } from "../client/sync/trust.js";
import { browserStorage } from "../storage.js";
import { emptyState } from "../ui/states.js";
import { h } from "../ui/element.js";
import { localized } from "../localization/localization.js";

const storageKey = (venue) => `venuesync.trust.${venue}`;

/** The keys that this browser remembers for a venue; null for none. */
export function rememberedKeys(venue) {
    return browserStorage.get(storageKey(venue))?.split(",") ?? null;
}

/**
 * The keys to trust: `{keys}`, null if neither the link nor this browser has any. `{obstacle}`, an element to show instead of the map, if
 * the browser cannot use the keys of the link, or does not remember all of them: it asks whether to trust them.
 */
export async function trustedKeys(venue, query) {
    const offered = (query.get("trust") ?? "").split(",").filter((key) => key !== "");
    const remembered = rememberedKeys(venue);
    if (offered.length === 0) return { keys: remembered };
    try {
        await TrustedKeys.of(offered);
    } catch {
        return { obstacle: obstacle("trustUnusable") };
    }
    if (remembered && offered.every((key) => remembered.includes(key))) return { keys: remembered };
    const act = () => {
        browserStorage.set(storageKey(venue), offered.join(","));
        location.reload();
    };
    const question = obstacle(remembered ? "trustOthers" : "trustFirst", { label: localized("map.trustThese"), act });
    question.append(h("a", { class: "button quiet", href: addressWithoutKeys(venue, query) }, localized("map.trustNone")));
    return { obstacle: question };
}

/** The address of the same map, without the keys of the link. */
function addressWithoutKeys(venue, query) {
    const rest = new URLSearchParams(query);
    rest.delete("trust");
    return `#/${venue}${rest.size > 0 ? `?${rest}` : ""}`;
}

function obstacle(name, action) {
    return emptyState({
        title: localized(`map.${name}`), text: localized(`map.${name}Help`), iconName: "alert", isPage: true, action,
    });
}
