// Renders labels to images and caches them. Uses the fonts of the browser, so every script that the user's system supports is drawn.

const capacity = 1_500;

export class LabelImages {
    #cache = new Map();
    #scale = Math.max(1, Math.min(3, devicePixelRatio || 1));

    clear() {
        this.#cache.clear();
    }

    /** The image of a label: `{canvas, width, height}` in CSS pixels. */
    image(place, colours, isSelected) {
        const symbol = place.amenity?.symbol;
        const key = symbol ? `${symbol}|${isSelected}` : `${place.name}|${place.kind}|${isSelected}`;
        const cached = this.#cache.get(key);
        if (cached) return cached;
        if (this.#cache.size >= capacity) this.#cache.clear();
        const image = symbol ? this.#badge(symbol, colours, isSelected) : this.#text(place, colours, isSelected);
        this.#cache.set(key, image);
        return image;
    }

    #text(place, colours, isSelected) {
        const size = isSelected ? 14 : place.kind === "shop" ? 12.5 : 11.5;
        const font = `${isSelected ? 700 : 600} ${size}px ${fontFamily()}`;
        const lines = wrap(place.name, font, isSelected ? 170 : 110);
        const width = Math.ceil(Math.max(...lines.map((line) => measure(line, font)))) + 8;
        const height = Math.ceil(lines.length * size * 1.25) + 6;
        return this.#draw(width, height, (context) => {
            context.font = font;
            context.textAlign = "center";
            context.textBaseline = "middle";
            context.lineJoin = "round";
            for (const [index, line] of lines.entries()) {
                const y = 3 + size * 1.25 * (index + 0.5);
                context.strokeStyle = colours.halo;
                context.lineWidth = 3.5;
                context.strokeText(line, width / 2, y);
                context.fillStyle = isSelected ? colours.selected : colours.label;
                context.globalAlpha = place.kind === "room" && !isSelected ? 0.75 : 1;
                context.fillText(line, width / 2, y);
                context.globalAlpha = 1;
            }
        });
    }

    #badge(symbol, colours, isSelected) {
        const side = isSelected ? 30 : 22;
        return this.#draw(side, side, (context) => {
            context.beginPath();
            context.roundRect(1.5, 1.5, side - 3, side - 3, 6);
            context.fillStyle = isSelected ? colours.selected : colours.halo;
            context.fill();
            context.strokeStyle = colours.selected;
            context.lineWidth = 1.2;
            context.stroke();
            context.fillStyle = isSelected ? colours.halo : colours.selected;
            context.textAlign = "center";
            context.textBaseline = "middle";
            context.font = `700 ${(symbol.length > 1 ? 0.4 : 0.58) * side}px ${fontFamily()}`;
            context.fillText(symbol, side / 2, side / 2 + 0.5);
        });
    }

    #draw(width, height, paint) {
        const canvas = document.createElement("canvas");
        canvas.width = Math.ceil(width * this.#scale);
        canvas.height = Math.ceil(height * this.#scale);
        const context = canvas.getContext("2d");
        context.scale(this.#scale, this.#scale);
        paint(context);
        return { canvas, width, height };
    }
}

let family;
let measuringContext;

function fontFamily() {
    family ??= getComputedStyle(document.documentElement).getPropertyValue("--font").trim();
    return family;
}

function measure(text, font) {
    measuringContext ??= document.createElement("canvas").getContext("2d");
    measuringContext.font = font;
    return measuringContext.measureText(text).width;
}

/** Wraps a text to at most two lines at word boundaries of any language; lines that are too long end in "…". */
function wrap(text, font, width) {
    if (measure(text, font) <= width) return [text];
    const remaining = segments(text);
    let first = "";
    while (remaining.length > 0 && (first === "" || measure(first + remaining[0].trimEnd(), font) <= width)) first += remaining.shift();
    let second = remaining.join("").trim();
    if (second === "") return [truncated(first.trim(), font, width)];
    return [truncated(first.trim(), font, width), truncated(second, font, width)];
}

function segments(text) {
    if (!text.includes(" ") && globalThis.Intl?.Segmenter) {
        segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
        return [...segmenter.segment(text)].map(({ segment }) => segment);
    }
    return text.split(/(?<= )/);
}

let segmenter;

function truncated(text, font, width) {
    if (measure(text, font) <= width) return text;
    let end = text.length;
    while (end > 1 && measure(`${text.slice(0, end)}…`, font) > width) end -= 1;
    return `${text.slice(0, end).trimEnd()}…`;
}
