// The log: the revisions of a venue, newest first, with links to compare two of them or to roll back.

import { requestJSON } from "../../api.js";
import { button } from "../fields.js";
import { downloadButton } from "./download.js";
import { emptyState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { followRevisions } from "../follow-revisions.js";
import { acceptLanguage } from "../upload/follow-upload.js";
import { problemLine } from "../problem-messages.js";
import { revisionEntry } from "./revision-entry.js";
import { localized } from "../../localization/localization.js";

const pageSize = 25;

export async function show(desk) {
    if (!desk.venue) return fill(desk.root, emptyState({ title: localized("desk.overview.noRevisions"), iconName: "clock" }));
    const path = `/venues/${encodeURIComponent(desk.venueKey)}/revisions?limit=${pageSize}`;
    const options = { signal: desk.signal, headers: acceptLanguage() };
    const list = h("ol", { class: "timeline" });
    const footer = h("p", {});
    const selection = new CompareSelection(desk);
    const load = async (pagePath, replace = false) => {
        const page = await requestJSON(pagePath, options);
        const items = page.revisions.map((revision) => h("li", {}, revisionEntry(desk, revision, actions(desk, revision, selection))));
        if (replace) fill(list, items);
        else list.append(...items);
        fill(footer, page.next
            ? button("quiet", localized("desk.history.older"), (event) => loadMore(event.target, page.next))
            : desk.venue.first > 1 && h("span", { class: "help" }, localized("desk.history.pruned", { n: desk.venue.first })));
    };
    const loadMore = async (button, pagePath) => {
        button.disabled = true;
        await load(pagePath).catch((error) => fill(footer, h("span", { class: "error-message" }, problemLine(error))));
    };
    await load(path);
    fill(desk.root, h("h2", { class: "visually-hidden" }, localized("desk.tab.history")), selection.element, list, footer);
    followRevisions(desk, () => load(path, true).catch(() => {}));
}

function actions(desk, { number }, selection) {
    const { venueKey, venue } = desk;
    const link = (href, label) => h("a", { href, class: "button quiet" }, localized(label));
    return [
        number > venue.first && link(`#/${venueKey}/desk/compare?from=${number - 1}&to=${number}`, "desk.history.changes"),
        downloadButton(desk, number),
        number < venue.head && desk.can("publish") && h(
            "a", { href: `#/${venueKey}/desk/restore?to=${number}`, class: "button quiet" },
            icon("undo"), localized("desk.history.restore")),
        selection.checkbox(number),
    ];
}

/** The selection of two revisions to compare. */
class CompareSelection {
    #numbers = [];

    constructor(desk) {
        this.desk = desk;
        this.element = h("div", { class: "compare-selection", role: "status" });
        this.#draw();
    }

    checkbox(number) {
        const checkbox = h("input", {
            type: "checkbox", id: `compare-${number}`, checked: this.#numbers.includes(number),
            onchange: (event) => this.#select(number, event.target.checked),
        });
        return h("label", { class: "choice small", for: checkbox.id }, checkbox, localized("desk.history.compareThis"),
            h("span", { class: "visually-hidden" }, localized("desk.revision", { n: number })));
    }

    #select(number, isSelected) {
        this.#numbers = this.#numbers.filter((other) => other !== number);
        if (isSelected) this.#numbers.push(number);
        // A third selection replaces the first.
        if (this.#numbers.length > 2) {
            const dropped = document.getElementById(`compare-${this.#numbers.shift()}`);
            if (dropped) dropped.checked = false;
        }
        this.#draw();
    }

    #draw() {
        const [from, to] = [...this.#numbers].sort((a, b) => a - b);
        fill(this.element, to
            ? h("a", { class: "button primary", href: `#/${this.desk.venueKey}/desk/compare?from=${from}&to=${to}` },
                localized("desk.history.compareTwo", { from, to }))
            : h("p", { class: "help" }, localized(from ? "desk.history.selectAnother" : "desk.history.select", { n: from })));
    }
}
