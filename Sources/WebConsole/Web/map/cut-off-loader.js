// The layer of what visitors cannot reach, as the map page knows it: the parameter `cut_off` of the address shows it, and its module is loaded
// then.

import { lazyModule } from "../lazy-module.js";

export class CutOffLoader {
    #page;
    #layer = null;

    /**
     * `query` is that of the address. `page` is what the page offers: `{venue, live, floors, address, mode, signal}`, `map()` and `frame()`,
     * `updateURL()`, and `onError(error)`.
     */
    constructor(query, page) {
        this.#page = page;
        this.#keep(query);
    }

    /** Visitors of a kiosk or another site do not see what an operator has to mend. */
    #keep(query) {
        const { address, mode } = this.#page;
        address.hasCutOff = query.has("cut_off") && mode.hasBar;
    }

    /** Shows or removes the layer, as the address says. */
    async follow(query) {
        const { address, signal, onError } = this.#page;
        this.#keep(query);
        if (!address.hasCutOff) return this.#end();
        try {
            const { CutOffLayer } = await lazyModule(() => import("./cut-off/cut-off-layer.js"));
            if (signal.aborted || !address.hasCutOff || this.#layer) return;
            await this.#begin(CutOffLayer);
        } catch (error) {
            if (signal.aborted) return;
            this.#end();
            onError(error);
        }
    }

    #begin(CutOffLayer) {
        const { venue, live, floors, signal, map, frame } = this.#page;
        this.#layer = new CutOffLayer({ venue, live, floors, signal, map: map().mapLibre, onClose: () => this.#close() });
        frame().showLayer(this.#layer.element);
        return this.#layer.load();
    }

    #close() {
        this.#page.address.hasCutOff = false;
        this.#end();
        this.#page.updateURL();
    }

    #end() {
        this.#layer?.remove();
        this.#layer = null;
    }
}
