// Groups the findings of an upload by rule.

import { requestJSON } from "../../api.js";

/** The most severe first. */
export const severities = ["error", "warning", "info"];

/**
 * `{rule, severity, severities, count, findings, next}` for every rule with findings. `severity` is the most severe, `findings` are the
 * loaded ones, `next` is the path of the next page or null.
 */
export async function groupByRule(upload, page, signal) {
    const loaded = Map.groupBy(page.findings, (finding) => finding.rule);
    const isComplete = page.next === null;
    const groups = await Promise.all(Object.entries(page.counts).map(async ([rule, count]) => {
        const path = `/uploads/${upload}/findings?rule=${encodeURIComponent(rule)}&limit=100`;
        let findings = loaded.get(rule) ?? [];
        let next = null;
        if (!isComplete && findings.length < count) ({ findings, next } = await requestJSON(path, { signal }));
        const present = new Set(findings.map((finding) => finding.severity));
        const severity = severities.find((severity) => present.has(severity)) ?? "info";
        return { rule, severity, severities: present, count, findings, next };
    }));
    const rank = (group) => severities.indexOf(group.severity);
    return groups.filter(({ count }) => count > 0)
        .sort((a, b) => rank(a) - rank(b) || b.count - a.count || (a.rule < b.rule ? -1 : 1));
}

/** Loads the findings of a group up to an index, if there are as many. */
export async function loadFindings(group, index, signal) {
    while (index >= group.findings.length && group.next) {
        const page = await requestJSON(group.next, { signal });
        group.findings.push(...page.findings);
        group.next = page.next;
    }
}
