// A page without a browser, for modules that create elements: a document by jsdom, and what jsdom lacks. It knows no layout, styles
// or drawing; what depends on those is tested in a browser. Import this module before those of the console.

import "./generated-modules.js";
import { createRequire } from "node:module";

// Wherever the machine is: another time zone than that of the mall.
process.env.TZ = "America/New_York";

// Debian's package node-jsdom.
const { JSDOM, VirtualConsole } = createRequire("/usr/share/nodejs/")("/usr/share/nodejs/jsdom");

export const { window } = new JSDOM(
    `<!doctype html><html lang="en"><body><button id="skip"></button><header id="bar"></header><main id="main"></main>
     <div id="toasts"></div></body></html>`,
    { url: "http://venue.test/", pretendToBeVisual: true, virtualConsole: new VirtualConsole() });

// Node has its own of these, which work with its `fetch`.
const own = new Set(["AbortController", "AbortSignal", "Headers", "FormData", "Blob", "URL", "URLSearchParams", "performance", "crypto", "queueMicrotask"]);
for (const name of Object.getOwnPropertyNames(window)) {
    if (own.has(name) || name in globalThis && !["Event", "EventTarget", "CustomEvent", "navigator"].includes(name)) continue;
    Object.defineProperty(globalThis, name, { configurable: true, get: () => window[name], set: (value) => { window[name] = value; } });
}
for (const name of ["Event", "EventTarget", "CustomEvent", "navigator"]) {
    Object.defineProperty(globalThis, name, { configurable: true, writable: true, value: window[name] });
}

class Observer {
    observe() {}
    unobserve() {}
    disconnect() {}
}
Object.assign(window, { ResizeObserver: Observer, IntersectionObserver: Observer });
Object.assign(globalThis, { ResizeObserver: Observer, IntersectionObserver: Observer });
// A frame is a timer, so that time has to pass for it where a test decides about time. That of jsdom is an interval for all of them.
window.requestAnimationFrame = (act) => setTimeout(() => act(performance.now()), 16);
window.cancelAnimationFrame = (timer) => clearTimeout(timer);
window.matchMedia = (media) => ({ media, matches: false, addEventListener() {}, removeEventListener() {} });
globalThis.matchMedia = window.matchMedia;
window.Element.prototype.scrollIntoView = () => {};

// Dialogs: jsdom has the element, but not what opens and closes it.
Object.assign(window.HTMLDialogElement.prototype, {
    show() { this.open = true; },
    showModal() { this.open = true; },
    close() {
        if (!this.open) return;
        this.open = false;
        this.dispatchEvent(new window.Event("close"));
    },
});

/** The text of an element as a reader sees it, with single spaces. */
export const textOf = (element) => element.textContent.replace(/\s+/g, " ").trim();

/** The only element of a selector. */
export function only(selector, root = document) {
    const found = [...root.querySelectorAll(selector)];
    if (found.length !== 1) throw new Error(`${found.length} elements match ${selector}, not one`);
    return found[0];
}
