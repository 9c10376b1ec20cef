// Renders labels to images and caches them. Uses the fonts of the browser, so every script that the user's system supports is drawn.

import { pictogram as pictogramOf } from "./pictograms.js";
import { wrap } from "./text-wrap.js";

const capacity = 2_000;

export class LabelImages {
    #cache = new Map();
    #enlargement;
    #scale = Math.max(1, Math.min(3, devicePixelRatio || 1));

    /** `enlargement` is the factor by which texts and pictograms are larger than usual. */
    constructor(enlargement = 1) {
        this.#enlargement = enlargement;
    }

    clear() {
        this.#cache.clear();
    }

    /**
     * The name of a place in so many lines: `{canvas, width, height}` in CSS pixels; null if it does not need as many. Most sizes are only
     * compared with the space that there is, so that an image is drawn when its `canvas` is used.
     */
    text(place, lines, colours, isSelected) {
        return this.#cached(`${place.name}|${place.kind}|${place.group}|${lines}|${isSelected}`, () => {
            const size = (isSelected ? 14 : place.kind === "shop" ? 12 : 11.5) * this.#enlargement;
            const font = `${isSelected ? 700 : 600} ${size}px ${fontFamily()}`;
            const texts = wrap(place.name, lines, (text) => measure(text, font), (isSelected ? 180 : 130) * this.#enlargement);
            if (!texts) return null;
            const width = Math.ceil(Math.max(...texts.map((text) => measure(text, font)))) + 8;
            const height = Math.ceil(texts.length * size * 1.2) + 6;
            const ink = place.kind === "shop" ? colours[`ink-${place.group}`] : colours.label;
            return this.#draw(width, height, (context) => paintText(context, texts, {
                font, size, width, colour: isSelected ? colours.selected : (ink ?? colours.label), halo: colours.halo,
                alpha: place.kind === "room" && !isSelected ? 0.8 : 1,
            }));
        });
    }

    /** The pictogram of a place: facilities on a square, others on a circle. */
    pictogram(place, colours, isSelected) {
        const isSquare = place.kind === "amenity";
        return this.#cached(`${place.pictogram}|${place.group}|${isSquare}|${isSelected}`, () => {
            const side = Math.round((isSelected ? 34 : isSquare ? 22 : 20) * this.#enlargement);
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

    #cached(key, make) {
        if (this.#cache.has(key)) return this.#cache.get(key);
        if (this.#cache.size >= capacity) this.#cache.clear();
        const image = make();
        this.#cache.set(key, image);
        return image;
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

function paintText(context, texts, { font, size, width, colour, halo, alpha }) {
    context.font = font;
    context.textAlign = "center";
    context.textBaseline = "middle";
    context.lineJoin = "round";
    context.lineWidth = 3.5;
    for (const [index, text] of texts.entries()) {
        const y = 3 + size * 1.2 * (index + 0.5);
        context.strokeStyle = halo;
        context.strokeText(text, width / 2, y);
        context.globalAlpha = alpha;
        context.fillStyle = colour;
        context.fillText(text, width / 2, y);
        context.globalAlpha = 1;
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
