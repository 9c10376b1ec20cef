// IMDF labels: objects that map language tags to texts. Chooses the text to show, and normalizes texts for searching.

import { localization } from "../localization/localization.js";

/** The text of a label in the user's language, else in the venue's, else in English, else the first; undefined for no label. */
export function labelText(label, venueLanguage) {
    if (label === null || label === undefined) return undefined;
    if (typeof label === "string") return label || undefined;
    const texts = Object.entries(label).filter(([, text]) => typeof text === "string" && text.trim() !== "");
    for (const language of [localization.language, venueLanguage, "en"]) {
        if (!language) continue;
        const exact = texts.find(([tag]) => tag.toLowerCase() === language.toLowerCase());
        const match = exact ?? texts.find(([tag]) => primarySubtag(tag) === primarySubtag(language));
        if (match) return match[1];
    }
    return texts[0]?.[1];
}

/** The texts of a label in all languages. */
export function labelTexts(label) {
    if (typeof label === "string") return [label];
    return Object.values(label ?? {}).filter((text) => typeof text === "string");
}

/**
 * Folds a text for searching: NFKC unifies full-width and half-width forms (`ｶﾌｪ` = `カフェ`), hiragana becomes katakana, and case,
 * accents, spaces and punctuation are removed.
 */
export function folded(text) {
    return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC")
        .replace(/[\u3041-\u3096]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))
        .replace(/[\s'’・･\-‐–—.,]+/g, "");
}

function primarySubtag(tag) {
    return tag.toLowerCase().split("-")[0];
}
