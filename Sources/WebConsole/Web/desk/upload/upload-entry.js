// An upload among others: a card while it waits for a decision, a row afterwards.

import { formatAge, formatNumber, formatTime } from "../formats.js";
import { h, icon } from "../../ui/element.js";
import { word } from "../../words/words.js";

const moods = {
    published: "good", unchanged: "", rejected: "bad", failed: "bad", staged: "warn", discarded: "", received: "", processing: "",
};

export function stateTag(upload) {
    const name = upload.state === "staged" && upload.publish_at ? "timed" : upload.state;
    return h("span", { class: `tag ${moods[upload.state] ?? ""}` }, word(`desk.state.${name}`));
}

export const uploadAddress = (upload) => `#/${upload.venue}/desk/uploads/${upload.id}`;

export const uploadTitle = (upload) => upload.message || word("desk.upload.untitled");

export function uploadCard(desk, upload) {
    const why = upload.publish_at
        ? word("desk.staged.timed", { time: formatTime(upload.publish_at) })
        : upload.reasons.map((reason) => word(`desk.reason.${reason}`)).join(" ") || word("desk.staged.held");
    return h(
        "a", { class: "card desk-waiting", href: uploadAddress(upload) },
        h("span", { class: "card-title" }, uploadTitle(upload)),
        h("span", { class: "card-facts" }, why),
        upload.changes && h("span", { class: "card-facts" }, countsLine(upload.changes)),
        h("span", { class: "card-tags" },
            stateTag(upload), h("span", { class: "tag" }, icon("clock"), formatAge(upload.received_at))));
}

export function uploadRow(desk, upload) {
    return h(
        "a", { class: "desk-row", href: uploadAddress(upload) },
        h("span", { class: "desk-row-title" }, uploadTitle(upload)),
        stateTag(upload),
        h("span", { class: "desk-row-facts" },
            [
                upload.author,
                h("time", { datetime: upload.received_at, title: formatTime(upload.received_at) }, formatAge(upload.received_at)),
                upload.revision && word("desk.revision", { n: upload.revision }),
                upload.findings.error > 0 && word("desk.findings.errors", { n: upload.findings.error }),
            ].filter(Boolean).map((fact) => h("span", {}, fact))));
}

/** `12 added · 3 changed · 1 removed` */
export function countsLine({ added, changed, removed }) {
    return word("desk.changes.counts", {
        added: formatNumber(added), changed: formatNumber(changed), removed: formatNumber(removed),
    });
}
