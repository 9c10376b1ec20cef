// All uploads of a venue, the most urgent first, with filters by state. Several staged ones can be discarded at once.

import { request, requestJSON } from "../../api.js";
import { addRowKeys } from "../../ui/row-keys.js";
import { button } from "../fields.js";
import { byUrgency } from "./urgency.js";
import { errorState, loadingState } from "../../ui/states.js";
import { fill, h } from "../../ui/element.js";
import { openDialog } from "../../ui/dialog.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { uploadRow } from "./upload-entry.js";
import { localized } from "../../localization/localization.js";

const pageSize = 50;
/** Without a filter, so many that wait come before the first page of all uploads. */
const stagedLimit = 100;
/** The filters: states, and `timed` for what was staged with a time at which it is published. */
const states = ["staged", "timed", "published", "rejected", "failed", "unchanged", "discarded"];

export async function show(desk) {
    const requested = desk.query.get("state");
    const list = new UploadList(desk, states.includes(requested) ? requested : null);
    fill(desk.root, h("section", { class: "desk-section" }, list.element));
    await list.load();
}

class UploadList {
    #desk;
    #state;
    #uploads = [];
    #next = null;
    #selected = new Set();
    #chips = h("div", { class: "desk-chips", role: "group", "aria-label": localized("desk.uploads.filter") });
    #actions = h("p", { class: "desk-actions upload-actions", role: "status" });
    #rows = h("div");

    constructor(desk, state) {
        this.#desk = desk;
        this.#state = state;
        this.element = h("div", { class: "upload-list" },
            h("header", {}, h("h2", {}, localized("desk.overview.allUploads")), this.#chips, this.#actions), this.#rows);
        addRowKeys(this.#rows, ".desk-row");
    }

    async load(path = this.#path) {
        if (path === this.#path) {
            this.#uploads = [];
            this.#next = null;
            this.#selected.clear();
            this.#fillChips();
            this.#fillActions();
            fill(this.#rows, loadingState());
        }
        // Another list as soon as a filter is chosen, even the same one again.
        const uploads = this.#uploads;
        try {
            const needsStaged = this.#state === null && uploads.length === 0;
            const pages = await Promise.all([path, needsStaged && `${this.#uploadsPath}?state=staged&limit=${stagedLimit}`]
                .filter(Boolean).map((each) => requestJSON(each, { signal: this.#desk.signal })));
            if (uploads !== this.#uploads) return;
            const known = new Set(uploads.map(({ id }) => id));
            for (const upload of pages.flatMap((each) => each.uploads)) {
                if (known.has(upload.id) || !this.#isWanted(upload)) continue;
                known.add(upload.id);
                uploads.push(upload);
            }
            const [page] = pages;
            this.#next = page.next;
            this.#draw();
        } catch (error) {
            if (this.#desk.signal.aborted || uploads !== this.#uploads) return;
            // Without the list nothing can be selected. The next page that is loaded draws both again.
            fill(this.#actions);
            fill(this.#rows, errorState(error, { retry: () => this.load(path) }));
        }
    }

    get #path() {
        const state = this.#state === "timed" ? "staged" : this.#state;
        const query = new URLSearchParams({ limit: pageSize, ...(state ? { state } : {}) });
        return `${this.#uploadsPath}?${query}`;
    }

    get #uploadsPath() { return `/venues/${encodeURIComponent(this.#desk.venueKey)}/uploads`; }

    /** The server has one state for what waits for a decision and for what waits for its time. */
    #isWanted({ publish_at: at }) {
        return !["staged", "timed"].includes(this.#state) || Boolean(at) === (this.#state === "timed");
    }

    #fillChips() {
        const chip = (state, label) => h("button", {
            type: "button", class: "chip", value: state ?? "", "aria-pressed": String(state === this.#state),
            onclick: () => {
                this.#state = state;
                // So that the filter survives a reload.
                history.replaceState(null, "", `#/${this.#desk.venueKey}/desk/uploads${state ? `?state=${state}` : ""}`);
                this.load();
            },
        }, label);
        fill(this.#chips, chip(null, localized("desk.uploads.all")), states.map((state) => chip(state, localized(`desk.state.${state === "timed" ? "scheduled" : state}`))));
    }

    #draw() {
        this.#fillActions();
        fill(this.#rows,
            this.#uploads.length > 0
                ? h("ul", { class: "desk-rows selectable" }, byUrgency(this.#uploads).map((upload) => h("li", {}, this.#checkbox(upload), uploadRow(upload, this.#desk.venue?.about.time_zone))))
                : h("p", { class: "desk-empty" }, localized("desk.uploads.none")),
            this.#next && button("quiet", localized("desk.more"), (event) => {
                event.target.disabled = true;
                this.load(this.#next);
            }));
    }

    #checkbox({ id, state, message }) {
        if (state !== "staged") return null;
        return h("input", {
            type: "checkbox", id: `select-${id}`, checked: this.#selected.has(id),
            "aria-label": localized("desk.uploads.select", { name: message || id.slice(0, 8) }),
            onchange: ({ target }) => {
                if (target.checked) this.#selected.add(id);
                else this.#selected.delete(id);
                this.#fillActions();
            },
        });
    }

    #fillActions() {
        // What will be published at a set time has been decided: it is selected one by one.
        const waiting = this.#uploads.filter(({ state, publish_at: at }) => state === "staged" && !at);
        const n = this.#selected.size;
        fill(this.#actions,
            waiting.length > 1 && waiting.some(({ id }) => !this.#selected.has(id))
                && button("quiet", localized("desk.uploads.selectAll", { n: waiting.length }), () => {
                    for (const { id } of waiting) this.#selected.add(id);
                    this.#draw();
                }),
            n > 0 && button("quiet", localized("desk.uploads.discard", { n }), () => this.#discard()));
    }

    async #discard() {
        const ids = [...this.#selected];
        const scheduled = this.#uploads.filter(({ id, publish_at: at }) => at && this.#selected.has(id)).length;
        const outcome = await openDialog({
            title: localized("desk.uploads.discardTitle", { n: ids.length }),
            body: [
                h("p", {}, localized("desk.discard.help")),
                scheduled > 0 && h("p", { class: "notice" }, localized("desk.uploads.discardScheduled", { n: scheduled })),
            ],
            actions: [{ label: localized("desk.uploads.discard", { n: ids.length }), kind: "danger", act: () => discardAll(ids) }],
        });
        if (!outcome) return;
        if (outcome.error) toast(problemLine(outcome.error), "problem");
        else toast(localized("desk.uploads.discarded", { n: outcome.count }), "done");
        await this.load();
    }
}

/** Discards uploads one after the other. `error` is the first problem; uploads that were decided elsewhere are none, and not in `count`. */
async function discardAll(ids) {
    let error = null;
    let count = 0;
    for (const id of ids) {
        try {
            await request(`/uploads/${id}`, { method: "DELETE" });
            count += 1;
        } catch (problem) {
            if (problem.status !== 409) error ??= problem;
        }
    }
    return { error, count };
}
