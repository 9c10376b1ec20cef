// The panel beside the map: the search field, filters, and the list of places, which offers everything that the map shows.

import { announce } from "../ui/toast.js";
import { fill, h, icon } from "../ui/element.js";
import { firstPlaces } from "./floor-groups.js";
import { hoursSection, placeCard } from "./place-card.js";
import { fillFilters, listChip } from "./filter-chips.js";
import { firstPageSize, pageSize, placeList } from "./place-list.js";
import { isolated, withNames } from "../ui/names.js";
import { Press } from "../ui/press.js";
import { scrollRow } from "../ui/scroll-row.js";
import { searchOf, searchParameters } from "./search-parameters.js";
import { searchResults } from "./search-results.js";
import { venueLogo } from "../ui/venue-logo.js";
import { formatNumber, localized } from "../localization/localization.js";

/** How far below the visible part the end of the list may be when the list continues, in pixels: somewhat more than an item. */
const endMargin = 120;

export class SearchPanel {
    element = h("section", { class: "panel" });
    #delegate;
    #search;
    #body = h("div", { class: "panel-body" });
    #chips = h("div", { class: "chips", role: "group" });
    #chipRow = scrollRow(this.#chips);
    #venue = h("div", { class: "panel-venue", hidden: true });
    #field;
    #query = "";
    #isOpenNow = false;
    #kind = null;
    /** The place to which the nearest facilities of the kind are listed, and where ways to them begin; null for none. */
    #near = null;
    /** From where the distances of the list are measured, as of `PlaceSearch`; undefined if there are none. */
    #origin;
    #isExpanded = false;
    #limit = firstPageSize;
    #place = null;
    /** `{element, isChoosing, onEscape, onTick}` of directions; null while they are closed. While an end is chosen, the search is shown below. */
    #directions = null;
    /** Whether the floors that are not loaded were asked for, for the kind of facilities. */
    #hasBegun = false;
    /** Observes the end of the list. */
    #end = new IntersectionObserver(() => {});
    /** What was announced last of the current search. */
    #announced = null;
    #press = new Press(this.element);

