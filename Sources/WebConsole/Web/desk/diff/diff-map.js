// The difference of a level on a map: both states on top of each other, or split by a divider that can be moved.

import { Camera } from "./camera.js";
import { Drawing } from "./drawing.js";
import { extent, fullExtent, origin } from "./scene.js";
import { h, icon } from "../../ui/element.js";
import { Plane } from "./plane.js";
import { boundingBox } from "./shapes.js";
import { localized } from "../../localization/localization.js";

/** How much is shown around a mark, in metres. */
const pinMargin = 22;

export class DiffMap {
    /** The position of the divider, from 0 (left) to 1; null if the map is not split. */
    #divider = null;

    constructor({ sides, onPick }) {
        this.drawing = new Drawing((item) => {
            if (!this.camera.hasMoved) this.#pick(item.id, onPick);
        });
        this.camera = new Camera(this.drawing.element, (metres) => {
            this.drawing.scale(metres);
            this.#split();
        });
        this.empty = h("p", { class: "diff-empty" }, localized("desk.diff.empty"));
        this.element = h(
            "div", { class: "diff-map" },
            this.#modes(),
            h("div", { class: "diff-canvas" },
                this.drawing.element, this.empty, this.#labels(sides), this.#handle(), this.#buttons()),
            this.#slider());
        this.drawing.element.setAttribute("aria-label", localized("desk.diff.label"));
    }

    /** @param position a position to show if nothing in the scene has one. */
    draw(scene, position = null) {
        const centre = origin(scene) ?? position;
        this.empty.hidden = centre !== null;
        this.drawing.element.classList.toggle("is-empty", centre === null);
        if (!centre) return;
        this.scene = scene;
        this.plane = new Plane(centre);
        this.drawing.draw(scene, this.plane);
        this.camera.fit(fullExtent(scene, this.plane));
    }

    /** Selects a change and brings it into view. */
    focus(id) {
        this.drawing.select(id);
        const item = this.scene?.items.find((item) => item.id === id);
        if (!item) return;
        const bounds = boundingBox([item.before?.geometry, item.after?.geometry,
            ...[item.at, item.from].filter(Boolean).map((coordinates) => ({ type: "Point", coordinates }))], this.plane);
        if (!bounds) return;
        // In metres: enough of the surroundings to recognize the location.
        const margin = Math.max(12, (bounds.right - bounds.left) * 0.8, (bounds.bottom - bounds.top) * 0.8);
        this.camera.fit({
            left: bounds.left - margin, right: bounds.right + margin, top: bounds.top - margin, bottom: bounds.bottom + margin,
        }, { isHome: false });
    }

    /** Marks a position and brings it into view with its surroundings; null removes the mark. */
    pin(position) {
        if (!this.plane) return;
        this.drawing.pin(position);
        if (!position) return this.camera.reset();
        const [x, y] = this.plane.point(position);
        this.camera.fit({ left: x - pinMargin, right: x + pinMargin, top: y - pinMargin, bottom: y + pinMargin }, { isHome: false });
    }

    /** Marks the positions of findings, `{at, severity, text, findings}`. `onOpen` is called with the mark that was clicked. */
    mark(marks, onOpen) {
        if (this.plane) this.drawing.mark(marks, (mark) => this.camera.hasMoved || onOpen(mark));
    }

    show(kind, isShown) { this.drawing.show(kind, isShown); }

    #pick(id, onPick) {
        this.drawing.select(id);
        onPick(id);
    }

    #modes() {
        const buttons = ["overlay", "split"].map((mode) => h("button", {
            type: "button", class: "chip", "aria-pressed": String(mode === "overlay"),
            onclick: () => {
                this.#divider = mode === "split" ? 0.5 : null;
                this.range.value = 50;
                this.range.parentElement.hidden = mode !== "split";
                this.element.classList.toggle("is-split", mode === "split");
                for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
                this.#split();
            },
            "data-mode": mode,
        }, localized(`desk.diff.${mode}`)));
        return h("div", { class: "desk-chips", role: "group", "aria-label": localized("desk.diff.view") }, buttons);
    }

    #labels(sides) {
        return ["before", "after"].map((side) =>
            h("span", { class: `diff-label diff-label-${side}` }, sides?.[side] ?? localized(`desk.diff.${side}`)));
    }

    #slider() {
        this.range = h("input", {
            type: "range", id: "diff-divider", min: 0, max: 100, value: 50,
            oninput: () => {
                this.#divider = this.range.value / 100;
                this.#split();
            },
        });
        const label = h("label", { for: "diff-divider" }, localized("desk.diff.divider"));
        return h("p", { class: "diff-slider", hidden: true }, label, this.range);
    }

    /** A handle to drag the divider. The slider below does the same, and is accessible by keyboard. */
    #handle() {
        const move = (event) => {
            if (!this.handle.hasPointerCapture(event.pointerId)) return;
            const { left, width } = this.drawing.element.getBoundingClientRect();
            this.#divider = Math.min(1, Math.max(0, (event.clientX - left) / width));
            this.range.value = this.#divider * 100;
            this.#split();
        };
        this.handle = h("div", {
            class: "diff-handle", "aria-hidden": "true", onpointermove: move,
            onpointerdown: (event) => {
                event.preventDefault();
                this.handle.setPointerCapture(event.pointerId);
            },
        }, icon("resize"));
        return this.handle;
    }

    #buttons() {
        const button = (name, iconName, act) => {
            const label = localized(`desk.diff.${name}`);
            return h("button", { type: "button", class: "quiet", "aria-label": label, title: label, onclick: act }, icon(iconName));
        };
        return h(
            "div", { class: "diff-buttons" },
            button("zoomIn", "plus", () => this.camera.zoomIn()), button("zoomOut", "minus", () => this.camera.zoomOut()),
            button("fullExtent", "fit", () => this.camera.reset()),
            button("changesExtent", "target", () => this.plane && this.camera.fit(extent(this.scene, this.plane), { isHome: false })));
    }

    #split() {
        this.drawing.split(this.#divider, this.camera.visible());
        // Stays completely inside the map.
        this.handle.style.left = `clamp(22px, ${(this.#divider ?? 0.5) * 100}%, calc(100% - 22px))`;
    }
}
