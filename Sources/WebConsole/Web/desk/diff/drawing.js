// Draws a scene: what stayed in one quiet path, what changed in colours and patterns, so that the kinds are told apart without
// seeing colours too. Signs and patterns keep their size on the screen whatever the scale.

import { signOf, kinds } from "./kinds.js";
import { isArea, path } from "./shapes.js";
import { svg } from "./svg.js";

/** How many were made, which is enough to tell names in a document apart. Random ones are for secure contexts only. */
let made = 0;

/** Pixels that a sign has for itself; where they would stand closer, only the first is shown. */
const room = 20;

export class Drawing {
    /** @param onPick is called with an item when somebody points at it. */
    constructor(onPick) {
        this.onPick = onPick;
        this.id = `diff-${(made += 1)}`;
        this.patterns = kinds.map(({ kind }) => pattern(this.name(kind), kind));
        this.clips = ["before", "after"].map((side) => svg("rect", { class: `diff-clip-${side}` }));
        const [before, after] = this.clips;
        this.layers = Object.fromEntries(
            ["stayed", "before", "after", "arrows", "signs"].map((name) => [name, svg("g", { class: `diff-${name}` })]),
        );
        this.seam = svg("line", { class: "diff-seam" });
        this.element = svg(
            "svg", { class: "diff-drawing", role: "application", tabindex: "0", preserveAspectRatio: "xMidYMid meet" },
            svg("defs", {}, ...this.patterns,
                svg("clipPath", { id: this.name("before") }, before), svg("clipPath", { id: this.name("after") }, after)),
            ...Object.values(this.layers), this.seam,
        );
    }

    name(part) { return `${this.id}-${part}`; }

    draw(scene, plane) {
        this.plane = plane;
        this.items = new Map();
        const areas = scene.unchanged.filter(({ geometry }) => isArea(geometry));
        const lines = scene.unchanged.filter(({ geometry }) => !isArea(geometry));
        this.layers.stayed.replaceChildren(
            svg("path", { class: "diff-stayed-areas", d: areas.map(({ geometry }) => path(geometry, plane)).join("") }),
            svg("path", { class: "diff-stayed-lines", d: lines.map(({ geometry }) => path(geometry, plane)).join("") }),
        );
        for (const side of ["before", "after"]) {
            // The largest first, so that nothing small lies hidden below it.
            const shapes = scene.items.map((item) => this.shape(item, side)).filter(Boolean);
            this.layers[side].replaceChildren(...shapes.sort((a, b) => rank(a) - rank(b)));
        }
        this.layers.arrows.replaceChildren(...scene.items.map((item) => this.arrow(item)).filter(Boolean));
        const placed = scene.items.filter(({ at, from }) => at ?? from);
        this.layers.signs.replaceChildren(...placed.map((item) => this.sign(item)));
    }

    shape(item, side) {
        const geometry = item[side]?.geometry;
        const d = path(geometry, this.plane);
        if (!d) return null;
        const shape = svg("path", {
            d, class: `diff-shape diff-is-${item.kind} ${isArea(geometry) ? "diff-area" : "diff-line"}`,
            fill: isArea(geometry) ? `url(#${this.name(item.kind)})` : "none",
        });
        return this.pickable(shape, item);
    }

    arrow(item) {
        if (item.kind !== "moved" || !item.from || !item.at) return null;
        const [[x1, y1], [x2, y2]] = [this.plane.point(item.from), this.plane.point(item.at)];
        return svg("line", { class: "diff-arrow", x1, y1, x2, y2 });
    }

    sign(item) {
        const [x, y] = this.plane.point(item.at ?? item.from);
        const sign = svg(
            "g", { class: `diff-sign diff-is-${item.kind}`, "data-x": x, "data-y": y },
            svg("circle", { r: 9 }), svg("text", { "text-anchor": "middle", dy: "0.36em" }, signOf(item.kind)),
        );
        return this.pickable(sign, item);
    }

    pickable(element, item) {
        element.dataset.id = item.id;
        element.addEventListener("click", () => this.onPick(item));
        this.items.set(item.id, [...(this.items.get(item.id) ?? []), element]);
        return element;
    }

    /** Marks one item among the others; null marks none. */
    mark(id) {
        for (const element of this.element.querySelectorAll(".is-picked")) element.classList.remove("is-picked");
        for (const element of this.items?.get(id) ?? []) element.classList.add("is-picked");
    }

    /** Hides kinds that nobody wants to see just now. */
    show(kind, isShown) { this.element.classList.toggle(`diff-hides-${kind}`, !isShown); }

    /** @param metres that a pixel covers. */
    scale(metres) {
        for (const element of this.patterns) element.setAttribute("patternTransform", `scale(${metres})`);
        const taken = new Set();
        for (const sign of this.layers.signs.children) {
            const { x, y } = sign.dataset;
            sign.setAttribute("transform", `translate(${x} ${y}) scale(${metres})`);
            const cell = [x, y].map((value) => Math.round(value / metres / room));
            const isFree = !near(cell).some((key) => taken.has(key));
            if (isFree) taken.add(cell.join());
            sign.classList.toggle("is-crowded", !isFree);
        }
    }

    /** Shows what was left of a share of the view, and what is right of it; null shows both over each other. */
    split(share, view) {
        const isSplit = share !== null;
        this.element.classList.toggle("is-split", isSplit);
        for (const side of ["before", "after"]) {
            if (isSplit) this.layers[side].setAttribute("clip-path", `url(#${this.name(side)})`);
            else this.layers[side].removeAttribute("clip-path");
        }
        if (!isSplit) return;
        const at = view.x + view.width * share;
        const far = view.width * 50;
        const tall = { y: view.y - far, height: view.height + 2 * far };
        set(this.clips[0], { x: at - far, width: far, ...tall });
        set(this.clips[1], { x: at, width: far, ...tall });
        set(this.seam, { x1: at, x2: at, y1: view.y - view.height, y2: view.y + 2 * view.height });
    }
}

/** A cell and those around it that a sign in it would touch. */
const near = ([x, y]) => [[0, 0], [1, 0], [-1, 0], [0, 1], [0, -1]].map(([dx, dy]) => `${x + dx},${y + dy}`);

const set = (element, attributes) => {
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
};

/** Longer paths are taken for larger shapes; lines come over areas. */
const rank = (shape) => (shape.classList.contains("diff-line") ? 1e9 : -shape.getAttribute("d").length);

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
