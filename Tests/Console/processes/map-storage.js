// The map page in a browser that stores maps.

import { loadTests } from "../support/load-tests.js";

await loadTests([
    "map-storage",
]);
