// Shares a link: with the system's dialog on phones, else by copying it.

import { h } from "../ui/element.js";
import { openDialog } from "../ui/dialog.js";
import { toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

export async function share(url, title) {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) {
        // Rejects when the user closes the dialog.
        return navigator.share({ url, title }).catch(() => {});
    }
    try {
        await navigator.clipboard.writeText(url);
        toast(localized("map.linkCopied"), "done");
    } catch {
        // Without HTTPS, or without the permission: the user copies it.
        const field = h("input", { id: "share-link", value: url, readonly: true, onfocus: (event) => event.target.select() });
        openDialog({ title: localized("map.share"), body: [h("label", { for: "share-link" }, localized("map.link")), field] });
    }
}
