// Shares a link: with the system's dialog on phones, else by copying it, with a QR code for the phones of others.

import { h } from "../ui/element.js";
import { openDialog } from "../ui/dialog.js";
import { toast } from "../ui/toast.js";
import { localized } from "../localization/localization.js";

/** With `isKiosk`, the link is for the phones of others only: nothing is copied, and no dialog of the system is opened. */
export async function share(url, title, { isKiosk = false } = {}) {
    if (!isKiosk && navigator.share && matchMedia("(pointer: coarse)").matches) {
        // Rejects when the user closes the dialog.
        return navigator.share({ url, title }).catch(() => {});
    }
    // Without HTTPS, or without the permission, the user copies it.
    const isCopied = !isKiosk && await copy(url);
    if (isCopied) toast(localized("map.linkCopied"), "done");
    const { qrPicture } = await import("../ui/qr/qr-picture.js");
    const field = h("input", { id: "share-link", value: url, readonly: true, onfocus: (event) => event.target.select() });
    return openDialog({
        title: localized("map.share"),
        body: [
            h("p", { class: "share-place" }, h("bdi", {}, title)),
            qrPicture(url, localized("map.qrCode")), h("p", { class: "help" }, localized("map.qrHelp")),
            !isKiosk && [h("label", { for: "share-link" }, localized("map.link")), field],
            isCopied && h("p", { class: "help", role: "status" }, localized("map.linkCopied")),
        ],
        actions: [{ label: localized("dialog.close") }], hasCancel: false,
    });
}

async function copy(text) {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        return false;
    }
}
