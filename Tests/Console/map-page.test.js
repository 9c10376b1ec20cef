// What is around the map: the name of the venue, the languages, what strangers see, the appearance of a venue, its basemap and its links.

import {
    $, $$, asked, card, click, floor, go, idsOf, localization, openFloor, openMap, openPlace, search, session, showWholeList, texts, toasts,
} from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { setDark } from "./support/media.js";
import { library } from "./support/map-library.js";
import { nameOfShop, id, shop } from "./support/sample-venue.js";
import { SyncServer } from "./support/sync-server.js";
import { pass, settle, until } from "./support/time.js";
import { accentColours, contrast, parse } from "../../Sources/WebConsole/Web/map/accent.js";
import { shortID } from "../../Sources/WebConsole/Web/map/short-id.js";


/** A server whose answer to `GET /venues/mall` has more members. */
class Venue extends SyncServer {
    constructor(members, options = {}) {
        super({ ordinals: [-1, 0, 1], ...options });
        this.members = members;
    }

    get document() {
        return { ...super.document, ...this.members };
    }
}
const names = { en: "Minato Arcadia", ja: "みなとアルカディア" };

test("a missing map library shows how to install it, and the map is shown when it is there", async (context) => {
    context.after(() => { library.isMissing = false; });
    library.isMissing = true;
    await openMap("", { isLive: false });
    await until(() => $(".state")?.textContent.includes("Scripts/install-map-library"));
    library.isMissing = false;
    await openMap();
    assert.ok($(".place"));
});

for (const language of ["en", "ja"]) {
    test(`the page has the name of the venue before the map is drawn, and never its key, in ${language}`, async () => {
        const titles = [];
        new MutationObserver(() => titles.push(document.title)).observe($("head"), { childList: true, subtree: true, characterData: true });
        const loading = {};
        loading.done = new Promise((resolve) => { loading.end = resolve; });
        await openMap("", { language, isLive: false, server: { routes: { "GET /venues/mall/sync.*": () => loading.done } } });
        await until(() => texts(".breadcrumb")[0] === names[language]);
        assert.equal(document.title, `${names[language]} · VenueSync`);
        assert.equal($(".place"), null);
        loading.end();
        await until(() => $(".live-state.live"));
        const other = language === "en" ? "ja" : "en";
        await click("#bar .language");
        assert.equal(document.title, `${names[other]} · VenueSync`);
        assert.deepEqual(texts(".breadcrumb"), [names[other]]);
        assert.deepEqual(titles.filter((title) => title.includes("mall")), []);
    });
}

test("the name before the map is drawn is in the language of the venue if it has none in the user's", async () => {
    const { showVenueName } = await import("../../Sources/WebConsole/Web/map/map-title.js");
    await openMap();
    let title = null;
    const context = { signal: new AbortController().signal, setTitle: (text) => { title = text; } };
    const about = { name: { de: "Halle", fr: "Galerie" }, about: { language: "fr" } };
    showVenueName(context, "mall", { featuresOf: () => [] }, about);
    assert.equal(title, "Galerie");
});

test("a switch of the language keeps the map, and translates the page, its places and the language of the document", async () => {
    const { map } = await openMap();
    await click("#bar .language");
    assert.equal($("#search").placeholder, "館内を検索");
    assert.equal(document.documentElement.lang, "ja");
    assert.match(texts(".place-name")[0], /[\u3040-\u30ff\u4e00-\u9fff]/);
    assert.equal((await import("./support/map-library.js")).MapStandIn.current, map);
});

test("the status says only whether the map is live; the revision and what verified means are behind one touch", async () => {
    await openMap("", { isStranger: true });
    const state = $(".live-state");
    assert.deepEqual([texts(".live-state summary")[0], state.open], ["Live", false]);
    // The browser opens it.
    assert.equal(state.tagName, "DETAILS");
    assert.deepEqual(texts(".live-state > :not(summary) p, .live-state > p"), [
        "This browser has checked that what it loaded is complete and exactly what the server published.", "Revision 1 · verified",
    ]);
    state.open = true;
    await click("#bar .language");
    assert.equal($(".live-state").open, true);
    assert.deepEqual([texts(".live-state summary")[0], texts(".live-state p")[1]], ["ライブ", "リビジョン 1 · 検証済み"]);
});

