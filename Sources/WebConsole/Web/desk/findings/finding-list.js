// The findings of one rule, a few at a time.

import { askJSON } from "../../api.js";
import { button } from "../fields.js";
import { fill, h, icon } from "../../ui/element.js";
import { problemLine } from "../problem-words.js";
import { typeName } from "../names.js";
import { word } from "../../words/words.js";

const step = 25;

export function findingList(upload, group) {
    const list = h("ol", { class: "findings" });
    const foot = h("p", { class: "desk-actions" });
    let shown = 0;
    const more = async () => {
        if (shown >= group.findings.length && group.next) {
            try {
                const answer = await askJSON(group.next);
                group.findings.push(...answer.findings);
                group.next = answer.next;
            } catch (error) {
                fill(foot, h("span", { class: "told" }, problemLine(error)), moreButton());
                return;
            }
        }
        list.append(...group.findings.slice(shown, shown + step).map((finding) => h("li", {}, entry(upload, finding))));
        shown = Math.min(shown + step, group.findings.length);
        const isMore = shown < group.findings.length || group.next;
        const isCut = !isMore && shown < group.count;
        const cut = isCut && h("span", { class: "help" }, word("desk.findings.cut", { shown, count: group.count }));
        fill(foot, isMore ? moreButton() : cut);
    };
    const moreButton = () => button("quiet", word("desk.findings.more", { n: Math.max(0, group.count - shown) }), more);
    more();
    return [list, foot];
}

const unseen = (text) => h("span", { class: "unseen" }, text);

function entry(upload, finding) {
    const { message, feature_id: id, feature_type: type, file, pointer, severity } = finding;
    const place = [file, pointer].filter(Boolean).join(" ");
    const address = placeAddress(upload.venue, finding);
    return [
        h("span", { class: "finding-message" }, unseen(`${word(`desk.severity.${severity}`)}: `), message),
        h("span", { class: "finding-facts" },
            type && h("span", {}, typeName(type)), id && h("code", { title: id }, id.slice(0, 8)), place && h("code", {}, place)),
        address && h(
            "a", { class: "finding-link", href: address },
            icon("pin"), word("desk.findings.onMap"), unseen(`: ${message}`)),
    ];
}

/** Where the map shows what a finding is about; undefined when it is nowhere. */
function placeAddress(venue, { feature_id: id, at }) {
    const query = new URLSearchParams();
    if (id) query.set("feature", id);
    if (at) query.set("at", at.slice(0, 2).map((degrees) => degrees.toFixed(7)).join(","));
    return id || at ? `#/${venue}?${query}`.replaceAll("%2C", ",") : undefined;
}
