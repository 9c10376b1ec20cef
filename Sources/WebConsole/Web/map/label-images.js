// Renders labels to images and caches them. Uses the fonts of the browser, so every script that the user's system supports is drawn.

import { pictogram as pictogramOf } from "./pictograms.js";
import { wrap } from "./text-wrap.js";

/** How many texts and images are kept: more texts than a moving map measures in a frame. An image that was drawn takes some ten kilobytes. */
const [textCapacity, imageCapacity] = [12_000, 1_000];
/** The size at which texts are measured, because measuring takes longer than multiplying. */
const referenceSize = 20;
/** In sizes of the text. */
const lineHeight = 1.2;
/** The longest lines, in sizes of the text; in an area those of names with one, two and three lines. */
const longestLine = { selected: 12.8, atPoint: 10.8, inArea: [24, 16, 12] };
const nameSizes = [10, 11, 12, 13.5, 15];

/** The side of the pictogram above a name, in sizes of the text. */
export const markHeight = 1.6;

/** By how much the text above or below a pictogram overlaps it: there is space for the halo between them. */
const overlap = 3;

const textHeightOf = (texts, size) => Math.ceil(texts.length * size * lineHeight) + 6;

/** `{width, height, isName}` of the image of lines of a name in a size, without making it. */
export const textShape = ({ texts, width }, size) => ({ width: Math.ceil(width * size) + 8, height: textHeightOf(texts, size), isName: true });

/**
 * The image of lines of a name that are `right`, `left`, `below` or `above` of a pictogram, without making it: its size, and `mark`, where the
 * pictogram is in it. `around(point)` is the middle of the image when the pictogram is at a point.
 */
export function besideShape({ texts, width: widest }, size, side, markSide) {
    const [textWidth, textHeight] = [Math.ceil(widest * size) + 6, textHeightOf(texts, size)];
    const isRow = side === "right" || side === "left";
    const width = isRow ? markSide + textWidth : Math.max(markSide, textWidth);
    const height = isRow ? Math.max(markSide, textHeight) : markSide + textHeight - overlap;
    const x = side === "right" ? 0 : side === "left" ? textWidth : (width - markSide) / 2;
    const y = side === "below" ? 0 : side === "above" ? height - markSide : (height - markSide) / 2;
    const around = (point) => ({ x: point.x + (width - markSide) / 2 - x, y: point.y + (height - markSide) / 2 - y });
    return { size, side, width, height, markSide, mark: { x, y }, textWidth, textHeight, around, isName: true };
}

export class LabelImages {
    #lines = new Map();
    #images = new Map();
    #enlargement;
    #scale = Math.max(1, Math.min(3, devicePixelRatio || 1));

    /** `enlargement` is the factor by which texts and pictograms are larger than usual. */
    constructor(enlargement = 1) {
        this.#enlargement = enlargement;
    }

    clear() {
        this.#lines.clear();
        this.#images.clear();
    }

    /**
     * A name in so many lines: `{texts, width, height}`, in sizes of the text; null if it does not need as many. In an area, lines may be longer,
     * because the area limits them.
     */
    lines(name, count, { isInArea, isSelected = false }) {
        return cached(this.#lines, textCapacity, `${name}|${count}|${isInArea}|${isSelected}`, () => {
            const weight = isSelected ? 700 : 600;
            const widest = isSelected ? longestLine.selected : isInArea ? longestLine.inArea[count - 1] : longestLine.atPoint;
            const measured = (text) => measure(text, `${weight} ${referenceSize}px ${fontFamily()}`) / referenceSize;
            const texts = wrap(name, count, measured, widest);
            return texts && { texts, width: Math.max(...texts.map(measured)), height: texts.length * lineHeight };
        });
    }

    /**
     * Lines of the name of a place in a size, as an image `{canvas, width, height}` in CSS pixels, with the pictogram above them if `isMarked`.
     * Most images are only compared with the space that there is: one is drawn when its `canvas` is used.
     */
    text(place, { texts, width: textWidth }, size, colours, { isSelected = false, isMarked = false, isInKiosk = false, isBeyond = false } = {}) {
        return cached(this.#images, imageCapacity, `${texts.join("\n")}|${place.kind}|${place.group}|${place.pictogram}|${size}|${isSelected}|${isMarked}|${isInKiosk}|${isBeyond}`, () => {
            const pictogram = isMarked ? this.pictogram(place, colours, isSelected, Math.round(markHeight * size)) : null;
            const top = pictogram ? pictogram.height - 1 : 0;
            const width = Math.max(Math.ceil(textWidth * size) + (isSelected ? 16 : 8), pictogram?.width ?? 0);
            const height = textHeightOf(texts, size) + top;
            const ink = place.kind === "shop" && !isInKiosk && !isBeyond ? colours[`ink-${place.group}`] : colours.label;
            const image = this.#draw(width, height, (context) => {
                if (pictogram) context.drawImage(pictogram.canvas, (width - pictogram.width) / 2, 0, pictogram.width, pictogram.height);
                context.translate(0, top);
                paintText(context, texts, {
                    font: `${isSelected ? 700 : 600} ${size}px ${fontFamily()}`, size, width, height,
                    ...(isSelected ? { colour: colours["on-ink"], ground: colours.selected } : { colour: ink ?? colours.label, halo: colours.halo }),
                });
            });
            return Object.assign(image, { isName: true, text: texts.join("\n") });
        });
    }

    /**
     * Lines of a name beside a small pictogram of a place, as `besideShape` describes. Such names are over areas of any colour, so that they
     * have the colour of labels.
     */
    beside(place, { texts }, shape, colours) {
        const { size, side, width, height, markSide, mark, textWidth, textHeight } = shape;
        return cached(this.#images, imageCapacity, `${texts.join("\n")}|${side}|${place.kind}|${place.group}|${place.pictogram}|${size}|${markSide}`, () => {
            const pictogram = this.pictogram(place, colours, false, markSide);
            const isRow = side === "right" || side === "left";
            const image = this.#draw(width, height, (context) => {
                context.drawImage(pictogram.canvas, mark.x, mark.y, markSide, markSide);
                context.translate(side === "right" ? markSide : 0, isRow ? (height - textHeight) / 2 : side === "below" ? markSide - overlap : 0);
                paintText(context, texts, {
                    font: `600 ${size}px ${fontFamily()}`, size, width: isRow ? textWidth : width, height: textHeight,
                    colour: colours.label, halo: colours.halo, align: { right: "left", left: "right" }[side] ?? "center",
                });
            });
            return Object.assign(image, { isName: true, text: texts.join("\n"), mark });
        });
    }

    /** The sizes of names, the smallest first. */
    get sizes() {
        return nameSizes.map((size) => size * this.#enlargement);
    }

    get enlargement() {
        return this.#enlargement;
    }

    /** The pictogram of a place: facilities on a square, others on a circle. */
    pictogram(place, colours, isSelected, side = Math.round((isSelected ? 34 : place.kind === "amenity" ? 22 : 20) * this.#enlargement)) {
        const isSquare = place.kind === "amenity";
        return cached(this.#images, imageCapacity, `${place.pictogram}|${place.group}|${place.facility}|${isSquare}|${isSelected}|${side}`, () => {
            return this.#draw(side, side, (context) => {
                context.beginPath();
                context.roundRect(1, 1, side - 2, side - 2, isSquare ? side * 0.26 : side / 2);
                context.fillStyle = colours.halo;
                context.fill();
                context.beginPath();
                context.roundRect(2, 2, side - 4, side - 4, isSquare ? side * 0.22 : side / 2);
                context.fillStyle = isSelected ? colours.selected : inkOf(place, colours);
                context.fill();
                paintPictogram(context, place.pictogram, side, colours["on-ink"]);
            });
        });
    }

    #draw(width, height, paint) {
        const scale = this.#scale;
        let canvas;
        return {
            width, height,
            get canvas() {
                canvas ??= painted(width, height, scale, paint);
                return canvas;
            },
        };
    }
}

