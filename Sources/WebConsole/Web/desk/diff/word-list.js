// What changed, in sentences. Of many only the first are seen at once: they are in the order in which a visitor would notice.

import { h } from "../../ui/element.js";
import { word } from "../../words/words.js";

export function wordList(words, most = 8) {
    if (words.length === 0) return null;
    const list = (sentences) => h("ul", { class: "words" }, sentences.map((sentence) => h("li", {}, sentence)));
    // One more line is no longer than the line that would hide it.
    const cut = words.length > most + 1 ? most : words.length;
    return [
        list(words.slice(0, cut)),
        cut < words.length && h(
            "details", {}, h("summary", {}, word("desk.changes.moreWords", { n: words.length - cut })), list(words.slice(cut))),
    ];
}
