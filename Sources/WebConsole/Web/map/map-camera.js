// Moves the camera of a map whose edges are partly covered by the panel and the floor picker.

import { cameraFor } from "./camera.js";
import { prefersReducedMotion } from "../ui/motion.js";

/** The margin around a floor that is shown as a whole, in pixels. */
const margin = 28;
/** How many zoom levels the whole floor may lose so that a mark outside of it is visible: one that is farther away is not meant. */
const maximumLoss = 1;
/** Places that are beside each other are not shown larger. */
const maximumPartZoom = 20;
/** By how many levels keys zoom. */
const zoomKeys = { "+": 1, "=": 1, "-": -1 };

export class MapCamera {
    #map;
    #padding;
    /** Whether the camera still shows the whole floor, as `fit` has placed it. */
    isFitted = false;
    /** The zoom that a movement of `zoom` ends with; null if there is none. */
    #zoomTarget = null;

    /** `padding(margin)` returns what is covered on each side, in pixels, plus a margin. */
    constructor(map, padding) {
        this.#map = map;
        this.#padding = padding;
        // Only movements by the user have an event.
        map.on("movestart", ({ originalEvent }) => { if (originalEvent) this.isFitted = false; });
        map.on("moveend", () => { this.#zoomTarget = null; });
        // MapLibre, which gets these keys later, would zoom around the middle of the whole map.
        map.getCanvasContainer().addEventListener("keydown", (event) => this.#zoomByKey(event), { capture: true });
    }

    /** The position in the middle of the part of the map that is not covered. */
    get center() {
        const { clientWidth, clientHeight } = this.#map.getContainer();
        const [x, y] = this.#offset();
        return this.#map.unproject([clientWidth / 2 + x, clientHeight / 2 + y]);
    }

    /**
     * Shows all of these positions in the part of the map that is not covered, turned if that makes them larger. `mark` is that of
     * `cameraFor`, which is shown too; `pitch` is the tilt, in degrees. With `keepsBearing`, the map is not turned.
     */
    fit(positions, { mark = null, pitch, isAnimated, keepsBearing = false }) {
        const { left, right, top, bottom } = this.#padding(margin);
        const { clientWidth, clientHeight } = this.#map.getContainer();
        const size = { width: Math.max(80, clientWidth - left - right), height: Math.max(80, clientHeight - top - bottom) };
        const bearing = keepsBearing ? this.#map.getBearing() : null;
        const bare = cameraFor(positions, size, null, bearing);
        if (!bare) return;
        const marked = mark ? cameraFor(positions, size, mark, bearing) : bare;
        const camera = marked.zoom < bare.zoom - maximumLoss ? bare : marked;
        this.isFitted = true;
        // Tilted, the near edge of the floor is wider.
        if (pitch > 1) camera.zoom -= 0.3;
        this.#map.easeTo({ ...camera, pitch, offset: this.#offset(), duration: isAnimated ? this.#duration : 0 });
    }

    /** Shows these positions, which are a part of the floor, without turning the map, and not larger than at a zoom. `scale` is that of their marks. */
    fitPart(positions, { maximumZoom = maximumPartZoom, scale = 1 } = {}) {
        this.isFitted = false;
        const { left, right, top, bottom } = this.#padding(2 * margin * scale);
        const { clientWidth, clientHeight } = this.#map.getContainer();
        const bearing = this.#map.getBearing();
        const { center, zoom } = cameraFor(positions, {
            width: Math.max(80, clientWidth - left - right), height: Math.max(80, clientHeight - top - bottom) }, null, bearing);
        this.#map.easeTo({ center, zoom: Math.min(zoom, maximumZoom), offset: this.#offset(), duration: this.#duration });
    }

    goTo(point) {
        this.isFitted = false;
        this.#map.easeTo({ center: point, zoom: Math.max(this.#map.getZoom(), 19.5), offset: this.#offset(), duration: this.#duration });
    }

    /** Zooms around the middle of the visible part; while the map still zooms after the previous call, from where that ends. */
    zoom(by) {
        this.isFitted = false;
        const zoom = (this.#zoomTarget ?? this.#map.getZoom()) + by;
        this.#map.easeTo({ zoom, around: this.center, duration: this.#duration / 2 });
        // Not before: this ends the previous movement.
        this.#zoomTarget = this.#map.isEasing() ? Math.min(Math.max(zoom, this.#map.getMinZoom()), this.#map.getMaxZoom()) : null;
    }

    #zoomByKey(event) {
        const by = zoomKeys[event.key];
        if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        event.stopPropagation();
        // A key that is held repeats faster than the map zooms.
        if (!event.repeat || !this.#map.isEasing()) this.zoom(by);
    }

    /** Tilts the map, and keeps its middle. */
    tilt(pitch) {
        this.#map.easeTo({ pitch, around: this.center, duration: this.#duration });
    }

    /** Turns the map so that north is up. */
    faceNorth(pitch) {
        this.isFitted = false;
        this.#map.easeTo({ bearing: 0, pitch, around: this.center, duration: this.#duration });
    }

    /** From the middle of the map to the middle of its visible part, in pixels. */
    #offset() {
        const { left, right, top, bottom } = this.#padding(0);
        return [(left - right) / 2, (top - bottom) / 2];
    }

    get #duration() {
        return prefersReducedMotion() ? 0 : 500;
    }
}