test("strangers see no way to manage a public venue, and ask for nothing that needs a key", async () => {
    const { server } = await openMap("", { isStranger: true });
    assert.deepEqual($$("#bar nav a").map(({ hash }) => hash), ["#/mall"]);
    await openPlace(idsOf()[0]);
    assert.deepEqual(server.requests.filter(({ path }) => /events|overrides|revisions|diff|uploads/.test(path)), []);
});

test("strangers see no log, no comparison and no uploads of a public venue, and these are not even requested", async () => {
    const { server } = await openMap("", { isStranger: true });
    for (const view of ["", "/history", "/compare?from=1&to=2", "/uploads"]) {
        await go(`#/mall/desk${view}`);
        await until(() => $("[role=alert]"), view);
        assert.match($("[role=alert]").textContent, /A key is required/, view);
        assert.equal($(".timeline, .desk-tabs"), null, view);
    }
    assert.deepEqual(["revisions", "diff", "uploads"].flatMap((path) => asked(server, `/venues/mall/${path}`)), []);
});

test("the page for frames takes the venue from its path, and keeps the floor", async (context) => {
    context.after(async () => {
        history.replaceState(null, "", "/#/");
        session.dispatchEvent(new Event("change"));
        await until(() => !$(".map-page"));
    });
    /** Loads the page anew. */
    const load = async () => {
        session.dispatchEvent(new Event("change"));
        await until(() => $(".map-page.is-embedded .live-state.live"));
    };
    await openMap();
    history.replaceState(null, "", "/embed/mall?floor=1");
    await load();
    assert.equal(floor(), 1);
    await openFloor(0);
    await load();
    assert.deepEqual([floor(), location.pathname], [0, "/embed/mall"]);
});

test("an embedded map has no bar, keeps the parameter, and cannot be edited, whatever the key may do", async () => {
    const { server } = await openMap("?embed");
    assert.ok($(".map-page.is-embedded"));
    await openPlace(idsOf()[0]);
    assert.match(location.hash, /embed/);
    assert.deepEqual(asked(server, "/venues/mall/overrides"), []);
    assert.ok($(".map-corner .language"), "the switch of the language is on the map");
});

// Appearance.

const colours = { coffee: "#123456", shop: { light: "#aabbcc", dark: "#332211" }, food: "#ddeeff", service: "#eeddff" };

test("colours of categories and groups are those of the venue in both modes, and other pages have those of the console", async () => {
    const page = await openMap("", { server: new Venue({ appearance: { colours } }) });
    const { style } = document.documentElement;
    const unit = (number) => page.map.queryRenderedFeatures().find(({ properties }) => properties.id === id(`unit 0 room ${number}`)).properties;
    for (const [isDark, expected] of [[false, "#aabbcc"], [true, "#332211"]]) {
        setDark(isDark);
        await settle();
        assert.deepEqual([unit(0).colour, unit(2).group, unit(2).colour], ["#123456", "shop", undefined]);
        assert.deepEqual(["shop", "other-place", "food", "service"].map((group) => style.getPropertyValue(`--map-${group}`)),
            [expected, expected, "#ddeeff", "#eeddff"]);
    }
    setDark(false);
    await go("#/");
    assert.equal(style.length, 0);
});

