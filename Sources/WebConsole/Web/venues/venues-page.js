// The list of venues that the key may read: search, order and filters, which the address keeps. Few venues are cards, and more are rows. Without
// a key, a form to open a public venue.

import { requestAllVenues } from "../api.js";
import { addRowKeys } from "../ui/row-keys.js";
import { emptyState, errorState } from "../ui/states.js";
import { fill, h, icon } from "../ui/element.js";
import { foldedText } from "../client/map/folded-text.js";
import { labelText } from "../map/labels.js";
import { labelTexts } from "../client/map/labels.js";
import { openSignIn } from "../ui/sign-in.js";
import { pause } from "../retry.js";
import { session } from "../session.js";
import { formatNumber, localized } from "../localization/localization.js";
import { unpublishedCard, venueCard } from "./venue-card.js";
import { VenueDetails } from "./venue-details.js";
import { venueActions } from "../desk/venue-actions.js";

const orders = ["urgency", "name", "published", "waiting"];
const filters = ["all", "waiting", "failed", "public"];
/** The largest number of venues that have cards with pictures. */
const cardLimit = 12;
/** More venues than this are not ordered by urgency at first, which needs the details of all. */
const urgencyLimit = 60;
/** How far from the visible part of the page cards get their details. */
const detailMargin = "300px";
/** How often the list is loaded again while the page is visible, in milliseconds. */
const refreshInterval = 15_000;
/** Of so many refreshes, one loads details again that are not in view, if the order or the filter depends on them. */
const refreshesPerRound = 4;
/** In milliseconds. Details arrive one by one, and sorting thousands of cards for each would take long. */
const redrawDelay = 150;

export async function show(context, { query } = { query: new URLSearchParams() }) {
    context.setTitle(localized("venues.title"));
    if (!session.isSignedIn) {
        fill(context.root, welcome());
        return;
    }
    try {
        const { venues, unpublished } = await loadVenues(context.signal);
        const actions = await venueActions(venues, context.signal);
        if (context.signal.aborted) return;
        const list = new VenueList(context.signal, query, venues.length + unpublished.length);
        list.show(venues, unpublished);
        fill(
            context.root,
            h("div", { class: "page venues-page" },
                h("header", { class: "venues-header" }, h("h1", {}, localized("venues.title")), actions),
                venues.length + unpublished.length > 0
                    ? list.element
                    : [emptyState({ title: localized("venues.empty"), text: localized("venues.emptyHelp") }), openForm()]));
        keepUpToDate(context, list, query);
    } catch (error) {
        if (!context.signal.aborted) fill(context.root, errorState(error, { retry: () => show(context, { query }), isPage: true }));
    }
}

async function loadVenues(signal) {
    const all = await requestAllVenues({ unpublished: true, signal });
    return { venues: all.filter(({ head }) => head > 0), unpublished: all.filter(({ head }) => head === 0) };
}

/** Loads the list again and again until the user leaves the page. */
async function keepUpToDate(context, list, query) {
    while (!context.signal.aborted) {
        await pause(refreshInterval, context.signal).catch(() => {});
        if (context.signal.aborted || document.hidden) continue;
        // What is shown stays; the next refresh tries again.
        const loaded = await loadVenues(context.signal).catch(() => null);
        if (!loaded || context.signal.aborted) continue;
        if (!list.element.isConnected) {
            if (loaded.venues.length + loaded.unpublished.length > 0) return show(context, { query });
        } else list.show(loaded.venues, loaded.unpublished);
    }
}

