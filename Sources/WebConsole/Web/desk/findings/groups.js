// Findings of an upload by rule.

import { askJSON } from "../../api.js";

/** The gravest first. */
export const severities = ["error", "warning", "info"];

/**
 * `{rule, severity, severities, count, findings, next}` for every rule that found something: `severity` is its gravest, `findings`
 * are those that are here, `next` is where more are asked for, or null.
 */
export async function groupByRule(upload, answer, signal) {
    const here = Map.groupBy(answer.findings, (finding) => finding.rule);
    const isWhole = answer.next === null;
    const groups = await Promise.all(Object.entries(answer.counts).map(async ([rule, count]) => {
        const address = `/uploads/${upload}/findings?rule=${encodeURIComponent(rule)}&limit=100`;
        let findings = here.get(rule) ?? [];
        let next = null;
        if (!isWhole && findings.length < count) ({ findings, next } = await askJSON(address, { signal }));
        const found = new Set(findings.map((finding) => finding.severity));
        const severity = severities.find((severity) => found.has(severity)) ?? "info";
        return { rule, severity, severities: found, count, findings, next };
    }));
    const rank = (group) => severities.indexOf(group.severity);
    return groups.filter(({ count }) => count > 0)
        .sort((a, b) => rank(a) - rank(b) || b.count - a.count || (a.rule < b.rule ? -1 : 1));
}
