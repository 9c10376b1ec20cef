// A service for the editor of a place: one shop, its overrides and the requests that change it. Its responses are in the form of
// docs/protocol/editing.md. What an edit does to a feature is decided, and tested, by the real server; here a test says it.

import "./time.js";
import "./browser.js";
import { override as overrideRecord, summary } from "./desk-records.js";
import { problem, serve } from "./server.js";

export const [shopID, anchorID, overrideID] = ["5", "a", "0"].map((digit) => `00000000-0000-4000-8000-00000000000${digit}`);

export const shop = () => ({
    feature_type: "occupant", geometry: null, id: shopID, type: "Feature",
    properties: {
        anchor_id: anchorID, category: "shoestore", correlation_id: null, hours: "Mo-Su 10:00-20:30", name: { en: "Asagao Shoes", ja: "朝顔靴店" },
        phone: "+81455559081", validity: null, website: "https://www.example.com/shops/asagao-shoes",
    },
});

/** An override of a property of the shop. */
export const override = (name, value, source, more = {}) => overrideRecord(1, {
    id: overrideID, feature: shopID, name: shop().properties.name, pointer: `/properties/${name}`, value, source, base: source, message: null, ...more });

/** What the rule book says about a telephone number. */
export const phoneFinding = () => ({
    at: [139.637945, 35.451325], feature_id: shopID, feature_type: "occupant", file: null, rule: "PV-08", severity: "error",
    message: "“extension 5” is not a number of the form +81312345678.", pointer: "/properties/phone",
});

export class EditService {
    head = 1;
    feature = shop();
    overrides = [];
    /** The members of the result of an edit that a test is about, such as `findings`. */
    result = {};
    /** The newest version of the feature, for conflicts. */
    version = { from: 2, to: null, level_id: null, author: "admin", message: null, published_at: "2026-06-10T00:10:00.000Z", classes: [], overrides: [] };
    #tag = 1;

    get tag() {
        return `W/"${this.#tag}"`;
    }

    /** Somebody else publishes other properties. */
    editElsewhere(properties, message = null) {
        Object.assign(this.feature.properties, properties);
        this.version = { ...this.version, message };
        this.#tag += 1;
        this.head += 1;
    }

    /** The response to an edit, which is published unless it is a dry run. */
    respond({ isDryRun = false, isUnchanged = false } = {}) {
        const base = this.head;
        if (!isDryRun && !isUnchanged) this.head += 1;
        const changes = { ...summary([]), changed: 1, words: ["1 shop renamed on 1F"] };
        return { venue: "mall", base, revision: isDryRun ? null : this.head, changes, overrides: [], ended: [], dependents: [], findings: [], ...this.result };
    }

    /** Replaces `fetch`. Returns the requests, as `serve`. */
    start(routes = {}) {
        const path = `/venues/mall/features/${shopID}`;
        this.requests = serve({
            ...routes,
            "GET /venues/mall": () => ({ venue: "mall", head: this.head }),
            [`GET ${path}`]: () => Response.json(this.feature, { headers: { ETag: this.tag } }),
            [`GET ${path}/history\\?limit=1`]: () => ({ versions: [{ ...this.version, body: this.feature }], next: null }),
            "GET /venues/mall/overrides\\?feature=.*": () => ({ overrides: this.overrides, next: null }),
            [`PATCH ${path}(\\?.*)?`]: (request) => this.#patch(request),
            "POST /venues/mall/edits": ({ body }) => this.respond({ isDryRun: JSON.parse(body).dry_run }),
            "DELETE /venues/mall/overrides/[^/]+": () => {
                this.overrides = [];
                return this.respond();
            },
            ...routes,
        });
        return this.requests;
    }

    #patch({ path, headers, body }) {
        if (headers.get("If-Match") !== this.tag) return this.changed();
        if (path.includes("dry_run=true")) return this.respond({ isDryRun: true });
        const { name, ...properties } = JSON.parse(body).properties ?? {};
        Object.assign(this.feature.properties, properties, name && { name: { ...this.feature.properties.name, ...name } });
        this.#tag += 1;
        return Response.json(this.respond(), { status: 201 });
    }

    changed = () => problem(412, "feature-changed", {
        title: "The feature was changed", detail: "It does not have the entity tag of If-Match any more. Fetch it again.", pointer: "", rule: null, dependents: [] });

    /** The requests that change something: `[method, path, body]`. */
    get sent() {
        return this.requests.filter(({ method }) => method !== "GET").map(({ method, path, body }) => [method, path, body && JSON.parse(body)]);
    }

    /** Those that are no dry runs. */
    get published() {
        return this.sent.filter(([, path, body]) => !path.includes("dry_run") && !body?.dry_run);
    }
}
