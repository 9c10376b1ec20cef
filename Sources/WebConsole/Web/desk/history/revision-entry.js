// A revision in the log: number, author, time, message, and what changed.

import { countsLine } from "../upload/upload-entry.js";
import { h, icon } from "../../ui/element.js";
import { isolated, withNames } from "../../ui/names.js";
import { levelName } from "../names.js";
import { timeElement } from "../time-element.js";
import { descriptionList } from "../diff/description-list.js";
import { localized } from "../../localization/localization.js";

/** @param actions the links and buttons of the entry. */
export function revisionEntry(desk, revision, actions) {
    const { number, kind, author, message, published_at: time, changes } = revision;
    return h(
        "article", { class: `revision is-${kind}`, id: `revision-${number}` },
        h("header", {},
            h("h3", {}, localized("desk.revision", { n: number })),
            number === desk.venue?.head && h("span", { class: "tag good" }, localized("desk.history.newest")),
            kind === "edit" && h("span", { class: "tag edited" }, icon("pencil"), localized("desk.history.edited")),
            kind === "rollback" && h("span", { class: "tag warn" }, withNames(rollbackText(desk, revision)))),
        message && h("p", { class: "revision-message" }, h("bdi", {}, message)),
        h("p", { class: "desk-row-facts" },
            h("span", {}, h("bdi", {}, author || localized("desk.history.unknownAuthor"))),
            timeElement(time, desk.venue?.about.time_zone),
            h("span", {}, countsLine(changes))),
        descriptionList(changes.words, 6),
        actions && h("p", { class: "desk-actions" }, actions));
}

function rollbackText(desk, { restores, levels }) {
    // Levels of several buildings may have the same name.
    const names = levels && [...new Set(levels.map((id) => levelName(id, desk.venue?.levels)))].map(isolated).join(localized("desk.comma"));
    return localized(names ? "desk.history.restoredLevels" : "desk.history.restored", { n: restores, names });
}
