// Placeholders for pages without content: loading, empty, failed. Each tells the user what to do next.

import { h, icon } from "./element.js";
import { noResponse, whenReachable } from "../network.js";
import { openSignIn } from "./sign-in.js";
import { session } from "../session.js";
import { localized } from "../localization/localization.js";

export function loadingState(text = localized("state.loading")) {
    return h(
        "div", { class: "state", role: "status" },
        h("div", { class: "spinner", "aria-hidden": "true" }), h("p", {}, text));
}

/** Nothing to show. `action` is `{label, act}` or `{label, href}`; `isPage` is whether there is nothing else on the page. */
export function emptyState({ title, text, action, iconName = "layers", isPage = false }) {
    return h("div", { class: "state" }, icon(iconName), h(isPage ? "h1" : "h2", {}, title), text && h("p", {}, text), action && button(action));
}

/**
 * An error with its explanation, and an action that may help. What failed without a network is tried again when there is one. `isPage` is
 * whether there is nothing else on the page.
 */
export function errorState(error, { retry, isPage = false } = {}) {
    const { title, text, action } = explain(error, retry);
    const element = h(
        "div", { class: "state error", role: "alert" },
        icon("alert"), h(isPage ? "h1" : "h2", {}, title), text && h("p", {}, text), action && button(action));
    if (statusOf(error) === 0 && retry) whenReachable(() => element.isConnected, retry);
    return element;
}

/** The status of a response; 0 for none. Errors of the synchronization have a kind instead. */
const statusOf = (error) => (error.kind === "unreachable" ? 0 : error.status);

function explain(error, retry) {
    const tryAgain = retry && { label: localized("state.tryAgain"), act: retry };
    const signIn = { label: localized("session.signIn"), act: openSignIn };
    if (error.kind === "untrusted") {
        return { title: localized("state.untrusted"), text: localized("state.untrustedHelp"), action: tryAgain };
    }
    switch (statusOf(error)) {
        case 401:
            return session.isSignedIn
                ? { title: localized("state.wrongKey"), text: localized("state.wrongKeyHelp"), action: signIn }
                : { title: localized("state.keyNeeded"), text: localized("state.keyNeededHelp"), action: signIn };
        case 403: return { title: localized("state.forbidden"), text: localized("state.forbiddenHelp"), action: signIn };
        case 404:
            return {
                title: localized("state.notFound"), text: localized("state.notFoundHelp"),
                action: { label: localized("state.toVenues"), href: "#/" },
            };
        case 410:
            return {
                title: localized("state.gone"), text: error.detail, action: { label: localized("state.toVenues"), href: "#/" },
            };
        case 0: return { ...noResponse({ isRepeated: retry !== undefined }), action: tryAgain };
        default:
            // What the server or a proxy says about its own failure is in English, or no words at all.
            if (error.status >= 500) return { title: localized("state.serverFailed"), text: localized("state.serverFailedHelp"), action: tryAgain };
            return { title: error.title || localized("state.failed"), text: error.detail || error.message, action: tryAgain };
    }
}

function button({ label, act, href }) {
    return href
        ? h("a", { class: "button primary", href }, label)
        : h("button", { class: "primary", type: "button", onclick: () => act() }, label);
}
