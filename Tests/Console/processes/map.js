// The map page: what is on it, and its addresses. First comes the test of a missing map library, which is loaded once.

import { loadTests } from "../support/load-tests.js";

await loadTests([
    "map-page", "basemap-preview", "findings-map", "map-floors", "map-links", "map-list", "preview-page",
]);
