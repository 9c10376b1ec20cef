// What an operator can do beside the list of venues.

import "./desk-words.js";
import { h, icon } from "../ui/element.js";
import { managesKeys, maySomewherePublish } from "./role.js";
import { word } from "../words/words.js";

/** Links for what the key may do; null when it only reads. */
export async function venueActions(venues, signal) {
    const isAdmin = await managesKeys(signal);
    if (!isAdmin && !(await maySomewherePublish(venues, signal))) return null;
    return h(
        "div", {},
        isAdmin && h("a", { class: "button quiet", href: "#/~/keys" }, icon("key"), word("desk.keys.title")),
        h("a", { class: "button primary", href: "#/~/new" }, icon("upload"), word("desk.new.title")));
}
