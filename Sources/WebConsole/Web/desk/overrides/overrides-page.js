// What was changed by hand, and what the source says about it: the list of overrides, those that wait for a decision first.

import "../../map/editing/messages.js";
import { request, requestJSON } from "../../api.js";
import { button } from "../fields.js";
import { emptyState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { followRevisions } from "../follow-revisions.js";
import { namedLevels } from "../levels.js";
import { overrideEntry } from "./override-entry.js";
import { problemLine } from "../problem-messages.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

const pageSize = 50;
/** The filters; the server knows the states, the others are kinds of overrides. */
const filters = ["all", "contested", "quiet", "orphaned", "hidden", "added"];
const kinds = new Set(["hidden", "added"]);

export async function show(desk) {
    if (!desk.venue) return fill(desk.root, emptyState({ title: localized("desk.overview.noRevisions"), iconName: "clock" }));
    const list = new OverrideList(desk, await namedLevels(desk));
    desk.refresh = () => list.reload();
    const wanted = desk.query.get("state");
    // What waits for a decision comes first.
    list.filter = filters.includes(wanted) ? wanted : (await list.count("contested")) > 0 ? "contested" : "all";
    fill(desk.root, list.element);
    await list.reload();
    followRevisions(desk, () => list.reload().catch(() => {}));
}

class OverrideList {
    filter = "all";
    #desk;
    #levels;
    #list = h("ul", { class: "overrides" });
    #footer = h("p");
    #chips = h("div", { class: "desk-chips", role: "group", "aria-label": localized("desk.overrides.filter") });
    /** Counts the requests, because a slow response must not replace that of another filter. */
    #loads = 0;

    constructor(desk, levels) {
        this.#desk = desk;
        this.#levels = levels;
        this.element = h(
            "section", { class: "desk-section" },
            h("div", { class: "overrides-header" },
                h("h2", {}, localized("desk.overrides.title")),
                h("p", { class: "help" }, localized("desk.overrides.help"), " ", localized("desk.overrides.begin")),
                h("p", {}, h("a", { class: "button primary", href: `#/${desk.venueKey}` }, icon("pencil"), localized("desk.overrides.editOnMap"))),
                h("p", { class: "desk-actions" },
                    localized("desk.overrides.export"), ["csv", "geojson"].map((format) => this.#exportButton(format)))),
            this.#chips, this.#list, this.#footer);
    }

    get #path() {
        return `/venues/${encodeURIComponent(this.#desk.venueKey)}/overrides`;
    }

    async count(state) {
        const { overrides } = await requestJSON(`${this.#path}?state=${state}&limit=1`, { signal: this.#desk.signal });
        return overrides.length;
    }

    /** Loads the first page again. The focus stays on the entry that has it, or goes to the one that replaces it. */
    async reload() {
        const load = ++this.#loads;
        const state = this.filter === "all" || kinds.has(this.filter) ? "" : `state=${this.filter}&`;
        const { entries, next } = await this.#page(`${this.#path}?${state}limit=${pageSize}`);
        if (load !== this.#loads || this.#desk.signal.aborted) return;
        document.querySelector(".tab-badge")?.update?.();
        this.#fillChips();
        const before = [...this.#list.children];
        const index = before.findIndex((item) => item.contains(document.activeElement));
        fill(this.#list, entries.map((entry) => this.#item(entry)));
        this.#fillFooter(next);
        if (entries.length === 0) fill(this.#list, h("li", { class: "desk-empty", tabindex: "-1" }, localized(`desk.overrides.none.${this.filter}`)));
        if (index >= 0) this.#focus(Math.min(index, this.#list.children.length - 1));
    }

    #focus(index) {
        const item = this.#list.children[index];
        (item?.querySelector("article") ?? item)?.focus({ preventScroll: true });
    }

    /** A page with at least one entry of the filter, unless there is none: the server does not filter by kind. */
    async #page(path) {
        const entries = [];
        let next = path;
        do {
            const page = await requestJSON(next, { signal: this.#desk.signal });
            entries.push(...page.overrides.filter(({ kind }) => !kinds.has(this.filter) || kind === this.filter));
            next = page.next;
        } while (next && entries.length === 0);
        return { entries, next };
    }

    #item(override) {
        return h("li", {}, overrideEntry(this.#desk, override, {
            levels: this.#levels,
            onSettled: (revision) => {
                // The list is loaded again when the event of the revision arrives; a decision without a revision has none.
                if (revision <= this.#desk.venue.head) return this.reload();
                return null;
            },
        }));
    }

    #fillFooter(next) {
        fill(this.#footer, next && button("quiet", localized("desk.more"), async (event) => {
            event.target.disabled = true;
            try {
                const page = await this.#page(next);
                const first = this.#list.children.length;
                this.#list.append(...page.entries.map((entry) => this.#item(entry)));
                this.#fillFooter(page.next);
                this.#focus(first);
            } catch (error) {
                event.target.disabled = false;
                toast(problemLine(error), "problem");
            }
        }));
    }

    #fillChips() {
        const focused = this.#chips.contains(document.activeElement) ? document.activeElement.dataset.filter : null;
        fill(this.#chips, filters.map((filter) => h("button", {
            type: "button", class: "chip", "aria-pressed": String(filter === this.filter), "data-filter": filter,
            onclick: () => {
                this.filter = filter;
                history.replaceState(null, "", `#/${this.#desk.venueKey}/desk/overrides?state=${filter}`);
                this.#fillChips();
                this.reload().catch((error) => toast(problemLine(error), "problem"));
            },
        }, localized(`desk.overrides.filter.${filter}`))));
        if (focused) this.#chips.querySelector(`[data-filter="${focused}"]`)?.focus({ preventScroll: true });
    }

    /** Downloads the list. A plain link could not send the key. */
    #exportButton(format) {
        const download = async (event) => {
            const target = event.currentTarget;
            target.disabled = true;
            try {
                const response = await request(`${this.#path}.${format}`, { signal: this.#desk.signal });
                const url = URL.createObjectURL(await response.blob());
                h("a", { href: url, download: `${this.#desk.venueKey}-overrides.${format}` }).click();
                setTimeout(() => URL.revokeObjectURL(url), 60_000);
            } catch (error) {
                if (!this.#desk.signal.aborted) toast(problemLine(error), "problem");
            }
            target.disabled = false;
            target.focus();
        };
        return h("button", { type: "button", class: "quiet", onclick: download }, icon("download"), localized(`desk.overrides.export.${format}`));
    }
}
