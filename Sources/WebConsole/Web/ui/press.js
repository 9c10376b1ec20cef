// Drawing that waits while the mouse is pressed on a button or link: one that is replaced between press and release is not clicked. A tap
// needs no such delay, because browsers look for its target when it ends.

export class Press {
    #isHeld = false;
    #timer = null;
    /** What waits for the release. */
    #draw = null;

    /** `element` contains what is drawn. */
    constructor(element) {
        element.addEventListener("pointerdown", (event) => {
            if (event.pointerType !== "mouse" || event.button !== 0 || event.ctrlKey || !event.target.closest("button, a")) return;
            clearTimeout(this.#timer);
            this.#isHeld = true;
            const released = new AbortController();
            const end = () => {
                released.abort();
                // The click follows in the same task.
                this.#timer = setTimeout(() => this.#release());
            };
            for (const name of ["pointerup", "pointercancel", "contextmenu", "blur"]) addEventListener(name, end, { signal: released.signal });
        });
        // What a click changes is drawn at once.
        element.addEventListener("click", () => { this.#isHeld = false; }, { capture: true });
    }

    /** Whether `draw` has to wait. Then it is called after the release, unless another one follows. */
    delays(draw) {
        this.#draw = this.#isHeld ? draw : null;
        return this.#isHeld;
    }

    #release() {
        this.#isHeld = false;
        this.#draw?.();
        this.#draw = null;
    }
}
