// The list of API keys. It needs the role `admin` for all venues.

import { request, requestAllVenues, requestJSON } from "../../api.js";
import { fill, h, icon } from "../../ui/element.js";
import { emptyState } from "../../ui/states.js";
import { formatTime } from "../formats.js";
import { isolated, withNames } from "../../ui/names.js";
import { openDialog } from "../../ui/dialog.js";
import { openKeyForm } from "./key-form.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

/** The tag class of each role. */
const tagClasses = { admin: "bad", publish: "warn", read: "" };

export async function show(desk) {
    const list = h("div");
    const load = async () => {
        const { keys } = await requestJSON("/keys", { signal: desk.signal });
        fill(list, keys.length > 0
            ? table(keys, { replace: create, onRevoked: load })
            : emptyState({ title: localized("desk.keys.none"), text: localized("desk.keys.noneHelp"), iconName: "key" }));
    };
    const create = async (replaced = null) => {
        const venues = await requestAllVenues({ signal: desk.signal });
        if (await openKeyForm(venues.map(({ venue }) => venue), replaced)) await load();
    };
    await load();
    fill(desk.root,
        h("header", { class: "desk-header-line" },
            h("h1", {}, localized("desk.keys.title")),
            h("button", { type: "button", class: "primary", onclick: () => create() }, icon("key"), localized("desk.keys.create"))),
        h("p", { class: "help" }, localized("desk.keys.help")),
        list);
}

function table(keys, { replace, onRevoked }) {
    const columns = ["name", "role", "venues", "created"];
    const newest = [...keys].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return h(
        "div", { class: "desk-scroll" },
        h("table", { class: "desk-table keys" },
            h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, localized(`desk.keys.${name}`))), h("td"))),
            h("tbody", {}, newest.map((key) => h(
                "tr", { "data-key": key.id },
                h("th", { scope: "row" }, h("bdi", {}, key.name), h("code", { class: "help" }, key.id)),
                h("td", {}, h("span", { class: `tag ${tagClasses[key.role]}` }, localized(`desk.role.${key.role}`))),
                h("td", {}, key.venues[0] === "*" ? localized("desk.keys.everyVenue") : key.venues.join(", ")),
                h("td", {}, formatTime(key.created_at, { dateStyle: "medium" })),
                h("td", { class: "key-actions" },
                    action(key, localized("desk.keys.replace"), () => replace(key)),
                    action(key, localized("desk.keys.revoke"), () => revoke(key, onRevoked))))))));
}

const action = (key, label, act) => h(
    "button", { type: "button", class: "quiet", onclick: act }, label, h("span", { class: "visually-hidden" }, `: ${key.name}`));

async function revoke(key, onRevoked) {
    const done = await openDialog({
        title: withNames(localized("desk.keys.revokeTitle", { name: isolated(key.name) })),
        body: h("p", {}, localized("desk.keys.revokeHelp")),
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
