// Drawing that waits while a pointer is pressed: a button that is replaced between press and release is not clicked.

export class Press {
    #isHeld = false;
    /** What waits for the release. */
    #draw = null;

    /** `element` contains what is drawn. */
    constructor(element) {
        element.addEventListener("pointerdown", () => {
            this.#isHeld = true;
            const released = new AbortController();
            const end = () => {
                released.abort();
                // The click follows in the same task.
                setTimeout(() => this.#release());
            };
            for (const name of ["pointerup", "pointercancel"]) addEventListener(name, end, { signal: released.signal });
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
