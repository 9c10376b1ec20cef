// The audit log: who changed settings and keys, the newest first. It needs the role `admin` for all venues.

import { requestJSON } from "../../api.js";
import { button } from "../fields.js";
import { emptyState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { isolated, withNames } from "../../ui/names.js";
import { problemLine } from "../problem-messages.js";
import { timeElement } from "../time-element.js";
import { localized } from "../../localization/localization.js";

const pageSize = 50;

export async function show(desk) {
    const venue = desk.query.get("venue");
    const list = h("ol", { class: "timeline audit" });
    const footer = h("p", {});
    const load = async (path) => {
        const { entries, next } = await requestJSON(path, { signal: desk.signal });
        list.append(...entries.map((entry) => h("li", {}, entryElement(entry))));
        fill(footer, next && button("quiet", localized("desk.more"), (event) => loadMore(event.target, next)));
    };
    const loadMore = async (pressed, path) => {
        pressed.disabled = true;
        const count = list.children.length;
        try {
            await load(path);
            list.children[count]?.querySelector("a, time")?.focus();
        } catch (error) {
            pressed.disabled = false;
            fill(footer, pressed, " ", h("span", { class: "error-message", role: "alert" }, problemLine(error)));
        }
    };
    await load(`/audit?limit=${pageSize}${venue ? `&venue=${encodeURIComponent(venue)}` : ""}`);
    fill(desk.root,
        h("h1", {}, localized("desk.audit.title")),
        h("p", { class: "help" }, localized("desk.audit.help")),
        venue && h("p", {}, venue, " ", h("a", { href: "#/~/audit" }, localized("desk.audit.all"))),
        list.hasChildNodes() ? [list, footer] : emptyState({ title: localized("desk.audit.none"), iconName: "clock" }));
}

const entryElement = (entry) => h(
    "article", {},
    h("p", { class: "desk-row-facts" },
        h("span", {}, h("bdi", {}, entry.author)), timeElement(entry.at),
        entry.venue && h("a", { href: `#/~/audit?venue=${entry.venue}` }, entry.venue)),
    lines(entry).map((line) => h("p", {}, withNames(line))));

function lines({ action, detail: { settings, key } }) {
    if (settings) {
        const changes = settings.map(({ setting, before, after }) => localized("desk.audit.setting", {
            name: localized(`desk.settings.${setting}`), before: valueText(setting, before), after: valueText(setting, after),
        }));
        return action === "venue_deleted" ? [localized("desk.audit.venue_deleted"), ...changes] : changes;
    }
    // A newer server may have other actions.
    if (!key) return [action];
    const venues = key.venues[0] === "*" ? localized("desk.keys.everyVenue") : key.venues.join(localized("desk.comma"));
    return [localized(`desk.audit.${action}`, { name: isolated(key.name), role: localized(`desk.role.${key.role}`), venues })];
}

function valueText(setting, value) {
    if (value === null) return localized("desk.audit.noValue");
    if (typeof value === "boolean") return localized(value ? "desk.audit.on" : "desk.audit.off");
    if (typeof value !== "string") return isolated(JSON.stringify(value));
    const name = `desk.settings.${setting}.${value}`;
    const choice = localized(name);
    return isolated(choice === name ? value : choice);
}
