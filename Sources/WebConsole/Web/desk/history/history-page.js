// The log of a venue, the newest first. Any two revisions are compared from here, and any one is brought back.

import { askJSON } from "../../api.js";
import { button } from "../fields.js";
import { downloadButton } from "./download.js";
import { emptyState } from "../../ui/states.js";
import { fill, h, icon } from "../../ui/element.js";
import { followRevisions } from "../follow-revisions.js";
import { language } from "../upload/follow-upload.js";
import { problemLine } from "../problem-words.js";
import { revisionEntry } from "./revision-entry.js";
import { word } from "../../words/words.js";

const pageSize = 25;

export async function show(desk) {
    if (!desk.venue) return fill(desk.root, emptyState({ title: word("desk.overview.noRevisions"), picture: "clock" }));
    const path = `/venues/${encodeURIComponent(desk.key)}/revisions?limit=${pageSize}`;
    const options = { signal: desk.signal, headers: language() };
    const list = h("ol", { class: "timeline" });
    const foot = h("p", {});
    const chosen = new Chosen(desk);
    const load = async (address, replace = false) => {
        const page = await askJSON(address, options);
        const items = page.revisions.map((revision) => h("li", {}, revisionEntry(desk, revision, actions(desk, revision, chosen))));
        if (replace) fill(list, items);
        else list.append(...items);
        fill(foot, page.next
            ? button("quiet", word("desk.history.older"), (event) => more(event.target, page.next))
            : desk.venue.first > 1 && h("span", { class: "help" }, word("desk.history.pruned", { n: desk.venue.first })));
    };
    const more = async (button, address) => {
        button.disabled = true;
        await load(address).catch((error) => fill(foot, h("span", { class: "told" }, problemLine(error))));
    };
    await load(path);
    fill(desk.root, chosen.element, list, foot);
    followRevisions(desk, () => load(path, true).catch(() => {}));
}

function actions(desk, { number }, chosen) {
    const { key, venue } = desk;
    const link = (href, label) => h("a", { href, class: "button quiet" }, word(label));
    return [
        number > venue.first && link(`#/${key}/desk/compare?from=${number - 1}&to=${number}`, "desk.history.changes"),
        downloadButton(desk, number),
        number < venue.head && desk.may("publish") && h(
            "a", { href: `#/${key}/desk/restore?to=${number}`, class: "button quiet" }, icon("undo"), word("desk.history.restore")),
        chosen.box(number),
    ];
}

/** Two revisions that somebody ticks to have them compared. */
class Chosen {
    #numbers = [];

    constructor(desk) {
        this.desk = desk;
        this.element = h("div", { class: "chosen", role: "status" });
        this.#draw();
    }

    box(number) {
        const box = h("input", {
            type: "checkbox", id: `compare-${number}`, checked: this.#numbers.includes(number),
            onchange: (event) => this.#tick(number, event.target.checked),
        });
        return h("label", { class: "choice small", for: box.id }, box, word("desk.history.compareThis"),
            h("span", { class: "unseen" }, word("desk.revision", { n: number })));
    }

    #tick(number, isTicked) {
        this.#numbers = this.#numbers.filter((other) => other !== number);
        if (isTicked) this.#numbers.push(number);
        // A third one takes the place of the first.
        if (this.#numbers.length > 2) {
            const dropped = document.getElementById(`compare-${this.#numbers.shift()}`);
            if (dropped) dropped.checked = false;
        }
        this.#draw();
    }

    #draw() {
        const [from, to] = [...this.#numbers].sort((a, b) => a - b);
        fill(this.element, to
            ? h("a", { class: "button primary", href: `#/${this.desk.key}/desk/compare?from=${from}&to=${to}` },
                word("desk.history.compareTwo", { from, to }))
            : h("p", { class: "help" }, word(from ? "desk.history.tickAnother" : "desk.history.tick", { n: from })));
    }
}
