// Pictures of labels, drawn once each and kept: the browser's own fonts, so every script that the reader's machine can write.

const most = 1_500;

export class LabelImages {
    #kept = new Map();
    #scale = Math.max(1, Math.min(3, devicePixelRatio || 1));

    forget() {
        this.#kept.clear();
    }

    /** A picture `{canvas, width, height}` of a label, sizes in CSS pixels. */
    image(place, colours, isStrong) {
        const sign = place.amenity?.sign;
        const key = sign ? `${sign}|${isStrong}` : `${place.name}|${place.kind}|${isStrong}`;
        const kept = this.#kept.get(key);
        if (kept) return kept;
        if (this.#kept.size >= most) this.#kept.clear();
        const image = sign ? this.#badge(sign, colours, isStrong) : this.#text(place, colours, isStrong);
        this.#kept.set(key, image);
        return image;
    }

    #text(place, colours, isStrong) {
        const size = isStrong ? 14 : place.kind === "shop" ? 12.5 : 11.5;
        const font = `${isStrong ? 700 : 600} ${size}px ${fontFamily()}`;
        const lines = wrapped(place.name, font, isStrong ? 170 : 110);
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
                context.fillStyle = isStrong ? colours.selected : colours.label;
                context.globalAlpha = place.kind === "room" && !isStrong ? 0.75 : 1;
                context.fillText(line, width / 2, y);
                context.globalAlpha = 1;
            }
        });
    }

    #badge(sign, colours, isStrong) {
        const side = isStrong ? 30 : 22;
        return this.#draw(side, side, (context) => {
            context.beginPath();
            context.roundRect(1.5, 1.5, side - 3, side - 3, 6);
            context.fillStyle = isStrong ? colours.selected : colours.halo;
            context.fill();
            context.strokeStyle = colours.selected;
            context.lineWidth = 1.2;
            context.stroke();
            context.fillStyle = isStrong ? colours.halo : colours.selected;
            context.textAlign = "center";
            context.textBaseline = "middle";
            context.font = `700 ${(sign.length > 1 ? 0.4 : 0.58) * side}px ${fontFamily()}`;
            context.fillText(sign, side / 2, side / 2 + 0.5);
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
let ruler;

function fontFamily() {
    family ??= getComputedStyle(document.documentElement).getPropertyValue("--font").trim();
    return family;
}

function measure(text, font) {
    ruler ??= document.createElement("canvas").getContext("2d");
    ruler.font = font;
    return ruler.measureText(text).width;
}

/** At most two lines, broken where words may be broken in any language; what is too long ends in "…". */
function wrapped(text, font, width) {
    if (measure(text, font) <= width) return [text];
    const parts = pieces(text);
    let first = "";
    while (parts.length > 0 && (first === "" || measure(first + parts[0].trimEnd(), font) <= width)) first += parts.shift();
    let second = parts.join("").trim();
    if (second === "") return [shortened(first.trim(), font, width)];
    return [shortened(first.trim(), font, width), shortened(second, font, width)];
}

function pieces(text) {
    if (!text.includes(" ") && globalThis.Intl?.Segmenter) {
        segmenter ??= new Intl.Segmenter("ja", { granularity: "word" });
        return [...segmenter.segment(text)].map(({ segment }) => segment);
    }
    return text.split(/(?<= )/);
}

let segmenter;

function shortened(text, font, width) {
    if (measure(text, font) <= width) return text;
    let end = text.length;
    while (end > 1 && measure(`${text.slice(0, end)}…`, font) > width) end -= 1;
    return `${text.slice(0, end).trimEnd()}…`;
}
