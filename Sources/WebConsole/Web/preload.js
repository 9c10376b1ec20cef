// Requests what the map page imports, in parallel instead of following imports one by one, if the address is that of a map. Not a module,
// because it runs before the modules are loaded.

if (/^#\/[^/~?]+(\?|$)/.test(location.hash)) {
    const modules = [
        "client/categories/category-name", "client/categories/facilities", "client/categories/occupants",
        "client/categories/transport", "client/hours/calendar-date", "client/hours/day-plan", "client/hours/lenient-lexer",
        "client/hours/lenient-phrases", "client/hours/lenient-reader", "client/hours/lenient-span", "client/hours/local-clock",
        "client/hours/opening-hours", "client/hours/parse", "client/hours/parse-dates", "client/hours/read-list",
        "client/hours/rule-matching", "client/hours/scanner", "client/map/folded-text", "client/map/geojson-sources",
        "client/map/geometry", "client/map/label-point", "client/map/labels", "client/map/places", "client/map/related-match",
        "client/map/search-index", "client/map/search-terms", "client/map/synonyms", "client/map/validity",
        "client/store/memory-replica-store", "client/store/replica-store", "client/sync/body-lines", "client/sync/connection",
        "client/sync/connection-tracker", "client/sync/contents", "client/sync/delta", "client/sync/difference", "client/sync/digest",
        "client/sync/events", "client/sync/feature", "client/sync/follow", "client/sync/inflate", "client/sync/level-selection",
        "client/sync/page-rules", "client/sync/repair", "client/sync/sha256", "client/sync/stored-venues", "client/sync/sync-error",
        "client/sync/sync-report", "client/sync/transaction", "client/sync/trust", "client/sync/venue-reader", "client/sync/venue-replica",
        "client/sync/venue-synchronizer", "client/sync/wire", "map/camera", "map/categories", "map/colours", "map/editing/editing",
        "map/facilities", "map/floor-picker", "map/floors", "map/hours-view", "map/label-fit", "map/label-images", "map/label-layout",
        "map/label-overlay", "map/labels", "map/legend", "map/level-sources", "map/library", "map/link-target", "map/live-venue",
        "map/map-address", "map/map-camera", "map/map-changes", "map/map-controller", "map/map-frame", "map/map-page", "map/map-tools",
        "map/missing-venue", "map/nearest", "map/pictograms", "map/place-card", "map/place-groups", "map/place-hours",
        "map/place-list", "map/places", "map/search", "map/search-panel", "map/share", "map/style", "map/swatch", "map/text-wrap",
        "map/venue-floors", "map/venue-map", "ui/error-text", "ui/toast",
    ];
    const add = (attributes) => document.head.append(Object.assign(document.createElement("link"), attributes));
    add({ rel: "preload", as: "script", href: "/console/library/maplibre-gl.js" });
    for (const module of modules) add({ rel: "modulepreload", href: `/console/${module}.js` });
}
