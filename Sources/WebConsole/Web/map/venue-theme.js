// Applies the appearance of a venue to the page while its map is open: the accent and the colours of groups become custom properties, from
// which the style sheets and the map read theirs.

import { accentColours } from "./accent.js";
import { announceColours, isDarkScheme, onSchemeChange } from "./colours.js";
import { legendGroups } from "./categories.js";

/** The custom properties of a mode. Places that nothing identifies as a shop have the colour of shops if the venue chooses one. */
function propertiesOf(appearance, isDark, hasAccent) {
    const properties = new Map();
    for (const group of legendGroups) {
        const colour = appearance.groupColour(group, isDark);
        if (!colour) continue;
        properties.set(`--map-${group}`, colour);
        if (group === "shop") properties.set("--map-other-place", colour);
    }
    const accent = hasAccent ? appearance.accent(isDark) : null;
    if (accent) {
        const { text, fill, onFill, soft } = accentColours(accent, isDark);
        for (const name of ["--accent", "--map-selected"]) properties.set(name, text);
        properties.set("--accent-fill", fill).set("--on-accent", onFill).set("--accent-soft", soft);
    }
    return properties;
}

/**
 * Until `signal` is aborted; returns a function that applies another appearance instead. Without `hasAccent`, the page keeps the accent of
 * the console. Call it before the map is made: maps read the colours again when the mode changes, in the order of the calls.
 */
export function applyTheme(appearance, signal, { hasAccent = true } = {}) {
    const { style } = document.documentElement;
    let current = appearance;
    let names = [];
    const clear = () => {
        for (const name of names) style.removeProperty(name);
        names = [];
    };
    const apply = () => {
        clear();
        const properties = propertiesOf(current, isDarkScheme(), hasAccent);
        for (const [name, value] of properties) style.setProperty(name, value);
        names = [...properties.keys()];
    };
    apply();
    onSchemeChange(apply, signal);
    signal.addEventListener("abort", clear, { once: true });
    return (other) => {
        current = other;
        announceColours();
    };
}
