// The venues that the key may read; without a key, the way to a public one.

import { askAllVenues } from "../api.js";
import { emptyState, errorState } from "../ui/states.js";
import { fill, h, icon } from "../ui/element.js";
import { labelText } from "../map/labels.js";
import { openSignIn } from "../ui/sign-in.js";
import { session } from "../session.js";
import { formatNumber, word } from "../words/words.js";
import { venueActions } from "../desk/venue-actions.js";

export async function show(stage) {
    stage.title(word("venues.title"));
    if (!session.isSignedIn) {
        fill(stage.root, welcome());
        return;
    }
    try {
        const venues = await askAllVenues({ signal: stage.signal });
        const actions = await venueActions(venues, stage.signal);
        if (stage.signal.aborted) return;
        fill(
            stage.root,
            h("div", { class: "page" }, h("header", { class: "venues-head" }, h("h1", {}, word("venues.title")), actions),
                venues.length > 0
                    ? h("ul", { class: "cards" }, venues.map(card))
                    : emptyState({ title: word("venues.empty"), text: word("venues.emptyHelp") })));
    } catch (error) {
        if (!stage.signal.aborted) fill(stage.root, errorState(error, { retry: () => show(stage) }));
    }
}

function card({ venue, name, head, levels, level_count: levelCount, public: isPublic }) {
    const facts = { levels: levelCount ?? levels.filter((level) => level.level_id).length, features: formatNumber(sum(levels)) };
    return h("li", {}, h(
        "a", { class: "card", href: `#/${venue}` },
        h("span", { class: "card-title" }, labelText(name) ?? venue),
        h("span", { class: "card-key" }, venue),
        h("span", { class: "card-facts" }, word("venues.facts", facts)),
        h("span", { class: "card-tags" },
            h("span", { class: "tag" }, word("venues.revision", { n: head })),
            isPublic && h("span", { class: "tag" }, icon("globe"), word("venues.public")))));
}

function sum(levels) {
    return levels.reduce((sum, level) => sum + level.features, 0);
}

function welcome() {
    const field = h("input", { id: "venue", name: "venue", placeholder: "mall", pattern: "[a-z0-9.\\-]+", required: true, spellcheck: "false", autocapitalize: "none" });
    return h(
        "div", { class: "welcome" },
        h("img", { src: "/console/icon.svg", alt: "", width: 72, height: 72 }),
        h("h1", {}, word("venues.welcome")),
        h("p", {}, word("venues.welcomeHelp")),
        h("button", { class: "primary large", type: "button", onclick: openSignIn }, icon("key"), word("session.signIn")),
        h("form", {
            class: "inline",
            onsubmit: (event) => {
                event.preventDefault();
                location.hash = `#/${field.value}`;
            },
        },
        h("label", { for: "venue" }, word("venues.openLabel")), field, h("button", { class: "quiet" }, word("venues.open"))));
}