    /**
     * `delegate` is what the panel needs of the page: `search`, a `PlaceSearch`, `floor()`, `hasFloors()`, and the callbacks
     * `onPick(place)`, `onFloor(floor)`, `onClear()` when a card is closed by a search, `onSearch()` when another search begins,
     * `onResults(groups or null)`, `onNearest(kind, place)`, `onShare(place)`, null without links, `onDirections(place or null, start or null)`,
     * `onResize()` when the panel covers more or less of the map. `hasLinks()` is whether the card may lead away from the map, `cardTools(place)` and
     * `listTools()` are what publishers see besides.
     */
    constructor(delegate) {
        this.#delegate = delegate;
        this.#search = delegate.search;
        this.element.addEventListener("keydown", (event) => {
            if (event.key !== "Escape") return;
            if (this.#directions) this.#directions.onEscape();
            else if (this.#place) this.#delegate.onPick(null, { focus: true });
        });
        this.retranslate();
    }

    retranslate() {
        this.element.setAttribute("aria-label", localized("map.panel"));
        this.#chips.setAttribute("aria-label", localized("map.filters"));
        this.#chipRow.setLabels({ previous: localized("map.filtersPrevious"), next: localized("map.filtersNext") });
        this.#field = h("input", {
            id: "search", type: "search", placeholder: localized("map.search"), "aria-label": localized("map.search"), autocomplete: "off",
            value: this.#query, enterkeyhint: "search",
            onfocus: () => this.#search.begin(),
            onkeydown: (event) => this.#onFieldKey(event),
            oninput: () => {
                // A new search is not limited by the filter of the previous one.
                if (this.#query === "" && this.#field.value !== "") this.#kind = this.#near = null;
                this.#query = this.#field.value;
                this.#limit = firstPageSize;
                this.#closeCard();
                this.refresh({ isNew: true });
            },
        });
        const onsubmit = (event) => {
            event.preventDefault();
            this.#body.querySelector(".place")?.focus();
        };
        const directions = h("button", {
            type: "button", class: "quiet directions-open", "aria-label": localized("map.directions"), title: localized("map.directions"),
            onclick: () => this.#delegate.onDirections(null),
        }, icon("directions"));
        fill(
            this.element, this.#directions?.element, this.#venue,
            h("form", { role: "search", onsubmit }, icon("search"), this.#field, directions), this.#chipRow.element, this.#body);
        this.refresh();
    }

    /** Shows directions, as of `#directions`; null shows the search again. `isPlaced` is whether the element has replaced the previous one. */
    showDirections(directions, { isPlaced = false } = {}) {
        if (!isPlaced) {
            this.#directions?.element.remove();
            if (directions) this.element.prepend(directions.element);
        }
        const wasShown = this.#isAnswerShown;
        this.#directions = directions;
        this.element.classList.toggle("has-directions", this.#isAnswerShown);
        this.element.classList.toggle("is-choosing", directions?.isChoosing ?? false);
        if (!isPlaced || wasShown !== this.#isAnswerShown) this.refresh();
    }

    /** Focuses the button that opens directions: that of the card, or else that of the search. */
    focusDirections() {
        (this.#body.querySelector("[data-action=directions]") ?? this.element.querySelector(".directions-open")).focus({ preventScroll: true });
    }

    /** Whether directions are shown instead of the search. */
    get #isAnswerShown() {
        return this.#directions !== null && !this.#directions.isChoosing;
    }

    /** The arrow down leads to the list, and Escape ends the search. */
    #onFieldKey(event) {
        if (event.key === "ArrowDown") {
            event.preventDefault();
            this.#body.querySelector(".place")?.focus();
        }
        if (event.key !== "Escape" || (this.#query === "" && !this.#kind) || event.isComposing) return;
        event.preventDefault();
        event.stopPropagation();
        this.#begin();
        this.refresh({ isNew: true });
    }

    /** Shows the venue above the search, where there is no bar: its logo, or else its name, which screen readers read as the heading. */
    showVenue(name, logo) {
        const text = () => h("p", { class: "venue-name", "aria-hidden": "true" }, h("bdi", {}, name));
        fill(this.#venue, logo ? venueLogo(logo, name, () => fill(this.#venue, text())) : text());
        this.#venue.hidden = false;
    }

    /** Whether the panel shows the card of a place instead of the list. */
    get hasCard() {
        return this.#place !== null;
    }

    /** The place to which the nearest facilities are listed; null for none. */
    get near() {
        return this.#near;
    }

    /** Measures distances from the middle of the map again when it has moved. */
    followMap() {
        if (this.#origin?.kind === "middle" && this.#body.querySelector(".distance")) this.refresh();
    }

    /** Shows the card of a place; null for the list. */
    show(place, { focus = false } = {}) {
        const before = this.#place;
        this.#place = place;
        if (place) this.#isExpanded = true;
        this.refresh();
        if (!focus) return;
        if (place) this.#body.querySelector("#place-name")?.focus();
        else this.#focusItem(before?.id);
    }

    /** Focuses a place of the list, also one that is on the next page. */
    #focusItem(id) {
        const find = () => this.#body.querySelector(`[data-id="${id}"]`);
        if (!find() && this.#search.places(false).some((place) => place.id === id)) this.#extend();
        find()?.focus();
    }

    /** Ends searches, filters and the card: shows what the panel shows at first. */
    reset() {
        this.#begin();
        this.#isOpenNow = this.#isExpanded = false;
        this.#place = null;
        this.refresh();
        this.#body.scrollTop = 0;
    }

    /** Searches what an address says, instead of what was searched before. */
    restore(query) {
        const { text, kind, isOpenNow } = searchOf(query);
        if (text === this.#query && kind === this.#kind && isOpenNow === this.#isOpenNow) return;
        [this.#query, this.#field.value, this.#kind, this.#isOpenNow, this.#near] = [text, text, kind, isOpenNow, null];
        this.#limit = firstPageSize;
        this.#hasBegun = false;
        if (text !== "" || isOpenNow) this.#search.begin();
        this.refresh({ isNew: true });
    }

    /** What is searched, as parameters of the address. */
    get parameters() {
        return searchParameters({ text: this.#query, kind: this.#kind, isOpenNow: this.#isOpenNow });
    }

    /** Renews opening states, which change while the page is open, until the signal. On a card only the hours are replaced, which keeps the focus. */
    followTime(signal) {
        const timer = setInterval(() => this.#tick(), 30_000);
        signal.addEventListener("abort", () => clearInterval(timer), { once: true });
    }

    #tick() {
        if (this.#press.delays(() => this.#tick())) return;
        if (this.#isAnswerShown) return this.#directions.onTick();
        const hours = this.#body.querySelector(".place-hours");
        if (this.#place && hours) fill(hours, hoursSection(this.#place));
        else this.refresh();
    }

    /** Updates the panel after a change of features, floor or filters. `isNew` announces the results of a new search. */
    refresh({ isNew = false } = {}) {
        if (isNew) this.#delegate.onSearch();
        if (this.#press.delays(() => this.refresh({ isNew }))) return;
        if (this.#isAnswerShown) {
            // Nothing that a search has found is highlighted beside the way.
            this.#delegate.onResults(null);
            return this.#setExpanded(true);
        }
        this.#fillChips();
        if (!this.#delegate.hasFloors()) fill(this.#body, h("p", { class: "empty" }, localized("map.noFloors")));
        else if (!this.#delegate.floor()) fill(this.#body, h("p", { class: "empty" }, localized("state.loading")));
        else if (this.#place) this.#fillCard();
        else this.#fillList(isNew);
        this.#setExpanded(this.#isExpanded || this.#query !== "" || this.#isOpenNow || this.#kind !== null);
    }

    #setExpanded(isExpanded) {
        if (isExpanded === this.element.classList.contains("expanded")) return;
        this.element.classList.toggle("expanded", isExpanded);
        this.#delegate.onResize();
    }

    #closeCard() {
        if (!this.#place) return;
        this.#place = null;
        this.#delegate.onClear();
    }

    #fillChips() {
        const filter = (name, label) => ({
            name, label, isPressed: this.#kind === name, act: () => this.#changeFilter(() => {
                [this.#kind, this.#near] = [this.#kind === name ? null : name, null];
            }),
        });
        fillFilters(this.#chips, [
            { name: listChip, label: [icon("list"), localized("map.list")], isPressed: this.#isExpanded, act: () => this.#changeFilter(
                () => { this.#isExpanded = !this.#isExpanded; }) },
            { name: "open", label: [icon("clock"), localized("map.openNow")], isPressed: this.#isOpenNow, act: () => this.#changeFilter(() => {
                this.#isOpenNow = !this.#isOpenNow;
                if (this.#isOpenNow) this.#search.begin();
            }) },
            ...(this.#delegate.floor() ? this.#search.filters(this.#kind) : []).map(({ name, label }) => filter(name, label)),
        ]);
    }

    #changeFilter(change) {
        change();
        this.#hasBegun = false;
        this.#closeCard();
        this.refresh({ isNew: true });
    }

    /** Begins without a text, with the facilities of a kind, or with none. */
    #begin(kind = null, near = null) {
        this.#query = this.#field.value = "";
        [this.#kind, this.#near] = [kind, near];
        this.#limit = firstPageSize;
    }

    /** Lists the facilities of a kind, the nearest to a place first, and returns these as far as they are known. */
    showNearest(kind, near) {
        this.#begin(kind, near);
        this.#place = null;
        this.#hasBegun = false;
        this.refresh({ isNew: true });
        this.#body.querySelector(".place")?.focus();
        return this.#results().groups.flatMap(({ places }) => places);
    }

    #results() {
        return searchResults(this.#search, {
            text: this.#query, kind: this.#kind, isOpenNow: this.#isOpenNow, floor: this.#delegate.floor(),
            onElsewhere: () => {
                if (!this.#hasBegun) this.#search.begin();
                this.#hasBegun = true;
            },
        });
    }

    #fillList(isNew) {
        const { groups, isFiltered, isEverywhere, isSimilar, distances, origin, server } = this.#results();
        this.#origin = origin;
        const isUnknown = this.#isOpenNow && !this.#search.hasTimeZone;
        const floors = this.#search.floorsNamed(this.#query);
        const isWaiting = server.state === "waiting" || (isEverywhere && this.#search.isLoading);
        const places = groups.flatMap((group) => group.places);
        this.#delegate.onResults(isFiltered ? groups : null);
        const floor = this.#delegate.floor();
        const isOnlyElsewhere = isFiltered && places.length > 0 && groups.every((group) => group.floor !== floor);
        const elsewhere = localized("map.elsewhere", { floor: isolated(floor?.title) });
        const title = isUnknown ? localized("map.openNow") : isFiltered
            ? localized(isSimilar && places.length > 0 ? "map.foundSimilar" : "map.found", { n: formatNumber(places.length + floors.length) })
            : localized("map.onFloor", { floor: isolated(floor?.title), n: formatNumber(places.length) });
        const nothing = localized(isUnknown ? "map.openUnknown" : isFiltered ? "map.nothingFound" : "map.emptyFloor");
        const focused = this.#body.contains(document.activeElement) ? document.activeElement.dataset.id : null;
        fill(
            this.#body,
            h("h2", { class: "list-title" }, withNames(title)),
            !isFiltered && !this.#directions && this.#delegate.listTools(),
            isEverywhere && !isUnknown && this.#missingNotice(server, isWaiting),
            places.length === 0 && floors.length === 0 && !isWaiting && h("p", { class: "empty" }, nothing),
            floors.map((each) => h("button", { type: "button", class: "place", "data-id": `floor:${each.ordinal}`, onclick: () => this.#delegate.onFloor(each) },
                h("span", { class: "swatch" }, icon("layers")), h("span", { class: "place-text" }, h("bdi", { class: "place-name" }, each.title)))),
            distances?.size > 0 && h("p", { class: "distance-origin" },
                withNames(localized(`map.distancesFrom.${origin.kind}`, { name: isolated(origin.name) }))),
            isOnlyElsewhere && h("p", { class: "search-elsewhere" }, withNames(elsewhere)),
            placeList(firstPlaces(groups, this.#limit), {
                floor, distances, onPick: (place) => this.#delegate.onPick(place, { focus: true }),
                onEnd: places.length > this.#limit ? () => this.#extend((items) => items.at(-1)) : null,
            }),
            places.length > this.#limit && this.#moreButton(places.length - this.#limit));
        if (focused) this.#body.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
        // The number is not final while the server searches or floors load.
        this.#announce(isFiltered && !isWaiting ? [title, isUnknown && nothing, isOnlyElsewhere && elsewhere].filter(Boolean).join(". ") : null, isNew);
    }

    /** Announces what a search has found, also when floors that were loaded meanwhile change it; null for no search. */
    #announce(text, isNew) {
        if (text !== null && (isNew || text !== this.#announced)) announce(text);
        this.#announced = text;
    }

    /** Says which floors or results a search does not cover, and offers to load the floors. */
    #missingNotice({ state, isMore }, isWaiting) {
        const n = this.#search.missingFloors;
        if (n === 0) return null;
        if (isWaiting) return h("p", { class: "search-elsewhere" }, localized("map.serverSearches"));
        const isCovered = state === "done";
        if (isCovered && !isMore) return null;
        const text = isCovered ? "map.serverHasMore" : this.#search.isLarge ? "map.missingFloors" : "map.unloadedFloors";
        return h(
            "p", { class: "search-scope" }, localized(text, { n }),
            h("button", { type: "button", class: "quiet", onclick: () => this.#search.loadMissing() }, localized("map.loadAll")));
    }

    /** Shows one more page of the list, and focuses one of its items if `choose(items)` returns one. */
    #extend(choose = () => null) {
        this.#limit += pageSize;
        this.refresh();
        choose([...this.#body.querySelectorAll(".place")])?.focus();
    }

    #moreButton(rest) {
        const first = this.#limit;
        const extendAndFocus = () => this.#extend((items) => items[first]);
        const button = h("button", { type: "button", class: "quiet", "data-id": "more", onclick: extendAndFocus }, localized("map.more", { n: formatNumber(rest) }));
        this.#end.disconnect();
        // On a busy page, several changes arrive at once, the newest last.
        this.#end = new IntersectionObserver((changes) => {
            if (!changes.at(-1).isIntersecting || !button.isConnected) return;
            // The focus would be lost with the button.
            if (document.activeElement === button) extendAndFocus();
            else this.#extend();
        }, { root: this.#body, rootMargin: `${endMargin}px` });
        this.#end.observe(button);
        return button;
    }

    /** The focusable elements in the body of the panel. */
    get #focusable() {
        return [...this.#body.querySelectorAll("button, a, [tabindex]")];
    }

    #fillCard() {
        const place = this.#place;
        const isSame = this.#body.querySelector(".place-card")?.dataset.id === place.id;
        const focusedIndex = isSame ? this.#focusable.indexOf(document.activeElement) : -1;
        fill(this.#body, placeCard(place, {
            floor: this.#search.floorOf(place),
            onClose: () => this.#delegate.onPick(null, { focus: true }),
            onNearest: this.#search.kinds.includes("restroom") ? (from) => this.#delegate.onNearest("restroom", from) : null,
            hasLinks: this.#delegate.hasLinks(), tools: this.#delegate.cardTools(place), onShare: this.#delegate.onShare,
            onDirections: (to) => this.#delegate.onDirections(to, this.#near && to.facility === this.#kind ? this.#near : null),
        }));
        // When the same card is drawn again, the focus stays.
        this.#focusable[focusedIndex]?.focus({ preventScroll: true });
    }
}
