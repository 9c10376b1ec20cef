// Notes below a field: its value was edited by hand, by whom and when, what the source says, and a button that enters that.

import { h, icon } from "../../ui/element.js";
import { shortText } from "./value-text.js";
import { formatTime, localized, timeWithZone } from "../../localization/localization.js";

/** "Edited by ops on 22 Nov 2026", with the time at which the override ends. */
export function attribution({ author, since, until }, timeZone) {
    const day = formatTime(since, { dateStyle: "medium" });
    const end = until && formatTime(until, { ...timeWithZone, timeZone });
    return localized(until ? "edit.editedByUntil" : "edit.editedBy", { author: author || localized("edit.somebody"), day, until: end });
}

/** The notes of the overrides at a pointer. `onRevert(source)` enters the value of the source; without it there is no button. */
export function overrideNotes({ overrides, timeZone }, pointer, onRevert = null) {
    return overrides.filter((each) => each.kind === "value" && each.pointer === pointer).map((override) => h(
        "p", { class: `override-note ${override.state === "contested" ? "is-contested" : ""}` },
        icon("pencil"),
        h("span", {}, attribution(override, timeZone), " ",
            localized(override.state === "contested" ? "edit.sourceSaysNow" : "edit.sourceSays", { value: shortText(pointer, override.source) })),
        onRevert && h("button", { type: "button", class: "bare small", onclick: () => onRevert(override.source) }, localized("edit.useSource"))));
}
