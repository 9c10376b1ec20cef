// The operator's pages, one after another in one page.

import { loadTests } from "../support/load-tests.js";

await loadTests([
    "audit", "comparison", "connection-failures", "dialogs", "findings-page", "guards", "history", "keys", "lost-responses",
    "names", "overrides-page", "overview", "reachability-page", "reconnection", "roles", "rollback", "settings",
    "settings-members", "sign-in",
    "upload-findings", "upload-form", "upload-list", "upload-page", "upload-preview", "venue-list",
    "visitor-links",
]);
