// Archives on their way, with how much of them has gone; and what happens when one has arrived.

import { fill, h } from "../../ui/element.js";
import { formatBytes } from "../formats.js";
import { outbox } from "./outbox.js";
import { problemWords } from "../problem-words.js";
import { progressBar } from "../../ui/progress.js";
import { toast } from "../../ui/toast.js";
import { word } from "../../words/words.js";

/** Shows what is on its way to some venues, until `signal` is aborted. */
export function sendingList(isShown, signal) {
    const list = h("ul", { class: "desk-cards" });
    const cards = new Map();
    const update = () => {
        const sendings = outbox.sendings.filter(isShown);
        for (const sending of cards.keys()) if (!sendings.includes(sending)) cards.delete(sending);
        // A card stays as long as it says the same kind of thing, so that nobody loses the button under the finger.
        for (const sending of sendings) {
            const card = cards.get(sending);
            if (!card || card.error !== sending.error) cards.set(sending, makeCard(sending));
            cards.get(sending).update();
        }
        const items = [...cards.values()].map(({ element }) => element);
        if (items.length !== list.children.length || items.some((item, i) => item !== list.children[i])) fill(list, items);
        list.hidden = items.length === 0;
    };
    outbox.addEventListener("change", update, { signal });
    update();
    return list;
}

function makeCard(sending) {
    return sending.error ? failedCard(sending) : busyCard(sending);
}

function busyCard(sending) {
    const { name } = sending;
    const bar = progressBar(word("desk.sending.title", { name }));
    const stop = h("button", { type: "button", class: "quiet", onclick: () => outbox.drop(sending) }, word("desk.sending.stop"));
    const update = () => {
        const { done, total } = sending;
        // The last byte has gone, and the server is storing it.
        if (total > 0 && done >= total) return bar.set(0, 0, word("desk.sending.stored", { name }));
        const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
        const values = { name, percent, done: formatBytes(done), total: formatBytes(total) };
        bar.set(done, total, word("desk.sending.share", values));
    };
    return { element: h("li", { class: "desk-card sending" }, bar.element, stop), update, error: undefined };
}

function failedCard(sending) {
    const { title, advice } = problemWords(sending.error);
    const element = h(
        "li", { class: "desk-card is-bad", role: "alert" },
        h("p", {}, h("strong", {}, word("desk.sending.failed", { name: sending.name }))),
        h("p", {}, title, advice && ` ${advice}`),
        h("p", { class: "desk-actions" },
            h("button", { type: "button", class: "primary", onclick: () => outbox.again(sending) }, word("state.again")),
            h("button", { type: "button", class: "quiet", onclick: () => outbox.drop(sending) }, word("desk.sending.drop"))));
    return { element, update: () => {}, error: sending.error };
}

let isWatched = false;

/** Opens an archive's own page when it has arrived, if the reader waits for it and fills in nothing; tells it in passing otherwise. */
export function watchOutbox() {
    if (isWatched) return;
    isWatched = true;
    outbox.addEventListener("sent", ({ detail: { venue, name, upload } }) => {
        const isHere = [`#/${venue}/desk`, "#/~/new"].includes(location.hash.split("?")[0]);
        if (isHere && !document.querySelector(".archive-options")) location.hash = `#/${venue}/desk/uploads/${upload.id}`;
        else toast(word("desk.sending.arrived", { name, venue }), "done");
    });
}
