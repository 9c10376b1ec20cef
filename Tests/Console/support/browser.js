// What modules use of a browser besides what `page.js` has: events of the window and of pointers, and the state of the network.

import { window } from "./page.js";

// The signals that end listeners are those of Node, which jsdom does not know.
const { prototype } = window.EventTarget;
const { addEventListener: addOwn } = prototype;
prototype.addEventListener = function addEventListener(name, listener, options) {
    if (!(options?.signal instanceof AbortSignal)) return addOwn.call(this, name, listener, options);
    const { signal, ...rest } = options;
    if (signal.aborted) return undefined;
    signal.addEventListener("abort", () => this.removeEventListener(name, listener, rest), { once: true });
    return addOwn.call(this, name, listener, rest);
};
window.addEventListener = prototype.addEventListener;

for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) globalThis[name] ??= window[name].bind(window);

class PointerEvent extends window.MouseEvent {
    constructor(name, { pointerType = "mouse", pointerId = 1, ...rest } = {}) {
        super(name, { bubbles: true, cancelable: true, ...rest });
        Object.assign(this, { pointerType, pointerId });
    }
}
globalThis.PointerEvent = window.PointerEvent ??= PointerEvent;
window.Element.prototype.setPointerCapture ??= () => {};

// As in index.html.
document.getElementById("main").tabIndex = -1;

// jsdom does not know `:focus-within`, and nothing is hovered.
const { matches } = window.Element.prototype;
window.Element.prototype.matches = function (selector) {
    return selector === ":hover, :focus-within" ? this.contains(document.activeElement) : matches.call(this, selector);
};

let isOnline = true;
Object.defineProperty(window.navigator, "onLine", { configurable: true, get: () => isOnline });

/** Lets the browser lose its network, or have it again, and say so. */
export function setOnline(value) {
    isOnline = value;
    window.dispatchEvent(new window.Event(value ? "online" : "offline"));
}

/** Sets the value of a field as if it had been typed. */
export function type(field, text) {
    field.focus();
    field.value = text;
    field.dispatchEvent(new window.Event("input", { bubbles: true }));
}

export const press = (key, element = document.activeElement, more = {}) =>
    element.dispatchEvent(new window.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more }));
