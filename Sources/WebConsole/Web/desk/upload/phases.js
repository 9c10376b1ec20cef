// The phases of an upload as a list of steps, with the progress of the current one.

import { announce } from "../../ui/toast.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { progressBar } from "../../ui/progress.js";
import { localized } from "../../localization/localization.js";

const phasesUntilDiff = ["sending", "queued", "reading", "identifying", "diffing"];

/** The steps in the order of this upload. Validation comes before publishing if the upload is staged for a decision. */
function stepsOf(upload) {
    const isValidated = upload.progress.phase === "validating" || upload.findings.complete;
    const isValidatedFirst = isValidated && upload.state !== "published" && upload.state !== "unchanged";
    return isValidatedFirst ? [...phasesUntilDiff, "validating", "publishing"] : [...phasesUntilDiff, "publishing", "validating"];
}

/** The current step of an upload. */
function currentStep(upload) {
    if (upload.state === "received") return "queued";
    return upload.progress.phase ?? (upload.state === "processing" ? "reading" : "validating");
}

/** `{element, update(upload)}` */
export function phaseList() {
    const list = h("ol", { class: "phases" });
    const bar = progressBar(localized("desk.phase.queued"));
    let announced = "";
    const update = (upload) => {
        const steps = stepsOf(upload);
        const current = currentStep(upload);
        const index = steps.indexOf(current);
        fill(list, steps.map((step, i) => h(
            "li", { class: i < index ? "is-done" : i === index ? "is-current" : "", "aria-current": i === index ? "step" : undefined },
            h("span", { class: "phase-marker" }, i < index ? icon("check") : String(i + 1)),
            h("span", {}, localized(`desk.phase.${step}`)))));
        const { done, total } = upload.progress;
        const name = localized(`desk.phase.${current}.now`);
        const progress = total > 0 ? localized("desk.phase.share", { name, done: formatNumber(done), total: formatNumber(total) }) : name;
        const attempt = upload.attempts > 1 ? ` ${localized("desk.phase.attempt", { n: upload.attempts })}` : "";
        bar.set(done, total, progress + attempt);
        if (current !== announced) announce(name);
        announced = current;
    };
    return { element: h("div", { class: "desk-phases" }, list, bar.element), update };
}
