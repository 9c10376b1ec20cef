// Installs the service worker, which makes the console readable offline. Files that are served for work on the console have no version;
// they are not stored.

import { deleteUnusedReplicas } from "./map/replica-stores.js";
import { session } from "./session.js";

export function startOffline() {
    const clean = () => deleteUnusedReplicas().catch(() => {});
    session.addEventListener("change", clean);
    // When the page has been shown.
    window.addEventListener("load", () => setTimeout(() => {
        clean();
        // Not in frames of other pages, and not where the browser refuses it, for example in private windows.
        if (document.documentElement.dataset.version && window.top === window) {
            navigator.serviceWorker?.register("/console/service-worker.js", { scope: "/", updateViaCache: "none" }).catch(() => {});
        }
    }, 1_000));
}
