// Chooses the text of an IMDF label to show.

import { labelText as textOf } from "../client/map/labels.js";
import { localization } from "../localization/localization.js";

/** The text of a label in the user's language, else in the venue's, else in English, else the first; undefined for no label. */
export function labelText(label, venueLanguage) {
    return textOf(label, [localization.language, venueLanguage, "en"]);
}
