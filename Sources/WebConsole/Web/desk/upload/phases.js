// The way of an upload as steps, with how far the present one is.

import { announce } from "../../ui/toast.js";
import { fill, h, icon } from "../../ui/element.js";
import { formatNumber } from "../formats.js";
import { progressBar } from "../../ui/progress.js";
import { word } from "../../words/words.js";

const untilDiff = ["sending", "queued", "reading", "identifying", "diffing"];

/** The steps in the order in which this upload takes them: the rule book comes first when somebody is to decide by it. */
function steps(upload) {
    const isChecked = upload.progress.phase === "validating" || upload.findings.complete;
    const checkedFirst = isChecked && upload.state !== "published" && upload.state !== "unchanged";
    return checkedFirst ? [...untilDiff, "validating", "publishing"] : [...untilDiff, "publishing", "validating"];
}

/** The step that an upload is at. */
function present(upload) {
    if (upload.state === "received") return "queued";
    return upload.progress.phase ?? (upload.state === "processing" ? "reading" : "validating");
}

/** `{element, update(upload)}` */
export function phaseList() {
    const list = h("ol", { class: "phases" });
    const bar = progressBar(word("desk.phase.queued"));
    let told = "";
    const update = (upload) => {
        const order = steps(upload);
        const now = present(upload);
        const at = order.indexOf(now);
        fill(list, order.map((step, i) => h(
            "li", { class: i < at ? "is-done" : i === at ? "is-now" : "", "aria-current": i === at ? "step" : undefined },
            h("span", { class: "phase-mark" }, i < at ? icon("check") : String(i + 1)),
            h("span", {}, word(`desk.phase.${step}`)))));
        const { done, total } = upload.progress;
        const name = word(`desk.phase.${now}.now`);
        const counted = total > 0 ? word("desk.phase.share", { name, done: formatNumber(done), total: formatNumber(total) }) : name;
        const tries = upload.attempts > 1 ? ` ${word("desk.phase.attempt", { n: upload.attempts })}` : "";
        bar.set(done, total, counted + tries);
        if (now !== told) announce(name);
        told = now;
    };
    return { element: h("div", { class: "desk-phases" }, list, bar.element), update };
}
