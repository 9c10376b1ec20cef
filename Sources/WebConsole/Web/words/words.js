// The console's own words, in the reader's language. What a venue says of itself is told by map/labels.js.

import en from "./en.js";
import ja from "./ja.js";

const books = { en: { ...en }, ja: { ...ja } };
const place = "venuesync.language";

class Words extends EventTarget {
    language = localStorage.getItem(place) ?? (navigator.language.startsWith("ja") ? "ja" : "en");

    use(language) {
        this.language = language;
        localStorage.setItem(place, language);
        this.dispatchEvent(new Event("change"));
    }

    /** Adds the words of a part of the console: `words.learn({en: {"desk.title": "Desk"}, ja: {…}})`. */
    learn(parts) {
        for (const [language, book] of Object.entries(parts)) Object.assign(books[language], book);
    }
}

export const words = new Words();

/** The words of a name, with `{name}` filled in from `values`. A word that is a function is called with `values`. */
export function word(name, values = {}) {
    const text = books[words.language][name] ?? books.en[name] ?? name;
    if (typeof text === "function") return text(values);
    return text.replace(/\{(\w+)\}/g, (_, key) => values[key] ?? "");
}

export function formatNumber(value) {
    return new Intl.NumberFormat(words.language).format(value);
}

/** A moment, in the reader's time zone unless another is given. */
export function formatTime(value, options = { dateStyle: "medium", timeStyle: "short" }) {
    return new Intl.DateTimeFormat(words.language, options).format(new Date(value));
}
