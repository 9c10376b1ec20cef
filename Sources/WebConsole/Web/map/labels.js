// Chooses the text of an IMDF label to show, and normalizes texts for searching.

import { foldedText } from "../client/map/folded-text.js";
import { labelText as textOf } from "../client/map/labels.js";
import { localization } from "../localization/localization.js";

/** The text of a label in the user's language, else in the venue's, else in English, else the first; undefined for no label. */
export function labelText(label, venueLanguage) {
    return textOf(label, [localization.language, venueLanguage, "en"]);
}

/** Folds a text for searching, as the client does, and removes the spaces: Japanese is written without. */
export function folded(text) {
    return foldedText(text).replaceAll(" ", "");
}
