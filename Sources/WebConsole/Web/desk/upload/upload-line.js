// The line at the top of the page of an upload: what it is, and for a staged one the verdict. It stays in view beside the decision.

import { formatBytes, formatMoment } from "../formats.js";
import { h, icon } from "../../ui/element.js";
import { labelText } from "../../map/labels.js";
import { localized } from "../../localization/localization.js";
import { stateTag, uploadTitle } from "./upload-entry.js";
import { timeElement } from "../time-element.js";

/** The title and the state, with the venue, the author and the age; the other facts on request. */
export function heading(desk, upload) {
    const zone = desk.venue?.about.time_zone;
    const name = (text) => text && h("bdi", {}, text);
    const time = (moment) => moment && h("time", { datetime: moment }, formatMoment(moment, zone));
    const fact = (key, value) => value !== null && [h("dt", {}, localized(`desk.upload.${key}`)), h("dd", {}, value)];
    const title = uploadTitle(upload);
    return h(
        "header", { class: "upload-header" },
        h("h2", { title }, h("bdi", {}, title)), stateTag(upload),
        h("p", { class: "upload-facts" }, [
            name(labelText(desk.venue?.name) ?? upload.venue), name(upload.author), timeElement(upload.received_at, zone),
            upload.state === "staged" && localized(upload.base > 0 ? "desk.decision.base" : "desk.decision.first", { n: upload.base }),
        ].filter(Boolean).map((each) => h("span", {}, each))),
        h("details", {}, h("summary", {}, localized("desk.upload.more")),
            h("dl", { class: "facts" },
                fact("author", name(upload.author)), fact("received", time(upload.received_at)), fact("finished", time(upload.finished_at)),
                fact("size", formatBytes(upload.bytes)), fact("publishedBy", name(upload.published_by)),
                fact("id", h("code", {}, upload.id)), fact("archive", h("code", {}, upload.archive)), fact("attempts", upload.attempts))));
}

/** What speaks against publishing a staged upload, in numbers that lead to the reasons. */
export function verdict(desk, { state, findings, reasons, overrides }) {
    if (state !== "staged") return null;
    const contested = overrides?.contested ?? 0;
    const errors = findings.error > 0 ? ["bad", "alert", "desk.findings.errors"]
        : findings.complete ? ["good", "check", "desk.verdict.noErrors"] : ["", "clock", "desk.phase.validating.now"];
    const jump = ([kind, iconName, key], n, act) => h("button", { type: "button", class: `tag ${kind}`, onclick: act }, icon(iconName), localized(key, { n }));
    return h(
        "p", { class: "verdict" },
        jump(errors, findings.error, () => {
            goTo(document.getElementById("findings"));
            if (findings.error > 0) document.querySelector("#findings .chip[value=error]")?.click();
        }),
        reasons.length > 0 && jump(["warn", "alert", "desk.verdict.guards"], reasons.length, () => goTo(document.querySelector(".upload-checks"))),
        contested > 0 && h("a", { class: "tag warn", href: `#/${desk.venueKey}/desk/overrides` },
            icon("pencil"), localized("desk.verdict.contested", { n: contested })));
}

function goTo(section) {
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
}
