// What visitors cannot reach, on the map of what is published: tinted units of the floor that is shown, marks for the features to mend, and a
// note that explains both and leads to the list. The page loads this module when the layer is shown for the first time.

import "./messages.js";
import { requestJSON } from "../../api.js";
import { labelPointOf } from "../../client/map/label-point.js";
import { codeText } from "../../desk/reachability/feature-links.js";
import { fill, h, icon } from "../../ui/element.js";
import { mapColours, onSchemeChange } from "../colours.js";
import { labelText } from "../labels.js";
import { cutOffLayers } from "../style.js";
import { formatNumber, localized } from "../../localization/localization.js";

const source = "cut-off";

export class CutOffLayer {
    #page;
    #map;
    #report = null;
    /** `{at, element}` of the features to mend. */
    #marks = [];
    #container = h("div", { class: "mend-marks", role: "group" });
    #ending = new AbortController();
    #place = () => this.#placeMarks();
    /** The legend of the layer, for the corner of the map. */
    element = h("section", { class: "cut-off-note", "aria-labelledby": "cut-off-title" });

    /** `page` is `{venue, live, floors, map, signal, onClose}`; `map` is the MapLibre map. */
    constructor(page) {
        this.#page = page;
        this.#map = page.map;
        const signal = AbortSignal.any([this.#ending.signal, page.signal]);
        this.#map.getContainer().append(this.#container);
        this.#map.on("render", this.#place);
        page.floors.addEventListener("change", () => this.#show(), { signal });
        page.live.addEventListener("changes", () => this.#refresh(), { signal });
        onSchemeChange(() => this.#draw(), signal);
    }

    /** Loads the report of the newest revision, and shows it. */
    async load() {
        const { venue, signal } = this.#page;
        const report = await requestJSON(`/venues/${encodeURIComponent(venue)}/reachability`, { signal });
        // Of two that were requested, the older one may arrive last.
        if (signal.aborted || this.#ending.signal.aborted || report.revision < this.#report?.revision) return;
        this.#report = report;
        this.#show();
    }

    /** Shows another revision. Without a connection, the former report stays. */
    #refresh() {
        if (this.#report && this.#report.revision !== this.#page.live.revision) this.load().catch(() => {});
    }

    remove() {
        this.#ending.abort();
        this.#map.off("render", this.#place);
        this.#container.remove();
        this.element.remove();
        // The map is gone with its page.
        if (!this.#page.signal.aborted) this.#clear();
    }

    /** Those of the entries of the report that are on the floor that is shown. */
    #onFloor(entries) {
        const { current } = this.#page.floors;
        return current ? entries.filter(({ level_id: level }) => current.ids.has(level)) : [];
    }

    #show() {
        if (!this.#report) return;
        this.#draw();
        this.#mark();
        this.#describe();
    }

    // What is drawn

    #draw() {
        this.#clear();
        if (!this.#report) return;
        const features = this.#onFloor(this.#report.cut_off).map(({ feature }) => this.#page.live.feature(feature))
            .filter((feature) => feature?.type === "unit" && feature.geometry)
            .map(({ id, geometry }) => ({ type: "Feature", geometry, properties: { id } }));
        if (features.length === 0) return;
        this.#map.addSource(source, { type: "geojson", data: { type: "FeatureCollection", features }, tolerance: 0.1, buffer: 32 });
        for (const { slot, ...layer } of cutOffLayers(mapColours())) this.#map.addLayer({ source, ...layer }, slot);
    }

    #clear() {
        if (!this.#map.getSource(source)) return;
        for (const { id } of cutOffLayers(mapColours())) this.#map.removeLayer(id);
        this.#map.removeSource(source);
    }

    /** Several reasons may be about the same feature. */
    #mark() {
        const mends = Map.groupBy(this.#onFloor(this.#report.mend), ({ feature }) => feature);
        this.#marks = [...mends].flatMap(([id, reasons]) => {
            const feature = this.#page.live.feature(id);
            const at = feature ? labelPointOf(feature)?.position : null;
            return at ? [{ at, element: this.#markElement(id, reasons) }] : [];
        });
        this.#container.setAttribute("aria-label", localized("desk.reachability.layer.mend", { n: formatNumber(this.#marks.length) }));
        this.#container.replaceChildren(...this.#marks.map(({ element }) => element));
        this.#placeMarks();
    }

    #markElement(id, reasons) {
        const name = labelText(reasons[0].name);
        const texts = reasons.flatMap(({ code, units, occupants }) =>
            [codeText(code), localized("desk.reachability.effect", { units: formatNumber(units), occupants: formatNumber(occupants) })]);
        const text = [name, ...texts].filter(Boolean).join("\n");
        // The list is for the keyboard: a floor may have hundreds of marks.
        return h("a", {
            class: "finding-mark is-warning", href: `#/${this.#page.venue}?feature=${id}&cut_off=1`, tabindex: -1, title: text, "aria-label": text,
        }, "!");
    }

    #placeMarks() {
        for (const { at, element } of this.#marks) {
            const { x, y } = this.#map.project(at);
            element.style.translate = `${x}px ${y}px`;
        }
    }

    // What is said

    #describe() {
        const { reasons, status, cut_off: cutOff } = this.#report;
        const unknown = reasons.some(({ code }) => code === "too-far") ? "unknownTooFar" : "unknown";
        const entry = (name, n, swatch) => h("li", {}, swatch, localized(`desk.reachability.layer.${name}`, { n: formatNumber(n) }));
        const close = localized("desk.reachability.layer.close");
        fill(this.element,
            h("div", { class: "cut-off-head" },
                h("h2", { id: "cut-off-title" }, localized("desk.reachability.layer")),
                h("button", { type: "button", class: "bare", "aria-label": close, title: close, onclick: () => this.#page.onClose() }, icon("close"))),
            status === "unknown" && h("p", {}, localized(`desk.reachability.${unknown}`)),
            h("ul", {},
                entry("cutOff", this.#onFloor(cutOff).length, h("span", { class: "cut-off-swatch", "aria-hidden": "true" })),
                entry("mend", this.#marks.length, h("span", { class: "finding-mark is-warning", "aria-hidden": "true" }, "!"))),
            h("a", { href: `#/${this.#page.venue}/desk/reachability` }, localized("desk.reachability.layer.list")));
    }
}