test("hidden categories are neither drawn nor listed, nor offered, and a link to a place shows where it is", async () => {
    const page = await openMap("", { server: new Venue({ appearance: { hidden: ["restroom", "coffee"] } }) });
    const drawn = () => page.map.queryRenderedFeatures().map(({ properties }) => properties.id);
    const labelled = () => page.venueMap.labels.map(({ place }) => place.id);
    const restroom = id("unit 0 restroom male");
    assert.ok(!drawn().includes(restroom) && drawn().includes(id("unit 0 room 0")), "the room of a hidden shop is drawn");
    await showWholeList();
    for (const each of [shop(0), shop(0, 7), id("amenity 0 restroom male")]) {
        assert.ok(!idsOf().includes(each) && !labelled().includes(each), each);
    }
    assert.equal($("[data-chip=restroom]"), null);
    assert.ok($("[data-chip=elevator]"));
    for (const text of ["restroom", nameOfShop(0)]) {
        await search(text);
        await pass(300);
        assert.deepEqual(idsOf(), [], text);
    }
    await search("");
    await openPlace(idsOf()[0]);
    assert.doesNotMatch($(".place-card").textContent, /Nearest restroom/);
    await go(`#/mall?place=${shop(0)}`);
    assert.equal(card(), nameOfShop(0));
    assert.ok(labelled().includes(shop(0)));
});

test("an accent that is readable is kept, and others become readable", () => {
    const grounds = { light: ["#f4f5f3", "#ffffff", "#eceeea"], dark: ["#121614", "#1a1f1c", "#222825", "#151a17"] };
    for (const [scheme, accent, isKept] of [
        ["light", "#ffee00", false], ["dark", "#000060", false], ["light", "#7a1fa2", true], ["dark", "#ff4081", true],
    ]) {
        const { text, fill, onFill, soft } = accentColours(accent, scheme === "dark");
        const between = (one, other) => contrast(parse(one), parse(other));
        assert.equal(fill === accent, isKept, accent);
        assert.ok(between(fill, onFill) >= 4.5 && between(text, soft) >= 4.5, accent);
        for (const ground of grounds[scheme]) assert.ok(between(fill, ground) >= 3 && between(text, ground) >= 4.5, `${accent} on ${ground}`);
    }
    assert.equal(Math.round(contrast([0, 0, 0], [255, 255, 255])), 21);
});

test("the accent becomes the colour of buttons and of what is selected", async () => {
    await openMap("", { server: new Venue({ appearance: { accent: "#7a1fa2" } }) });
    const { style } = document.documentElement;
    assert.equal(style.getPropertyValue("--accent-fill"), "#7a1fa2");
    assert.equal(style.getPropertyValue("--map-selected"), style.getPropertyValue("--accent"));
});

test("the appearance is remembered of public venues only", async () => {
    // Whoever uses this browser later may not be allowed to see others.
    const appearance = { accent: "#7a1fa2" };
    const { rememberAppearance, rememberedAppearance } = await import("../../Sources/WebConsole/Web/map/appearance.js");
    await openMap("", { server: new Venue({ appearance }) });
    assert.equal(rememberedAppearance("mall"), null);
    await openMap("", { server: new Venue({ appearance, public: true }) });
    assert.deepEqual(rememberedAppearance("mall"), appearance);
    rememberAppearance("mall", { public: false, appearance });
    assert.equal(rememberedAppearance("mall"), null);
});

test("the logo is shown in the bar, and above the search on kiosks and in frames; the name remains if it cannot be loaded", async () => {
    const server = () => new Venue({ appearance: { logo: "/pictures/logo.svg" } });
    for (const [query, place, other] of [["", ".bar, #bar", ".panel"], ["?kiosk", ".panel", "#bar"], ["?embed", ".panel", "#bar"]]) {
        await openMap(query, { server: server() });
        const [logo, ...more] = $$(".venue-logo");
        assert.ok(logo.closest(place) && !logo.closest(other), query);
        assert.deepEqual([more, logo.alt, new URL(logo.src).pathname], [[], names.en, "/pictures/logo.svg"]);
        if (query === "") {
            await click("#bar .language");
            assert.equal($("#bar .venue-logo").alt, names.ja);
            localization.setLanguage("en", { isRemembered: false });
            await settle();
        }
        $(".venue-logo").dispatchEvent(new Event("error"));
        assert.equal($(query === "" ? "#bar .breadcrumb" : ".panel-venue").textContent, names.en);
    }
    await openMap("", { server: server() });
    await go("#/");
    assert.equal($(".venue-logo"), null);
});

