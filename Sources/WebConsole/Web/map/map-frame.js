// Where everything stands on the map's page, and the line that says whether what is shown is the newest.

import { fill, h } from "../ui/element.js";
import { legend } from "./legend.js";
import { word } from "../words/words.js";

export function mapFrame({ picker, panel, onZoom, onFit }) {
    const canvas = h("div", { class: "map-canvas" });
    const note = h("p", { class: "map-note", role: "status" });
    const state = h("p", { class: "live-state" });
    const tools = h("div", { class: "map-tools", role: "group" });
    const corner = h("div", { class: "map-corner" });
    const title = h("h1", { class: "unseen" });
    const element = h("div", { class: "map-page" }, title, panel, canvas, h("div", { class: "map-side" }, picker, tools), corner, note);

    function retranslate() {
        const tool = (label, sign, act) => h("button", { type: "button", "aria-label": label, title: label, onclick: act }, sign);
        tools.setAttribute("aria-label", word("map.tools"));
        fill(tools, tool(word("map.zoomIn"), "+", () => onZoom(1)), tool(word("map.zoomOut"), "−", () => onZoom(-1)),
            tool(word("map.fit"), "⌂", onFit));
        fill(corner, legend(), state);
    }
    retranslate();

    return {
        element, canvas, note, retranslate,
        revision: null,

        /** What the panel and the picker cover, so that nothing is shown beneath them. */
        padding(more = 0) {
            const isWide = matchMedia("(min-width: 720px)").matches;
            const covered = isWide ? panel.offsetWidth + 24 : 0;
            const isSheet = !isWide && panel.classList.contains("expanded");
            const bottom = isSheet ? element.offsetHeight * 0.45 : 40;
            return { left: covered + more, right: (isWide || isSheet ? 64 : 0) + more, top: (isWide ? 0 : 110) + more, bottom: bottom + more };
        },

        name(text) {
            title.textContent = text;
        },

        busy(text) {
            fill(note, text);
        },

        /** Says that the map is live, which revision it shows, and whether that was verified. */
        setState(line, replica) {
            this.revision ??= replica.revision;
            const words = { live: "map.live", away: "map.away", still: "map.connecting" };
            state.className = `live-state ${line}`;
            fill(
                state, h("span", { class: "dot", "aria-hidden": "true" }), word(words[line]), " · ",
                word("venues.revision", { n: replica.revision }), " · ",
                word(replica.isVerified ? "map.verified" : "map.unverified"));
            state.dataset.revision = replica.revision;
        },
    };
}
