// The list of findings of one rule, which is extended page by page.

import { button } from "../fields.js";
import { fill, h, icon } from "../../ui/element.js";
import { findingMessage, findingText } from "./finding-text.js";
import { loadFinding } from "./groups.js";
import { problemLine } from "../problem-messages.js";
import { typeName } from "../names.js";
import { localized } from "../../localization/localization.js";

const pageSize = 25;

/**
 * @param onOpen is called with the index of a finding that is shown on the page of the upload.
 * @param hasMap whether there is a map to show findings on.
 */
export function findingList(upload, group, onOpen, hasMap) {
    const list = h("ol", { class: "findings" });
    const footer = h("p", { class: "desk-actions" });
    let shown = 0;
    const showMore = async () => {
        if (shown >= group.findings.length && group.next) {
            try {
                await loadFinding(group, shown);
            } catch (error) {
                fill(footer, h("span", { class: "error-message" }, problemLine(error)), moreButton());
                return;
            }
        }
        list.append(...group.findings.slice(shown, shown + pageSize)
            .map((finding, i) => h("li", {}, entry(upload, finding, shown + i, onOpen, hasMap))));
        shown = Math.min(shown + pageSize, group.findings.length);
        const hasMore = shown < group.findings.length || group.next;
        const isTruncated = !hasMore && shown < group.count;
        const notice = isTruncated && h("span", { class: "help" }, localized("desk.findings.truncatedRule", { shown, count: group.count }));
        fill(footer, hasMore ? moreButton() : notice);
    };
    const moreButton = () => button("quiet", localized("desk.findings.more", { n: Math.max(0, group.count - shown) }), showMore);
    showMore();
    return [list, footer];
}

const hiddenText = (text) => h("span", { class: "visually-hidden" }, text);

function entry(upload, finding, index, onOpen, hasMap) {
    const { feature_id: id, feature_type: type, file, pointer, severity } = finding;
    const path = [file, pointer].filter(Boolean).join(" ");
    const isOnMap = upload.state === "published";
    const url = isOnMap ? mapURL(upload, finding, index) : findingURL(upload, finding, index);
    return [
        h("span", { class: "finding-message" }, hiddenText(`${localized(`desk.severity.${severity}`)}: `), findingMessage(finding)),
        h("span", { class: "finding-facts" },
            type && h("span", {}, typeName(type)), id && h("code", { title: id }, id.slice(0, 8)), path && h("code", {}, path)),
        url && h(
            "a", {
                class: "finding-link", href: url,
                onclick: (event) => {
                    if (isOnMap || event.ctrlKey || event.metaKey || event.shiftKey) return;
                    event.preventDefault();
                    onOpen(index);
                },
            },
            icon(hasMap ? "pin" : "list"), localized(hasMap ? "desk.findings.onMap" : "desk.findings.details"), hiddenText(`: ${findingText(finding).text}`)),
    ];
}

/** The URL that shows a finding on the published map; undefined if it has no position. */
function mapURL(upload, { rule, feature_id: id, at }, index) {
    const query = new URLSearchParams();
    if (id) query.set("feature", id);
    if (at) query.set("at", at.slice(0, 2).map((degrees) => degrees.toFixed(7)).join(","));
    query.set("upload", upload.id);
    query.set("finding", `${rule}:${index}`);
    return id || at ? `#/${upload.venue}?${query}`.replaceAll("%2C", ",").replaceAll("%3A", ":") : undefined;
}

/** The URL that shows a finding on the page of its upload; undefined if it has no position. What is not published is on no other map. */
function findingURL(upload, { rule, feature_id: id, at }, index) {
    return id || at ? `#/${upload.venue}/desk/uploads/${upload.id}?finding=${encodeURIComponent(rule)}:${index}` : undefined;
}
