// The difference of a floor on a map: both states over each other, or side by side with a seam to move.

import { Camera } from "./camera.js";
import { Drawing } from "./drawing.js";
import { extent, origin, whole } from "./scene.js";
import { h } from "../../ui/element.js";
import { Plane } from "./plane.js";
import { box } from "./shapes.js";
import { word } from "../../words/words.js";

export class DiffMap {
    #share = null;

    constructor({ sides, onPick }) {
        this.drawing = new Drawing((item) => {
            if (!this.camera.hasMoved) this.#pick(item.id, onPick);
        });
        this.camera = new Camera(this.drawing.element, (metres) => {
            this.drawing.scale(metres);
            this.#split();
        });
        this.empty = h("p", { class: "diff-empty" }, word("desk.diff.nowhere"));
        this.element = h(
            "div", { class: "diff-map" },
            this.#modes(),
            h("div", { class: "diff-canvas" },
                this.drawing.element, this.empty, this.#labels(sides), this.#handle(), this.#buttons()),
            this.#slider());
        this.drawing.element.setAttribute("aria-label", word("desk.diff.label"));
    }

    draw(scene) {
        const place = origin(scene);
        this.empty.hidden = place !== null;
        this.drawing.element.classList.toggle("is-empty", place === null);
        if (!place) return;
        this.scene = scene;
        this.plane = new Plane(place);
        this.drawing.draw(scene, this.plane);
        this.camera.fit(whole(scene, this.plane));
    }

    /** Brings one change into view. */
    focus(id) {
        this.drawing.mark(id);
        const item = this.scene?.items.find((item) => item.id === id);
        if (!item) return;
        const around = box([item.before?.geometry, item.after?.geometry,
            ...[item.at, item.from].filter(Boolean).map((coordinates) => ({ type: "Point", coordinates }))], this.plane);
        if (!around) return;
        // With enough around it to tell where it is.
        const room = Math.max(12, (around.right - around.left) * 0.8, (around.bottom - around.top) * 0.8);
        this.camera.fit({
            left: around.left - room, right: around.right + room, top: around.top - room, bottom: around.bottom + room,
        }, { isHome: false });
    }

    show(kind, isShown) { this.drawing.show(kind, isShown); }

    #pick(id, onPick) {
        this.drawing.mark(id);
        onPick(id);
    }

    #modes() {
        const buttons = ["over", "split"].map((mode) => h("button", {
            type: "button", class: "chip", "aria-pressed": String(mode === "over"),
            onclick: () => {
                this.#share = mode === "split" ? 0.5 : null;
                this.range.value = 50;
                this.range.parentElement.hidden = mode !== "split";
                this.element.classList.toggle("is-split", mode === "split");
                for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
                this.#split();
            },
            "data-mode": mode,
        }, word(`desk.diff.${mode}`)));
        return h("div", { class: "desk-chips", role: "group", "aria-label": word("desk.diff.view") }, buttons);
    }

    #labels(sides) {
        return ["before", "after"].map((side) =>
            h("span", { class: `diff-label diff-label-${side}` }, sides?.[side] ?? word(`desk.diff.${side}`)));
    }

    #slider() {
        this.range = h("input", {
            type: "range", id: "diff-seam", min: 0, max: 100, value: 50,
            oninput: () => {
                this.#share = this.range.value / 100;
                this.#split();
            },
        });
        return h("p", { class: "diff-slider", hidden: true }, h("label", { for: "diff-seam" }, word("desk.diff.seam")), this.range);
    }

    /** For pointers; the slider below does the same for everybody. */
    #handle() {
        const move = (event) => {
            if (!this.handle.hasPointerCapture(event.pointerId)) return;
            const { left, width } = this.drawing.element.getBoundingClientRect();
            this.#share = Math.min(1, Math.max(0, (event.clientX - left) / width));
            this.range.value = this.#share * 100;
            this.#split();
        };
        this.handle = h("div", {
            class: "diff-handle", "aria-hidden": "true", onpointermove: move,
            onpointerdown: (event) => {
                event.preventDefault();
                this.handle.setPointerCapture(event.pointerId);
            },
        }, "⇔");
        return this.handle;
    }

    #buttons() {
        const button = (name, sign, act) => h(
            "button", { type: "button", class: "quiet", "aria-label": word(`desk.diff.${name}`), onclick: act }, sign);
        return h(
            "div", { class: "diff-buttons" },
            button("in", "+", () => this.camera.zoomIn()), button("out", "−", () => this.camera.zoomOut()),
            button("whole", "⤢", () => this.camera.reset()),
            button("changes", "◎", () => this.plane && this.camera.fit(extent(this.scene, this.plane), { isHome: false })));
    }

    #split() {
        this.drawing.split(this.#share, this.camera.visible());
        // At the ends it stays whole, and within reach.
        this.handle.style.left = `clamp(22px, ${(this.#share ?? 0.5) * 100}%, calc(100% - 22px))`;
    }
}
