// The card of a venue in the list.

import { drawWhenVisible } from "./venue-picture.js";
import { fill, h, icon } from "../ui/element.js";
import { formatAge, formatMoment, formatTime } from "../desk/formats.js";
import { formatNumber, localized } from "../localization/localization.js";
import { labelText } from "../map/labels.js";
import { timeElement } from "../desk/time-element.js";

/** `{element, setDetails(details)}`; `details` are those of venue-details.js, which are loaded later. */
export function venueCard(summary, signal) {
    const { venue, name, head, levels, level_count: levelCount, public: isPublic } = summary;
    const facts = { levels: floorCount(levels, levelCount), features: formatNumber(sum(levels)) };
    const picture = h("span", { class: "card-picture" });
    const published = h("span", { class: "card-facts card-published" });
    const links = h("span", { class: "card-links" });
    drawWhenVisible(picture, summary, signal);
    const element = h("li", { class: "venue-card" }, h(
        "a", { class: "card", href: `#/${venue}` },
        picture,
        h("bdi", { class: "card-title" }, labelText(name) ?? venue),
        h("span", { class: "card-key" }, venue),
        h("span", { class: "card-facts" }, localized("venues.facts", facts)), published),
    h("span", { class: "card-tags" },
        h("span", { class: "tag" }, localized("venues.revision", { n: head })),
        isPublic && h("span", { class: "tag" }, icon("globe"), localized("venues.public")), links));
    return {
        element,
        setDetails({ publishedAt, author, waiting, hasMoreWaiting, scheduledAt, zone, failure }) {
            fill(published, publishedAt && [
                timeElement(publishedAt, zone, localized("venues.published", { age: formatAge(publishedAt) })),
                author && [" · ", h("bdi", {}, author)]]);
            fill(links,
                waiting > 0 && link(`#/${venue}/desk/uploads?state=staged`, "warn", "clock",
                    localized("venues.waiting", { n: hasMoreWaiting ? `${waiting}+` : waiting })),
                scheduledAt && scheduledLink(`#/${venue}/desk/uploads?state=staged`, scheduledAt, zone),
                failure && link(`#/${venue}/desk/uploads/${failure.id}`, "bad", "alert", localized(`venues.${failure.state}`)));
        },
    };
}

const link = (href, kind, iconName, text) => h("a", { class: `tag ${kind}`, href }, icon(iconName), text);

/** A card has the whole sentence; a row has only the time, and the sentence as its title. */
function scheduledLink(href, at, zone) {
    const text = localized("venues.timed", { time: formatMoment(at, zone) });
    return h("a", { class: "tag", href, title: text }, icon("clock"), h("span", { class: "tag-sentence" }, text),
        h("span", { class: "tag-time" }, formatTime(at, { month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" })));
}

/** The card of a venue that has no revision yet, with its upload. */
export function unpublishedCard({ venue, upload }) {
    return h("li", { class: "venue-card" }, h(
        "a", { class: "card", href: `#/${venue}/desk` },
        h("span", { class: "card-picture is-empty" }, icon("layers")),
        h("bdi", { class: "card-title" }, venue),
        h("span", { class: "card-facts" }, localized("venues.unpublished"))),
    h("span", { class: "card-tags" }, h("span", { class: "card-links" }, upload && uploadLink(upload))));
}

function uploadLink({ venue, id, state, publish_at: at }) {
    const href = `#/${venue}/desk/uploads/${id}`;
    switch (state) {
        case "staged": return at ? scheduledLink(href, at) : link(href, "warn", "clock", localized("venues.waiting", { n: 1 }));
        case "received":
        case "processing": return link(href, "", "clock", localized("venues.processing"));
        case "rejected":
        case "failed": return link(href, "bad", "alert", localized(`venues.${state}`));
        default: return null;
    }
}

/** The number of floors: levels of several buildings on the same height are one, as on the map. Where not all levels are listed, it is theirs. */
function floorCount(levels, levelCount) {
    const listed = levels.filter(({ level_id: id }) => id);
    return levelCount > listed.length ? levelCount : new Set(listed.map(({ ordinal }) => ordinal)).size;
}

function sum(levels) {
    return levels.reduce((sum, level) => sum + level.features, 0);
}
