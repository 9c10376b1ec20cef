// What became of an upload, and where to go from there.

import { h, icon } from "../../ui/element.js";
import { word } from "../../words/words.js";

const pictures = { published: "check", unchanged: "check", rejected: "alert", failed: "alert", discarded: "close" };

export function outcome(desk, upload) {
    const { state, revision, venue } = upload;
    if (!pictures[state]) return null;
    const link = (href, label, kind = "quiet") => h("a", { class: `button ${kind}`, href }, word(label));
    const isOld = revision !== null && desk.venue && revision < desk.venue.head;
    const links = {
        published: [
            link(`#/${venue}`, "desk.outcome.map", "primary"),
            revision > 1 && link(`#/${venue}/desk/compare?from=${revision - 1}&to=${revision}`, "desk.outcome.compare"),
            revision > 1 && !isOld && link(`#/${venue}/desk/restore?to=${revision - 1}`, "desk.outcome.restore"),
        ],
        unchanged: [link(`#/${venue}`, "desk.outcome.map")],
    }[state] ?? [link(`#/${venue}/desk`, "desk.outcome.again", "primary")];
    return h(
        "section", { class: `outcome is-${state}`, tabindex: -1, role: state === "rejected" || state === "failed" ? "alert" : "status" },
        icon(pictures[state]),
        h("div", {},
            h("h2", {}, word(`desk.outcome.${state}`, { n: revision })),
            h("p", {}, word(`desk.outcome.${state}.help`, { n: revision })),
            upload.failure && h("p", {}, h("code", {}, upload.failure)),
            h("p", { class: "desk-actions" }, links)));
}
