// The list of venues that the key may read. Without a key, a form to open a public venue.

import { requestAllVenues } from "../api.js";
import { emptyState, errorState } from "../ui/states.js";
import { fill, h, icon } from "../ui/element.js";
import { labelText } from "../map/labels.js";
import { openSignIn } from "../ui/sign-in.js";
import { session } from "../session.js";
import { formatNumber, localized } from "../localization/localization.js";
import { venueActions } from "../desk/venue-actions.js";

export async function show(context) {
    context.setTitle(localized("venues.title"));
    if (!session.isSignedIn) {
        fill(context.root, welcome());
        return;
    }
    try {
        const venues = await requestAllVenues({ signal: context.signal });
        const actions = await venueActions(venues, context.signal);
        if (context.signal.aborted) return;
        fill(
            context.root,
            h("div", { class: "page" }, h("header", { class: "venues-header" }, h("h1", {}, localized("venues.title")), actions),
                venues.length > 0
                    ? h("ul", { class: "cards" }, venues.map(card))
                    : emptyState({ title: localized("venues.empty"), text: localized("venues.emptyHelp") })));
    } catch (error) {
        if (!context.signal.aborted) fill(context.root, errorState(error, { retry: () => show(context) }));
    }
}

function card({ venue, name, head, levels, level_count: levelCount, public: isPublic }) {
    const facts = { levels: levelCount ?? levels.filter((level) => level.level_id).length, features: formatNumber(sum(levels)) };
    return h("li", {}, h(
        "a", { class: "card", href: `#/${venue}` },
        h("span", { class: "card-title" }, labelText(name) ?? venue),
        h("span", { class: "card-key" }, venue),
        h("span", { class: "card-facts" }, localized("venues.facts", facts)),
        h("span", { class: "card-tags" },
            h("span", { class: "tag" }, localized("venues.revision", { n: head })),
            isPublic && h("span", { class: "tag" }, icon("globe"), localized("venues.public")))));
}

function sum(levels) {
    return levels.reduce((sum, level) => sum + level.features, 0);
}

function welcome() {
    const field = h("input", {
        id: "venue", name: "venue", placeholder: "mall", pattern: "[a-z0-9.\\-]+", required: true, spellcheck: "false",
        autocapitalize: "none",
    });
    return h(
        "div", { class: "welcome" },
        h("img", { src: "/console/icon.svg", alt: "", width: 72, height: 72 }),
        h("h1", {}, localized("venues.welcome")),
        h("p", {}, localized("venues.welcomeHelp")),
        h("button", { class: "primary large", type: "button", onclick: openSignIn }, icon("key"), localized("session.signIn")),
        h("form", {
            class: "inline",
            onsubmit: (event) => {
                event.preventDefault();
                location.hash = `#/${field.value}`;
            },
        },
        h("label", { for: "venue" }, localized("venues.openLabel")), field, h("button", { class: "quiet" }, localized("venues.open"))));
}
