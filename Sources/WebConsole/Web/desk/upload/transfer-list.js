// Shows transfers with their progress, and what to do when one is complete.

import { button } from "../fields.js";
import { fill, h } from "../../ui/element.js";
import { formatBytes } from "../formats.js";
import { isolated, withNames } from "../../ui/names.js";
import { transfers } from "./transfers.js";
import { problemLine } from "../problem-messages.js";
import { progressBar } from "../../ui/progress.js";
import { toast } from "../../ui/toast.js";
import { localized } from "../../localization/localization.js";

/** A list of the transfers that satisfy `isShown`. It is updated until `signal` is aborted. */
export function transferList(isShown, signal) {
    const list = h("ul", { class: "desk-cards" });
    const cards = new Map();
    const update = () => {
        const visible = transfers.list.filter(isShown);
        for (const transfer of cards.keys()) if (!visible.includes(transfer)) cards.delete(transfer);
        // A card is replaced only if the transfer fails or is retried, so that buttons do not disappear while they are pressed.
        for (const transfer of visible) {
            const card = cards.get(transfer);
            if (!card || card.error !== transfer.error) cards.set(transfer, makeCard(transfer));
            cards.get(transfer).update();
        }
        const items = [...cards.values()].map(({ element }) => element);
        if (items.length !== list.children.length || items.some((item, i) => item !== list.children[i])) fill(list, items);
        list.hidden = items.length === 0;
    };
    transfers.addEventListener("change", update, { signal });
    update();
    return list;
}

function makeCard(transfer) {
    return transfer.error ? failedCard(transfer) : busyCard(transfer);
}

function busyCard(transfer) {
    const { name } = transfer;
    const bar = progressBar(localized("desk.transfer.title", { name }));
    const stop = button("quiet", localized("desk.transfer.stop"), () => transfers.cancel(transfer));
    const update = () => {
        const { done, total } = transfer;
        // The last byte was sent, and the server is storing the archive.
        if (total > 0 && done >= total) return bar.set(0, 0, localized("desk.transfer.storing", { name }));
        const percent = total > 0 ? Math.floor((100 * done) / total) : 0;
        const values = { name, percent, done: formatBytes(done), total: formatBytes(total) };
        bar.set(done, total, localized("desk.transfer.share", values));
    };
    return { element: h("li", { class: "desk-card transfer" }, bar.element, stop), update, error: undefined };
}

function failedCard(transfer) {
    const element = h(
        "li", { class: "desk-card is-bad", role: "alert" },
        h("p", {}, h("strong", {}, withNames(localized("desk.transfer.failed", { name: isolated(transfer.name) })))),
        h("p", {}, problemLine(transfer.error)),
        h("p", { class: "desk-actions" },
            button("primary", localized("state.tryAgain"), () => transfers.retry(transfer)),
            button("quiet", localized("desk.transfer.dismiss"), () => transfers.cancel(transfer))));
    return { element, update: () => {}, error: transfer.error };
}

let isWatching = false;

/**
 * Opens the page of an upload when its transfer is complete, if the user is still on the page of the upload form and is not
 * filling in another one. Otherwise shows a toast.
 */
export function watchTransfers() {
    if (isWatching) return;
    isWatching = true;
    transfers.addEventListener("sent", ({ detail: { venue, name, upload } }) => {
        const isOnForm = [`#/${venue}/desk`, "#/~/new"].includes(location.hash.split("?")[0]);
        if (isOnForm && !document.querySelector(".archive-options")) location.hash = `#/${venue}/desk/uploads/${upload.id}`;
        else toast(localized("desk.transfer.completed", { name: isolated(name), venue }), "done");
    });
}
