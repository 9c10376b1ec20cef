// Which floors can be read without a network, and a button that stores the others.

import { errorText } from "../ui/error-text.js";
import { h, icon } from "../ui/element.js";
import { toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

/**
 * What the status says of a `LiveVenue` and its `VenueFloors`: that all floors are stored, or the button. Null where the browser keeps
 * nothing, and while there is no connection.
 */
export function storedFloors(live, floors) {
    if (!live.isStored || floors.all.length === 0) return null;
    const n = floors.missing.length;
    if (n === 0) return h("p", {}, localized("map.allStored"));
    if (live.state !== "live") return null;
    const button = h("button", {
        type: "button", class: "quiet", onclick: () => {
            button.disabled = true;
            // A change of the replica renews the status. What fails can be tried again.
            floors.loadMissing().then(() => {
                // A browser without space keeps nothing at all.
                if (!live.isStored) toast(localized("map.storingFailed"), "problem");
            }, (error) => toast(errorText(error), "problem")).finally(() => { button.disabled = false; });
        },
    }, icon("download"), localized("map.storeFloors", { n }));
    return h("p", {}, button);
}
