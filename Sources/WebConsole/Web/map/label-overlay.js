// Draws labels on a canvas over the map, in the same frame as the map, so that they move with it.

import { inkOf, LabelImages } from "./label-images.js";
import { contains } from "./label-boxes.js";
import { layOut, layOutInSteps } from "./label-layout.js";
import { metresBetween } from "../client/map/geometry.js";

/** How visible labels are that a search has not found. */
const faintness = 0.3;

export class LabelOverlay {
    #map;
    #canvas;
    #context;
    #images;
    #places = [];
    #areas = new Map();
    #hidden = new Set();
    #colours;
    #selected = null;
    #results = null;
    /** What labels leave free, and what they name first: `{lines, marks, landmarks}` as for `layOut`, by who draws it. */
    #obstacles = new Map();
    #pulses = new Map();
    /** Ids of the places whose labels were visible in the previous frame. */
    #visible = new Set();
    #boxes = [];
    #dots = [];
    /** The view for which the layout was made: it holds until the view or the places change. */
    #view = null;
    /** What the complete layout for this view will be made of; null if it was begun, in the task of the timer. */
    #request = null;
    #timer = null;
    #isComplete = false;

    #padding;
    #covers;

    /**
     * `padding()` is what covers the map on each side, in pixels; `covers()` are the boxes of what covers it, as for `layOut`; `labelScale` enlarges
     * the labels.
     */
    constructor(map, colours, { labelScale = 1, padding = () => ({ left: 0, top: 0, right: 0, bottom: 0 }), covers = () => [] } = {}) {
        this.#padding = padding;
        this.#covers = covers;
        this.#images = new LabelImages(labelScale);
        this.#map = map;
        this.#colours = colours;
        this.#canvas = document.createElement("canvas");
        this.#canvas.className = "label-overlay";
        this.#canvas.setAttribute("aria-hidden", "true");
        this.#context = this.#canvas.getContext("2d");
        map.getCanvasContainer().append(this.#canvas);
        map.on("render", () => this.#draw());
        map.on("moveend", () => this.#complete());
        map.on("remove", () => clearTimeout(this.#timer));
    }

    /**
     * Shows these places. `areas` are the areas that their labels must fit into, by the id of the place. `hidden` are the ids of places
     * that have a label only while they are selected or found.
     */
    setPlaces(places, areas, hidden = new Set()) {
        this.#places = places;
        this.#hidden = hidden;
        this.#areas = areas;
        this.#changed();
    }

    set selected(place) {
        this.#selected = place?.id ?? null;
        this.#changed();
    }

    /** Draws all labels but those of the results of a search faintly; null draws all alike. */
    set results(places) {
        this.#results = places && new Set(places.map(({ id }) => id));
        this.#changed();
    }

    /** What labels leave free and name first from now on: `{lines, marks, landmarks}` as for `layOut`, in place of what had the same name before; null for nothing. */
    keepClear(name, obstacles) {
        this.#obstacles.set(name, obstacles ?? {});
        this.#changed();
    }

    /** Renders all labels again, for new colours or another language. */
    refresh(colours) {
        this.#colours = colours;
        this.#images.clear();
        this.#changed();
    }

    #changed() {
        clearTimeout(this.#timer);
        this.#view = null;
        this.#map.triggerRepaint();
    }

    /** Animates rings around places for some milliseconds. */
    pulse(ids, milliseconds) {
        const end = performance.now() + milliseconds;
        for (const id of ids) this.#pulses.set(id, end);
        this.#map.triggerRepaint();
    }

    /** The place whose label is at a point; the topmost one if labels overlap. */
    placeAt(point) {
        return this.#boxes.findLast((box) => contains(box, point))?.place;
    }

    /** The number of visible labels, for measurements. */
    get count() {
        return this.#boxes.length;
    }

    /** The visible labels, for tests. */
    get boxes() {
        return this.#boxes;
    }

    /** Whether all labels of the view are known, for tests. */
    get isComplete() {
        return this.#isComplete && this.#view !== null;
    }

    /** The size of the map, in CSS pixels. */
    get #size() {
        const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
        return { width, height };
    }

    /** In the first frame of a view, the labels that need little time. The others are found when the map does not move. */
    #layOut() {
        const { width, height } = this.#size;
        const corners = [[0, 0], [width, 0], [0, height], [width, height]].map((corner) => this.#map.unproject(corner).toArray());
        const covers = this.#covers();
        const view = [width, height, ...corners, ...covers.map(Object.values)].join();
        if (view === this.#view) return;
        this.#view = view;
        const { left, top, right, bottom } = this.#padding();
        const obstacles = [...this.#obstacles.values()];
        const request = {
            covers, lines: obstacles.flatMap(({ lines = [] }) => lines), marks: obstacles.flatMap(({ marks = [] }) => marks),
            landmarks: obstacles.flatMap(({ landmarks = [] }) => landmarks),
            places: this.#places, areas: this.#areas, hidden: this.#hidden, selected: this.#selected, results: this.#results, visible: this.#visible,
            images: this.#images, colours: this.#colours, project: (position) => this.#map.project(position), width, height,
            frame: { left, top, right: width - right, bottom: height - bottom },
            metres: metresBetween(...[[width / 2, height / 2], [width / 2 + 1, height / 2]].map((point) => this.#map.unproject(point).toArray())),
        };
        this.#isComplete = false;
        this.#show(layOut({ ...request, isMoving: true }));
        this.#request = request;
        clearTimeout(this.#timer);
        if (!this.#map.isMoving()) this.#complete();
    }

    /** Finds the labels that need more time than a frame has, and shows them as soon as all are known. */
    #complete() {
        if (!this.#request) return;
        const steps = layOutInSteps(this.#request);
        this.#request = null;
        const proceed = () => {
            const { done, value } = steps.next();
            if (!done) this.#timer = setTimeout(proceed);
            else {
                this.#isComplete = true;
                this.#show(value);
                this.#map.triggerRepaint();
            }
        };
        this.#timer = setTimeout(proceed);
    }

    #show({ boxes, dots }) {
        this.#boxes = boxes;
        this.#dots = dots;
        this.#visible = new Set(boxes.map(({ place }) => place.id));
    }

    #draw() {
        const { width, height } = this.#size;
        const scale = Math.max(1, Math.min(3, devicePixelRatio || 1));
        if (this.#canvas.width !== width * scale || this.#canvas.height !== height * scale) {
            this.#canvas.width = width * scale;
            this.#canvas.height = height * scale;
        }
        const context = this.#context;
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        this.#layOut();
        this.#drawDots(context);
        this.#drawPulses(context);
        // The most important label last, so that it is on top.
        for (const { image, x, y, angle, isFaint } of this.#boxes.toReversed()) {
            context.globalAlpha = isFaint ? faintness : 1;
            context.translate(x, y);
            context.rotate(angle);
            context.drawImage(image.canvas, -image.width / 2, -image.height / 2, image.width, image.height);
            context.setTransform(scale, 0, 0, scale, 0, 0);
        }
        context.globalAlpha = 1;
    }

    #drawDots(context) {
        context.strokeStyle = this.#colours.halo;
        context.lineWidth = 1.5;
        for (const { place, x, y, isFaint } of this.#dots) {
            context.globalAlpha = isFaint ? faintness : 1;
            context.fillStyle = inkOf(place, this.#colours);
            context.beginPath();
            context.arc(x, y, 3, 0, 2 * Math.PI);
            context.stroke();
            context.fill();
        }
        context.globalAlpha = 1;
    }

    #drawPulses(context) {
        const now = performance.now();
        for (const [id, end] of this.#pulses) if (end < now) this.#pulses.delete(id);
        if (this.#pulses.size === 0) return;
        context.strokeStyle = this.#colours.changed;
        context.lineWidth = 2.5;
        for (const place of this.#places) {
            const end = this.#pulses.get(place.id);
            if (!end) continue;
            const { x, y } = this.#map.project(place.point);
            const phase = ((end - now) % 1_000) / 1_000;
            context.globalAlpha = phase;
            context.beginPath();
            context.arc(x, y, 8 + (1 - phase) * 22, 0, 2 * Math.PI);
            context.stroke();
        }
        context.globalAlpha = 1;
        this.#map.triggerRepaint();
    }
}
