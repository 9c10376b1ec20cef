// Labels of a venue: objects of language tag and text. Which text a reader is shown, and how texts are compared.

import { words } from "../words/words.js";

/** The text of a label in the reader's language, else in the venue's, else in English, else the first; undefined for no label. */
export function labelText(label, venueLanguage) {
    if (label === null || label === undefined) return undefined;
    if (typeof label === "string") return label || undefined;
    const texts = Object.entries(label).filter(([, text]) => typeof text === "string" && text.trim() !== "");
    for (const language of [words.language, venueLanguage, "en"]) {
        if (!language) continue;
        const exact = texts.find(([tag]) => tag.toLowerCase() === language.toLowerCase());
        const near = exact ?? texts.find(([tag]) => primary(tag) === primary(language));
        if (near) return near[1];
    }
    return texts[0]?.[1];
}

/** Every text of a label. */
export function labelTexts(label) {
    if (typeof label === "string") return [label];
    return Object.values(label ?? {}).filter((text) => typeof text === "string");
}

/**
 * A text as searches compare it: NFKC makes wide letters narrow and half-width kana whole (`ｶﾌｪ` = `カフェ`), hiragana counts as
 * katakana, and neither case nor accents matter.
 */
export function folded(text) {
    return text.normalize("NFKC").toLowerCase().normalize("NFD").replace(/[\u0300-\u036f]/g, "").normalize("NFC")
        .replace(/[\u3041-\u3096]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) + 0x60))
        .replace(/[\s'’・･\-‐–—.,]+/g, "");
}

function primary(tag) {
    return tag.toLowerCase().split("-")[0];
}
