// The list of venues that the key may read: search, order, filters. Without a key, a form to open a public venue.

import { requestAllVenues } from "../api.js";
import { emptyState, errorState } from "../ui/states.js";
import { fill, h, icon } from "../ui/element.js";
import { foldedText } from "../client/map/folded-text.js";
import { labelText } from "../map/labels.js";
import { labelTexts } from "../client/map/labels.js";
import { loadDetails } from "./venue-details.js";
import { openSignIn } from "../ui/sign-in.js";
import { session } from "../session.js";
import { localized } from "../localization/localization.js";
import { unpublishedCard, venueCard } from "./venue-card.js";
import { venueActions } from "../desk/venue-actions.js";

const orders = ["name", "published", "waiting"];
const filters = ["all", "waiting", "failed", "public"];
/** The details of further venues are not loaded, so they cannot be found by filters; the list says so. */
const detailLimit = 300;

export async function show(context) {
    context.setTitle(localized("venues.title"));
    if (!session.isSignedIn) {
        fill(context.root, welcome());
        return;
    }
    try {
        const all = await requestAllVenues({ unpublished: true, signal: context.signal });
        const venues = all.filter(({ head }) => head > 0);
        const unpublished = all.filter(({ head }) => head === 0);
        const actions = await venueActions(venues, context.signal);
        if (context.signal.aborted) return;
        const list = new VenueList(venues, unpublished, context.signal);
        fill(
            context.root,
            h("div", { class: "page venues-page" },
                h("header", { class: "venues-header" }, h("h1", {}, localized("venues.title")), actions),
                venues.length + unpublished.length > 0
                    ? list.element
                    : [emptyState({ title: localized("venues.empty"), text: localized("venues.emptyHelp") }), openForm()]));
        await list.loadDetails();
    } catch (error) {
        if (!context.signal.aborted) fill(context.root, errorState(error, { retry: () => show(context), isPage: true }));
    }
}

class VenueList {
    #entries;
    #unpublished;
    #signal;
    #query = "";
    #order = "name";
    #filter = "all";
    #cards = h("ul", { class: "cards" });
    #status = h("p", { class: "venues-status", role: "status" });
    #chips = h("div", { class: "desk-chips", role: "group", "aria-label": localized("venues.filter") });

    constructor(venues, unpublished, signal) {
        this.#signal = signal;
        this.#unpublished = unpublished;
        this.#entries = venues.map((venue) => {
            const card = venueCard(venue, signal);
            const texts = [venue.venue, ...labelTexts(venue.name)].map(foldedText);
            return { venue, card, texts, name: labelText(venue.name) ?? venue.venue, details: null };
        });
        this.element = h("div", {}, this.#controls(), this.#status, this.#cards);
        this.#draw();
    }

    /** Completes the cards; an order or a filter that depends on details takes effect as they arrive. */
    async loadDetails() {
        const byKey = new Map(this.#entries.map((entry) => [entry.venue.venue, entry]));
        await loadDetails(this.#entries.slice(0, detailLimit).map(({ venue }) => venue), ({ venue }, details) => {
            const entry = byKey.get(venue);
            entry.details = details;
            entry.card.setDetails(details);
            if (this.#order !== "name" || !["all", "public"].includes(this.#filter)) this.#draw();
        }, this.#signal);
    }

    #controls() {
        const field = h("input", {
            id: "venue-search", type: "search", placeholder: localized("venues.search"), "aria-label": localized("venues.search"),
            autocomplete: "off", oninput: () => {
                this.#query = foldedText(field.value);
                this.#draw();
            },
        });
        const order = h("select", { id: "venue-order", onchange: () => {
            this.#order = order.value;
            this.#draw();
        } }, orders.map((value) => h("option", { value }, localized(`venues.order.${value}`))));
        fill(this.#chips, filters.map((value) => h("button", {
            type: "button", class: "chip", value, "aria-pressed": String(value === this.#filter),
            onclick: () => {
                this.#filter = value;
                for (const chip of this.#chips.children) chip.setAttribute("aria-pressed", String(chip.value === value));
                this.#draw();
            },
        }, localized(`venues.filter.${value}`))));
        return h("div", { class: "venues-controls" }, field, this.#chips,
            h("label", { for: "venue-order" }, localized("venues.order")), order);
    }

    #draw() {
        const words = this.#query.split(" ");
        const matches = (texts) => words.every((word) => texts.some((text) => text.includes(word)));
        const entries = this.#entries.filter((entry) => matches(entry.texts) && this.#isWanted(entry)).sort((a, b) => this.#compare(a, b));
        const others = this.#unpublished
            .filter(({ venue, upload }) => matches([venue]) && isWantedUpload(this.#filter, upload)).map(unpublishedCard);
        const items = [...others, ...entries.map(({ card }) => card.element)];
        // Moving elements would take the focus from the card that has it.
        if (items.length !== this.#cards.children.length || items.some((item, i) => item !== this.#cards.children[i])) {
            fill(this.#cards, items);
        }
        const isIncomplete = this.#entries.length > detailLimit && (this.#order !== "name" || ["waiting", "failed"].includes(this.#filter));
        fill(this.#status,
            items.length === 0 && localized("venues.nothingFound"),
            isIncomplete && localized("venues.detailLimit", { n: detailLimit }));
    }

    #isWanted({ venue, details }) {
        switch (this.#filter) {
            case "waiting": return details?.waiting > 0;
            case "failed": return Boolean(details?.failure);
            case "public": return venue.public;
            default: return true;
        }
    }

    #compare(a, b) {
        const byName = a.name.localeCompare(b.name) || (a.venue.venue < b.venue.venue ? -1 : 1);
        switch (this.#order) {
            case "published": return (b.details?.publishedAt ?? "").localeCompare(a.details?.publishedAt ?? "") || byName;
            case "waiting": return (b.details?.waiting ?? 0) - (a.details?.waiting ?? 0) || byName;
            default: return byName;
        }
    }
}

/** Whether a filter shows a venue without a revision, by its upload. */
function isWantedUpload(filter, upload) {
    switch (filter) {
        case "waiting": return upload?.state === "staged";
        case "failed": return ["rejected", "failed"].includes(upload?.state);
        default: return filter === "all";
    }
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
