// The operator's desk: its tabs, and which part of it an address shows.
//   #/{venue}/desk               archives in, decisions    overview.js
//   #/{venue}/desk/uploads/{id}  what became of one        upload/upload-page.js
//   #/{venue}/desk/history       the log                   history/history-page.js
//   #/{venue}/desk/restore?to=3  taking a revision back    history/restore-page.js
//   #/{venue}/desk/compare       any two revisions         history/compare-page.js
//   #/{venue}/desk/settings      settings, deletion        manage/settings-page.js
//   #/~/keys                     keys of all venues        manage/keys-page.js
//   #/~/new                      a venue that is not yet   upload/new-venue-page.js
// A part is a module with `show(desk)`; it fills `desk.root`.

import "./desk-words.js";
import { labelText } from "../map/labels.js";
import { errorState, loadingState } from "../ui/states.js";
import { fill, h } from "../ui/element.js";
import { problemWords } from "./problem-words.js";
import { lookAt, reaches } from "./role.js";
import { watchOutbox } from "./upload/sendings.js";
import { word } from "../words/words.js";

const parts = {
    overview: { load: () => import("./overview.js"), needs: "publish", tab: "overview" },
    uploads: { load: () => import("./upload/upload-page.js"), needs: "publish", tab: "overview" },
    history: { load: () => import("./history/history-page.js"), needs: "none", tab: "history" },
    restore: { load: () => import("./history/restore-page.js"), needs: "publish", tab: "history" },
    compare: { load: () => import("./history/compare-page.js"), needs: "none", tab: "compare" },
    settings: { load: () => import("./manage/settings-page.js"), needs: "admin", tab: "settings" },
};

const common = {
    keys: () => import("./manage/keys-page.js"),
    new: () => import("./upload/new-venue-page.js"),
};

const tabs = ["overview", "history", "compare", "settings"];

export async function show(stage, address) {
    watchOutbox();
    const [name, id] = address.path;
    if (address.venue === null) return showCommon(stage, address, common[name]);
    const { role, venue } = await lookAt(address.venue, stage.signal);
    // An address that was cut short begins at the beginning. Who may not publish has nothing to decide; the log is for all who read.
    const isKnown = Object.hasOwn(parts, name ?? "") && (name !== "uploads" || id);
    const part = parts[isKnown ? name : reaches(role, "publish") ? "overview" : "history"];
    if (!reaches(role, part.needs)) throw { status: role === "none" ? 401 : 403 };
    const root = h("div", { class: "desk-part" });
    const title = labelText(venue?.name) ?? address.venue;
    stage.title(`${word(`desk.tab.${part.tab}`)} · ${title}`);
    fill(stage.root, h(
        "div", { class: "page desk" },
        h("header", { class: "desk-head" }, heading(address.venue, title, venue), tabList(address.venue, role, part.tab)),
        root));
    await showPart(part.load, {
        root, signal: stage.signal, key: address.venue, venue, role, path: address.path.slice(1), query: address.query,
        may: (needed) => reaches(role, needed),
    });
}

async function showPart(load, desk) {
    fill(desk.root, loadingState());
    try {
        const module = await load();
        if (!desk.signal.aborted) await module.show(desk);
    } catch (error) {
        if (desk.signal.aborted) return;
        fill(desk.root, errorState(told(error), { retry: () => showPart(load, desk) }));
    }
}

/** A problem in the desk's words, where the console has none that fit better. */
function told(error) {
    if ([0, 401, 403].includes(error.status) || !error.kind) return error;
    const { title, advice } = problemWords(error);
    return { title, detail: advice };
}

function showCommon(stage, address, load) {
    if (!load) return location.replace("#/");
    const root = h("div", { class: "desk-part" });
    stage.title(word(`desk.${address.path[0]}.title`));
    fill(stage.root, h("div", { class: "page desk" }, root));
    return showPart(load, { root, signal: stage.signal, query: address.query });
}

function heading(key, title, venue) {
    return h(
        "div", { class: "desk-title" },
        h("h1", {}, title),
        h("p", {},
            h("span", { class: "desk-key" }, key),
            venue && h("span", { class: "tag", id: "desk-head-revision" }, word("desk.revision", { n: venue.head })),
            venue?.public && h("span", { class: "tag" }, word("venues.public"))));
}

function tabList(key, role, current) {
    const shown = tabs.filter((tab) => reaches(role, parts[tab].needs));
    return h(
        "nav", { class: "desk-tabs", "aria-label": word("desk.tabs") },
        shown.map((tab) => h("a", {
            href: tab === "overview" ? `#/${key}/desk` : `#/${key}/desk/${tab}`,
            "aria-current": tab === current ? "page" : undefined,
        }, word(`desk.tab.${tab}`))));
}
