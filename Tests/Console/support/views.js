// What is in view, which a test decides: nothing has a place on a screen. Import it before the modules of the console.

const observers = new Set();
let isSeen = () => true;

class Observer {
    #targets = new Set();

    constructor(act) {
        this.act = act;
        observers.add(this);
    }

    observe(target) {
        this.#targets.add(target);
        queueMicrotask(() => isSeen(target) && this.report(target, [true]));
    }

    unobserve(target) {
        this.#targets.delete(target);
    }

    disconnect() {
        this.#targets.clear();
        observers.delete(this);
    }

    /** Browsers report the last states of an element together. */
    report(target, states) {
        if (this.#targets.has(target)) this.act(states.map((isIntersecting) => ({ target, isIntersecting })), this);
    }
}
globalThis.IntersectionObserver = window.IntersectionObserver = Observer;

/** Which elements are in view as soon as they are observed. */
export function atSight(isElementSeen) {
    isSeen = isElementSeen;
}

/** Reports an element, which had these states. */
export function comeIntoView(element, states = [true]) {
    for (const observer of [...observers]) observer.report(element, states);
}
