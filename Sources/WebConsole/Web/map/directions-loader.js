// Directions as the map page knows them: the module that computes and shows ways is loaded when somebody asks for one.

import { errorText } from "../ui/error-text.js";
import { lazyModule } from "../lazy-module.js";
import { endOfPlace, parseRequest } from "./directions/request.js";
import { share } from "./share.js";
import { toast } from "../ui/toast.js";

export class DirectionsLoader {
    #page;
    #directions = null;
    /** The place whose card was open when directions were. */
    #origin = null;

    /**
     * `map` is that of the page: `{live, floors, signal, picker, address, isKiosk, canShare}`, the functions `panel()`, `map()` and `position()`, which
     * returns `{at, ordinal}` of the user or null, and what the page does: `goToFloor(floor)`, `updateURL(options)`, `select(place)`, which
     * shows a card, or the list for null, and `leavePlace()`, which closes the card and keeps the address.
     */
    constructor({ panel, map, position, picker, address, isKiosk, canShare, updateURL, ...rest }) {
        /** What `Directions` needs of the page. */
        this.#page = {
            ...rest, panel,
            get map() { return map(); },
            get position() { return position(); },
            close: () => this.close(),
            writeAddress: (parameters, options) => {
                address.route = parameters;
                updateURL(options);
            },
            showView: (view, options) => panel().showDirections(view, options),
            markFloors: (texts) => picker.markWay(texts),
            clearSearch: () => panel().reset(),
            share: canShare && ((parameters, title) => share(address.routeLink(parameters), title, { isKiosk })),
        };
    }

    get isOpen() {
        return this.#directions?.isOpen ?? false;
    }

    /** Opens directions to a place, or without one if it is null, from another one if there is one. Back returns to what is shown now. */
    async openTo(place, from = null) {
        const directions = await this.#load();
        if (!directions) return;
        this.#origin = place;
        this.#page.leavePlace();
        directions.open({ from: from && endOfPlace(from), to: place && endOfPlace(place) }, { isNewEntry: true });
    }

    /** Shows what an address asks for. Returns false, with directions closed, if that is no way. */
    async follow(query) {
        const request = parseRequest(query);
        if (!request) {
            this.#directions?.close();
            return false;
        }
        const directions = await this.#load();
        if (!directions) return false;
        this.#origin = null;
        this.#page.leavePlace();
        directions.open(request);
        return true;
    }

    /** Returns to the card or list from which directions were opened. */
    async close() {
        this.#directions.close();
        const origin = this.#origin;
        this.#origin = null;
        await this.#page.select(origin);
        this.#page.panel().focusDirections();
    }

    /** Closes directions without showing anything else. */
    end() {
        this.#directions?.close();
        this.#origin = null;
    }

    /** Whether directions take what the user has picked: then the page does not show its card. */
    takes(place, at = null) {
        if (!this.isOpen) return false;
        this.#directions.pick(place, at);
        return true;
    }

    showFloor() {
        this.#directions?.showFloor();
    }

    changed() {
        this.#directions?.changed();
    }

    retranslate() {
        this.#directions?.retranslate();
    }

    async #load() {
        try {
            const { Directions } = await lazyModule(() => import("./directions/directions.js"));
            if (this.#page.signal.aborted) return null;
            this.#directions ??= new Directions(this.#page);
            return this.#directions;
        } catch (error) {
            if (!this.#page.signal.aborted) toast(errorText(error), "problem");
            return null;
        }
    }
}