function cached(cache, capacity, key, make) {
    if (cache.has(key)) return cache.get(key);
    const value = make();
    // The oldest one makes room.
    if (cache.size >= capacity) cache.delete(cache.keys().next().value);
    cache.set(key, value);
    return value;
}

function painted(width, height, scale, paint) {
    const canvas = document.createElement("canvas");
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    const context = canvas.getContext("2d");
    context.scale(scale, scale);
    paint(context);
    return canvas;
}

/** The colour of pictograms and dots of a place. Facilities without a group of their own are blue, emergency equipment is red. */
export function inkOf(place, colours) {
    if (place.facility === "emergency") return colours["ink-food"];
    if (place.kind === "amenity" && ["room", "private", "walkway"].includes(place.group)) return colours["ink-restroom"];
    return colours[`ink-${place.group}`] ?? colours["ink-other"];
}

const rightToLeft = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u;

/** The direction of a text, by its first letter (Unicode Standard Annex #9, rules P2 and P3). */
const directionOf = (text) => (rightToLeft.test(/\p{L}/u.exec(text)?.[0] ?? "") ? "rtl" : "ltr");

/** Paints a text with a halo, or, what is selected, on a ground. */
function paintText(context, texts, { font, size, width, height, colour, halo, ground, align = "center" }) {
    if (ground) {
        context.beginPath();
        context.roundRect(0, 0, width, height, 7);
        context.fillStyle = ground;
        context.fill();
    }
    context.font = font;
    // Of all lines, so that one that begins with a foreign word, or the number or “…” at its end, is in the order of the whole name.
    context.direction = directionOf(texts.join(" "));
    context.textAlign = align;
    const x = { left: 3, center: width / 2, right: width - 3 }[align];
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    for (const [index, text] of texts.entries()) {
        const y = 3 + size * lineHeight * (index + 0.5);
        if (halo) {
            context.strokeStyle = halo;
            context.strokeText(text, x, y);
        }
        context.fillStyle = colour;
        context.fillText(text, x, y);
    }
}

function paintPictogram(context, name, side, colour) {
    const { box, fill, stroke } = pictogramOf(name);
    const size = side * 0.62;
    context.translate((side - size) / 2, (side - size) / 2);
    context.scale(size / box, size / box);
    context.lineWidth = 2.3;
    context.lineCap = context.lineJoin = "round";
    context.fillStyle = context.strokeStyle = colour;
    if (fill) context.fill(new Path2D(fill));
    if (stroke) context.stroke(new Path2D(stroke));
}

let family;
let measuringContext;
let measuringFont;

function fontFamily() {
    family ??= getComputedStyle(document.documentElement).getPropertyValue("--font").trim();
    return family;
}

function measure(text, font) {
    measuringContext ??= document.createElement("canvas").getContext("2d");
    // Setting it takes longer than measuring.
    if (font !== measuringFont) measuringContext.font = measuringFont = font;
    return measuringContext.measureText(text).width;
}
