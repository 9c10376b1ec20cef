// Errors of requests and synchronizations in the user's language.

import { noResponse } from "../network.js";
import { isolated } from "./names.js";
import { localized } from "../localization/localization.js";

/** What to show for a `Problem`, a `SyncError` or another error, in one line. */
export function errorText(error) {
    if (isWithoutResponse(error)) return noResponse().title;
    if (error.kind === "unauthorized") return localized("state.wrongKey");
    if (error.kind === "untrusted") return localized("state.untrusted");
    if (error.kind === "venueGone") return localized("state.gone");
    if (error.kind === "unknownVenue") return localized("state.notFound");
    return error.title || (error.kind ? localized("state.failed") : error.message);
}

/** Why the floor `title` cannot be shown, which the browser has not stored. */
export function floorErrorText(error, title) {
    const reason = errorText(error);
    return isWithoutResponse(error) ? localized("map.floorNotStored", { floor: isolated(title), reason }) : reason;
}

const isWithoutResponse = (error) => error.status === 0 || ["unreachable", "unavailable"].includes(error.kind);
