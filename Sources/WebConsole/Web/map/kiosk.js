// A map on a public screen: it marks where the screen is, has a keyboard for the search, shows the start view again when nobody has touched
// it for a while, and offers nothing that leaves the map.

import { h, icon } from "../ui/element.js";
import { floorPositions } from "./floors.js";
import { lazyModule } from "../lazy-module.js";
import { metresBetween } from "../client/map/geometry.js";
import { toast } from "../ui/toast.js";
import { formatNumber, localization, localized } from "../localization/localization.js";

/** How often the time since the last touch is compared, in milliseconds. */
const interval = 1_000;
const activities = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart", "input"];

/** What the mark of the screen takes on every side of its position, in pixels, with its text, which is below it; and how high it is above. */
const [markRoom, markTop] = [56, 24];

/** How far from its floor a kiosk may be, in metres. A position that is farther away is a mistake, such as exchanged coordinates. */
const maximumDistance = 1_000;

/** The position of the screen; null, with a message, if it is far from all `positions` of its floor. */
function positionNear(at, positions) {
    if (!at || positions.length === 0) return at;
    const metres = Math.min(...positions.map((position) => metresBetween(at, position)));
    if (metres <= maximumDistance) return at;
    toast(localized("map.kioskFarAway", { n: formatNumber(Math.round(metres / 1_000)) }), "problem");
    return null;
}

/**
 * The kiosk of a `mode`. Its floor is the one that its address had at first; afterwards the address follows what visitors open. `onIdle(ordinal)`
 * shows the start view of that floor.
 */
export function startKiosk(map, mode, floor, { live, signal, onIdle }) {
    const home = Number.parseInt(mode.parameters.home ?? floor?.ordinal, 10) || 0;
    mode.parameters.home = String(home);
    return new Kiosk(map, {
        at: positionNear(mode.at, floorPositions(floor, live)), ordinal: home, idleTime: mode.idleTime, signal, onIdle: () => onIdle(home),
    });
}

/** How much larger the labels of a kiosk are. */
export const kioskLabelScale = 1.35;

class Kiosk {
    #map;
    #venueMap;
    #at;
    #ordinal;
    #marker = null;
    #lastActivity = Date.now();
    #isUsed = false;
    #signal;
    #keyboard = null;

    /** `map` is the `VenueMap`, `at` the position of the screen, or null, `ordinal` its floor. `onIdle` shows the start view. */
    constructor(map, { at, ordinal, idleTime, signal, onIdle }) {
        this.#map = map.mapLibre;
        this.#venueMap = map;
        const { hasWalls } = map;
        this.#at = at;
        this.#ordinal = ordinal;
        this.#signal = signal;
        map.mark = at && { ordinal, at, room: markRoom };
        if (at) this.#addMarker();
        for (const name of activities) {
            // On the window, because dialogs are not in the element.
            window.addEventListener(name, () => this.#touch(), { capture: true, passive: true, signal });
        }
        // Links, for example in texts of findings, and the menu of a long touch.
        const stay = (event) => { if (event.target.closest?.("a[href]")) event.preventDefault(); };
        window.addEventListener("click", stay, { capture: true, signal });
        window.addEventListener("contextmenu", (event) => event.preventDefault(), { capture: true, signal });
        const check = () => {
            if (!this.#isUsed || Date.now() - this.#lastActivity < idleTime * 1_000) return;
            this.#isUsed = false;
            for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
            this.#keyboard?.hide();
            document.activeElement?.blur();
            for (const each of document.querySelectorAll("details[open]")) each.open = false;
            map.hasWalls = hasWalls;
            const { language, initialLanguage } = localization;
            if (language !== initialLanguage) localization.setLanguage(initialLanguage, { isRemembered: false });
            onIdle();
        };
        // A click on a field that has the focus already shows the keyboard again.
        for (const name of ["focusin", "click"]) {
            window.addEventListener(name, ({ target }) => { if (target.id === "search") this.#showKeyboard(target); }, { signal });
        }
        // Timers do not run while the screen sleeps, so that the time is compared when it wakes up.
        const timer = setInterval(check, interval);
        document.addEventListener("visibilitychange", check, { signal });
        window.addEventListener("pageshow", check, { signal });
        signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    }

    /** The position of the screen, `{at, ordinal}`; null if the address has none. */
    get position() {
        return this.#at && { at: this.#at, ordinal: this.#ordinal };
    }

    /** Shows the keyboard of the screen for a field. If its module cannot be loaded, the next touch tries again. */
    async #showKeyboard(field) {
        const { ScreenKeyboard } = await lazyModule(() => import("./screen-keyboard.js")).catch(() => ({}));
        if (!ScreenKeyboard || this.#signal.aborted || document.activeElement !== field) return;
        this.#keyboard ??= new ScreenKeyboard(this.#signal);
        this.#keyboard.show(field);
    }

    #touch() {
        this.#lastActivity = Date.now();
        this.#isUsed = true;
    }

    #addMarker() {
        this.#marker = h("div", { class: "you-are-here", role: "img" }, icon("person"), h("span", { "aria-hidden": "true" }));
        this.retranslate();
        this.#map.getContainer().append(this.#marker);
        this.#map.on("render", () => {
            const { x, y } = this.#map.project(this.#at);
            this.#marker.style.translate = `${x}px ${y}px`;
        });
    }

    /** The marker is only on the floor of the screen. */
    show(floor) {
        if (!this.#marker) return;
        const isHere = floor.ordinal === this.#ordinal;
        this.#marker.hidden = !isHere;
        const mark = { at: this.#at, place: null, left: -markRoom, top: -markTop, right: markRoom, bottom: markRoom };
        this.#venueMap.keepClear("kiosk", isHere ? { marks: [mark] } : null);
    }

    retranslate() {
        // The search field is another one in another language.
        this.#keyboard?.hide();
        if (!this.#marker) return;
        this.#marker.setAttribute("aria-label", localized("map.youAreHere"));
        this.#marker.querySelector("span").textContent = localized("map.youAreHere");
    }
}
