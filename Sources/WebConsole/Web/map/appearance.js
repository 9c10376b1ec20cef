// How the map of one venue differs from others: the setting `appearance` of the venue, which every reader can read.

import { browserStorage } from "../storage.js";
import { lineageOf } from "../client/categories/category-lineage.js";
import { occupantGroup } from "./categories.js";

/** Features without which a map has no floor. */
const neverHidden = new Set(["venue", "building", "footprint", "level"]);

export class Appearance {
    #colours;
    #hidden;
    #accent;
    /** The address of a picture, or null. */
    logo;

    /** `value` is the setting; null or undefined for none. */
    constructor(value) {
        this.#colours = new Map(Object.entries(value?.colours ?? {}));
        this.#hidden = new Set(value?.hidden ?? []);
        this.#accent = value?.accent ?? null;
        this.logo = value?.logo ?? null;
    }

    /** The accent of a mode, such as `#0f6b62`; null for that of the console. */
    accent(isDark) {
        return this.#accent && colourOf(this.#accent, isDark);
    }

    /** The colour of a group of categories in a mode; null for that of the console. */
    groupColour(group, isDark) {
        return this.#colours.has(group) ? colourOf(this.#colours.get(group), isDark) : null;
    }

    /** The colour of a category in a mode; undefined if it has none of its own. */
    categoryColour(category, isDark) {
        const name = this.#colours.size === 0 ? null : entryOf(category, (each) => this.#colours.has(each));
        return name === null ? undefined : colourOf(this.#colours.get(name), isDark);
    }

    /** The colour of the category of a kiosk, or else of its group; undefined if both are those of the console. */
    placeColour(category, isDark) {
        return this.categoryColour(category, isDark) ?? this.groupColour(occupantGroup(category), isDark) ?? undefined;
    }

    /** Whether maps leave a feature out. */
    hides({ type, category }) {
        return this.#hidden.size > 0 && !neverHidden.has(type) && entryOf(category, (name) => this.#hidden.has(name)) !== null;
    }
}

const storageName = (venue) => `venuesync.appearance.${venue}`;

/** Remembers the setting of a public venue, for visits without a network. That of others stays with those who may read them. */
export function rememberAppearance(venue, { public: isPublic, appearance }) {
    if (isPublic && appearance) browserStorage.set(storageName(venue), JSON.stringify(appearance));
    else browserStorage.remove(storageName(venue));
}

/** What the browser remembers of a venue; null for nothing. */
export function rememberedAppearance(venue) {
    try {
        return JSON.parse(browserStorage.get(storageName(venue)));
    } catch {
        return null;
    }
}

/** A category or, without its last parts, the first one that passes a test; null for none. */
function entryOf(category, test) {
    return lineageOf(category).find(test) ?? null;
}

const colourOf = (value, isDark) => (typeof value === "string" ? value : value[isDark ? "dark" : "light"]);
