// The map's colours, read from the page's style sheet, so that light and dark are decided in one place: css/tokens.css.

const names = [
    "ground", "venue", "footprint", "level", "outline", "wall", "shop", "food", "service", "restroom", "vertical", "walkway",
    "outdoor", "parking", "private", "room", "opening", "fixture", "section", "kiosk", "selected", "changed", "label", "halo",
];

export function mapColours() {
    const style = getComputedStyle(document.documentElement);
    return Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--map-${name}`).trim()]));
}

/** Calls back when the reader's light turns dark or the other way round. */
export function onSchemeChange(act, signal) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", act, { signal });
}
