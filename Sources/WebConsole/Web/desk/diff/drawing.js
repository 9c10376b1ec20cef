// Draws a scene as SVG: the floor as on the visitor's map, and changes with colours, patterns and symbols above it, so that the kinds of
// change can be distinguished without colour vision. Symbols and patterns keep their size on the screen at every scale.

import { LabelLayer } from "./label-layer.js";
import { kinds, symbolOf } from "./kinds.js";
import { isArea, path } from "./shapes.js";
import { Surface } from "./surface.js";
import { svg } from "./svg.js";

/** The number of drawings created, for unique element ids. `crypto.randomUUID` exists only in secure contexts. */
let drawingCount = 0;

/** The minimum distance between symbols in pixels. Of symbols that are closer, only the first is shown. */
const symbolSpacing = 20;

/** The types of areas that contain others. Their patterns would cover the changes in them. */
const grounds = new Set(["venue", "footprint", "level", "section"]);

export class Drawing {
    /** @param onPick is called with the item that was clicked. */
    constructor(onPick) {
        this.onPick = onPick;
        this.id = `diff-${(drawingCount += 1)}`;
        this.patterns = kinds.map(({ kind }) => pattern(this.name(kind), kind));
        this.clips = ["before", "after"].map((side) => svg("rect", { class: `diff-clip-${side}` }));
        const [before, after] = this.clips;
        this.layers = Object.fromEntries(
            ["before", "after", "arrows", "symbols", "marks", "pin"].map((name) => [name, svg("g", { class: `diff-${name}` })]),
        );
        this.labels = new LabelLayer();
        this.surface = new Surface();
        this.divider = svg("line", { class: "diff-divider" });
        this.element = svg(
            "svg", { class: "diff-drawing", role: "application", tabindex: "0", preserveAspectRatio: "xMidYMid meet" },
            svg("defs", {}, ...this.patterns,
                svg("clipPath", { id: this.name("before") }, before), svg("clipPath", { id: this.name("after") }, after)),
            ...this.surface.elements, ...Object.values(this.layers), this.divider,
        );
        this.layers.symbols.before(...Object.values(this.labels.groups));
    }

    name(part) { return `${this.id}-${part}`; }

    draw(scene, plane) {
        this.plane = plane;
        this.items = new Map();
        this.surface.draw(scene, plane);
        for (const side of ["before", "after"]) {
            // The largest first, so that small shapes are not covered.
            const shapes = scene.items.map((item) => this.shape(item, side)).filter(Boolean);
            this.layers[side].replaceChildren(...shapes.sort((a, b) => drawingOrder(a) - drawingOrder(b)));
        }
        // Of a floor that was moved as a whole, one feature has the symbol and the arrow.
        const [marked] = scene.items.filter(({ isFolded, at, from }) => isFolded && at && from);
        const single = scene.items.filter((item) => !item.isFolded || item === marked);
        this.layers.arrows.replaceChildren(...single.map((item) => this.arrow(item)).filter(Boolean));
        const placed = single.filter(({ at, from }) => at ?? from);
        this.layers.symbols.replaceChildren(...placed.map((item) => this.symbol(item)));
        this.labels.draw(scene, plane);
    }

    shape(item, side) {
        const geometry = item[side]?.geometry;
        const d = path(geometry, this.plane);
        if (!d) return null;
        const shape = svg("path", {
            d, class: `diff-shape diff-is-${item.kind} ${item.isFolded ? "is-folded" : ""} ${isArea(geometry) ? "diff-area" : "diff-line"}`,
            fill: isArea(geometry) && !grounds.has(item[side].feature_type) ? `url(#${this.name(item.kind)})` : "none",
        });
        return this.pickable(shape, item);
    }

    arrow(item) {
        if (item.kind !== "moved" || !item.from || !item.at) return null;
        const [[x1, y1], [x2, y2]] = [this.plane.point(item.from), this.plane.point(item.at)];
        return svg("line", { class: "diff-arrow", x1, y1, x2, y2 });
    }

    symbol(item) {
        const [x, y] = this.plane.point(item.at ?? item.from);
        const symbol = svg(
            "g", { class: `diff-symbol diff-is-${item.kind}`, "data-x": x, "data-y": y },
            svg("circle", { r: 9 }), svg("text", { "text-anchor": "middle", dy: "0.36em" }, symbolOf(item.kind)),
        );
        return this.pickable(symbol, item);
    }

    pickable(element, item) {
        element.dataset.id = item.id;
        element.addEventListener("click", () => this.onPick(item));
        this.items.set(item.id, [...(this.items.get(item.id) ?? []), element]);
        return element;
    }

