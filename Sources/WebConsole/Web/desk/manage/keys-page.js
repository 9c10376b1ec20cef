// The list of API keys. It needs the role `admin` for all venues.

import { auditLink } from "../audit-link.js";
import { request, requestAllVenues, requestJSON } from "../../api.js";
import { fill, h, icon } from "../../ui/element.js";
import { emptyState } from "../../ui/states.js";
import { formatAge, formatTime } from "../formats.js";
import { isolated, withNames } from "../../ui/names.js";
import { openDialog } from "../../ui/dialog.js";
import { openKeyForm } from "./key-form.js";
import { timeElement } from "../time-element.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

/** The tag class of each role. */
const tagClasses = { admin: "bad", publish: "warn", read: "" };

/** How long before its end a key is marked, in milliseconds. */
const warningTime = 7 * 86_400_000;

export async function show(desk) {
    const list = h("div");
    const load = async () => {
        const { keys } = await requestJSON("/keys", { signal: desk.signal });
        fill(list, keys.length > 0
            ? table(keys, { replace: create, onRevoked: load })
            : emptyState({ title: localized("desk.keys.none"), text: localized("desk.keys.noneHelp"), iconName: "key" }));
    };
    const create = async (replaced = null) => {
        const venues = requestAllVenues({ signal: desk.signal }).then((all) => all.map(({ venue }) => venue));
        if (await openKeyForm(venues, replaced)) await load();
    };
    await load();
    fill(desk.root,
        h("header", { class: "desk-header-line" },
            h("h1", {}, localized("desk.keys.title")),
            h("div", { class: "desk-actions" },
                auditLink(),
                h("button", { type: "button", class: "primary", onclick: () => create() }, icon("key"), localized("desk.keys.create")))),
        h("p", { class: "help" }, localized("desk.keys.help")),
        list);
}

// On a phone, the rows are blocks. The roles keep them a table for assistive technology.
function table(keys, { replace, onRevoked }) {
    const columns = ["name", "role", "venues", "created", "use", "expires"];
    const newest = [...keys].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return h(
        "div", { class: "desk-scroll" },
        h("table", { class: "desk-table keys", role: "table" },
            h("thead", { role: "rowgroup" }, h("tr", { role: "row" },
                columns.map((name) => h("th", { scope: "col", role: "columnheader" }, localized(`desk.keys.${name}`))), cell())),
            h("tbody", { role: "rowgroup" }, newest.map((key) => h(
                "tr", { "data-key": key.id, role: "row" },
                h("th", { scope: "row", role: "rowheader" }, h("bdi", {}, key.name), h("code", { class: "help" }, key.id)),
                cell(h("span", { class: `tag ${tagClasses[key.role]}` }, localized(`desk.role.${key.role}`))),
                cell(key.venues[0] === "*" ? localized("desk.keys.everyVenue") : key.venues.join(", ")),
                cell(h("span", { class: "key-label", "aria-hidden": "true" }, `${localized("desk.keys.created")} `), createdAt(key)),
                cell(lastUse(key.last_used_at)),
                cell(expiry(key.expires_at)),
                h("td", { class: "key-actions", role: "cell" },
                    action(key, "quiet", localized("desk.keys.replace"), () => replace(key)),
                    action(key, "danger", localized("desk.keys.revoke"), () => revoke(key, onRevoked))))))));
}

const cell = (...content) => h("td", { role: "cell" }, content);
const createdAt = (key) => formatTime(key.created_at);

const lastUse = (moment) => moment
    ? timeElement(moment, undefined, localized("desk.keys.usedAt", { time: formatAge(moment) })) : localized("desk.keys.neverUsed");

/** A key that expires soon is marked, so that somebody replaces it in time. */
function expiry(moment) {
    if (!moment) return localized("desk.keys.neverExpires");
    const rest = new Date(moment).getTime() - Date.now();
    if (rest <= 0) return h("span", { class: "tag bad" }, timeElement(moment, undefined, localized("desk.keys.expired")));
    // A key whose last day is today ends at midnight, which is tomorrow.
    const last = new Date(new Date(moment).getTime() - 1).toISOString();
    const time = timeElement(moment, undefined, localized("desk.keys.expiresAt", { time: formatAge(last) }));
    return rest > warningTime ? time : h("span", { class: "tag warn" }, time);
}

/** A button of a key. A key and its replacement have the same name, so the time and the id are said too. */
const action = (key, kind, label, act) => h(
    "button", { type: "button", class: kind, onclick: act }, label,
    h("span", { class: "visually-hidden" }, `: ${key.name}, ${createdAt(key)}, ${key.id}`));

async function revoke(key, onRevoked) {
    const facts = [["created", createdAt(key)], ["id", h("code", {}, key.id)]];
    const done = await openDialog({
        title: withNames(localized("desk.keys.revokeTitle", { name: isolated(key.name) })),
        body: [
            h("dl", { class: "key-facts" }, facts.map(([name, value]) => [h("dt", {}, localized(`desk.keys.${name}`)), h("dd", {}, value)])),
            h("p", {}, localized("desk.keys.revokeHelp")),
        ],
        actions: [{
            label: localized("desk.keys.revoke"), kind: "danger",
            act: async () => {
                await request(`/keys/${key.id}`, { method: "DELETE" });
                return true;
            },
        }],
    });
    if (!done) return;
    toast(localized("desk.keys.revoked", { name: isolated(key.name) }), "done");
    await onRevoked();
}
