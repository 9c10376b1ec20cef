// The text of a finding in the language of the user. The server reports English sentences; those that localization/desk/ja/findings.js has are
// shown in Japanese. For others, the title of the rule comes first, and the English sentence follows as the detail.

import "../messages.js";
import { h } from "../../ui/element.js";
import sentencesJa from "../../localization/desk/ja/findings.js";
import { typeName } from "../names.js";
import { withForeignNames } from "../../ui/names.js";
import { localization, localized } from "../../localization/localization.js";

const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
/** What arguments look like. */
const patterns = { type: "(?:[Aa]n? )?([A-Za-z]+)", value: "(“.*”|The [a-z_]+|[a-z_]+)", n: "(-?\\d+)", count: "(\\d+)", id: "([0-9a-f-]{36})" };

/** `{pattern, names, text}` for each sentence; made when the first one is needed. */
let sentences;

function sentenceOf(line) {
    const [english, text] = line.split("|");
    const names = [];
    const parts = english.split(/\{(\w+)\}/).map((part, index) => {
        if (index % 2 === 0) return escaped(part);
        names.push(part);
        return patterns[part.replace(/\d+$/, "")] ?? "(.*?)";
    });
    return { pattern: new RegExp(`^${parts.join("")}$`), names, text };
}

/** An argument in Japanese. */
function argument(name, value) {
    if (/^type\d?$/.test(name)) return typeName(value.charAt(0).toLowerCase() + value.slice(1));
    if (!/^value\d?$/.test(name)) return value;
    return value.startsWith("“") ? `「${value.slice(1, -1)}」` : value === "The value" ? "値" : value.replace(/^The /, "");
}

/** What follows the sentence if the finding is smaller than the tolerance, and that in Japanese. */
const toleranceNote = [" That is within the tolerance.", "許容範囲内です。"];

function inJapanese(message) {
    const [note, noteJa] = toleranceNote;
    if (message.endsWith(note)) {
        const sentence = inJapanese(message.slice(0, -note.length));
        return sentence && sentence + noteJa;
    }
    sentences ??= sentencesJa.trim().split("\n").map(sentenceOf);
    for (const { pattern, names, text } of sentences) {
        const found = pattern.exec(message);
        if (!found) continue;
        const values = Object.fromEntries(names.map((name, index) => [name, argument(name, found[index + 1])]));
        return text.replace(/\{(\w+)\}/g, (_, name) => values[name]);
    }
    return null;
}

/** `{text, detail}`: the sentence, and the English one if there is none in the language of the user; else null. */
export function findingText({ rule, message }) {
    if (localization.language === "en") return { text: message, detail: null };
    const text = inJapanese(message);
    if (text) return { text, detail: null };
    const title = localized(`rule.${rule}`);
    return title === `rule.${rule}` ? { text: message, detail: null } : { text: localized("desk.findings.broken", { rule: title }), detail: message };
}

/** The text of a finding as the content of an element. */
export function findingMessage(finding) {
    const { text, detail } = findingText(finding);
    return [withForeignNames(text), detail && h("span", { class: "finding-detail", lang: "en" }, withForeignNames(detail))];
}
