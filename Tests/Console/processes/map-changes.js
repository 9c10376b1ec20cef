// The map page while revisions are published and connections are lost, without a store in the browser.

import { loadTests } from "../support/load-tests.js";

await loadTests([
    "closed-ways", "edit-card", "edit-shops", "map-changes", "map-connection", "map-directions", "map-directions-ends", "map-trust", "unknown-ways",
]);
