// The desk's first page: where archives go in, what waits for a decision, what came of the last ones.

import { askJSON } from "../api.js";
import { archiveForm } from "./upload/archive-form.js";
import { fill, h } from "../ui/element.js";
import { followRevisions } from "./follow-revisions.js";
import { isAtWork, language } from "./upload/follow-upload.js";
import { outbox } from "./upload/outbox.js";
import { pause } from "../sync/pause.js";
import { revisionEntry } from "./history/revision-entry.js";
import { sendingList } from "./upload/sendings.js";
import { uploadCard, uploadRow } from "./upload/upload-entry.js";
import { word } from "../words/words.js";

const shownUploads = 15;
const shownRevisions = 3;

export async function show(desk) {
    const places = { waiting: h("div"), uploads: h("div"), log: h("div") };
    const form = archiveForm({
        head: () => desk.venue?.head ?? 0,
        zone: () => desk.venue?.about.time_zone,
        onSend: (file, options) => outbox.add(desk.key, file, { create: false, ...options }),
    });
    const state = await load(desk);
    fill(desk.root,
        places.waiting,
        section("desk.overview.upload", form, sendingList((sending) => sending.venue === desk.key, desk.signal)),
        h("div", { class: "desk-columns" }, places.uploads, places.log));
    const shown = {};
    draw(desk, places, shown, state);
    keepUpToDate(desk, places, shown, state);
}

const section = (title, ...children) => h("section", { class: "desk-section" }, h("h2", {}, word(title)), children);

async function load(desk) {
    const path = `/venues/${encodeURIComponent(desk.key)}`;
    const [{ uploads }, log] = await Promise.all([
        askJSON(`${path}/uploads?limit=${shownUploads}`, { signal: desk.signal }),
        desk.venue
            ? askJSON(`${path}/revisions?limit=${shownRevisions}`, { signal: desk.signal, headers: language() })
            : { revisions: [] },
    ]);
    return { uploads, revisions: log.revisions };
}

/** Draws those places anew of which something else is to be said. `shown` keeps what each of them says. */
function draw(desk, places, shown, { uploads, revisions }) {
    const focused = document.activeElement;
    const place = (name, facts, make) => {
        const now = JSON.stringify(facts);
        if (shown[name] !== now) fill(places[name], make());
        shown[name] = now;
    };
    const waiting = uploads.filter((upload) => upload.state === "staged");
    place("waiting", waiting, () => waiting.length > 0 && section(
        "desk.overview.waiting", h("ul", { class: "desk-cards" }, waiting.map((upload) => h("li", {}, uploadCard(desk, upload))))));
    place("uploads", uploads, () => section(
        "desk.overview.uploads", uploads.length > 0
            ? h("ul", { class: "desk-rows" }, uploads.map((upload) => h("li", {}, uploadRow(desk, upload))))
            : h("p", { class: "desk-none" }, word("desk.overview.noUploads"))));
    place("log", [revisions, desk.venue?.head], () => section(
        "desk.overview.revisions", revisions.length > 0
            ? [h("ol", { class: "timeline" }, revisions.map((revision) => h("li", {}, revisionEntry(desk, revision)))),
                h("p", {}, h("a", { href: `#/${desk.key}/desk/history` }, word("desk.overview.allRevisions")))]
            : h("p", { class: "desk-none" }, word("desk.overview.noRevisions"))));
    if (focused && !focused.isConnected) refocus(desk.root, focused);
}

/** The keyboard goes on at the link that stands for the one that went, perhaps in another place. */
function refocus(root, { href }) {
    [...root.querySelectorAll("a")].find((link) => link.href === href)?.focus({ preventScroll: true });
}

/** Redraws when a revision came, and every other second while a worker is busy. */
function keepUpToDate(desk, places, shown, state) {
    let latest = state;
    const refresh = async () => {
        try {
            latest = await load(desk);
        } catch {
            return; // what is shown stays; the next one comes
        }
        if (!desk.signal.aborted) draw(desk, places, shown, latest);
    };
    followRevisions(desk, refresh);
    (async () => {
        while (!desk.signal.aborted) {
            await pause(latest.uploads.some(isAtWork) ? 1500 : 8000, desk.signal).catch(() => {});
            if (!desk.signal.aborted && !document.hidden) await refresh();
        }
    })();
}
