// The names of categories: those of the cartography of VenueSync, which has every category of IMDF, and of more kinds of shops.

import { lineageOf } from "./category-lineage.js";
import { categoryNames } from "../map/search-tables.js";

/** The languages of the names. */
export const categoryLanguages = ["en", "ja"];

const names = new Map(categoryNames.map((line) => {
    const [category, ...texts] = line.split("|");
    return [category, texts];
}));

/** Whether a category, or that without its last parts, has a name, which is not made of the words of a compound. */
export const isNamed = (category) => lineageOf(category).some((known) => names.has(known));

/** The frequent words at the end of compounds, such as `furniturestore`. */
const lastWord = /([a-z])(store|shop|supplies|equipment|goods|services|agent|appliances|market|studio|center|school|records|accessories|bar|food|sushi|gallery|therapy|house|rental|club|park|repair|surgery|medicine|treatment|instruction|clothing|cleaning)$/;

/**
 * The name of a category in a language, `en` or `ja`: its own, else that of the category without its last part. In English, compounds that
 * end in a frequent word are separated: `carpetstore` is “Carpet store”. Null for others: an identifier is not shown to users.
 */
export function categoryName(category, language = "en") {
    const column = Math.max(0, categoryLanguages.indexOf(language));
    for (const known of lineageOf(category)) {
        const name = names.get(known)?.[column];
        if (name) return name;
    }
    if (language !== "en" || !lastWord.test(category ?? "")) return null;
    const text = category.split(".").at(-1).replace(lastWord, "$1 $2");
    return text.charAt(0).toUpperCase() + text.slice(1);
}
