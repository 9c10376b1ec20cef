// The line at the top of the page of an upload: what it is, and for a staged one the verdict. It stays in view beside the decision.

import { formatBytes, formatMoment } from "../formats.js";
import { h, icon } from "../../ui/element.js";
import { isBehind } from "./decision.js";
import { labelText } from "../../map/labels.js";
import { localized } from "../../localization/localization.js";
import { stateTag, uploadTitle } from "./upload-entry.js";
import { timeElement } from "../time-element.js";

/** The title and the state, with the venue, the author and the age; the other facts on request. */
export function heading(desk, upload) {
    const zone = desk.venue?.about.time_zone;
    const name = (text) => text && h("bdi", {}, text);
    const time = (moment) => moment && h("time", { datetime: moment }, formatMoment(moment, zone));
    const fact = (key, value) => (value ?? false) !== false && [h("dt", {}, localized(`desk.upload.${key}`)), h("dd", {}, value)];
    const title = uploadTitle(upload);
    const comparison = upload.state === "staged" && localized(upload.base > 0 ? "desk.decision.base" : "desk.decision.first", { n: upload.base });
    return h(
        "header", { class: "upload-header" },
        h("h2", { title }, h("bdi", {}, title)), stateTag(upload),
        h("p", { class: "upload-facts" }, [
            name(labelText(desk.venue?.name) ?? upload.venue),
            upload.state === "staged" && upload.publish_at && localized("desk.staged.scheduled", { time: formatMoment(upload.publish_at, zone) }),
            name(upload.author), timeElement(upload.received_at, zone), comparison,
        ].filter(Boolean).map((each) => h("span", {}, each))),
        h("details", {}, h("summary", {}, localized("desk.upload.more")),
            h("dl", { class: "facts" },
                fact("comparison", comparison), fact("author", name(upload.author)),
                fact("file", name(upload.file_name)), fact("received", time(upload.received_at)), fact("finished", time(upload.finished_at)),
                fact("size", formatBytes(upload.bytes)), fact("publishedBy", name(upload.published_by)),
                fact("id", h("code", {}, upload.id)), fact("archive", h("code", {}, upload.archive)), fact("attempts", upload.attempts))));
}

/** What speaks against publishing a staged upload, in numbers that lead to the reasons. */
export function verdict(desk, upload) {
    const { state, findings, reasons, overrides } = upload;
    if (state !== "staged") return null;
    const contested = overrides?.contested ?? 0;
    const jump = (kind, iconName, text, act) => h("button", { type: "button", class: `tag ${kind}`, onclick: act }, icon(iconName), text);
    const toFindings = () => goTo(document.getElementById("findings"));
    const toChecks = () => goTo(document.querySelector(".upload-checks"));
    return h(
        "p", { class: "verdict" },
        findings.error > 0 ? jump("bad", "alert", localized("desk.findings.errors", { n: findings.error }), () => {
            toFindings();
            showErrors();
        })
            : findings.complete ? jump("good", "check", localized("desk.verdict.noErrors"), toFindings)
                : h("span", { class: "tag" }, icon("clock"), localized("desk.phase.validating.now")),
        isBehind(desk, upload) && jump("warn", "alert", localized("desk.verdict.behind", { n: desk.venue.head }), toChecks),
        reasons.length > 0 && jump("warn", "alert", localized("desk.verdict.guards", { n: reasons.length }), toChecks),
        contested > 0 && h("a", { class: "tag warn", href: `#/${desk.venueKey}/desk/overrides` },
            icon("pencil"), localized("desk.verdict.contested", { n: contested })));
}

/** Leaves only the errors in the report, as soon as it is loaded. */
function showErrors() {
    const report = document.getElementById("findings");
    const chip = () => report?.querySelector(".chip[value=error]");
    if (!report || chip()) return chip()?.click();
    const observer = new MutationObserver(() => {
        if (!chip()) return;
        observer.disconnect();
        chip().click();
    });
    observer.observe(report, { childList: true, subtree: true });
}

function goTo(section) {
    section?.scrollIntoView();
    section?.focus({ preventScroll: true });
}
