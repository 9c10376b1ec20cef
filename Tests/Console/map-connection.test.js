// What the map page says about its connection: no response, silence, no network, a refused key.

import { isState, openLiveMap, openMap, state } from "./support/map-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { textOf } from "./support/page.js";
import { setOnline } from "./support/browser.js";
import { shop } from "./support/sample-venue.js";
import { HeldResponse, never, SyncServer } from "./support/sync-server.js";
import { pass, passUntil, setTime, settle, until } from "./support/time.js";

const { localization } = await import("../../Sources/WebConsole/Web/localization/localization.js");

const isPoll = ({ query }) => query.has("wait");
const polls = (server) => server.requests.filter(isPoll);

test("a floor that is loading is announced, and is shown when it is there", async () => {
    const server = new SyncServer();
    await openLiveMap();
    let respond;
    const response = new Promise((resolve) => { respond = resolve; });
    server.routes["GET /venues/mall/sync.*ordinal%3A1.*"] = () => response;
    document.querySelector(".floors [data-ordinal='1']").click();
    await until(() => textOf(document.querySelector(".map-note")) !== "");
    assert.match(textOf(document.querySelector(".map-note")), /Loading.*Floor 2/);
    respond();
    await until(() => document.querySelector(".floors [aria-current]").dataset.ordinal === "1");
    assert.equal(textOf(document.querySelector(".map-note")), "");
});

test("a visitor without a key sees that polls get no response, and when they do again", async () => {
    const server = new SyncServer({ isPublic: true });
    await openLiveMap({ key: null });
    await until(() => polls(server).length === 1);
    server.routes["GET /venues/mall/sync.*"] = never;
    // The poll that waits has begun before; the next one gets no response.
    server.rename({ [shop(0)]: "Red Door" });
    await isState("live", 2);
    await until(() => polls(server).length === 2);
    await passUntil(() => state().className === "live-state disconnected", { minutes: 2 });
    server.routes = {};
    server.rename({ [shop(0)]: "Blue Door" });
    await passUntil(() => state().matches(".live[data-revision='3']"), { minutes: 2 });
});

test("a long poll without a response is given up ten seconds after the time that it asked for", async () => {
    const server = new SyncServer({ isPublic: true });
    server.routes["GET /venues/mall/sync.*wait=.*"] = never;
    await openLiveMap({ key: null });
    const [poll] = await until(() => polls(server).length > 0 && polls(server));
    const wait = Number(poll.query.get("wait")) * 1_000;
    // The server may use the whole time, and the response needs some, too.
    await pass(wait + 9_999);
    assert.equal(state().className, "live-state live");
    await pass(1);
    assert.equal(state().className, "live-state disconnected");
});

test("a stream of events over which nothing arrives for 40 seconds is not live", async () => {
    const server = new SyncServer();
    let count = 0;
    server.routes["GET /events"] = () => ((count += 1) === 1 ? new HeldResponse().response : never());
    await openLiveMap();
    await pass(39_999);
    assert.equal(state().className, "live-state live");
    await pass(1);
    assert.equal(state().className, "live-state disconnected");
});

test("a stream of events whose comments arrive stays live", async () => {
    const server = new SyncServer();
    const stream = new HeldResponse();
    server.routes["GET /events"] = () => stream.response;
    await openLiveMap();
    // The server sends a comment at least every 15 seconds.
    for (let seconds = 0; seconds < 120; seconds += 15) {
        stream.send(":\n\n");
        await pass(15_000);
        assert.equal(state().className, "live-state live");
    }
});

test("what was published without a network is shown when there is one, before the silence of the stream is noticed", async () => {
    const server = new SyncServer();
    // The connection outlives the network, without the events that were sent meanwhile.
    server.routes["GET /events"] = () => new HeldResponse().response;
    await openLiveMap();
    setOnline(false);
    await isState("offline");
    server.rename({ [shop(0)]: "Red Door" });
    await settle();
    assert.equal(state().dataset.revision, "1");
    setOnline(true);
    await passUntil(() => state().matches(".live[data-revision='2']"), { minutes: 0.1 });
});

test("a map without a connection says until when it was right, however long ago the last revision was loaded", async () => {
    const server = new SyncServer();
    await openLiveMap();
    server.routes["GET /events"] = () => {
        throw new TypeError("Failed to fetch");
    };
    setTime(Date.UTC(2026, 5, 10, 11, 25));
    server.breakStreams();
    await isState("disconnected");
    // In the time zone of the machine.
    const time = new Intl.DateTimeFormat("en", { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZoneName: "short" }).format(Date.now());
    assert.ok(textOf(state()).includes(`as of ${time}`), textOf(state()));
});

test("a browser without a network is shown at once, and says of a floor that it is not stored, in the user's language", async () => {
    const server = new SyncServer({ ordinals: [-1, 0, 1] });
    const page = await openLiveMap();
    setOnline(false);
    assert.equal(state().className, "live-state offline");
    server.routes["GET /venues/mall/sync.*"] = () => {
        throw new TypeError("Failed to fetch");
    };
    const toast = () => textOf(document.getElementById("toasts")).replace(/[\u2066-\u2069]/g, "");
    document.querySelector(".floors [data-ordinal='1']").click();
    await passUntil(() => toast() !== "", { minutes: 1 });
    assert.equal(toast(), "There is no network connection. Floor 2 is not stored in this browser.");
    document.getElementById("toasts").replaceChildren();
    localization.language = "ja";
    page.retranslate();
    document.querySelector(".floors [data-ordinal='-1']").click();
    await passUntil(() => toast() !== "", { minutes: 1 });
    assert.equal(toast(), "ネットワークに接続されていません。地下1階はこのブラウザーに保存されていません。");
    assert.equal(document.querySelector(".floors [aria-current]").dataset.ordinal, "0");
    server.routes = {};
    setOnline(true);
    await passUntil(() => state().className === "live-state live", { minutes: 1 });
});

test("a map that gets no response says so after a minute", async () => {
    const server = new SyncServer();
    server.routes["GET /venues/mall.*"] = never;
    const failure = openMap().catch((error) => error);
    await pass(60_000);
    const error = await failure;
    assert.deepEqual([error.status, error.title], [0, "The server does not respond"]);
});
