// The panel beside the map: the search field, filters, and the list of places, which offers everything that the map shows.

import { amenityKinds } from "./categories.js";
import { announce } from "../ui/toast.js";
import { fill, h, icon } from "../ui/element.js";
import { metresBetween } from "../client/map/geometry.js";
import { search } from "./places.js";
import { openState } from "./hours-view.js";
import { hoursSection, placeCard } from "./place-card.js";
import { formatNumber, localized } from "../localization/localization.js";

/** The number of list items that are added at a time. */
const pageSize = 250;

export class SearchPanel {
    element = h("section", { class: "panel" });
    #delegate;
    #body = h("div", { class: "panel-body" });
    #chips = h("div", { class: "chips", role: "group" });
    #field;
    #query = "";
    #isOpenNow = false;
    #kind = null;
    #isExpanded = false;
    #limit = pageSize;
    #place = null;

    /**
     * `delegate` is what the panel needs of the page: `places(isEverywhere)`, `floorOf(place)`, `floor()`, `center()`,
     * `cardTools(place)` and `listTools()` for what publishers see besides, and the
     * callbacks `onPick(place)`, `onResults(places or null)`, `onNearest(kind, place)`, `onResize()` when the panel covers more or less
     * of the map, and `onSearch()` when the search field gets the focus.
     */
    constructor(delegate) {
        this.#delegate = delegate;
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && this.#place) this.#delegate.onPick(null, { focus: true });
        });
        this.retranslate();
    }

    retranslate() {
        this.element.setAttribute("aria-label", localized("map.panel"));
        this.#chips.setAttribute("aria-label", localized("map.filters"));
        this.#field = h("input", {
            id: "search", type: "search", placeholder: localized("map.search"), "aria-label": localized("map.search"), autocomplete: "off",
            value: this.#query, enterkeyhint: "search",
            onfocus: () => this.#delegate.onSearch(),
            oninput: () => {
                this.#query = this.#field.value;
                this.#place = null;
                this.#limit = pageSize;
                this.refresh({ isNew: true });
            },
        });
        const onsubmit = (event) => {
            event.preventDefault();
            this.#body.querySelector(".place")?.focus();
        };
        fill(this.element, h("form", { role: "search", onsubmit }, icon("search"), this.#field), this.#chips, this.#body);
        this.refresh();
    }

    /** Whether the panel shows the card of a place instead of the list. */
    get hasCard() {
        return this.#place !== null;
    }

    /** Shows the card of a place; null for the list. */
    show(place, { focus = false } = {}) {
        const before = this.#place;
        this.#place = place;
        if (place) this.#isExpanded = true;
        this.refresh();
        if (!focus) return;
        if (place) this.#body.querySelector("#place-name")?.focus();
        else this.#body.querySelector(`[data-id="${before?.id}"]`)?.focus();
    }

    /** Called regularly, because opening states change with time. On a card only the hours are replaced, which keeps the focus. */
    tick() {
        const hours = this.#body.querySelector(".place-hours");
        if (this.#place && hours) fill(hours, hoursSection(this.#place));
        else this.refresh();
    }

    /** Updates the panel after a change of features, floor or filters. `isNew` announces the results of a new search. */
    refresh({ isNew = false } = {}) {
        this.#fillChips();
        if (!this.#delegate.floor()) fill(this.#body, h("p", { class: "empty" }, localized("state.loading")));
        else if (this.#place) this.#fillCard();
        else this.#fillList(isNew);
        const isExpanded = this.#isExpanded || this.#query !== "" || this.#isOpenNow || this.#kind !== null;
        if (isExpanded === this.element.classList.contains("expanded")) return;
        this.element.classList.toggle("expanded", isExpanded);
        this.#delegate.onResize();
    }

    #fillChips() {
        const kinds = amenityKinds.filter(({ kind }) => this.#delegate.places(false).some((place) => place.amenity?.kind === kind));
        const chip = (label, isPressed, act, name) => h(
            "button", { type: "button", class: "chip", "aria-pressed": String(isPressed), "data-chip": name, onclick: act }, label);
        const focused = document.activeElement?.dataset?.chip;
        fill(
            this.#chips,
            chip([icon("list"), localized("map.list")], this.#isExpanded, () => this.#changeFilter(() => {
                this.#isExpanded = !this.#isExpanded;
            }), "list"),
            chip([icon("clock"), localized("map.openNow")], this.#isOpenNow, () => this.#changeFilter(() => {
                this.#isOpenNow = !this.#isOpenNow;
            }), "open"),
            kinds.map(({ kind }) => chip(localized(`amenity.${kind}`), this.#kind === kind, () => this.#changeFilter(() => {
                this.#kind = this.#kind === kind ? null : kind;
            }), kind)));
        if (focused) this.#chips.querySelector(`[data-chip="${focused}"]`)?.focus({ preventScroll: true });
    }

    #changeFilter(change) {
        change();
        this.#place = null;
        this.refresh({ isNew: true });
    }

    /** Lists the amenities of a kind, the nearest first. */
    showNearest(kind) {
        this.#kind = kind;
        this.#query = this.#field.value = "";
        this.#place = null;
        this.refresh({ isNew: true });
        this.#body.querySelector(".place")?.focus();
    }

    #results() {
        const isSearch = this.#query.trim() !== "";
        let places = search(this.#delegate.places(isSearch), this.#query);
        if (this.#kind) places = places.filter((place) => place.amenity?.kind === this.#kind);
        if (this.#isOpenNow) {
            const now = new Date();
            places = places.filter((place) => place.hours?.state(now).state === "open");
        }
        const isFiltered = isSearch || this.#isOpenNow || this.#kind !== null;
        if (this.#kind) {
            const from = this.#delegate.center();
            const distances = new Map(places.map((place) => [place, metresBetween(from, place.point)]));
            return { isFiltered, distances, places: [...places].sort((a, b) => distances.get(a) - distances.get(b)) };
        }
        return { isFiltered, places };
    }

    #fillList(isNew) {
        const { places, isFiltered, distances } = this.#results();
        this.#delegate.onResults(isFiltered ? places : null);
        const floor = this.#delegate.floor();
        const title = isFiltered
            ? localized("map.found", { n: places.length })
            : localized("map.onFloor", { floor: floor?.title ?? "", n: places.length });
        const focused = this.#body.contains(document.activeElement) ? document.activeElement.dataset.id : null;
        fill(
            this.#body,
            h("h2", { class: "list-title" }, title),
            !isFiltered && this.#delegate.listTools(),
            places.length === 0 && h("p", { class: "empty" }, isFiltered ? localized("map.nothingFound") : localized("map.emptyFloor")),
            h("ul", { class: "places" }, places.slice(0, this.#limit).map((place) => this.#item(place, floor, distances?.get(place)))),
            places.length > this.#limit && h("button", {
                type: "button", class: "quiet", "data-id": "more",
                onclick: () => {
                    const first = this.#limit;
                    this.#limit += pageSize;
                    this.refresh();
                    this.#body.querySelectorAll(".place")[first]?.focus({ preventScroll: true });
                },
            }, localized("map.more", { n: places.length - this.#limit })));
        if (focused) this.#body.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
        if (isNew && isFiltered) announce(title);
    }

    #item(place, floor, metres) {
        const state = openState(place);
        const placeFloor = this.#delegate.floorOf(place);
        return h("li", {}, h(
            "button",
            { type: "button", class: "place", "data-id": place.id, onclick: () => this.#delegate.onPick(place, { focus: true }) },
            h("span", { class: `swatch ${place.amenity ? "restroom" : place.group}`, "aria-hidden": "true" }, place.amenity?.symbol ?? ""),
            h("span", { class: "place-text" },
                h("span", { class: "place-name" }, place.name),
                h("span", { class: "place-sub" },
                    place.name !== place.kindName && h("span", {}, place.kindName),
                    state && h("span", { class: `state-text ${state.state}` }, state.text))),
            metres !== undefined && h("span", { class: "distance" }, localized("map.metres", { n: formatNumber(Math.round(metres)) })),
            placeFloor && placeFloor.ordinal !== floor?.ordinal && h("span", { class: "tag" }, placeFloor.name)));
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
            floor: this.#delegate.floorOf(place),
            onClose: () => this.#delegate.onPick(null, { focus: true }),
            onNearest: (from) => this.#delegate.onNearest("restroom", from),
            tools: this.#delegate.cardTools(place),
        }));
        // When the same card is drawn again, the focus stays.
        this.#focusable[focusedIndex]?.focus({ preventScroll: true });
    }
}
