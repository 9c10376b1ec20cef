// The validation report of an upload: by rule, the gravest first, each finding with the way to its place on the map.

import { askJSON } from "../../api.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { findingList } from "./finding-list.js";
import { formatNumber } from "../formats.js";
import { groupByRule, severities } from "./groups.js";
import { word } from "../../words/words.js";

/** Most reports fit into one answer; of longer ones the rest is asked for rule by rule. */
const first = 1000;

const moods = { error: "bad", warning: "warn", info: "" };
const pictures = { error: "alert", warning: "alert", info: "list" };

export function report(desk, upload) {
    const place = h("div");
    const section = h("section", { class: "desk-section", id: "findings" }, h("h2", {}, word("desk.findings.title")), place);
    const load = async () => {
        fill(place, loadingState());
        try {
            const answer = await askJSON(`/uploads/${upload.id}/findings?limit=${first}`, { signal: desk.signal });
            const groups = await groupByRule(upload.id, answer, desk.signal);
            if (desk.signal.aborted) return;
            fill(place, summary(upload, answer), groups.length > 0 && filtered(upload, groups), skipped(answer));
        } catch (error) {
            if (!desk.signal.aborted) fill(place, errorState(error, { retry: load }));
        }
    };
    load();
    return section;
}

function summary(upload, { complete, truncated, rule_set: edition, findings }) {
    const lines = [
        !complete && word(upload.state === "rejected" ? "desk.findings.door" : "desk.findings.incomplete"),
        complete && findings.length === 0 && word("desk.findings.none"),
        truncated && word("desk.findings.truncated"),
    ];
    return [
        lines.filter(Boolean).map((line) => h("p", {}, line)),
        edition && h("p", { class: "help" }, word("desk.findings.edition", { edition })),
    ];
}

/** The rules, and buttons that leave only those of one severity. */
function filtered(upload, groups) {
    const list = h("ul", { class: "rules" });
    const show = (severity) => {
        const shown = severity ? groups.filter((group) => group.severities.has(severity)) : groups;
        fill(list, shown.map((group, i) => h("li", {}, ruleEntry(upload, group, i === 0 && upload.state === "rejected"))));
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === (severity ?? "")));
    };
    const button = (severity, label, count) => h(
        "button", { type: "button", class: "chip", value: severity ?? "", "aria-pressed": "false", onclick: () => show(severity) },
        label, h("span", { class: "count" }, formatNumber(count)));
    const total = severities.reduce((sum, severity) => sum + upload.findings[severity], 0);
    const buttons = [
        button(null, word("desk.findings.all"), total),
        ...severities.filter((severity) => upload.findings[severity] > 0)
            .map((severity) => button(severity, word(`desk.severity.${severity}.many`), upload.findings[severity])),
    ];
    show(null);
    return [h("div", { class: "desk-chips", role: "group", "aria-label": word("desk.findings.filter") }, buttons), list];
}

function ruleEntry(upload, group, isOpen) {
    const { rule, severity, count } = group;
    const title = word(`rule.${rule}`);
    const place = h("div", { class: "rule-body" });
    return h(
        "details", {
            class: "rule", open: isOpen,
            ontoggle: (event) => {
                if (event.target.open && !place.hasChildNodes()) fill(place, findingList(upload, group));
            },
        },
        h("summary", {},
            h("span", { class: `tag ${moods[severity]}` }, icon(pictures[severity]), word(`desk.severity.${severity}`)),
            h("span", { class: "rule-title" }, title === `rule.${rule}` ? group.findings[0]?.message : title),
            h("code", {}, rule), h("span", { class: "count" }, formatNumber(count))),
        place);
}

function skipped({ skipped }) {
    return skipped.length > 0 && h(
        "details", { class: "skipped" },
        h("summary", {}, word("desk.findings.skipped", { n: skipped.length })),
        h("ul", {}, skipped.map(({ rule, reason, features }) => h(
            "li", {}, h("code", {}, rule === "*" ? word("desk.findings.everyRule") : rule), " ", reason,
            features !== null && ` ${word("desk.findings.skippedFeatures", { n: formatNumber(features) })}`))));
}
