// Draws the labels of a difference. They keep their size on the screen; where two would overlap, the less important one is hidden.

import { labelsOf } from "./labels.js";
import { svg } from "./svg.js";
import { wrap } from "../../map/text-wrap.js";

/** In pixels. Symbols of changes lie on the same position, so labels of changed features are below these. */
const [lineHeight, maximumWidth, symbolRadius, padding] = [13, 84, 9, 2];
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
            const lines = linesOf(label.text);
            const [x, y] = plane.point(label.at);
            const height = lines.length * lineHeight;
            const top = label.isChanged ? symbolRadius + padding : -height / 2;
            const element = svg("text", { "text-anchor": "middle", "data-name": label.text, "data-feature": label.id }, ...lines.map((line, i) =>
                svg("tspan", { x: 0, y: top + (i + 0.8) * lineHeight }, line)));
            return { ...label, x, y, top, height, width: Math.max(...lines.map(widthOf)), element };
        });
        for (const side of sides) {
            this.groups[side].replaceChildren(...this.#labels.filter((label) => label.side === side).map(({ element }) => element));
        }
    }

    /** @param metres metres per pixel. */
    scale(metres) {
        const taken = { before: new Boxes(), after: new Boxes() };
        const boxOf = (x, y, width, top, height) => ({
            left: x / metres - width / 2 - padding, right: x / metres + width / 2 + padding,
            top: y / metres + top - padding, bottom: y / metres + top + height + padding,
        });
        for (const [x, y] of this.#symbols) {
            const box = boxOf(x, y, 2 * symbolRadius - 2 * padding, padding - symbolRadius, 2 * symbolRadius - 2 * padding);
            for (const boxes of Object.values(taken)) boxes.add(box);
        }
        for (const { x, y, top, width, height, side, element } of this.#labels) {
            element.setAttribute("transform", `translate(${x} ${y}) scale(${metres})`);
            const box = boxOf(x, y, width, top, height);
            const own = side === "both" ? [taken.before, taken.after] : [taken[side]];
            const isFree = own.every((boxes) => boxes.isFree(box));
            if (isFree) for (const boxes of own) boxes.add(box);
            element.classList.toggle("is-crowded", !isFree);
        }
    }
}

/** As few lines as the text needs; text that cannot be divided is cut. */
function linesOf(text) {
    if (widthOf(text) <= maximumWidth) return [text];
    return wrap(text, 2, widthOf, maximumWidth) ?? wrap(text, 3, widthOf, maximumWidth) ?? wrap(text, 1, widthOf, maximumWidth);
}

/** The approximate width in pixels, at 11 pixels: East Asian characters are square. */
function widthOf(text) {
    return [...text].reduce((sum, character) => sum + (character.codePointAt(0) > 0x2e7f ? 11 : 6.3), 0);
}

/** Boxes on the screen, in a grid, so that a test looks at few of them. */
class Boxes {
    #cells = new Map();

    isFree(box) {
        return cellsOf(box).every((cell) => (this.#cells.get(cell) ?? []).every((other) =>
            box.right <= other.left || box.left >= other.right || box.bottom <= other.top || box.top >= other.bottom));
    }

    add(box) {
        for (const cell of cellsOf(box)) this.#cells.set(cell, [...(this.#cells.get(cell) ?? []), box]);
    }
}

const cellSize = 64;

function cellsOf({ left, top, right, bottom }) {
    const cells = [];
    for (let x = Math.floor(left / cellSize); x <= Math.floor(right / cellSize); x += 1) {
        for (let y = Math.floor(top / cellSize); y <= Math.floor(bottom / cellSize); y += 1) cells.push(`${x},${y}`);
    }
    return cells;
}