test("kiosks and frames show the name of the venue if it has no logo, and follow the language", async () => {
    for (const query of ["?kiosk", "?embed"]) {
        await openMap(query, { server: new Venue() });
        assert.deepEqual(texts(".panel-venue"), [names.en], query);
        assert.equal($(".panel-venue").hidden, false);
        await click(".map-corner .language");
        assert.deepEqual(texts(".panel-venue"), [names.ja], query);
        localization.setLanguage("en", { isRemembered: false });
        await settle();
    }
    await openMap("", { server: new Venue() });
    assert.deepEqual([$(".panel-venue").hidden, $("#bar .breadcrumb").textContent], [true, names.en]);
});

// Basemap: the map of the surroundings.

const host = "https://tiles.example.com";
const basemapLayers = ({ map }) => map.layers.map(({ id: each }) => each).filter((each) => each.startsWith("basemap/"));
const groundOpacity = ({ map }) => map.getLayer("venue/venue/fill").paint["fill-opacity"];

test("tiles are drawn under the floors, by the mode, with their attribution, and the ground lets them through when they arrive", async () => {
    const tiles = { light: `${host}/{z}/{x}/{y}.png`, dark: `${host}/dark/{z}/{x}/{y}.png` };
    const page = await openMap("", { server: new Venue({ basemap: { tiles, max_zoom: 16, attribution: "© Example contributors" } }) });
    await settle();
    assert.deepEqual(texts(".map-attribution"), ["© Example contributors"]);
    const source = () => page.map.getSource("basemap/tiles");
    assert.deepEqual([basemapLayers(page), source().type, source().tiles, source().maxzoom], [["basemap/tiles"], "raster", [tiles.light], 16]);
    const order = page.map.layers.map(({ id: each }) => each);
    assert.ok(order.indexOf("basemap/tiles") < order.findIndex((each) => each.startsWith("venue/")), order);
    assert.equal(groundOpacity(page), 1);
    page.map.fire("sourcedata", { sourceId: "basemap/tiles", tile: { state: "loaded" } });
    assert.ok(groundOpacity(page) < 0.2);
    setDark(true);
    await settle();
    assert.deepEqual([source().tiles, groundOpacity(page)], [[tiles.dark], 1]);
    await click("[data-tool=share]");
    await until(() => $("#share-link"));
    assert.equal($("#share-link").value, "http://venue.test/#/mall?floor=0", "links are those of every venue");
});

test("a style is drawn with what it refers to, by addresses that may be relative to its own", async () => {
    const style = {
        version: 8, sprite: "../sprite", glyphs: "{fontstack}/{range}.pbf", sources: { land: { type: "geojson", data: "../land.geojson" } },
        layers: [{ id: "ground", type: "background", paint: {} }, { id: "land", type: "fill", source: "land", paint: {} }],
    };
    const calls = [];
    const server = new Venue({ basemap: { style: "/styles/plain.json", attribution: null } }, { routes: { "GET /styles/plain.json": style } });
    const { MapStandIn } = await import("./support/map-library.js");
    MapStandIn.prototype.setGlyphs = (address) => calls.push(["glyphs", address]);
    MapStandIn.prototype.addSprite = (name, address) => calls.push(["sprite", name, address]);
    const page = await openMap("", { server });
    await settle();
    const empty = { type: "FeatureCollection", features: [] };
    assert.deepEqual(basemapLayers(page), ["basemap/ground", "basemap/land"]);
    assert.equal(page.map.getSource("basemap/land").data, "http://venue.test/land.geojson");
    page.map.getSource("basemap/land").data = empty;
    assert.deepEqual(calls, [["glyphs", "http://venue.test/styles/{fontstack}/{range}.pbf"], ["sprite", "default", "http://venue.test/sprite"]]);
});

