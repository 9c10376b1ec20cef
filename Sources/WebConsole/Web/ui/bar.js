// The bar at the top of every page: where one is, the language, the key.

import { fill, h, icon } from "./element.js";
import { openSignIn } from "./sign-in.js";
import { session } from "../session.js";
import { word, words } from "../words/words.js";

export function showBar({ page, venue }) {
    const place = (href, label, picture, isHere) =>
        h("a", { href, "aria-current": isHere ? "page" : undefined }, icon(picture), h("span", {}, label));
    fill(
        document.getElementById("bar"),
        h("a", { class: "brand", href: "#/" }, h("img", { src: "/console/icon.svg", alt: "", width: 28, height: 28 }),
            h("span", {}, "VenueSync")),
        venue && h("span", { class: "crumb", title: venue }, venue),
        venue && h(
            "nav", { "aria-label": word("app.pages") },
            place(`#/${venue}`, word("app.map"), "map", page === "map"),
            place(`#/${venue}/desk`, word("app.desk"), "desk", page === "desk")),
        h("span", { class: "grow" }),
        languageSwitch(),
        session.isSignedIn
            ? h("button", { type: "button", class: "quiet", onclick: () => session.signOut() }, word("session.signOut"))
            : h("button", { type: "button", class: "quiet", onclick: openSignIn }, icon("key"), word("session.signIn")),
    );
}

function languageSwitch() {
    const other = words.language === "ja" ? "en" : "ja";
    const label = { en: "English", ja: "日本語" }[other];
    return h(
        "button", { type: "button", class: "bare language", lang: other, onclick: () => words.use(other) }, icon("globe"), label);
}
