// A revision in the log: who, when, why, what.

import { countsLine } from "../upload/upload-entry.js";
import { formatAge, formatTime } from "../formats.js";
import { h } from "../../ui/element.js";
import { levelName } from "../names.js";
import { wordList } from "../diff/word-list.js";
import { word } from "../../words/words.js";

/** @param actions makes the links and buttons below the entry. */
export function revisionEntry(desk, revision, actions) {
    const { number, kind, author, message, published_at: time, changes } = revision;
    return h(
        "article", { class: `revision is-${kind}`, id: `revision-${number}` },
        h("header", {},
            h("h3", {}, word("desk.revision", { n: number })),
            number === desk.venue?.head && h("span", { class: "tag good" }, word("desk.history.newest")),
            kind === "rollback" && h("span", { class: "tag warn" }, restored(desk, revision))),
        message && h("p", { class: "revision-message" }, message),
        h("p", { class: "desk-row-facts" },
            h("span", {}, author || word("desk.history.nobody")),
            h("time", { datetime: time, title: formatTime(time) }, formatAge(time)),
            h("span", {}, countsLine(changes))),
        wordList(changes.words, 6),
        actions && h("p", { class: "desk-actions" }, actions));
}

function restored(desk, { restores, levels }) {
    const names = levels?.map((id) => levelName(id, desk.venue?.levels)).join(word("desk.comma"));
    return word(names ? "desk.history.restoredLevels" : "desk.history.restored", { n: restores, names });
}
