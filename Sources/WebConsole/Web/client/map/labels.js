// IMDF labels: objects that map language tags to texts.

/**
 * The text of a label in the first of these languages that it has; otherwise its first text; undefined for no label. A language
 * matches exactly, or by its primary subtag: `ja` matches `ja-JP`.
 */
export function labelText(label, languages = []) {
    if (typeof label === "string") return label || undefined;
    const texts = textsOf(label).filter(([, text]) => text.trim() !== "");
    for (const language of languages) {
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
    return textsOf(label).map(([, text]) => text);
}

function textsOf(label) {
    if (typeof label !== "object" || label === null || Array.isArray(label)) return [];
    return Object.entries(label).filter(([, text]) => typeof text === "string");
}

function primarySubtag(tag) {
    return tag.toLowerCase().split("-")[0];
}
