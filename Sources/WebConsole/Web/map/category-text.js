// The names of categories: every category of IMDF and frequent ones of occupants. Categories without a name are never shown as they are.

import { lastWord } from "./categories.js";
import facilities from "./category-names/facilities.js";
import occupants from "./category-names/occupants.js";
import transport from "./category-names/transport.js";

const columns = { en: 1, ja: 2 };
const names = new Map([facilities, transport, occupants].flatMap((text) => text.trim().split("\n"))
    .map((line) => line.split("|")).map((parts) => [parts[0], parts]));

/**
 * The name of a category in a language: its own, else that of the category without its last part. In English, compounds that end in a
 * frequent word are separated: `carpetstore` is “Carpet store”. Null for others.
 */
export function categoryText(category, language) {
    for (let rest = category ?? ""; rest !== ""; rest = rest.slice(0, Math.max(0, rest.lastIndexOf(".")))) {
        const name = names.get(rest)?.[columns[language] ?? columns.en];
        if (name) return name;
    }
    if (language !== "en" || !lastWord.test(category ?? "")) return null;
    const text = category.split(".").at(-1).replace(lastWord, "$1 $2");
    return text.charAt(0).toUpperCase() + text.slice(1);
}