for (const [what, respond] of [
    ["fails", () => { throw new TypeError("Failed to fetch"); }], ["is not a style", () => ({ layers: [1, { id: 7 }], sources: "none" })],
    ["does not end", () => new Promise(() => {})],
]) {
    test(`floors are shown, and changed, without a style that ${what}`, async () => {
        const routes = { "GET /styles/plain.json": respond };
        const page = await openMap("", { server: new Venue({ basemap: { style: "/styles/plain.json" } }, { routes }) });
        assert.equal(groundOpacity(page), 1);
        await openFloor(1);
        page.server.rename({ [shop(1)]: "Red Door" });
        await until(() => $(".live-state[data-revision='2']"));
        await openPlace(shop(1));
        assert.equal(card(), "Red Door");
    });
}

test("tiles that do not arrive leave the ground as it is", async () => {
    const page = await openMap("", { server: new Venue({ basemap: { tiles: `${host}/{z}/{x}/{y}` } }) });
    await openFloor(1);
    page.map.fire("sourcedata", { sourceId: "floor:1", tile: { state: "loaded" } });
    page.map.fire("sourcedata", { sourceId: "basemap/tiles", tile: { state: "errored" } });
    assert.equal(groundOpacity(page), 1);
    assert.equal(floor(), 1);
});

// Links that are shared.

const share = async (target) => {
    await click(target);
    await until(() => $("dialog .qr-code"));
};

for (const [language, label, close] of [["en", "QR code of the link", "Close"], ["ja", "リンクのQRコード", "閉じる"]]) {
    test(`the dialog of a link has the place, its QR code, and a button to close it, in ${language}`, async () => {
        await openMap("", { language });
        await openPlace(shop(0));
        await share(".place-card [data-action=share]");
        assert.equal($("dialog .share-place").textContent, card());
        assert.equal($("#share-link").value, `http://venue.test/#/mall/${shortID(shop(0))}`);
        assert.equal($(".qr-code").getAttribute("aria-label"), label);
        const [button] = $$("dialog footer button").filter(({ textContent }) => textContent === close);
        await click(button);
        assert.equal($("dialog"), null);
    });
}

test("the link of a floor names the floor", async () => {
    await openMap("?floor=1");
    await share("[data-tool=share]");
    assert.equal($("#share-link").value, "http://venue.test/#/mall?floor=1");
});

test("a link is copied, and says so, where the browser permits it", async () => {
    const copied = [];
    await openMap();
    navigator.clipboard.writeText = async (text) => { copied.push(text); };
    await openPlace(shop(0));
    await share("[data-action=share]");
    assert.deepEqual(copied, [`http://venue.test/#/mall/${shortID(shop(0))}`]);
    assert.match(toasts()[0], /copied/);
});

for (const [isPhone, outcome] of [[true, "shared"], [true, "closed"], [false, "shared"]]) {
    const name = isPhone ? `a phone shares with the dialog of the system, which is ${outcome}` : "a mouse gets the QR code although the system could share";
    test(name, async (context) => {
        const shared = [];
        context.after(() => { delete navigator.share; });
        navigator.share = async (data) => {
            shared.push(data);
            if (outcome === "closed") throw new DOMException("Share canceled", "AbortError");
        };
        await openMap("?floor=1", { isPhone });
        await click("[data-tool=share]");
        await until(() => (isPhone ? shared.length > 0 : $("dialog .qr-code")));
        await pass(100);
        assert.deepEqual(shared.map(({ url }) => url), isPhone ? ["http://venue.test/#/mall?floor=1"] : []);
        assert.equal($$("dialog .qr-code").length, isPhone ? 0 : 1);
        assert.deepEqual(toasts(), []);
    });
}
