// The visible part of an SVG drawing, changed by dragging, pinching, wheel and keyboard.

const zoomStep = 1.35;
/** The smallest visible extent, in metres. */
const minimumExtent = 3;

export class Camera {
    /** @param onScale is called with the metres per pixel when the scale may have changed. */
    constructor(element, onScale) {
        this.element = element;
        this.onScale = onScale;
        this.home = this.view = { x: -50, y: -50, width: 100, height: 100 };
        this.pointers = new Map();
        element.addEventListener("pointerdown", (event) => this.press(event));
        element.addEventListener("pointermove", (event) => this.drag(event));
        for (const name of ["pointerup", "pointercancel"]) element.addEventListener(name, (event) => this.release(event));
        element.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
        element.addEventListener("keydown", (event) => this.key(event));
        new ResizeObserver(() => this.apply()).observe(element);
    }

    /** Shows a bounding box with a margin. With `isHome`, `reset` returns to it. */
    fit(box, { isHome = true } = {}) {
        if (!box) return;
        const width = Math.max(box.right - box.left, minimumExtent);
        const height = Math.max(box.bottom - box.top, minimumExtent);
        const margin = Math.max(width, height) * 0.06;
        this.view = {
            x: (box.left + box.right - width) / 2 - margin, y: (box.top + box.bottom - height) / 2 - margin,
            width: width + 2 * margin, height: height + 2 * margin,
        };
        if (isHome) this.home = { ...this.view };
        this.apply();
    }

    reset() {
        this.view = { ...this.home };
        this.apply();
    }

    zoom(factor, around = this.centre()) {
        const width = Math.min(Math.max(this.view.width / factor, minimumExtent), this.home.width * 20);
        const actual = this.view.width / width;
        this.view = {
            x: around.x - (around.x - this.view.x) / actual, y: around.y - (around.y - this.view.y) / actual,
            width, height: this.view.height / actual,
        };
        this.apply();
    }

    pan(x, y) {
        this.view = { ...this.view, x: this.view.x + x, y: this.view.y + y };
        this.apply();
    }

    centre() {
        return { x: this.view.x + this.view.width / 2, y: this.view.y + this.view.height / 2 };
    }

    /** The visible part of the plane. It is larger than `view` unless the element has the same aspect ratio. */
    visible() {
        const { width, height } = this.element.getBoundingClientRect();
        const scale = this.element.getScreenCTM()?.a;
        if (!scale || width === 0) return this.view;
        const centre = this.centre();
        return { x: centre.x - width / scale / 2, y: centre.y - height / scale / 2, width: width / scale, height: height / scale };
    }

    /** Converts screen coordinates to the plane. */
    toPlane(event) {
        const matrix = this.element.getScreenCTM();
        return matrix ? new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse()) : this.centre();
    }

    apply() {
        const { x, y, width, height } = this.view;
        this.element.setAttribute("viewBox", [x, y, width, height].join(" "));
        const scale = this.element.getScreenCTM()?.a;
        if (scale) this.onScale(1 / scale);
    }

    press(event) {
        if (event.button > 0) return;
        this.pointers.set(event.pointerId, event);
        this.hasMoved = false;
    }

    drag(event) {
        const before = this.pointers.get(event.pointerId);
        if (!before) return;
        const others = [...this.pointers.values()].filter((pointer) => pointer.pointerId !== event.pointerId);
        if (others.length === 0) {
            if (!this.hasMoved && Math.hypot(event.clientX - before.clientX, event.clientY - before.clientY) < 4) return;
            // Not captured on press, so that a click still reaches the element under the pointer.
            this.element.setPointerCapture(event.pointerId);
            const [old, now] = [this.toPlane(before), this.toPlane(event)];
            this.pan(old.x - now.x, old.y - now.y);
        } else {
            const [other] = others;
            const distance = (pointer) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
            const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
            if (distance(before) > 0) this.zoom(distance(event) / distance(before), this.toPlane(middle));
        }
        this.hasMoved = true;
        this.pointers.set(event.pointerId, event);
    }

    release(event) {
        this.pointers.delete(event.pointerId);
    }

    wheel(event) {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), this.toPlane(event));
    }

    key(event) {
        const distance = this.view.width / 8;
        const moves = {
            ArrowLeft: [-distance, 0], ArrowRight: [distance, 0], ArrowUp: [0, -distance], ArrowDown: [0, distance],
        };
        if (moves[event.key]) this.pan(...moves[event.key]);
        else if (event.key === "+" || event.key === "=") this.zoom(zoomStep);
        else if (event.key === "-") this.zoom(1 / zoomStep);
        else if (event.key === "0") this.reset();
        else return;
        event.preventDefault();
    }

    zoomIn() { this.zoom(zoomStep); }
    zoomOut() { this.zoom(1 / zoomStep); }
}
