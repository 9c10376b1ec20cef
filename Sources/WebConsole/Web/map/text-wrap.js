// Wraps the texts of labels at word boundaries of any language.

/**
 * The text in exactly `count` lines of about equal width, none wider than `maximum`; null if it cannot be divided into that many. The
 * last number of lines, 3, ends in “…” if the text is too long. Every line has a letter or a number. `measure(text)` returns the width of a text.
 */
export function wrap(text, count, measure, maximum) {
    const words = segments(text);
    if (count > words.length) return null;
    const lines = divided(words, count, measure).map((line) => line.trim());
    if (count > 1 && lines.some((line) => !/[\p{L}\p{N}]/u.test(line))) return null;
    if (count < 3 && count < words.length && lines.some((line) => measure(line) > maximum)) return null;
    return lines.map((line) => truncated(line, measure, maximum));
}

/** Divides words into lines, so that the widest line is as narrow as possible. There are at most three lines. */
function divided(words, count, measure) {
    if (count === 1) return [words.join("")];
    let best = null;
    for (let end = 1; end <= words.length - count + 1; end += 1) {
        const lines = [words.slice(0, end).join(""), ...divided(words.slice(end), count - 1, measure)];
        const width = Math.max(...lines.map((line) => measure(line.trim())));
        if (!best || width < best.width) best = { lines, width };
    }
    return best.lines;
}

/** The words of a text, each with the space after it; at most 12, of which the last one is all that follows. */
export function segments(text) {
    let parts = text.split(/(?<= )/);
    if (parts.length === 1 && globalThis.Intl?.Segmenter) {
        segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
        parts = [...segmenter.segment(text)].map(({ segment }) => segment);
    }
    // Bounds the number of divisions of long texts.
    return parts.length <= 12 ? parts : [...parts.slice(0, 11), parts.slice(11).join("")];
}

let segmenter;

function truncated(text, measure, width) {
    if (measure(text) <= width) return text;
    let end = text.length;
    while (end > 1 && measure(`${text.slice(0, end)}…`) > width) end -= 1;
    // After a whole word, unless that leaves too little.
    const word = text.lastIndexOf(" ", end);
    if (word >= end / 2) end = word;
    return `${text.slice(0, end).trimEnd()}…`;
}
