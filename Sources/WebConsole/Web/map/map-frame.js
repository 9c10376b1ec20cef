// The layout of the map page, and the status line: connection, revision, verification.

import { fill, h } from "../ui/element.js";
import { legend } from "./legend.js";
import { mapTools } from "./map-tools.js";
import { localized } from "../localization/localization.js";

/** `tools` are the callbacks of `mapTools`. */
export function mapFrame({ picker, panel, tools }) {
    const canvas = h("div", { class: "map-canvas" });
    const note = h("p", { class: "map-note", role: "status" });
    const state = h("p", { class: "live-state" });
    const corner = h("div", { class: "map-corner" });
    const title = h("h1", { class: "visually-hidden" });
    const buttons = mapTools(tools);
    const element = h(
        "div", { class: "map-page" }, title, panel, canvas, h("div", { class: "map-side" }, picker, buttons.element), corner, note);

    function retranslate() {
        buttons.retranslate();
        fill(corner, legend(), state, buttons.scale);
    }
    retranslate();

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
            const covered = isWide ? panel.offsetWidth + 24 : 0;
            const isSheet = !isWide && panel.classList.contains("expanded");
            const bottom = isSheet ? element.offsetHeight * 0.45 : 40;
            return {
                left: covered + margin, right: (isWide || isSheet ? 64 : 52) + margin, top: (isWide ? 0 : 110) + margin,
                bottom: bottom + margin,
            };
        },

        setTitle(text) {
            title.textContent = text;
        },

        setNote(text) {
            fill(note, text);
        },

        /**
         * Shows the state of the connection, and the revision, whose digests, or signature, were verified. While there is no connection, `live` is not
         * claimed, and the revision is the one that was verified last.
         */
        setState(connection, replica) {
            this.revision ??= replica.revision;
            state.className = `live-state ${connection}`;
            fill(
                state, h("span", { class: "dot", "aria-hidden": "true" }), localized(`map.${connection}`), " · ",
                localized("venues.revision", { n: replica.revision }), " · ",
                localized(replica.isSigned ? "map.signed" : "map.verified"));
            state.dataset.revision = replica.revision;
        },
    };
}
