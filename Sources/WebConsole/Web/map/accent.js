// The colours of buttons and of what is selected, made from the accent of a venue. The accent is kept where it is readable: an accent that
// is too bright for the light mode, or too dark for the dark one, is mixed with black or white as far as needed (WCAG 2.2, 1.4.3, 1.4.11).

/** What texts and buttons stand on in css/tokens.css: the ground, the surface, what is sunken and what is raised. */
const surfaces = { light: ["#f4f5f3", "#ffffff", "#eceeea"], dark: ["#121614", "#1a1f1c", "#222825", "#151a17"] };
const textContrast = 4.5;
const shapeContrast = 3;
/** How much of the accent is in the background of what is selected. */
const softness = 0.14;

/**
 * `{text, fill, onFill, soft}` of an accent `#rrggbb`: for texts and lines, for the area of a button, for the text on it, and for the area
 * behind `text`.
 */
export function accentColours(accent, isDark) {
    const grounds = surfaces[isDark ? "dark" : "light"].map(parse);
    const softOf = (colour) => mixed(grounds[1], colour, softness);
    const isText = (colour) => [...grounds, softOf(colour)].every((ground) => contrast(colour, ground) >= textContrast);
    const text = mixedUntil(accent, isDark, isText);
    const fill = mixedUntil(accent, isDark, (colour) => grounds.every((ground) => contrast(colour, ground) >= shapeContrast));
    const [black, white] = [[11, 15, 13], [255, 255, 255]];
    const onFill = contrast(parse(fill), white) >= textContrast ? white : black;
    return { text, fill, onFill: hex(onFill), soft: hex(softOf(parse(text))) };
}

/** The contrast of an accent with what texts stand on, where it is lowest. */
export const accentContrast = (accent, isDark) =>
    Math.min(...surfaces[isDark ? "dark" : "light"].map((ground) => contrast(parse(accent), parse(ground))));

/**
 * A colour `#rrggbb`, mixed with black, or with white in the dark mode, as little as needed until `isEnough([red, green, blue])`; `fallback`
 * if no share is enough.
 */
export function mixedUntil(colour, isDark, isEnough, fallback = isDark ? "#ffffff" : "#000000") {
    const [brand, end] = [parse(colour), isDark ? [255, 255, 255] : [0, 0, 0]];
    for (let share = 0; share <= 1; share += 0.02) {
        const mixture = mixed(brand, end, share);
        if (isEnough(mixture)) return hex(mixture);
    }
    return fallback;
}

/** The contrast of two colours `[red, green, blue]`, from 1 to 21. */
export function contrast(one, other) {
    const [darker, brighter] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (brighter + 0.05) / (darker + 0.05);
}

/** `[red, green, blue]` of `#rrggbb`, from 0 to 255. */
export const parse = (text) => [1, 3, 5].map((start) => Number.parseInt(text.slice(start, start + 2), 16));

const hex = (colour) => `#${colour.map((part) => Math.round(part).toString(16).padStart(2, "0")).join("")}`;
const mixed = (one, other, share) => one.map((part, index) => Math.round(part + (other[index] - part) * share));

/** The relative luminance of sRGB. */
function luminance(colour) {
    const [red, green, blue] = colour.map((part) => {
        const value = part / 255;
        return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
