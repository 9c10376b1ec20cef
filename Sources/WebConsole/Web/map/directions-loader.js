// Directions as the map page knows them: the module that computes and shows ways is loaded when somebody asks for one.

import { errorText } from "../ui/error-text.js";
import { lazyModule } from "../lazy-module.js";
import { endOfPlace, parseRequest } from "./directions/request.js";
import { toast } from "../ui/toast.js";

export class DirectionsLoader {
    #page;
    #directions = null;
    /** The place whose card was open when directions were. */
    #origin = null;

    /**
     * `page` is what directions need of the page: `live`, `floors`, `signal`, `map`, `position` (`{at, ordinal}` of the user, or null),
     * `goToFloor(floor)`, `writeAddress(parameters, {isNewEntry})`, `showView(view, {isPlaced})`, `markFloors(texts)`,
     * `clearSearch()`, `share(parameters, title)`, `leavePlace()`, and `select(place)`, which shows a card, or the list for null.
     */
    constructor(page) {
        this.#page = Object.assign(page, { close: () => this.close() });
    }

    get isOpen() {
        return this.#directions?.isOpen ?? false;
    }

    /** Opens directions to a place, or without one if it is null. Back returns to what is shown now. */
    async openTo(place) {
        const directions = await this.#load();
        if (!directions) return;
        this.#origin = place;
        this.#page.leavePlace();
        directions.open({ to: place ? endOfPlace(place) : null }, { isNewEntry: true });
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
    close() {
        this.#directions.close();
        this.#page.select(this.#origin);
        this.#origin = null;
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
