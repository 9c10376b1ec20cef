// Draws the labels of a difference, which keep their size on the screen: the name of a place where it fits into its area, else its
// pictogram. Where two would overlap, the less important one is hidden.

import { LabelBoxes, boxAround } from "../../map/label-boxes.js";
import { fitTest } from "../../map/label-fit.js";
import { labelsOf } from "./labels.js";
import { pictogramSymbol } from "./pictogram-symbol.js";
import { svg } from "./svg.js";
import { wrap } from "../../map/text-wrap.js";

/** In pixels. Symbols of changes lie on the position of their feature, so that its label is beside it. */
const [fontSize, lineHeight, maximumWidth, symbolRadius, padding] = [12, 14.4, 130, 9, 2];
/** The sides of pictograms of facilities and of other places, in pixels. */
const [facilitySide, placeSide] = [22, 20];
const sides = ["before", "after", "both"];

export class LabelLayer {
    #labels = [];
    #symbols = [];

    constructor() {
        this.groups = Object.fromEntries(sides.map((side) => [side, svg("g", { class: `diff-labels diff-labels-${side}` })]));
    }

    draw(scene, plane) {
        this.#symbols = scene.items.map(({ at, from }) => at ?? from).filter(Boolean).map((position) => plane.point(position));
        this.#labels = labelsOf(scene).map((label) => {
            const rings = label.area?.rings.map((ring) => ring.map((position) => plane.point(position)));
            const positions = positionsOf(label).map(({ at, offset }) => ({ at: plane.point(at), offset }));
            const text = label.text ? svg("text", {
                class: label.type === "occupant" ? `ink-${label.group}` : null, "text-anchor": "middle", "data-name": label.text, "data-feature": label.id,
            }) : null;
            const side = label.facility ? facilitySide : placeSide;
            const hasPictogram = label.pictogram && (label.facility || (label.area && !label.isChanged));
            const pictogram = hasPictogram ? pictogramSymbol(label, side) : null;
            return { ...label, rings, positions, text, pictogram, variants: variantsOf(label.text, pictogram && side) };
        });
        for (const side of sides) {
            const elements = this.#labels.filter((label) => label.side === side).flatMap(({ text, pictogram }) => [pictogram, text]);
            this.groups[side].replaceChildren(...elements.filter(Boolean));
        }
        for (const { text, pictogram, isReplaced } of this.#labels) {
            for (const element of [text, pictogram]) element?.classList.toggle("is-replaced", Boolean(isReplaced));
        }
    }

    /** @param metres metres per pixel. */
    scale(metres) {
        const taken = { before: new LabelBoxes(), after: new LabelBoxes() };
        for (const [x, y] of this.#symbols) {
            for (const boxes of Object.values(taken)) boxes.add(boxAround({ x: x / metres, y: y / metres }, 2 * symbolRadius, 2 * symbolRadius));
        }
        for (const label of this.#labels) {
            // The name of a removed place is also shown when both states are on top of each other.
            const isOnBoth = label.side === "both" || (label.side === "before" && !label.isReplaced);
            const own = isOnBoth ? [taken.before, taken.after] : [taken[label.side]];
            const place = placeOf(label, metres, (box) => own.every((boxes) => boxes.isFree(box)));
            if (place) for (const boxes of own) boxes.add(place.box);
            show(label, place, metres);
        }
    }
}

/** Where a label may be, the best first: in the middle of its area; if its feature has a symbol, also below and above that. */
function positionsOf({ at, area, isChanged }) {
    const middle = { at: area?.center ?? at, offset: 0 };
    if (!isChanged) return [middle];
    return [area && middle, { at, offset: 1 }, { at, offset: -1 }].filter(Boolean);
}

/** What may be drawn of a label, the best first: `{lines, width, height}`, without lines for the pictogram. */
function variantsOf(text, pictogramSide) {
    const variants = [];
    for (const count of text ? [1, 2, 3] : []) {
        const lines = wrap(text, count, measure, maximumWidth);
        if (lines) variants.push({ lines, width: Math.max(...lines.map(measure)) + 8, height: lines.length * lineHeight + 4 });
    }
    return pictogramSide ? [...variants, { lines: null, width: pictogramSide, height: pictogramSide }] : variants;
}

/** The first variant and position with enough space: `{variant, box}`, in pixels; undefined for none. */
function placeOf({ rings, positions, variants }, metres, isFree) {
    for (const { at: [planeX, planeY], offset } of positions) {
        for (const variant of variants) {
            const { lines, width, height } = variant;
            const x = planeX / metres;
            const y = planeY / metres + offset * (symbolRadius + padding + height / 2);
            const fits = !rings || fitTest(rings, { x, y }, ([px, py]) => ({ x: px / metres, y: py / metres }))(width, height);
            // The name of an area without rings, such as that of a kiosk that is a point, needs no more than two lines.
            if (!fits || (!rings && lines?.length > 2)) continue;
            const box = boxAround({ x, y }, width, height);
            if (isFree(box)) return { variant, box };
        }
    }
    return undefined;
}

function show({ text, pictogram }, place, metres) {
    const lines = place?.variant.lines;
    text?.classList.toggle("is-crowded", !lines);
    pictogram?.classList.toggle("is-crowded", !place || Boolean(lines));
    const element = lines ? text : pictogram;
    if (!place) return;
    element.setAttribute("transform", `translate(${place.box.x * metres} ${place.box.y * metres}) scale(${metres})`);
    if (lines && text.childElementCount !== lines.length) {
        text.replaceChildren(...lines.map((line, i) => svg("tspan", { x: 0, y: (i - (lines.length - 1) / 2) * lineHeight + 0.35 * fontSize }, line)));
    }
}

let context;

/** The width of a text in pixels. */
function measure(text) {
    if (!context) {
        context = document.createElement("canvas").getContext("2d");
        context.font = `600 ${fontSize}px ${getComputedStyle(document.documentElement).getPropertyValue("--font").trim()}`;
    }
    return context.measureText(text).width;
}
