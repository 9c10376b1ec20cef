// The map page: places, search, drawing and kiosks.

import { loadTests } from "../support/load-tests.js";

await loadTests([
    "cut-off-layer", "map-drawing", "map-label-colours", "map-label-marks", "map-labels", "map-keyboard", "map-kiosk", "map-large-venue", "map-places", "map-search",
]);
