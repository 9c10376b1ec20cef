// Localization of the console's own texts. The labels of venues are localized by map/labels.js.

import en from "./en.js";
import ja from "./ja.js";
import { browserStorage } from "../storage.js";

const messages = { en: { ...en }, ja: { ...ja } };
const storageKey = "venuesync.language";

class Localization extends EventTarget {
    language = browserStorage.get(storageKey) ?? (navigator.language.startsWith("ja") ? "ja" : "en");

    /** That of the page when it was loaded. */
    initialLanguage = this.language;

    /** The browser remembers the language, unless it is that of a visitor at a screen. */
    setLanguage(language, { isRemembered = true } = {}) {
        this.language = language;
        if (isRemembered) browserStorage.set(storageKey, language);
        this.dispatchEvent(new Event("change"));
    }

    /** Adds the messages of a module that is loaded later: `localization.add({en: {"desk.tabs": "Management pages"}, ja: {…}})`. */
    add(messagesByLanguage) {
        for (const [language, more] of Object.entries(messagesByLanguage)) Object.assign(messages[language], more);
    }
}

export const localization = new Localization();

/**
 * The message of a key in the current language, with each `{name}` replaced by the value of that name. A message that is a function
 * is called with `values`. Falls back to English, then to the key itself.
 */
export function localized(key, values = {}) {
    const message = messages[localization.language][key] ?? messages.en[key] ?? key;
    if (typeof message === "function") return message(values);
    return message.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

const formats = new Map();

/** A format of the current language, such as `formatOf(Intl.NumberFormat, {…})`. It is kept, because making one takes longer than using it. */
export function formatOf(Format, options = {}) {
    const key = `${Format.name}|${localization.language}|${JSON.stringify(options)}`;
    if (!formats.has(key)) formats.set(key, new Format(localization.language, options));
    return formats.get(key);
}

export function formatNumber(value) {
    // The same in all languages of the console. Making a format takes time, and the first view has a scale in kilometres at first.
    if (Number.isInteger(value) && value >= 0) return String(value).replace(/\B(?=(\d{3})+$)/g, ",");
    return formatOf(Intl.NumberFormat).format(value);
}

export const timeWithZone = { year: "numeric", month: "short", day: "numeric", hour: "numeric", minute: "2-digit", timeZoneName: "short" };

/**
 * Formats a point in time, in the time zone of the browser unless `options` has another. By default the zone is shown. Hours are those of 24,
 * as in opening hours, so that no page has two clocks.
 */
export function formatTime(value, options = timeWithZone) {
    const hasClock = options.hour !== undefined || options.timeStyle !== undefined;
    // A venue may have no time zone: then the one of the browser counts.
    const known = { ...options, timeZone: options.timeZone ?? undefined };
    return formatOf(Intl.DateTimeFormat, hasClock ? { hourCycle: "h23", ...known } : known).format(new Date(value));
}
