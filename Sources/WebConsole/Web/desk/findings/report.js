// The validation report of an upload: findings grouped by rule, the most severe first, with links to the map.

import { errorState, loadingState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { findingList } from "./finding-list.js";
import { formatNumber } from "../formats.js";
import { FindingView, hasMap } from "./finding-view.js";
import { loadReport, severities } from "./groups.js";
import { localized } from "../../localization/localization.js";

/** The tag class and the icon of each severity. */
const tagClasses = { error: "bad", warning: "warn", info: "" };
const icons = { error: "alert", warning: "alert", info: "list" };

export function report(desk, upload) {
    const container = h("div");
    const section = h("section", { class: "desk-section", id: "findings", tabindex: -1 }, h("h2", {}, localized("desk.findings.title")), container);
    const load = async () => {
        fill(container, loadingState());
        try {
            const { page, groups } = await loadReport(upload.id, desk.signal);
            if (desk.signal.aborted) return;
            const view = new FindingView(desk, upload, groups);
            const onOpen = (group, index) => view.open(group.rule, index);
            fill(container, summary(upload, page), view.element, groups.length > 0 && filterableRules(upload, groups, onOpen, hasMap(desk, upload)), skippedRules(page));
            await view.openFromURL();
        } catch (error) {
            if (!desk.signal.aborted) fill(container, errorState(error, { retry: load }));
        }
    };
    load();
    return section;
}

function summary(upload, { complete, truncated, rule_set: edition, findings }) {
    const lines = [
        !complete && localized(upload.state === "rejected" ? "desk.findings.readingOnly" : "desk.findings.incomplete"),
        complete && findings.length === 0 && localized("desk.findings.none"),
        truncated && localized("desk.findings.truncated"),
    ];
    return [
        lines.filter(Boolean).map((line) => h("p", {}, line)),
        edition && h("p", { class: "help" }, localized("desk.findings.edition", { edition })),
    ];
}

/** The list of rules, with buttons that filter it by severity. */
function filterableRules(upload, groups, onOpen, hasMap) {
    const list = h("ul", { class: "rules" });
    const show = (severity) => {
        const visible = severity ? groups.filter((group) => group.severities.has(severity)) : groups;
        fill(list, visible.map((group, i) => h("li", {}, ruleEntry(upload, group, i === 0 && upload.state === "rejected", onOpen, hasMap))));
        for (const button of buttons) button.setAttribute("aria-pressed", String(button.value === (severity ?? "")));
    };
    const button = (severity, label, count) => h(
        "button", { type: "button", class: "chip", value: severity ?? "", "aria-pressed": "false", onclick: () => show(severity) },
        label, h("span", { class: "count" }, formatNumber(count)));
    const total = severities.reduce((sum, severity) => sum + upload.findings[severity], 0);
    const buttons = [
        button(null, localized("desk.findings.all"), total),
        ...severities.filter((severity) => upload.findings[severity] > 0)
            .map((severity) => button(severity, localized(`desk.severity.${severity}.many`), upload.findings[severity])),
    ];
    show(null);
    return [h("div", { class: "desk-chips", role: "group", "aria-label": localized("desk.findings.filter") }, buttons), list];
}

function ruleEntry(upload, group, isOpen, onOpen, hasMap) {
    const { rule, severity, count } = group;
    const title = localized(`rule.${rule}`);
    const body = h("div", { class: "rule-body" });
    return h(
        "details", {
            class: "rule", open: isOpen,
            ontoggle: (event) => {
                if (event.target.open && !body.hasChildNodes()) fill(body, findingList(upload, group, (index) => onOpen(group, index), hasMap));
            },
        },
        h("summary", {},
            h("span", { class: `tag ${tagClasses[severity]}` }, icon(icons[severity]), localized(`desk.severity.${severity}`)),
            // The rule is a statement that is not true of this archive.
            h("span", { class: "rule-title" }, title === `rule.${rule}` ? group.findings[0]?.message : localized("desk.findings.broken", { rule: title })),
            h("code", {}, rule), h("span", { class: "count" }, formatNumber(count))),
        body);
}

function skippedRules({ skipped }) {
    return skipped.length > 0 && h(
        "details", { class: "skipped" },
        h("summary", {}, localized("desk.findings.skipped", { n: skipped.length })),
        h("ul", {}, skipped.map(({ rule, reason, features }) => h(
            "li", {}, h("code", {}, rule === "*" ? localized("desk.findings.everyRule") : rule), " ", reason,
            features !== null && ` ${localized("desk.findings.skippedFeatures", { n: formatNumber(features) })}`))));
}
