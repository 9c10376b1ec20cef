// Draws labels on a canvas over the map, in the same frame as the map, so that they move with it. If labels would overlap, the more
// important ones are drawn; labels that are already visible are preferred. Shops without a visible label are drawn as dots.

import { LabelImages } from "./label-images.js";

/** The size of a cell of the collision grid, in CSS pixels. */
const cellSize = 64;

export class LabelOverlay {
    #map;
    #canvas;
    #context;
    #images = new LabelImages();
    #places = [];
    #colours;
    #selected = null;
    #results = null;
    #pulses = new Map();
    /** Ids of the places whose labels were visible in the previous frame. */
    #visible = new Set();
    #boxes = [];
    #dots = [];

    constructor(map, colours) {
        this.#map = map;
        this.#colours = colours;
        this.#canvas = document.createElement("canvas");
        this.#canvas.className = "label-overlay";
        this.#canvas.setAttribute("aria-hidden", "true");
        this.#context = this.#canvas.getContext("2d");
        map.getCanvasContainer().append(this.#canvas);
        map.on("render", () => this.#draw());
    }

    set places(places) {
        this.#places = places;
        this.#map.triggerRepaint();
    }

    set selected(place) {
        this.#selected = place?.id ?? null;
        this.#map.triggerRepaint();
    }

    /** Restricts the labels to the results of a search; null for all. */
    set results(places) {
        this.#results = places && new Set(places.map(({ id }) => id));
        this.#map.triggerRepaint();
    }

    /** Renders all labels again, for new colours or another language. */
    refresh(colours) {
        this.#colours = colours;
        this.#images.clear();
        this.#map.triggerRepaint();
    }

    /** Animates rings around places for some milliseconds. */
    pulse(ids, milliseconds) {
        const end = performance.now() + milliseconds;
        for (const id of ids) this.#pulses.set(id, end);
        this.#map.triggerRepaint();
    }

    /** The place whose label is at a point; the topmost one if labels overlap. */
    placeAt({ x, y }) {
        return this.#boxes.findLast(({ left, top, right, bottom }) => left <= x && x <= right && top <= y && y <= bottom)?.place;
    }

    /** The number of visible labels, for measurements. */
    get count() {
        return this.#boxes.length;
    }

    #draw() {
        const { clientWidth: width, clientHeight: height } = this.#map.getContainer();
        const scale = Math.max(1, Math.min(3, devicePixelRatio || 1));
        if (this.#canvas.width !== width * scale || this.#canvas.height !== height * scale) {
            this.#canvas.width = width * scale;
            this.#canvas.height = height * scale;
        }
        const context = this.#context;
        context.setTransform(scale, 0, 0, scale, 0, 0);
        context.clearRect(0, 0, width, height);
        this.#boxes = this.#layOut(width, height);
        this.#visible = new Set(this.#boxes.map(({ place }) => place.id));
        this.#drawDots(context);
        this.#drawPulses(context);
        for (const { image, left, top } of this.#boxes) context.drawImage(image.canvas, left, top, image.width, image.height);
    }

    /** Chooses the labels and dots to draw, the most important first. */
    #layOut(width, height) {
        const candidates = [];
        for (const place of this.#places) {
            const isSelected = place.id === this.#selected;
            if (this.#results && !this.#results.has(place.id) && !isSelected) continue;
            if (place.kind === "amenity" && !place.amenity && !place.isNamed) continue;
            const { x, y } = this.#map.project(place.point);
            if (x < -60 || y < -30 || x > width + 60 || y > height + 30) continue;
            const priority = isSelected ? -2 : place.rank - (this.#visible.has(place.id) ? 0.5 : 0);
            candidates.push({ place, x, y, priority, isSelected });
        }
        candidates.sort((a, b) => a.priority - b.priority);
        const grid = new Map();
        const boxes = [];
        this.#dots = [];
        for (const { place, x, y, isSelected } of candidates) {
            const image = this.#images.image(place, this.#colours, isSelected);
            const left = x - image.width / 2;
            const top = y - image.height / 2;
            const box = { place, image, left, top, right: left + image.width, bottom: top + image.height };
            if (!isSelected && overlapsAny(grid, box)) {
                if (place.kind === "shop" || this.#results) this.#dots.push([x, y]);
                continue;
            }
            insert(grid, box);
            boxes.push(box);
        }
        // A dot that touches a label would look like a part of it.
        this.#dots = this.#dots.filter(([x, y]) => !overlapsAny(grid, { left: x - 5, top: y - 5, right: x + 5, bottom: y + 5 }));
        return boxes;
    }

    #drawDots(context) {
        context.fillStyle = this.#results ? this.#colours.selected : this.#colours.label;
        context.strokeStyle = this.#colours.halo;
        context.lineWidth = 1.5;
        for (const [x, y] of this.#dots) {
            context.beginPath();
            context.arc(x, y, this.#results ? 4 : 2.5, 0, 2 * Math.PI);
            context.stroke();
            context.fill();
        }
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

function* cellsOf({ left, top, right, bottom }) {
    for (let x = Math.floor(left / cellSize); x <= Math.floor(right / cellSize); x += 1) {
        for (let y = Math.floor(top / cellSize); y <= Math.floor(bottom / cellSize); y += 1) yield x * 65_536 + y;
    }
}

function overlapsAny(grid, box) {
    for (const key of cellsOf(box)) {
        for (const other of grid.get(key) ?? []) {
            if (box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom) return true;
        }
    }
    return false;
}

function insert(grid, box) {
    for (const key of cellsOf(box)) {
        if (!grid.has(key)) grid.set(key, []);
        grid.get(key).push(box);
    }
}
