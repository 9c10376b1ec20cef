// The outcome of an upload, with links to what the user may do next.

import { h, icon } from "../../ui/element.js";
import { localized } from "../../localization/localization.js";

const icons = { published: "check", unchanged: "check", rejected: "alert", failed: "alert", discarded: "close" };

export function outcome(desk, upload) {
    const { state, revision, venue } = upload;
    if (!icons[state]) return null;
    const link = (href, label, kind = "quiet") => h("a", { class: `button ${kind}`, href }, localized(label));
    const isSuperseded = revision !== null && desk.venue && revision < desk.venue.head;
    const links = {
        published: [
            link(`#/${venue}`, "desk.outcome.map", "primary"),
            revision > 1 && link(`#/${venue}/desk/compare?from=${revision - 1}&to=${revision}`, "desk.outcome.compare"),
            revision > 1 && !isSuperseded && link(`#/${venue}/desk/restore?to=${revision - 1}`, "desk.outcome.restore"),
        ],
        unchanged: [link(`#/${venue}`, "desk.outcome.map")],
    }[state] ?? [link(`#/${venue}/desk`, "desk.outcome.again", "primary")];
    return h(
        "section", { class: `outcome is-${state}`, tabindex: -1, role: state === "rejected" || state === "failed" ? "alert" : "status" },
        icon(icons[state]),
        h("div", {},
            h("h2", {}, localized(`desk.outcome.${state}`, { n: revision })),
            h("p", {}, localized(`desk.outcome.${state}.help`, { n: revision })),
            upload.failure && h("p", {}, h("code", {}, upload.failure)),
            h("p", { class: "desk-actions" }, links)));
}
