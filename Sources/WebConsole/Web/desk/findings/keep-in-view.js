// Keeps an element at the top of the window while the page above and below it is still loading.

/** What users do to scroll. Afterwards the page stays where they left it. */
const scrollingEvents = ["wheel", "touchstart", "pointerdown", "keydown"];

/**
 * Scrolls an element to the top, below what sticks there, and again whenever the size of its `page` changes: until the user scrolls or
 * the returned function is called.
 */
export function keepInView(element, page, signal) {
    const stopping = new AbortController();
    const stop = () => stopping.abort();
    const observer = new ResizeObserver(() => element.scrollIntoView({ block: "start" }));
    const ending = AbortSignal.any([signal, stopping.signal]);
    ending.addEventListener("abort", () => observer.disconnect(), { once: true });
    for (const name of scrollingEvents) window.addEventListener(name, stop, { signal: ending, capture: true, passive: true });
    element.scrollIntoView({ block: "start" });
    observer.observe(page);
    return stop;
}