class VenueList {
    #signal;
    /** In the order of their names. */
    #entries = [];
    #unpublished = [];
    /** How often venues were shown. */
    #shown = 0;
    #details;
    /** The venues whose cards are in view, by their elements. */
    #venueOf = new Map();
    #visible = new Set();
    #observer;
    #timer = null;
    #field = h("input", {
        id: "venue-search", type: "search", placeholder: localized("venues.search"), "aria-label": localized("venues.search"),
        autocomplete: "off", oninput: () => this.#change(),
    });
    #order;
    /** Whether the order is that of the user, which the address keeps, and not that of the number of venues. */
    #isOrderChosen;
    #filter;
    #cards = h("ul", { class: "cards" });
    #status = h("p", { class: "venues-status", role: "status" });
    #chips = h("div", { class: "desk-chips", role: "group", "aria-label": localized("venues.filter") });

    /** `query` has what the address says; `count` is the number of venues at first. */
    constructor(signal, query, count) {
        this.#signal = signal;
        this.#field.value = query.get("search") ?? "";
        this.#isOrderChosen = orders.includes(query.get("order"));
        this.#order = this.#isOrderChosen ? query.get("order") : count > cardLimit && count <= urgencyLimit ? "urgency" : "name";
        this.#filter = filters.includes(query.get("filter")) ? query.get("filter") : "all";
        this.#details = new VenueDetails(({ venue }, details) => {
            const entry = this.#entries.find((each) => each.venue.venue === venue);
            if (!entry) return;
            entry.details = details;
            entry.card.setDetails(details);
            if (this.#needsDetails) this.#timer ??= setTimeout(() => this.#draw(), redrawDelay);
        }, signal);
        this.#observer = new IntersectionObserver((changes) => this.#onVisible(changes), { rootMargin: detailMargin });
        signal.addEventListener("abort", () => this.#observer.disconnect(), { once: true });
        this.element = h("div", {}, this.#controls(), this.#cards);
        addRowKeys(this.element, ".card");
    }

    /**
     * Shows these venues. The card of a venue that has not changed stays; the details of what is in view are loaded again, and now and then
     * those of the others if their place depends on them.
     */
    show(venues, unpublished) {
        const known = new Map(this.#entries.map((entry) => [JSON.stringify(entry.venue), entry]));
        const old = new Set(this.#entries);
        this.#entries = venues.map((venue) => known.get(JSON.stringify(venue)) ?? this.#entry(venue))
            .sort((a, b) => a.name.localeCompare(b.name) || (a.venue.venue < b.venue.venue ? -1 : 1));
        const kept = new Set(this.#entries);
        for (const entry of old) if (!kept.has(entry)) this.#forget(entry);
        this.#unpublished = unpublished;
        this.#cards.classList.toggle("is-rows", venues.length + unpublished.length > cardLimit);
        const isFirst = (entry) => this.#visible.has(entry.card.element) || (old.size > 0 && !old.has(entry));
        this.#shown += 1;
        const others = this.#needsDetails && this.#shown % refreshesPerRound === 0 ? this.#inTurn().filter((entry) => !isFirst(entry)) : [];
        const again = [...this.#entries.filter(isFirst), ...others];
        if (again.length > 0) this.#details.refresh(again.map(({ venue }) => venue));
        this.#redraw();
    }

    /** The venues whose turn it is in this round: all, or of very many some after the others. */
    #inTurn() {
        const turns = Math.max(1, Math.ceil(this.#entries.length / urgencyLimit));
        const first = ((this.#shown / refreshesPerRound) % turns) * urgencyLimit;
        return this.#entries.slice(first, first + urgencyLimit);
    }

    #entry(venue) {
        const card = venueCard(venue, this.#signal);
        const texts = [venue.venue, ...labelTexts(venue.name)].map(foldedText);
        this.#venueOf.set(card.element, venue);
        this.#observer.observe(card.element);
        return { venue, card, texts, name: labelText(venue.name) ?? venue.venue, details: null };
    }

    #forget({ card: { element } }) {
        this.#observer.unobserve(element);
        this.#venueOf.delete(element);
        this.#visible.delete(element);
    }

    /** Loads the details of a card when it comes into view. */
    #onVisible(changes) {
        for (const { target, isIntersecting } of changes) {
            if (!isIntersecting) this.#visible.delete(target);
            else if (this.#venueOf.has(target)) {
                this.#visible.add(target);
                this.#details.request(this.#venueOf.get(target));
            }
        }
    }

    /** Whether the order or the filter depends on the details of all venues. */
    get #needsDetails() { return this.#order !== "name" || ["waiting", "failed"].includes(this.#filter); }

    /** Draws the list in a new order or with another filter, which the address keeps. */
    #change() {
        const { value: search } = this.#field;
        const query = new URLSearchParams({
            ...(search && { search }), ...(this.#filter !== "all" && { filter: this.#filter }),
            ...(this.#isOrderChosen && { order: this.#order }) });
        history.replaceState(null, "", `#/${query.size > 0 ? `?${query}` : ""}`);
        this.#redraw();
    }

    /** An order and a filter take effect on further venues as their details arrive. */
    #redraw() {
        if (this.#needsDetails) this.#details.requestAll(this.#entries.map(({ venue }) => venue));
        this.#draw();
    }

    #controls() {
        const order = h("select", { id: "venue-order", onchange: () => {
            this.#order = order.value;
            this.#isOrderChosen = true;
            this.#change();
        } }, orders.map((value) => h("option", { value }, localized(`venues.order.${value}`))));
        order.value = this.#order;
        fill(this.#chips, filters.map((value) => h("button", {
            type: "button", class: "chip", value, "aria-pressed": String(value === this.#filter),
            onclick: () => {
                this.#filter = value;
                for (const chip of this.#chips.children) chip.setAttribute("aria-pressed", String(chip.value === value));
                this.#change();
            },
        }, localized(`venues.filter.${value}`))));
        return h("div", { class: "venues-controls" }, this.#field, this.#chips, this.#status,
            h("label", { for: "venue-order" }, localized("venues.order")), order);
    }

    #draw() {
        clearTimeout(this.#timer);
        this.#timer = null;
        const words = foldedText(this.#field.value).split(" ");
        const matches = (texts) => words.every((word) => texts.some((text) => text.includes(word)));
        const others = this.#unpublished.map((venue) => ({ venue, texts: [venue.venue], details: uploadDetails(venue.upload) }));
        const items = [...others, ...this.#entries].filter((entry) => matches(entry.texts) && this.#isWanted(entry))
            .sort((a, b) => this.#compare(a, b)).map(({ card, venue }) => card?.element ?? unpublishedCard(venue));
        // Moving elements would take the focus from the card that has it.
        if (items.length !== this.#cards.children.length || items.some((item, i) => item !== this.#cards.children[i])) {
            const focused = this.#cards.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
            fill(this.#cards, items);
            if (focused) this.#cards.querySelector(`a[href="${focused}"]`)?.focus({ preventScroll: true });
        }
        const missing = this.#needsDetails ? this.#entries.filter(({ details }) => details === null).length : 0;
        const status = missing > 0 ? localized("venues.checking", { n: formatNumber(this.#entries.length) })
            : items.length === 0 ? localized("venues.nothingFound") : "";
        // Screen readers read a status again when it is replaced, even by the same text.
        if (this.#status.textContent !== status) fill(this.#status, status);
    }

    #isWanted({ venue, details }) {
        switch (this.#filter) {
            case "waiting": return details?.waiting > 0;
            case "failed": return Boolean(details?.failure);
            case "public": return venue.public;
            default: return true;
        }
    }

    /** Venues that are equal in an order stay in that of their names, after those without a revision. */
    #compare(a, b) {
        switch (this.#order) {
            case "urgency": return urgency(b.details) - urgency(a.details);
            case "published": return (b.details?.publishedAt ?? "").localeCompare(a.details?.publishedAt ?? "");
            case "waiting": return (b.details?.waiting ?? 0) - (a.details?.waiting ?? 0);
            default: return 0;
        }
    }
}

/** Most urgent are the most uploads that wait for a decision, then a last upload that failed, then a scheduled one. */
function urgency(details) {
    if (details?.waiting > 0) return 2 + details.waiting;
    return details?.failure ? 2 : details?.scheduledAt ? 1 : 0;
}

/** What the details of a venue without a revision would be, by its upload. */
function uploadDetails(upload) {
    const isStaged = upload?.state === "staged";
    return {
        waiting: isStaged && !upload.publish_at ? 1 : 0, scheduledAt: isStaged ? upload.publish_at : null,
        failure: ["rejected", "failed"].includes(upload?.state) ? upload : null,
    };
}

function welcome() {
    return h(
        "div", { class: "welcome" },
        h("img", { src: new URL("../icon.svg", import.meta.url).href, alt: "", width: 72, height: 72 }),
        h("h1", {}, localized("venues.welcome")),
        h("p", {}, localized("venues.welcomeHelp")),
        h("button", { class: "primary large", type: "button", onclick: openSignIn }, icon("key"), localized("session.signIn")),
        openForm());
}

/** A form to open a venue by its key. */
function openForm() {
    const field = h("input", {
        id: "venue", name: "venue", placeholder: "mall", pattern: "[a-z0-9.\\-]+", required: true, spellcheck: "false",
        autocapitalize: "none",
    });
    return h(
        "form", {
            class: "inline",
            onsubmit: (event) => {
                event.preventDefault();
                location.hash = `#/${field.value}`;
            },
        },
        h("label", { for: "venue" }, localized("venues.openLabel")), field, h("button", { class: "quiet" }, localized("venues.open")));
}
