// The colours of the map, read from custom properties in css/palette.css and css/tokens.css, which define them for light and dark mode.

const names = [
    "ground", "venue", "footprint", "level", "level-shadow", "outline", "wall", "shop", "food", "service", "other-place", "restroom", "vertical",
    "walkway", "outdoor", "parking", "private", "room", "opening", "fixture", "section", "kiosk", "selected", "changed", "label", "halo",
    "on-ink", "ink-shop", "ink-food", "ink-service", "ink-other", "ink-restroom", "ink-vertical", "ink-walkway", "ink-outdoor",
    "ink-parking", "ink-private", "ink-room",
];

export function mapColours() {
    const style = getComputedStyle(document.documentElement);
    const colours = Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--map-${name}`).trim()]));
    // In the colour of errors, as the operator's pages have it.
    return { ...colours, "cut-off": style.getPropertyValue("--bad").trim() };
}

const darkScheme = matchMedia("(prefers-color-scheme: dark)");

export const isDarkScheme = () => darkScheme.matches;

/** Calls `onChange` when the system switches between light and dark mode. */
export function onSchemeChange(onChange, signal) {
    darkScheme.addEventListener("change", onChange, { signal });
}

/** Lets everything that follows the mode read the colours again, in the order in which it began to. */
export function announceColours() {
    darkScheme.dispatchEvent(new Event("change"));
}
