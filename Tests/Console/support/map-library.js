// A stand-in for MapLibre GL JS, which needs WebGL: it keeps what the page gives it (sources, layers, camera) and projects as MapLibre
// does without a tilt. It draws nothing; what a map looks like, and how it moves, is tested in a browser. Import it before the console.

import "./newer-built-ins.js";
import { window } from "./page.js";
import { contains, fromWorld, toWorld } from "./mercator.js";

const { setImmediate } = globalThis;
const size = { width: 1280, height: 744 };

class Emitter {
    #listeners = new Map();

    on(name, act) {
        if (!this.#listeners.has(name)) this.#listeners.set(name, new Set());
        this.#listeners.get(name).add(act);
    }

    off(name, act) {
        this.#listeners.get(name)?.delete(act);
    }

    once(name, act) {
        const once = (event) => {
            this.off(name, once);
            act(event);
        };
        this.on(name, once);
    }

    fire(name, event = {}) {
        for (const act of [...this.#listeners.get(name) ?? []]) act(event);
    }
}

class Source {
    constructor(options) {
        Object.assign(this, options);
    }

    setData(data) {
        this.data = data;
    }

    /** Applies a `GeoJSONSourceDiff`. */
    updateData({ remove, add, update }) {
        const features = new Map(this.data.features.map((each) => [each.properties.id, each]));
        for (const id of remove) features.delete(id);
        for (const each of add) features.set(each.properties.id, each);
        for (const { id, newGeometry, addOrUpdateProperties } of update) {
            const properties = Object.fromEntries(addOrUpdateProperties.map(({ key, value }) => [key, value]));
            features.set(id, { type: "Feature", geometry: newGeometry ?? features.get(id).geometry, properties });
        }
        this.data = { type: "FeatureCollection", features: [...features.values()] };
    }
}

export class MapStandIn extends Emitter {
    /** The map that was made last. */
    static current = null;
    style = { addLayer: (layer, before) => this.addLayer(layer, before) };
    painter = { useProgram() {} };
    sources = new Map();
    layers = [];
    camera = { center: [0, 0], zoom: 0, bearing: 0, pitch: 0 };
    isRemoved = false;
    #container;
    #canvasContainer = document.createElement("div");
    #canvas = document.createElement("canvas");
    #options;
    #isRendering = false;
    #isInFrame = false;

    constructor({ container, style, ...options }) {
        super();
        MapStandIn.current = this;
        this.#container = container;
        this.#options = options;
        Object.defineProperties(container, { clientWidth: { value: size.width }, clientHeight: { value: size.height } });
        this.#canvasContainer.append(this.#canvas);
        container.append(this.#canvasContainer);
        this.layers.push(...style.layers);
        setImmediate(() => this.fire("style.load"));
    }

    getContainer = () => this.#container;
    getCanvasContainer = () => this.#canvasContainer;
    getCanvas = () => this.#canvas;
    getMinZoom = () => this.#options.minZoom;
    getMaxZoom = () => this.#options.maxZoom;
    getZoom = () => this.camera.zoom;
    getBearing = () => this.camera.bearing;
    getPitch = () => this.camera.pitch;
    getCenter = () => position(this.camera.center);
    isEasing = () => false;
    isMoving = () => false;
    getSprite = () => [];
    addSprite() {}
    setGlyphs() {}

    remove() {
        this.isRemoved = true;
        this.fire("remove");
    }

    // Sources and layers.

    addSource(id, options) {
        if (this.sources.has(id)) throw new Error(`there is a source ${id}`);
        this.sources.set(id, new Source(options));
        this.triggerRepaint();
    }

    getSource = (id) => this.sources.get(id);
    isSourceLoaded = (id) => this.sources.has(id);

    removeSource(id) {
        if (this.layers.some(({ source }) => source === id)) throw new Error(`the source ${id} is used`);
        this.sources.delete(id);
    }

    addLayer(layer, before) {
        if (this.getLayer(layer.id)) throw new Error(`there is a layer ${layer.id}`);
        if (layer.source && !this.sources.has(layer.source)) throw new Error(`there is no source ${layer.source}`);
        const index = this.layers.findIndex(({ id }) => id === before);
        this.layers.splice(index < 0 ? this.layers.length : index, 0, { ...layer, paint: { ...layer.paint }, layout: { ...layer.layout } });
        this.triggerRepaint();
    }

    getLayer = (id) => this.layers.find((each) => each.id === id);

    removeLayer(id) {
        this.layers = this.layers.filter((each) => each.id !== id);
    }

    setLayoutProperty(id, name, value) {
        this.getLayer(id).layout[name] = value;
        this.triggerRepaint();
    }

    setPaintProperty(id, name, value) {
        this.getLayer(id).paint[name] = value;
        this.triggerRepaint();
    }

    /** The features of visible layers, at a point or all: those above first. */
    queryRenderedFeatures(point, { layers } = Array.isArray(point) || point?.x !== undefined ? {} : point ?? {}) {
        const at = Array.isArray(point) ? { x: point[0], y: point[1] } : point?.x === undefined ? null : point;
        return this.layers.filter(({ id, source, layout }) => source && layout.visibility !== "none" && (layers?.includes(id) ?? true))
            .toReversed().flatMap((layer) => this.sources.get(layer.source).data.features
                .filter(({ properties, geometry }) => isMatch(layer.filter, properties) && (!at || contains(geometry, this.unproject(at).toArray())))
                .map(({ properties }) => ({ layer, source: layer.source, properties })));
    }

    /** What visible layers draw, as `{layer: ids}`. */
    get drawn() {
        return Map.groupBy(this.queryRenderedFeatures(), ({ layer }) => layer.id);
    }

    // The camera.

    project(where) {
        const [dx, dy] = this.#fromCenter(toWorld(arrayOf(where), this.camera.zoom));
        const [sin, cos] = this.#turn();
        return { x: size.width / 2 + dx * cos + dy * sin, y: size.height / 2 - dx * sin + dy * cos };
    }

    unproject(point) {
        const { x, y } = Array.isArray(point) ? { x: point[0], y: point[1] } : point;
        const [sin, cos] = this.#turn();
        const [u, v] = [x - size.width / 2, y - size.height / 2];
        const [cx, cy] = toWorld(this.camera.center, this.camera.zoom);
        return position(fromWorld([cx + u * cos - v * sin, cy + u * sin + v * cos], this.camera.zoom));
    }

    #fromCenter([x, y]) {
        const [cx, cy] = toWorld(this.camera.center, this.camera.zoom);
        return [x - cx, y - cy];
    }

    #turn() {
        const angle = (this.camera.bearing * Math.PI) / 180;
        return [Math.sin(angle), Math.cos(angle)];
    }

    jumpTo(camera) {
        this.easeTo(camera);
    }

    /** Moves at once. `around` keeps its place on the screen, `center` is `offset` pixels from the middle. */
    easeTo({ center, zoom, bearing, pitch, offset = [0, 0], around }) {
        const kept = around && this.project(around);
        Object.assign(this.camera, { zoom: zoom ?? this.camera.zoom, bearing: bearing ?? this.camera.bearing, pitch: pitch ?? this.camera.pitch });
        if (center || around) this.camera.center = arrayOf(center ?? around);
        const shift = kept ? [kept.x - size.width / 2, kept.y - size.height / 2] : center ? offset : [0, 0];
        this.camera.center = this.unproject([size.width / 2 - shift[0], size.height / 2 - shift[1]]).toArray();
        for (const name of ["movestart", "move", "moveend"]) this.fire(name);
        this.triggerRepaint();
    }

    setPitch(pitch) {
        this.easeTo({ pitch });
    }

    triggerRepaint() {
        if (this.#isRendering || this.isRemoved) return;
        this.#isRendering = true;
        const render = () => {
            this.#isRendering = false;
            if (this.isRemoved) return;
            this.#isInFrame = true;
            this.fire("render");
            this.#isInFrame = false;
            if (!this.#isRendering) this.fire("idle");
        };
        // An animation, which asks for a frame in each frame, needs time.
        if (this.#isInFrame) setTimeout(render, 16);
        else setImmediate(render);
    }
}

const isMatch = (filter, properties) => !filter || properties[filter[1][1]] === filter[2];
const arrayOf = (where) => (Array.isArray(where) ? where : [where.lng, where.lat]);
const position = ([lng, lat]) => ({ lng, lat, toArray: () => [lng, lat] });

// What the page needs of the library and of canvases.
globalThis.maplibregl = { Map: MapStandIn, prewarm() {} };
globalThis.Path2D = class {};
/** Letters have the same width; those of East Asia are wider. */
function widthOf(text, font) {
    const size = Number.parseFloat(/([\d.]+)px/.exec(font)?.[1] ?? 12);
    return [...text].reduce((sum, each) => sum + (each > "\u2e80" ? 1 : 0.55), 0) * size;
}
window.HTMLCanvasElement.prototype.getContext = function () {
    this.context ??= new Proxy({ font: "12px", measureText(text) { return { width: widthOf(text, this.font) }; } },
        { get: (target, name) => target[name] ?? (() => {}) });
    return this.context;
};
// Scripts and style sheets of the page are not loaded: the library is there already.
const { prepend } = document.head;
document.head.prepend = (...elements) => {
    prepend.apply(document.head, elements);
    for (const each of elements) queueMicrotask(() => each.dispatchEvent(new Event(library.isMissing ? "error" : "load")));
};
/** Whether the files of the library are missing on the server. */
export const library = { isMissing: false };
