// What an edit would change, as the server has planned it, and the problems of requests at their places.

import { h, icon } from "../../ui/element.js";
import { partName, valueText } from "./value-text.js";
import { formatTime, localized, timeWithZone } from "../../localization/localization.js";

/** A table of changed parts with their values before and after; `options` are those of `valueText`. */
export function changeTable(changes, options) {
    return h(
        "table", { class: "change-table" },
        h("caption", { class: "visually-hidden" }, localized("edit.review.changes")),
        h("thead", {}, h("tr", {}, ["part", "before", "after"].map((name) => h("th", { scope: "col" }, localized(`edit.review.${name}`))))),
        h("tbody", {}, changes.map(({ pointer, before, value }) => h(
            "tr", {}, h("th", { scope: "row" }, partName(pointer)),
            h("td", {}, h("del", {}, valueText(pointer, before, options))), h("td", {}, h("ins", {}, valueText(pointer, value, options)))))));
}

/** What the response to a dry run says besides: sentences about the venue, and what the rule book finds. */
export function planNotes(plan, { until = null, timeZone } = {}) {
    return [
        plan.changes.words.length > 0 && h("p", { class: "help" }, plan.changes.words.join(localized("edit.semicolon"))),
        until && h("p", { class: "notice" }, icon("clock"), h("span", {}, localized("edit.review.until", {
            time: formatTime(until, { ...timeWithZone, weekday: "long", month: "long", timeZone }),
        }))),
        findingList(plan.findings),
    ];
}

function findingList(findings) {
    if (findings.length === 0) return null;
    return h(
        "div", { class: "plan-findings" },
        h("p", {}, h("strong", {}, localized("edit.review.findings"))),
        h("ul", {}, findings.map((finding) => h("li", { class: `is-${finding.severity}` }, icon("alert"), h("span", {},
            finding.pointer && h("strong", {}, partName(partOf(finding.pointer)), localized("edit.colon")), findingText(finding))))));
}

/** The sentence of a finding: the server's is in English, so in other languages the title of its rule stands before it. */
export function findingText({ rule, message }) {
    const title = rule ? localized(`rule.${rule}`) : "";
    return document.documentElement.lang === "en" || !rule || title === `rule.${rule}` ? message : `${title}（${message}）`;
}

/** The pointer to the part of a feature in the pointer of a problem, such as `/edits/0/patch/properties/phone`. */
function partOf(pointer) {
    const match = /(\/properties\/.*|\/geometry.*)$/.exec(pointer ?? "");
    return match ? match[1].replace(/^(\/geometry).*/, "$1") : "";
}

/** The texts for the fields of a refused edit, or of the findings of a plan: `[{pointer, text}]`. */
export function problemsOf({ document: problem }) {
    if (!problem || problem.pointer === undefined) return [];
    return [{ pointer: partOf(problem.pointer), text: findingText({ rule: problem.rule, message: problem.detail }) }];
}

export const problemsOfPlan = (plan) => plan.findings.filter(({ pointer }) => pointer)
    .map((finding) => ({ pointer: partOf(finding.pointer), text: findingText(finding) }));
