// An upload in a list: a card while it waits for a decision, otherwise a row.

import { formatAge, formatMoment, formatNumber, formatTime } from "../formats.js";
import { h, icon } from "../../ui/element.js";
import { timeElement } from "../time-element.js";
import { localized } from "../../localization/localization.js";

/** A time in a list. */
const shortTime = { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" };

/** The tag class of each upload state. */
const tagClasses = {
    published: "good", unchanged: "", rejected: "bad", failed: "bad", staged: "warn", discarded: "", received: "", processing: "",
};

export function stateTag(upload) {
    const name = upload.state === "staged" && upload.publish_at ? "scheduled" : upload.state;
    return h("span", { class: `tag ${tagClasses[upload.state] ?? ""}` }, localized(`desk.state.${name}`));
}

/** Whether the server has what an upload changes. Of those that were rejected, it keeps the changes of the newest, if it could read them. */
export const hasChanges = ({ state, changes }) => changes !== null && ["staged", "published", "rejected"].includes(state);

export const uploadURL = (upload) => `#/${upload.venue}/desk/uploads/${upload.id}`;

/** The message, the name of the file, or the beginning of the id, which is enough to distinguish the uploads of a venue. */
export const uploadTitle = (upload) => upload.message || upload.file_name || localized("desk.upload.untitled", { id: upload.id.slice(0, 8) });

/** `zone` is the time zone of the venue, if it is known. */
export function uploadCard(upload, zone) {
    const status = upload.publish_at
        ? localized("desk.staged.scheduled", { time: formatMoment(upload.publish_at, zone) })
        : upload.reasons.map((reason) => localized(`desk.reason.${reason}`)).join(" ") || localized("desk.staged.held");
    return h(
        "a", { class: "card desk-waiting", href: uploadURL(upload) },
        h("bdi", { class: "card-title" }, uploadTitle(upload)),
        h("span", { class: "card-facts" }, status),
        upload.changes && h("span", { class: "card-facts" }, countsLine(upload.changes)),
        h("span", { class: "card-tags" },
            stateTag(upload), h("span", { class: "tag" }, icon("clock"), timeElement(upload.received_at, zone))));
}

export function uploadRow(upload, zone) {
    return h(
        "a", { class: "desk-row", href: uploadURL(upload) },
        h("bdi", { class: "desk-row-title" }, uploadTitle(upload)),
        stateTag(upload),
        h("span", { class: "desk-row-facts" },
            [
                h("bdi", {}, upload.author),
                timeElement(upload.received_at, zone, `${formatTime(upload.received_at, shortTime)} (${formatAge(upload.received_at)})`),
                // Before the counts, which are cut off where the space ends.
                upload.findings.error > 0 && localized("desk.findings.errors", { n: upload.findings.error }),
                upload.changes && hasChanges(upload) && countsLine(upload.changes),
                upload.revision && localized("desk.revision", { n: upload.revision }),
            ].filter(Boolean).map((fact) => h("span", {}, fact))));
}

/** `12 added · 3 changed · 1 removed` */
export function countsLine({ added, changed, removed }) {
    return localized("desk.changes.counts", {
        added: formatNumber(added), changed: formatNumber(changed), removed: formatNumber(removed),
    });
}
