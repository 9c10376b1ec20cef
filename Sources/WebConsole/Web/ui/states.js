// What a page shows while it has nothing to show: it loads, it is empty, something went wrong. Each says what to do next.

import { h, icon } from "./element.js";
import { openSignIn } from "./sign-in.js";
import { session } from "../session.js";
import { word } from "../words/words.js";

export function loadingState(text = word("state.loading")) {
    return h(
        "div", { class: "state", role: "status" },
        h("div", { class: "spinner", "aria-hidden": "true" }), h("p", {}, text));
}

/** Nothing is there, and what to do about it. `action` is `{label, act}` or `{label, href}`. */
export function emptyState({ title, text, action, picture = "layers" }) {
    return h("div", { class: "state" }, icon(picture), h("h2", {}, title), text && h("p", {}, text), action && button(action));
}

/** Something went wrong: what, and what to do. */
export function errorState(error, { retry } = {}) {
    const { title, text, action } = explain(error, retry);
    return h(
        "div", { class: "state error", role: "alert" },
        icon("alert"), h("h2", {}, title), text && h("p", {}, text), action && button(action));
}

function explain(error, retry) {
    const again = retry && { label: word("state.again"), act: retry };
    const signIn = { label: word("session.signIn"), act: openSignIn };
    switch (error.status) {
        case 401:
            return session.isSignedIn
                ? { title: word("state.wrongKey"), text: word("state.wrongKeyHelp"), action: signIn }
                : { title: word("state.keyNeeded"), text: word("state.keyNeededHelp"), action: signIn };
        case 403: return { title: word("state.forbidden"), text: word("state.forbiddenHelp"), action: signIn };
        case 404:
            return {
                title: word("state.notFound"), text: word("state.notFoundHelp"),
                action: { label: word("state.toVenues"), href: "#/" },
            };
        case 410: return { title: word("state.gone"), text: error.detail, action: { label: word("state.toVenues"), href: "#/" } };
        case 0: return { title: word("state.offline"), text: word("state.offlineHelp"), action: again };
        default:
            return { title: error.title || word("state.failed"), text: error.detail || error.message, action: again };
    }
}

function button({ label, act, href }) {
    return href ? h("a", { class: "button primary", href }, label) : h("button", { class: "primary", type: "button", onclick: () => act() }, label);
}
