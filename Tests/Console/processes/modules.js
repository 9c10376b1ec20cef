// Modules without a page, and the calendar, for which the browser is in the time zone of the mall.

import { loadTests } from "../support/load-tests.js";

await loadTests([
    "calendar", "desk-messages", "desk-records", "difference-map", "edit-closure", "edit-hours", "edit-hours-text", "edit-messages", "edit-names", "edit-place",
    "hours", "map-wayfinder", "request-retries", "service-worker", "shift", "web-address", "processes",
]);
