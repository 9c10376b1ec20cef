// Draws the part of a way that is on the shown floor: its legs below the labels, and marks for its start, its destination and where it goes on
// to another floor.

import { h, icon } from "../../ui/element.js";
import { isDarkScheme, mapColours, onSchemeChange } from "../colours.js";
import { prefersReducedMotion } from "../../ui/motion.js";
import { routeColours } from "./route-colours.js";

const source = "route";
/** The slot of the layers: above everything that is drawn of floors, and below what is highlighted. */
const slot = "above-all";
/** The widths of the line and its casing in pixels: of the leg that is described, and of the others. */
const widths = { current: [6, 11], other: [4, 8] };
/** How long the dot takes that runs along a leg, in milliseconds. */
const runDuration = 1_600;

export class RouteLayer {
    #map;
    #signal;
    #data = null;
    /** `{element, at, place}` of the marks. */
    #marks = [];
    #runner = null;

    /** `map` is the MapLibre map. */
    constructor(map, signal) {
        this.#map = map;
        this.#signal = signal;
        onSchemeChange(() => this.#draw(), signal);
        map.on("render", () => this.#place());
    }

    /**
     * Shows these `lines`, `{coordinates, isCurrent}`, and `marks`, `{at, kind, label, text, act, place}`, and nothing else. `kind` is `start`, `end`
     * or `change`; a mark with `act` is a button; `place` is the id of its place, if there is one. `isDashed` is whether the lines are dashed.
     * Returns what labels leave free.
     */
    show(lines, marks, { isDashed = false } = {}) {
        this.#data = { lines, isDashed };
        this.#draw();
        for (const { element } of this.#marks) element.remove();
        this.#marks = marks.map(({ at, place = null, ...mark }) => ({ at, place, element: markElement(mark) }));
        this.#map.getContainer().append(...this.#marks.map(({ element }) => element));
        this.#place();
        return {
            lines: lines.map(({ coordinates, isCurrent }) => ({ coordinates, width: widths[isCurrent ? "current" : "other"][1] })),
            marks: this.#marks.map((mark) => this.#boxOf(mark)),
        };
    }

    /** A mark as `layOut` needs it: with its edges, in pixels from its position. */
    #boxOf({ at, place, element }) {
        const [frame, box] = [this.#map.getContainer(), element].map((each) => each.getBoundingClientRect());
        const { x, y } = this.#map.project(at);
        const [originX, originY] = [frame.left + x, frame.top + y];
        return { at, place, left: box.left - originX, top: box.top - originY, right: box.right - originX, bottom: box.bottom - originY };
    }

    clear() {
        this.#endRun();
        this.#data = null;
        for (const { element } of this.#marks) element.remove();
        this.#marks = [];
        this.#draw();
    }

    #draw() {
        // The map is removed with the page.
        if (this.#signal.aborted) return;
        for (const { id } of this.#layers({})) if (this.#map.getLayer(id)) this.#map.removeLayer(id);
        const { lines = [], isDashed = false } = this.#data ?? {};
        if (lines.length === 0) {
            if (this.#map.getSource(source)) this.#map.removeSource(source);
            return;
        }
        const features = lines.map(({ coordinates, isCurrent }) => (
            { type: "Feature", properties: { isCurrent }, geometry: { type: "LineString", coordinates } }));
        const data = { type: "FeatureCollection", features };
        if (this.#map.getSource(source)) this.#map.getSource(source).setData(data);
        else this.#map.addSource(source, { type: "geojson", data, tolerance: 0.1 });
        for (const layer of this.#layers({ ...routeColours(mapColours(), isDarkScheme()), isDashed })) this.#map.addLayer({ source, ...layer }, slot);
    }

    /** The casings of all legs are below all lines. The current leg is drawn last. */
    #layers({ line, casing, isDashed }) {
        const layer = (name, isCurrent, colour, width) => ({
            id: `route/${isCurrent ? "current" : "other"}/${name}`, type: "line", filter: ["==", ["get", "isCurrent"], isCurrent],
            layout: { "line-cap": "round", "line-join": "round" },
            paint: {
                "line-color": colour ?? "", "line-width": width,
                ...(isDashed && name === "line" ? { "line-dasharray": [0.4, 1.8] } : {}),
            },
        });
        const [current, other] = [widths.current, widths.other];
        return [
            layer("casing", false, casing, other[1]), layer("casing", true, casing, current[1]),
            layer("line", false, line, other[0]), layer("line", true, line, current[0]),
        ];
    }

    #place() {
        for (const { at, element } of this.#marks) {
            const { x, y } = this.#map.project(at);
            element.style.translate = `${x}px ${y}px`;
        }
    }

    /** Lets a dot run along a line once, which shows the direction, unless the user prefers that nothing moves. */
    run(coordinates) {
        this.#endRun();
        if (prefersReducedMotion() || coordinates.length < 2) return;
        const dot = h("span", { class: "route-runner", "aria-hidden": "true" });
        const stretches = lengths(coordinates);
        const start = performance.now();
        const runner = { dot, frame: 0 };
        const step = (now) => {
            const share = (now - start) / runDuration;
            if (share >= 1) return this.#endRun();
            const { x, y } = this.#map.project(along(coordinates, stretches, Math.max(0, share)));
            dot.style.translate = `${x}px ${y}px`;
            runner.frame = requestAnimationFrame(step);
        };
        this.#map.getContainer().append(dot);
        this.#runner = runner;
        runner.frame = requestAnimationFrame(step);
    }

    #endRun() {
        if (!this.#runner) return;
        cancelAnimationFrame(this.#runner.frame);
        this.#runner.dot.remove();
        this.#runner = null;
    }
}

function markElement({ kind, label, text, act }) {
    const content = kind === "change" ? [icon(text.icon), h("bdi", {}, text.floor)] : kind === "end" ? icon("pin") : null;
    return act
        ? h("button", { type: "button", class: `route-mark is-${kind}`, "aria-label": label, onclick: act }, content)
        : h("div", { class: `route-mark is-${kind}`, role: "img", "aria-label": label }, content);
}

/** The length of each stretch of a line in degrees, for which the middle of a building is near enough. */
function lengths(coordinates) {
    const scale = Math.cos((coordinates[0][1] * Math.PI) / 180);
    return coordinates.slice(1).map(([x, y], index) => Math.hypot((x - coordinates[index][0]) * scale, y - coordinates[index][1]));
}

/** The position after a share of a line. */
function along(coordinates, stretches, share) {
    let rest = share * stretches.reduce((sum, each) => sum + each, 0);
    for (const [index, stretch] of stretches.entries()) {
        if (rest > stretch || stretch === 0) {
            rest -= stretch;
            continue;
        }
        const [[x0, y0], [x1, y1]] = [coordinates[index], coordinates[index + 1]];
        return [x0 + ((x1 - x0) * rest) / stretch, y0 + ((y1 - y0) * rest) / stretch];
    }
    return coordinates.at(-1);
}
