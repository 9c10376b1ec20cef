// The layout of the map page, and the status line: the connection, and on request the revision and its verification.

import { fill, h, icon } from "../ui/element.js";
import { legend } from "./legend.js";
import { languageSwitch } from "../ui/bar.js";
import { mapTools } from "./map-tools.js";
import { isolated, withNames } from "../ui/names.js";
import { StoredFloors } from "./stored-floors.js";
import { formatTime, localized } from "../localization/localization.js";

/** After how long a floor that is still loading is said to take long, in milliseconds: on a dead line, a request does not fail for minutes. */
const slowDelay = 8_000;
/** After how long a map without a floor says that it is loading, in milliseconds. */
const firstDelay = 500;

/** `tools` are the callbacks of `mapTools`, `floors` are the `VenueFloors`, `mode` is that of `mapMode`, `attribution` the text of a basemap. */
export function mapFrame({ picker, panel, floors, tools, mode, attribution = null }) {
    const canvas = h("div", { class: "map-canvas" });
    const note = h("p", { class: "map-note", role: "status" });
    const status = h("summary");
    const [meaning, verified] = [h("p"), h("p")];
    const facts = h("div", { class: "live-facts" }, meaning, verified);
    let stored = null;
    // What the revision and the verification mean is there for those who ask.
    const state = mode.isPreview ? h("p", { class: "live-state" }) : h("details", { class: "live-state" }, status, facts);
    const corner = h("div", { class: "map-corner" });
    // The page around the preview of an upload has a heading of its own.
    const title = h(mode.isPreview && !mode.hasBar ? "h3" : "h1", { class: "visually-hidden" });
    const buttons = mapTools(tools);
    const side = h("div", { class: "map-side" }, picker, buttons.element);
    /** The legend of a layer that is shown besides. */
    const layer = h("div", { class: "map-layer" });
    const element = h(
        "div", { class: `map-page ${mode.isEmbedded ? "is-embedded" : ""} ${mode.isKiosk ? "is-kiosk" : ""}` },
        title, panel, canvas, side, corner,
        attribution && h("p", { class: "map-attribution" }, attribution), note);

    function retranslate() {
        buttons.retranslate();
        // The bar has the switch of the language otherwise.
        fill(corner, !mode.hasBar && !mode.isPreview && languageSwitch({ isRemembered: !mode.isKiosk }), legend(), layer, state, buttons.scale);
    }
    retranslate();

    /** Where the sheet of the panel begins, which is that of the search or of directions; `otherwise` if none is shown. */
    function sheetTop(otherwise) {
        const boxes = [...panel.querySelectorAll(".panel-body")].map((each) => each.getBoundingClientRect());
        return boxes.find(({ height }) => height > 0)?.top ?? otherwise;
    }

    let slow = null;
    return {
        element, canvas, note, retranslate,
        revision: null,

        /** Shows the scale and the bearing of a MapLibre map. */
        follow(map) {
            buttons.follow(map);
        },

        /** The parts of the map that the panel and the floor picker cover, in pixels, plus a margin on every side. */
        padding(margin = 0) {
            const isWide = matchMedia("(min-width: 720px)").matches;
            // Not `offsetWidth`: a kiosk enlarges the panel.
            const [frame, cover] = [element, panel].map((each) => each.getBoundingClientRect());
            const zoom = panel.currentCSSZoom ?? 1;
            const isSheet = !isWide && panel.classList.contains("expanded");
            // On a kiosk that is higher than wide, the panel is below the map.
            const isBelow = isWide && cover.top > frame.top + frame.height / 2;
            // The keyboard of a kiosk lifts the sheet for a while only, for which the map does not move.
            const sheet = element.classList.contains("has-keyboard") ? frame.height * 0.45 : frame.bottom - sheetTop(frame.bottom);
            const bottom = isSheet ? sheet : 40 * zoom + (isBelow ? frame.bottom - cover.top : 0);
            // On low screens, the tools are beside the floors.
            const right = matchMedia("(max-height: 620px)").matches ? 124 : isWide || isSheet ? 64 : 52;
            // Directions are a sheet, without the search above the map.
            const top = isWide || panel.classList.contains("has-directions") ? 0 : Math.max(110, cover.bottom - frame.top);
            const left = isWide && !isBelow ? cover.right - frame.left + 8 : 0;
            return {
                left: left + margin, right: right * zoom + margin, top: top + margin,
                bottom: bottom + margin,
            };
        },

        /** What is over the map, as `{left, top, right, bottom}` in pixels of the map: the panel, the floors, and everything else in the corners. */
        covers() {
            const { left: x, top: y } = canvas.getBoundingClientRect();
            return [panel, side, corner].flatMap((each) => [...each.children]).map((each) => each.getBoundingClientRect())
                .filter(({ width, height }) => width > 0 && height > 0)
                .map(({ left, top, right, bottom }) => ({ left: left - x, top: top - y, right: right - x, bottom: bottom - y }));
        },

        /** Shows the legend of a layer beside that of the map, until it is removed. */
        showLayer(legend) {
            fill(layer, legend);
        },

        setTitle(text) {
            title.textContent = text;
        },

        setNote(text) {
            clearTimeout(slow);
            fill(note, text && withNames(text));
        },

        /**
         * Says that a floor is loading, and after a while that it takes long; null for none. The first one is not said to be before it takes a moment,
         * and has no title yet.
         */
        setLoading(title, { isFirst = false } = {}) {
            this.setNote(title && localized("map.loadingFloor", { floor: isolated(title) }));
            if (isFirst) slow = setTimeout(() => this.setNote(localized("map.loadingMap")), firstDelay);
            else if (title) slow = setTimeout(() => this.setNote(localized("map.loadingSlowly", { floor: isolated(title) })), slowDelay);
        },

        /** Says that the venue has no floors, without the tools for them. */
        showNoFloors() {
            element.classList.add("has-no-floors");
            this.setNote(localized("map.noFloors"));
        },

        /**
         * Shows the state of the connection, and the revision, whose digests, or signature, were verified. While there is no connection, `live` is not
         * claimed, and the revision is the one that was verified last.
         */
        setState(connection, replica) {
            this.revision ??= replica.revision;
            state.className = `live-state ${connection}`;
            if (mode.isPreview) return void fill(state, localized("map.preview"));
            // Only their contents change, so that the focus stays and what is open stays open.
            fill(status, h("span", { class: "dot", "aria-hidden": "true" }), connectionText(connection, replica.asOf), h("span", { class: "chevron" }, icon("chevron")));
            const verification = replica.isSigned ? "map.signed" : "map.verified";
            fill(meaning, localized(`${verification}.meaning`));
            fill(verified, localized("venues.revision", { n: replica.revision }), " · ", localized(verification));
            if (!stored) {
                stored = new StoredFloors(replica, floors, { onLeave: () => status.focus() });
                meaning.after(stored.element);
            }
            stored.update();
            state.dataset.revision = replica.revision;
        },
    };
}

/** The state of a connection; without one, also the time until which the map is known to be right. */
function connectionText(connection, asOf) {
    const state = localized(`map.${connection}`);
    if (!asOf || !["offline", "disconnected"].includes(connection)) return state;
    const isToday = asOf.toDateString() === new Date().toDateString();
    const date = isToday ? {} : { month: "short", day: "numeric" };
    return localized("map.asOf", { state, time: formatTime(asOf, { ...date, hour: "2-digit", minute: "2-digit", timeZoneName: "short" }) });
}
