// Keys: who may do what. For admins of every venue.

import { ask, askAllVenues, askJSON } from "../../api.js";
import { fill, h, icon } from "../../ui/element.js";
import { emptyState } from "../../ui/states.js";
import { formatTime } from "../formats.js";
import { openDialog } from "../../ui/dialog.js";
import { openKeyForm } from "./key-form.js";
import { toast } from "../../ui/toast.js";
import { word } from "../../words/words.js";

const moods = { admin: "bad", publish: "warn", read: "" };

export async function show(desk) {
    const list = h("div");
    const load = async () => {
        const { keys } = await askJSON("/keys", { signal: desk.signal });
        fill(list, keys.length > 0
            ? table(keys, load)
            : emptyState({ title: word("desk.keys.none"), text: word("desk.keys.noneHelp"), picture: "key" }));
    };
    await load();
    const make = async () => {
        const venues = await askAllVenues({ signal: desk.signal });
        if (await openKeyForm(venues.map(({ venue }) => venue))) await load();
    };
    fill(desk.root,
        h("header", { class: "desk-head-line" },
            h("h1", {}, word("desk.keys.title")),
            h("button", { type: "button", class: "primary", onclick: make }, icon("key"), word("desk.keys.make"))),
        h("p", { class: "help" }, word("desk.keys.help")),
        list);
}

function table(keys, onRevoked) {
    const columns = ["name", "role", "venues", "made"];
    const newest = [...keys].sort((a, b) => (a.created_at < b.created_at ? 1 : -1));
    return h(
        "div", { class: "desk-scroll" },
        h("table", { class: "desk-table keys" },
            h("thead", {}, h("tr", {}, columns.map((name) => h("th", { scope: "col" }, word(`desk.keys.${name}`))), h("td"))),
            h("tbody", {}, newest.map((key) => h(
                "tr", { "data-key": key.id },
                h("th", { scope: "row" }, key.name, h("code", { class: "help" }, key.id)),
                h("td", {}, h("span", { class: `tag ${moods[key.role]}` }, word(`desk.role.${key.role}`))),
                h("td", {}, key.venues[0] === "*" ? word("desk.keys.everyVenue") : key.venues.join(", ")),
                h("td", {}, formatTime(key.created_at, { dateStyle: "medium" })),
                h("td", {}, h(
                    "button", { type: "button", class: "quiet", onclick: () => revoke(key, onRevoked) },
                    word("desk.keys.revoke"), h("span", { class: "unseen" }, `: ${key.name}`))))))));
}

async function revoke(key, onRevoked) {
    const done = await openDialog({
        title: word("desk.keys.revokeTitle", { name: key.name }),
        body: h("p", {}, word("desk.keys.revokeHelp")),
        actions: [{
            label: word("desk.keys.revoke"), kind: "danger",
            act: async () => {
                await ask(`/keys/${key.id}`, { method: "DELETE" });
                return true;
            },
        }],
    });
    if (!done) return;
    toast(word("desk.keys.revoked", { name: key.name }), "done");
    await onRevoked();
}