    /** Marks a position; null for none. */
    pin(position) {
        const children = position ? [svg("path", { d: "M0 0C-3 -6 -11 -11 -11 -19A11 11 0 0 1 11 -19C11 -11 3 -6 0 0Z" }), svg("circle", { cy: -19, r: 4 })] : [];
        this.layers.pin.replaceChildren(...children);
        [this.pinX, this.pinY] = position ? this.plane.point(position) : [0, 0];
        this.#placePin();
    }

    /** Marks the positions of findings. `onOpen` is called with the mark that was clicked. */
    mark(marks, onOpen) {
        this.layers.marks.replaceChildren(...marks.map((mark) => {
            const [x, y] = this.plane.point(mark.at);
            const element = svg(
                "g", { class: `diff-mark is-${mark.severity}${mark.isCurrent ? " is-current" : ""}`, "data-x": x, "data-y": y },
                svg("title", {}, mark.text), svg("circle", { r: 8 }),
                svg("text", { "text-anchor": "middle", dy: "0.36em" }, mark.findings.length > 1 ? String(mark.findings.length) : "!"));
            element.addEventListener("click", () => onOpen(mark));
            return element;
        }));
        this.#placeMarks();
    }

    #placeMarks() {
        for (const mark of this.layers.marks.children) {
            mark.setAttribute("transform", `translate(${mark.dataset.x} ${mark.dataset.y}) scale(${this.metres ?? 1})`);
        }
    }

    #placePin() {
        this.layers.pin.setAttribute("transform", `translate(${this.pinX ?? 0} ${this.pinY ?? 0}) scale(${this.metres ?? 1})`);
    }

    /** Highlights one item; null for none. */
    select(id) {
        for (const element of this.element.querySelectorAll(".is-selected")) element.classList.remove("is-selected");
        for (const element of this.items?.get(id) ?? []) element.classList.add("is-selected");
    }

    /** Shows or hides the changes of a kind. */
    show(kind, isShown) { this.element.classList.toggle(`diff-hides-${kind}`, !isShown); }

    /** Adapts symbols and patterns to the scale. @param metres metres per pixel. */
    scale(metres) {
        for (const element of this.patterns) element.setAttribute("patternTransform", `scale(${metres})`);
        this.metres = metres;
        this.#placePin();
        this.#placeMarks();
        this.labels.scale(metres);
        const taken = new Set();
        for (const symbol of this.layers.symbols.children) {
            const { x, y } = symbol.dataset;
            symbol.setAttribute("transform", `translate(${x} ${y}) scale(${metres})`);
            const cell = [x, y].map((value) => Math.round(value / metres / symbolSpacing));
            const isFree = !neighbourhood(cell).some((key) => taken.has(key));
            if (isFree) taken.add(cell.join());
            symbol.classList.toggle("is-crowded", !isFree);
        }
    }

    /** Shows the old state left of a position (0 to 1) in the view, and the new state right of it; null shows both overlaid. */
    split(position, view) {
        const isSplit = position !== null;
        this.element.classList.toggle("is-split", isSplit);
        for (const side of ["before", "after"]) {
            for (const layer of [...this.surface.of(side), this.layers[side], this.labels.groups[side]]) {
                if (isSplit) layer.setAttribute("clip-path", `url(#${this.name(side)})`);
                else layer.removeAttribute("clip-path");
            }
        }
        if (!isSplit) return;
        const x = view.x + view.width * position;
        const distance = view.width * 50;
        const vertical = { y: view.y - distance, height: view.height + 2 * distance };
        setAttributes(this.clips[0], { x: x - distance, width: distance, ...vertical });
        setAttributes(this.clips[1], { x, width: distance, ...vertical });
        setAttributes(this.divider, { x1: x, x2: x, y1: view.y - view.height, y2: view.y + 2 * view.height });
    }
}

/** The keys of a cell and its four neighbours. */
const neighbourhood = ([x, y]) => [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => `${x + dx},${y + dy}`);

const setAttributes = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};

/** Approximates the size of a shape by the length of its path. Lines are drawn above areas. */
const drawingOrder = (shape) => (shape.classList.contains("diff-line") ? 1e9 : -shape.getAttribute("d").length);

function pattern(id, kind) {
    const lines = {
        added: "M-2 2L2 -2M0 8L8 0M6 10L10 6",
        moved: "M0 2H8M0 6H8",
        changed: "M2 2h0.01M6 6h0.01",
        removed: "M0 0L8 8M8 0L0 8",
    };
    return svg(
        "pattern", { id, class: `diff-pattern diff-is-${kind}`, width: 8, height: 8, patternUnits: "userSpaceOnUse" },
        svg("rect", { width: 8, height: 8 }), svg("path", { d: lines[kind] }),
    );
}
