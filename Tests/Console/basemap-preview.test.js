// What the preview of a basemap in the settings says: whether the basemap is there.

import "./support/browser.js";
import { MapStandIn } from "./support/map-library.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { serve } from "./support/server.js";
import { textOf } from "./support/page.js";
import { settle, until } from "./support/time.js";
const web = "../../Sources/WebConsole/Web/";
await import(`${web}desk/messages.js`);
const { basemapPreview } = await import(`${web}desk/manage/basemap-preview.js`);
const { localization } = await import(`${web}localization/localization.js`);

const loading = "Loading the preview …";
const shown = "The map shows the basemap like this.";

/** The text of a preview once it is about more than loading, in `says()`. */
async function open(context, basemap) {
    localization.language = "en";
    const left = new AbortController();
    context.after(() => left.abort());
    serve({ "GET /venues/mall/revisions/2/features\\?.*": { features: [] } });
    const { element, show } = basemapPreview({ venueKey: "mall", venue: { head: 2 }, signal: left.signal });
    const says = () => textOf(element.querySelector("[role=status]"));
    show(basemap);
    assert.equal(says(), loading);
    await until(() => says() !== loading);
    return { says, map: MapStandIn.current };
}

test("tiles that the host does not have are said to be missing, until one is loaded", async (context) => {
    const { says, map } = await open(context, { tiles: "/{z}/{x}/{y}.png" });
    assert.match(says(), /^The basemap could not be loaded\. Check the address/);
    map.fire("sourcedata", { sourceId: "basemap/tiles", tile: { state: "loaded" } });
    assert.equal(says(), shown);
    // One of many.
    map.fire("error");
    map.fire("idle");
    await settle();
    assert.equal(says(), shown);
});

test("a style that cannot be loaded is said to be missing, with what a style may contain", async (context) => {
    const { says } = await open(context, { style: "/style.json" });
    assert.match(says(), /could not be loaded.*everything in the style is on the same host/);
});
