// IMDF labels: objects that map language tags to texts. Blank texts are ignored. A plain string, which IMDF does not allow but archives
// contain, is a text without a language.

import { labelLanguage, nearestLanguage } from "./label-language.js";

/**
 * The text of a label in the first of these languages that it has; otherwise its first text; undefined for no label. Each language is
 * searched by its full tag, then by shorter and shorter tags (`zh-Hant-TW`, `zh-Hant`), then in the same script (`zh-HK` for `zh-TW`), then
 * with any script and region (`zh-Hans`).
 */
export function labelText(label, languages = []) {
    const texts = textsOf(label);
    for (const language of languages) {
        const text = language && textIn(language.toLowerCase(), texts);
        if (text) return text;
    }
    return texts[0]?.[1];
}

/** A text of which nothing is visible: white space, and characters such as zero-width spaces. */
const invisible = /^[\s\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\u2800]*$/u;

/** Every text of a label once, in all languages. */
export function labelTexts(label) {
    return [...new Set(textsOf(label).map(([, text]) => text))];
}

/** `[tag, text]`, the tags in lower case. */
function textsOf(label) {
    const entries = typeof label === "string" ? [["", label]]
        : typeof label !== "object" || label === null || Array.isArray(label) ? [] : Object.entries(label);
    return entries.filter(([, text]) => typeof text === "string" && !invisible.test(text)).map(([tag, text]) => [tag.toLowerCase(), text]);
}

function textIn(language, texts) {
    const exact = texts.find(([tag]) => tag === language);
    if (exact) return exact[1];
    return texts[nearestLanguage(labelLanguage(language), texts.map(([tag]) => labelLanguage(tag)))]?.[1];
}
