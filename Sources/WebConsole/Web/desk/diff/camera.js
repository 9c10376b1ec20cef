// What part of the plane an SVG shows: dragging, pinching, wheel, keys. Whoever draws is told when the scale changes.

const step = 1.35;
const nearest = 3; // metres across, at least

export class Camera {
    /** @param onScale is called with the metres that a pixel covers. */
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

    /** Shows a box with room around it, and takes it as what `reset` returns to. */
    fit(box, { isHome = true } = {}) {
        if (!box) return;
        const width = Math.max(box.right - box.left, nearest);
        const height = Math.max(box.bottom - box.top, nearest);
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
        const width = Math.min(Math.max(this.view.width / factor, nearest), this.home.width * 20);
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

    /** All that is seen: the element is seldom as wide as the view is. */
    visible() {
        const { width, height } = this.element.getBoundingClientRect();
        const scale = this.element.getScreenCTM()?.a;
        if (!scale || width === 0) return this.view;
        const centre = this.centre();
        return { x: centre.x - width / scale / 2, y: centre.y - height / scale / 2, width: width / scale, height: height / scale };
    }

    /** A place of the screen in the plane. */
    locate(event) {
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
            // Taken only now, so that a click still reaches what lies under the pointer.
            this.element.setPointerCapture(event.pointerId);
            const [old, now] = [this.locate(before), this.locate(event)];
            this.pan(old.x - now.x, old.y - now.y);
        } else {
            const [other] = others;
            const apart = (pointer) => Math.hypot(pointer.clientX - other.clientX, pointer.clientY - other.clientY);
            const middle = { clientX: (event.clientX + other.clientX) / 2, clientY: (event.clientY + other.clientY) / 2 };
            if (apart(before) > 0) this.zoom(apart(event) / apart(before), this.locate(middle));
        }
        this.hasMoved = true;
        this.pointers.set(event.pointerId, event);
    }

    release(event) {
        this.pointers.delete(event.pointerId);
    }

    wheel(event) {
        event.preventDefault();
        this.zoom(Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.0015)), this.locate(event));
    }

    key(event) {
        const far = this.view.width / 8;
        const moves = {
            ArrowLeft: [-far, 0], ArrowRight: [far, 0], ArrowUp: [0, -far], ArrowDown: [0, far],
        };
        if (moves[event.key]) this.pan(...moves[event.key]);
        else if (event.key === "+" || event.key === "=") this.zoom(step);
        else if (event.key === "-") this.zoom(1 / step);
        else if (event.key === "0") this.reset();
        else return;
        event.preventDefault();
    }

    zoomIn() { this.zoom(step); }
    zoomOut() { this.zoom(1 / step); }
}
