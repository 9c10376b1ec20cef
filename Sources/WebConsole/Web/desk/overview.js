// The first view of the desk: the upload form, uploads that wait for a decision, recent uploads and revisions.

import { requestJSON } from "../api.js";
import { archiveForm } from "./upload/archive-form.js";
import { fill, h } from "../ui/element.js";
import { followRevisions } from "./follow-revisions.js";
import { acceptLanguage, isInProgress } from "./upload/follow-upload.js";
import { transfers } from "./upload/transfers.js";
import { pause } from "../retry.js";
import { revisionEntry } from "./history/revision-entry.js";
import { timeZoneNotice } from "./time-zone-notice.js";
import { transferList } from "./upload/transfer-list.js";
import { uploadCard, uploadRow } from "./upload/upload-entry.js";
import { localized } from "../localization/localization.js";

const uploadCount = 15;
/** Further ones are in the list of all uploads, so that the form below stays in view. */
const waitingCount = 3;
const revisionCount = 3;

export async function show(desk) {
    const containers = { waiting: h("div"), uploads: h("div"), log: h("div") };
    const form = archiveForm({
        head: () => desk.venue?.head ?? 0,
        zone: () => desk.venue?.about.time_zone,
        onSend: (file, options) => transfers.add(desk.venueKey, file, { create: false, ...options }),
    });
    const state = await load(desk);
    fill(desk.root,
        timeZoneNotice(desk), containers.waiting,
        section("desk.overview.upload", form, transferList((transfer) => transfer.venue === desk.venueKey, desk.signal)),
        h("div", { class: "desk-columns" }, containers.uploads, containers.log));
    const drawn = {};
    draw(desk, containers, drawn, state);
    keepUpToDate(desk, containers, drawn, state);
}

const section = (title, ...children) => h("section", { class: "desk-section" }, h("h2", {}, localized(title)), children);

async function load(desk) {
    const path = `/venues/${encodeURIComponent(desk.venueKey)}`;
    const [{ uploads }, staged, log] = await Promise.all([
        requestJSON(`${path}/uploads?limit=${uploadCount}`, { signal: desk.signal }),
        requestJSON(`${path}/uploads?state=staged&limit=100`, { signal: desk.signal }),
        desk.venue
            ? requestJSON(`${path}/revisions?limit=${revisionCount}`, { signal: desk.signal, headers: acceptLanguage() })
            : { revisions: [] },
    ]);
    // Those with a time are published without a decision, and are not counted as waiting anywhere.
    const [timed, waiting] = [true, false].map((isTimed) => staged.uploads.filter(({ publish_at: at }) => Boolean(at) === isTimed));
    return { uploads, waiting, timed, hasMore: staged.next !== null, revisions: log.revisions };
}

/** Redraws the containers whose data has changed. `drawn` holds the serialized data of each. */
function draw(desk, containers, drawn, { uploads, waiting, timed, hasMore, revisions }) {
    const focused = document.activeElement;
    const zone = desk.venue?.about.time_zone;
    const update = (name, data, make) => {
        const serialized = JSON.stringify(data);
        if (drawn[name] !== serialized) fill(containers[name], make());
        drawn[name] = serialized;
    };
    const cards = (list) => h("ul", { class: "desk-cards waiting-cards" }, list.slice(0, waitingCount).map((upload) => h("li", {}, uploadCard(upload, zone))));
    const all = (state, text) => h("p", {}, h("a", { href: `#/${desk.venueKey}/desk/uploads${state}` }, text));
    update("waiting", [waiting, timed], () => [
        waiting.length > 0 && section(
            "desk.overview.waiting", cards(waiting),
            waiting.length > waitingCount
                && all("?state=staged", localized("desk.overview.allWaiting", { n: `${waiting.length}${hasMore ? "+" : ""}` }))),
        timed.length > 0 && section(
            "desk.overview.timed", cards(timed),
            timed.length > waitingCount && all("?state=timed", localized("desk.overview.allTimed", { n: `${timed.length}${hasMore ? "+" : ""}` }))),
    ]);
    update("uploads", uploads, () => section(
        "desk.overview.uploads", uploads.length > 0
            ? [h("ul", { class: "desk-rows" }, uploads.map((upload) => h("li", {}, uploadRow(upload, zone)))),
                all("", localized("desk.overview.allUploads"))]
            : h("p", { class: "desk-empty" }, localized("desk.overview.noUploads"))));
    update("log", [revisions, desk.venue?.head], () => section(
        "desk.overview.revisions", revisions.length > 0
            ? [h("ol", { class: "timeline" }, revisions.map((revision) => h("li", {}, revisionEntry(desk, revision)))),
                h("p", {}, h("a", { href: `#/${desk.venueKey}/desk/history` }, localized("desk.overview.allRevisions")))]
            : h("p", { class: "desk-empty" }, localized("desk.overview.noRevisions"))));
    if (focused && !focused.isConnected) restoreFocus(desk.root, focused);
}

/** Focuses the link that replaces a removed one: the link with the same URL, possibly in another section. */
function restoreFocus(root, { href }) {
    [...root.querySelectorAll("a")].find((link) => link.href === href)?.focus({ preventScroll: true });
}

/** Refreshes after each new revision, and regularly: more often while an upload is being processed. */
function keepUpToDate(desk, containers, drawn, state) {
    let latest = state;
    const refresh = async () => {
        try {
            latest = await load(desk);
        } catch {
            return; // Keeps what is shown; the next refresh tries again.
        }
        if (!desk.signal.aborted) draw(desk, containers, drawn, latest);
    };
    followRevisions(desk, refresh);
    (async () => {
        while (!desk.signal.aborted) {
            await pause(latest.uploads.some(isInProgress) ? 1500 : 8000, desk.signal).catch(() => {});
            if (!desk.signal.aborted && !document.hidden) await refresh();
        }
    })();
}
