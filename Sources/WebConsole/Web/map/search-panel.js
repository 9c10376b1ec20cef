// The panel beside the map: search, what is asked for often, and a list of what is on the floor, which says all that the map says.

import { amenityKinds } from "./categories.js";
import { announce } from "../ui/toast.js";
import { fill, h, icon } from "../ui/element.js";
import { metresBetween } from "./geometry.js";
import { search } from "./places.js";
import { stateOf } from "./hours-view.js";
import { hoursOf, placeCard } from "./place-card.js";
import { formatNumber, word } from "../words/words.js";

const most = 250;

export class SearchPanel {
    element = h("section", { class: "panel" });
    #ask;
    #body = h("div", { class: "panel-body" });
    #chips = h("div", { class: "chips", role: "group" });
    #field;
    #query = "";
    #isOpenNow = false;
    #kind = null;
    #isExpanded = false;
    #limit = most;
    #place = null;

    /**
     * `ask` is what the panel needs of the page: `places(isEverywhere)`, `floorOf(place)`, `floor()`, `center()`, `onPick(place)`,
     * `onFound(places or null)`, `onNearest(kind, place)`, `onResize()` when it covers more or less, and `onSearch()` when a search
     * begins.
     */
    constructor(ask) {
        this.#ask = ask;
        this.element.addEventListener("keydown", (event) => {
            if (event.key === "Escape" && this.#place) this.#ask.onPick(null, { focus: true });
        });
        this.retranslate();
    }

    retranslate() {
        this.element.setAttribute("aria-label", word("map.panel"));
        this.#chips.setAttribute("aria-label", word("map.filters"));
        this.#field = h("input", {
            id: "search", type: "search", placeholder: word("map.search"), "aria-label": word("map.search"), autocomplete: "off",
            value: this.#query, enterkeyhint: "search",
            onfocus: () => this.#ask.onSearch(),
            oninput: () => {
                this.#query = this.#field.value;
                this.#place = null;
                this.#limit = most;
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

    /** Whether it shows the card of a place, and not a list. */
    get hasCard() {
        return this.#place !== null;
    }

    /** Shows the card of a place, or the list again. */
    show(place, { focus = false } = {}) {
        const before = this.#place;
        this.#place = place;
        if (place) this.#isExpanded = true;
        this.refresh();
        if (!focus) return;
        if (place) this.#body.querySelector("#place-name")?.focus();
        else this.#body.querySelector(`[data-id="${before?.id}"]`)?.focus();
    }

    /** Another minute: shops open and close. Of a card only its hours are drawn anew. */
    tick() {
        const hours = this.#body.querySelector(".place-hours");
        if (this.#place && hours) fill(hours, hoursOf(this.#place));
        else this.refresh();
    }

    /** Shows what there is now: other features, another floor. */
    refresh({ isNew = false } = {}) {
        this.#fillChips();
        if (!this.#ask.floor()) fill(this.#body, h("p", { class: "empty" }, word("state.loading")));
        else if (this.#place) this.#fillCard();
        else this.#fillList(isNew);
        const isExpanded = this.#isExpanded || this.#query !== "" || this.#isOpenNow || this.#kind !== null;
        if (isExpanded === this.element.classList.contains("expanded")) return;
        this.element.classList.toggle("expanded", isExpanded);
        this.#ask.onResize();
    }

    #fillChips() {
        const kinds = amenityKinds.filter(({ kind }) => this.#ask.places(false).some((place) => place.amenity?.kind === kind));
        const chip = (label, isOn, act, name) => h(
            "button", { type: "button", class: "chip", "aria-pressed": String(isOn), "data-chip": name, onclick: act }, label);
        const focused = document.activeElement?.dataset?.chip;
        fill(
            this.#chips,
            chip([icon("list"), word("map.list")], this.#isExpanded, () => this.#toggle(() => { this.#isExpanded = !this.#isExpanded; }), "list"),
            chip([icon("clock"), word("map.openNow")], this.#isOpenNow, () => this.#toggle(() => { this.#isOpenNow = !this.#isOpenNow; }), "open"),
            kinds.map(({ kind }) => chip(word(`amenity.${kind}`), this.#kind === kind, () => this.#toggle(() => {
                this.#kind = this.#kind === kind ? null : kind;
            }), kind)));
        if (focused) this.#chips.querySelector(`[data-chip="${focused}"]`)?.focus({ preventScroll: true });
    }

    #toggle(change) {
        change();
        this.#place = null;
        this.refresh({ isNew: true });
    }

    /** Shows the amenities of a kind, the nearest to a point first. */
    nearest(kind, point) {
        this.#kind = kind;
        this.#query = this.#field.value = "";
        this.#place = null;
        this.refresh({ isNew: true, point });
        this.#body.querySelector(".place")?.focus();
    }

    #found() {
        const isSearch = this.#query.trim() !== "";
        let places = search(this.#ask.places(isSearch), this.#query);
        if (this.#kind) places = places.filter((place) => place.amenity?.kind === this.#kind);
        if (this.#isOpenNow) {
            const now = new Date();
            places = places.filter((place) => place.hours?.state(now).state === "open");
        }
        const isFiltered = isSearch || this.#isOpenNow || this.#kind !== null;
        if (this.#kind) {
            const from = this.#ask.center();
            const distances = new Map(places.map((place) => [place, metresBetween(from, place.point)]));
            return { isFiltered, distances, places: [...places].sort((a, b) => distances.get(a) - distances.get(b)) };
        }
        return { isFiltered, places };
    }

    #fillList(isNew) {
        const { places, isFiltered, distances } = this.#found();
        this.#ask.onFound(isFiltered ? places : null);
        const floor = this.#ask.floor();
        const title = isFiltered ? word("map.found", { n: places.length }) : word("map.onFloor", { floor: floor?.title ?? "", n: places.length });
        const focused = this.#body.contains(document.activeElement) ? document.activeElement.dataset.id : null;
        fill(
            this.#body,
            h("h2", { class: "list-title" }, title),
            places.length === 0 && h("p", { class: "empty" }, isFiltered ? word("map.nothingFound") : word("map.emptyFloor")),
            h("ul", { class: "places" }, places.slice(0, this.#limit).map((place) => this.#item(place, floor, distances?.get(place)))),
            places.length > this.#limit && h("button", {
                type: "button", class: "quiet", "data-id": "more",
                onclick: () => {
                    const first = this.#limit;
                    this.#limit += most;
                    this.refresh();
                    this.#body.querySelectorAll(".place")[first]?.focus({ preventScroll: true });
                },
            }, word("map.more", { n: places.length - this.#limit })));
        if (focused) this.#body.querySelector(`[data-id="${focused}"]`)?.focus({ preventScroll: true });
        if (isNew && isFiltered) announce(title);
    }

    #item(place, floor, metres) {
        const state = stateOf(place);
        const other = this.#ask.floorOf(place);
        return h("li", {}, h(
            "button", { type: "button", class: "place", "data-id": place.id, onclick: () => this.#ask.onPick(place, { focus: true }) },
            h("span", { class: `swatch ${place.amenity ? "restroom" : place.group}`, "aria-hidden": "true" }, place.amenity?.sign ?? ""),
            h("span", { class: "place-text" },
                h("span", { class: "place-name" }, place.name),
                h("span", { class: "place-sub" },
                    place.name !== place.kindName && h("span", {}, place.kindName),
                    state && h("span", { class: `state-text ${state.state}` }, state.text))),
            metres !== undefined && h("span", { class: "distance" }, word("map.metres", { n: formatNumber(Math.round(metres)) })),
            other && other.ordinal !== floor?.ordinal && h("span", { class: "tag" }, other.name)));
    }

    /** What the keyboard can stop at in the panel's body. */
    get #stops() {
        return [...this.#body.querySelectorAll("button, a, [tabindex]")];
    }

    #fillCard() {
        const place = this.#place;
        const isSame = this.#body.querySelector(".place-card")?.dataset.id === place.id;
        const focused = isSame ? this.#stops.indexOf(document.activeElement) : -1;
        fill(this.#body, placeCard(place, {
            floor: this.#ask.floorOf(place),
            onClose: () => this.#ask.onPick(null, { focus: true }),
            onNearest: (from) => this.#ask.onNearest("restroom", from),
        }));
        // The same card again keeps the keyboard where it was.
        this.#stops[focused]?.focus({ preventScroll: true });
    }
}
