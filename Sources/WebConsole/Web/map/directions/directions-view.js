// What the panel shows of a way: its ends, how to move, the answer, and the steps.

import { h, icon } from "../../ui/element.js";
import { isolated, withForeignNames, withNames } from "../../ui/names.js";
import { localized } from "../../localization/localization.js";
import { profiles } from "./request.js";
import { pictogramElement } from "../swatch.js";
import { distanceText, reasonsTitle, statusText, totalText } from "./sentences.js";

/** The view while an end is chosen with the search and the map: `{which, problems, canUseHere}`, and callbacks. */
export function choosingView({ which, problems, hasHere, onHere, onCancel }) {
    return h(
        "section", { class: "directions-choice", "aria-labelledby": "directions-title" },
        h("div", { class: "directions-head" },
            h("h2", { id: "directions-title", tabindex: "-1" }, localized(`directions.choose.${which}`)),
            button("cancel", "directions.cancel", onCancel, "close")),
        problems.map((text) => h("p", { class: "directions-problem" }, withNames(text))),
        h("p", { class: "help" }, localized("directions.chooseHelp")),
        hasHere && h("button", { type: "button", class: "quiet", "data-action": "here", onclick: onHere }, icon("target"), localized("map.youAreHere")));
}

/**
 * The view of a request and its answer. `state` is `{request, names, closed, problems, answer, reasons, legs, index, missing}`: `names` are the
 * texts of the ends, `closed` is the sentence that the destination is closed now, or null, `answer` is null while the way is computed, `reasons` are those of `reasonTexts`, `legs` are those of the answer or of its
 * alternative with the names of their floors, and `missing` the floors that are not loaded.
 */
export function answerView(state, act) {
    return h(
        "section", { class: "panel-body directions", "aria-labelledby": "directions-title" },
        h("div", { class: "directions-head" },
            h("h2", { id: "directions-title", tabindex: "-1" }, localized("map.directions")),
            act.share && button("share", "directions.share", act.share), button("close", "directions.close", act.close)),
        h("div", { class: "directions-ends" },
            endButton("from", state.names.from, act.choose), endButton("to", state.names.to, act.choose),
            button("swap", "directions.swap", act.swap)),
        h("div", { class: "directions-profiles", role: "group", "aria-label": localized("directions.profile") }, profiles.map((profile) => h(
            "button", {
                type: "button", class: "chip", "data-profile": profile, "aria-pressed": String(profile === state.request.profile),
                onclick: () => act.setProfile(profile),
            }, icon(profile === "walk" ? "walk" : "wheelchair"), localized(`directions.profile.${profile}`)))),
        state.problems.map((text) => h("p", { class: "directions-problem" }, withNames(text))),
        h("div", { class: "directions-answer" }, answerParts(state, act)));
}

const button = (name, label, onclick, iconName = name) => h(
    "button", { type: "button", class: "bare", "data-action": name, "aria-label": localized(label), title: localized(label), onclick }, icon(iconName));

const endButton = (which, name, choose) => h(
    "button", { type: "button", class: "directions-end", "data-end": which, onclick: () => choose(which) },
    h("span", { class: "directions-role" }, localized(`directions.${which}`)), h("bdi", {}, name ?? localized("directions.notChosen")));

function answerParts(state, act) {
    const { answer, request } = state;
    if (!answer) return h("p", { class: "directions-wait" }, localized("directions.finding"));
    const isRoute = answer.status === "route";
    return [
        !isRoute && h("p", { class: "directions-status", "data-status": answer.status }, icon("alert"), h("span", {}, statusText(answer, request.profile))),
        !isRoute && reasonList(state, act),
        state.missing.length > 0 && h("p", { class: "directions-problem" }, withNames(
            localized("directions.missingFloors", { floors: state.missing.map(isolated).join(", ") }))),
        answer.hours === "unknown" && (isRoute || answer.alternative || answer.status === "infeasible")
            && h("p", { class: "directions-problem" }, localized("directions.hoursUnknown")),
        answer.alternative && h("h3", { class: "directions-alternative" }, localized("directions.alternative")),
        answer.alternative && h("p", { class: "help" }, localized("directions.alternativeHelp")),
        state.legs.length > 0 && way(state, act),
    ];
}

function reasonList({ answer, reasons }, act) {
    const title = reasonsTitle(answer);
    if (reasons.length === 0) return null;
    return [
        title && h("h3", { id: "directions-reasons" }, title),
        h("ul", { class: "directions-reasons", "aria-labelledby": title ? "directions-reasons" : undefined }, reasons.map(({ text, feature }) => h("li", {}, feature
            ? h("button", { type: "button", class: "bare", "data-feature": feature, onclick: () => act.showFeature(feature) }, icon("pin"), h("span", {}, withNames(text)))
            : h("p", {}, withNames(text))))),
    ];
}

function way({ answer, request, closed, legs, index }, act) {
    const isStepFree = answer.status === "route" && request.profile === "step-free";
    return [
        h("div", { class: "directions-total" },
            h("p", { class: "directions-sum" }, totalText(answer.alternative ?? answer)),
            legs.length > 1 && h("div", { class: "directions-steps" },
                step("previous", index - 1, legs, act), h("span", {}, h("span", { "aria-hidden": "true" }, `${index + 1}/${legs.length}`),
                    h("span", { class: "visually-hidden" }, localized("directions.stepOf", { n: index + 1, count: legs.length }))),
                step("next", index + 1, legs, act))),
        closed && h("p", { class: "directions-closed" }, icon("clock"), h("span", {}, withNames(closed))),
        answer.startsAtDoor && h("p", { class: "help" }, localized("directions.startsAtDoor")),
        isStepFree && h("p", { class: "help" }, localized("directions.stepFree")),
        h("ol", { class: "directions-legs", "aria-label": localized("directions.list") }, legs.map((leg, i) => h("li", {}, h(
            "button", { type: "button", "data-leg": i, "aria-current": i === index ? "step" : undefined, onclick: () => act.showLeg(i) },
            h("span", { class: "directions-mode" }, leg.mode === "walk" ? icon("walk") : pictogramElement(leg.mode)),
            h("span", { class: "directions-text" },
                h("span", {}, withForeignNames(leg.instruction)),
                h("span", { class: "directions-sub" }, legFacts(leg))))))),
    ];
}

function step(name, target, legs, act) {
    const label = localized(`directions.${name}`);
    return h("button", {
        type: "button", class: "quiet", "data-action": name, "aria-label": label, title: label, disabled: !(target in legs), onclick: () => act.showLeg(target),
    }, icon(name));
}

/** The floor of a leg, and what is not certain about it. */
function legFacts({ mode, floorName, distance, confidence }) {
    const facts = [h("bdi", {}, floorName)];
    if (mode === "walk") facts.push(" · ", distanceText(distance));
    if (confidence === "derived") facts.push(" · ", localized("directions.derived"));
    return facts;
}

/** Replaces the view in place, and keeps the focus on the same control; it returns the new one. */
export function replaceView(before, after) {
    const focused = before?.contains(document.activeElement) ? keyOf(document.activeElement) : null;
    const scroll = before?.scrollTop ?? 0;
    before?.replaceWith(after);
    after.scrollTop = scroll;
    if (focused) (after.querySelector(`${focused}:not(:disabled)`) ?? after.querySelector("#directions-title")).focus({ preventScroll: true });
    return after;
}

/** A selector of a control of the view. */
function keyOf({ id, dataset }) {
    if (id) return `#${id}`;
    const [name] = Object.keys(dataset);
    return name ? `[data-${name}="${dataset[name]}"]` : "#directions-title";
}

