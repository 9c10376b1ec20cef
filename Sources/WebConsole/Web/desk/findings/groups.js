// Groups the findings of an upload by rule.

import { requestJSON } from "../../api.js";

/** The most severe first. */
export const severities = ["error", "warning", "info"];

/** Most reports fit into one page. Of longer ones, the rest is loaded rule by rule. */
const pageSize = 1000;

/** The findings of an upload: `{page, groups}`, the first page, which has what is said of all, and the rules in the order of their list. */
export async function loadReport(upload, signal) {
    const page = await requestJSON(`/uploads/${upload}/findings?limit=${pageSize}`, { signal });
    return { page, groups: await groupByRule(upload, page, signal) };
}

/**
 * `{rule, severity, severities, count, findings, next}` for every rule with findings. `severity` is the most severe, `findings` are the
 * loaded ones, `next` is the path of the next page or null.
 */
async function groupByRule(upload, page, signal) {
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

/** The finding of a group with an index; undefined if there are not as many stored. Loads the findings up to it. */
export async function loadFinding(group, index, signal) {
    while (index >= group.findings.length && group.next) {
        const { next } = group;
        const page = await requestJSON(next.replace(/\blimit=\d+/, `limit=${pageSize}`), { signal });
        if (group.next !== next) continue; // Another call has loaded it in the meantime.
        group.findings.push(...page.findings);
        group.next = page.next;
    }
    return group.findings[index];
}

/** `{findings, isComplete}`: the loaded findings of all groups with their indices, and whether these are all findings of the upload. */
export const loadedFindings = (groups) => ({
    findings: groups.flatMap((group) => group.findings.map((finding, index) => ({ ...finding, index }))),
    isComplete: groups.every(({ findings, count }) => findings.length >= count),
});
