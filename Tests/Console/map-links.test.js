// Links to places on the map page, in new tabs and in those that show the venue already, and the way back.

import { $, asked, card, click, floor, go, idsOf, listTitle, openFloor, openMap, openPlace, search, tap, toasts, travel } from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { set } from "./support/edit-entries.js";
import { metres } from "./support/mercator.js";
import { id, nameOfShop, shop } from "./support/sample-venue.js";
import { passUntil, settle, until } from "./support/time.js";

const { idOfShort, shortID } = await import("../../Sources/WebConsole/Web/map/short-id.js");
const upstairs = shop(1);
const missing = "00000000-0000-4000-8000-000000000000";
const history = (feature) => `GET /venues/mall/features/${feature}/history.*`;
const refused = () => { throw new TypeError("Failed to fetch"); };
/** The place of a feature is in the middle of the part of the map that nothing covers. */
const isCentred = ({ venueMap }, feature) => assert.ok(metres(venueMap.center, venueMap.places.find((each) => each.id === feature).point) < 3);
/** An answer that the test sends when it likes. */
function held() {
    const answer = {};
    answer.sent = new Promise((resolve) => { answer.send = () => resolve(undefined); });
    return answer;
}

test("short ids are those of links: the bytes of an id in base64url", () => {
    let state = 7;
    const digit = () => (state = (state * 48_271) % 2_147_483_647) % 16;
    const ids = [missing.replace("4000-8000", "0000-0000"), "ffffffff-ffff-ffff-ffff-ffffffffffff",
        ...Array.from({ length: 200 }, () => "00000000-0000-0000-0000-000000000000".replace(/0/g, () => digit().toString(16)))];
    const short = ids.map((each) => Buffer.from(each.replaceAll("-", ""), "hex").toString("base64url"));
    assert.deepEqual(ids.map(shortID), short);
    assert.deepEqual(short.map(idOfShort), ids);
    for (const text of ["desk", "", short[0].slice(0, -1), `${short[0]}A`, "!".repeat(22)]) assert.equal(idOfShort(text), null, text);
});

for (const query of [`/${shortID(upstairs)}`, `?place=${upstairs}`, `?floor=0&place=${upstairs}`]) {
    test(`a link to a place finds its floor, and centres on it: ${query}`, async () => {
        const page = await openMap(query);
        assert.deepEqual([card(), floor()], [nameOfShop(1), 1]);
        isCentred(page, upstairs);
    });
}

test("a link without a floor loads only the floor of its place", async () => {
    const { server } = await openMap(`/${shortID(upstairs)}`);
    assert.equal(card(), nameOfShop(1));
    const loads = asked(server, "/venues/mall/sync");
    assert.ok(loads.some((path) => path.includes("ordinal%3A1")) && !loads.some((path) => path.includes("ordinal%3A0")), loads);
});

for (const [language, text] of [["en", "The place of this link no longer exists."], ["ja", "リンク先の場所はもうありません。"]]) {
    test(`a link to a missing place says so, in ${language}`, async () => {
        await openMap(`?place=${missing}`, { language });
        assert.deepEqual(toasts(), [text]);
        $("#toasts").replaceChildren();
        await openPlace(shop(0));
        await go(`#/mall?place=${missing}`);
        assert.deepEqual([toasts(), card(), location.hash], [[text], null, "#/mall?floor=0"]);
    });
}

test("back returns to what the map showed before, and forward again", async () => {
    await openMap();
    await openPlace(shop(0));
    await travel(-1, () => card() === null);
    assert.ok($(".list-title"));
    await travel(1, () => card() === nameOfShop(0));
    await openFloor(1);
    await travel(-1, () => floor() === 0);
    assert.equal(card(), nameOfShop(0));
});

for (const query of [`/${shortID(upstairs)}`, `?place=${upstairs}`, `?floor=0&place=${upstairs}`, `?floor=-1&place=${upstairs}`]) {
    test(`a link that is opened in the tab of the venue finds the floor of its place, and back leads back: ${query}`, async () => {
        const page = await openMap();
        await go(`#/mall${query}`);
        await until(() => card() === nameOfShop(1));
        assert.equal(floor(), 1);
        isCentred(page, upstairs);
        assert.equal(location.hash, `#/mall?floor=1&place=${upstairs}`, "the address says where the place is");
        assert.deepEqual(toasts(), []);
        await travel(-1, () => card() === null && floor() === 0);
        await travel(1, () => card() === nameOfShop(1));
        assert.equal(floor(), 1);
    });
}

test("what is searched stands in the address, is there again after a reload, and ends with it", async () => {
    const page = await openMap();
    await search("restroom");
    await click("[data-chip=open]");
    assert.equal(location.hash, "#/mall?floor=0&q=restroom&open=1");
    const found = [listTitle(), idsOf()];
    assert.match(found[0], /found/);
    await openMap("?floor=0&q=restroom&open=1", { server: page.server });
    assert.deepEqual([$("#search").value, $("[data-chip=open]").getAttribute("aria-pressed"), listTitle(), idsOf()], ["restroom", "true", ...found]);
    assert.equal(location.hash, "#/mall?floor=0&q=restroom&open=1");
    await click("[data-chip=open]");
    await search("");
    assert.equal(location.hash, "#/mall?floor=0");
    await click("[data-chip=restroom]");
    assert.equal(location.hash, "#/mall?floor=0&filter=restroom");
});

test("back to a search shows it again, and a link without one ends it", async () => {
    await openMap();
    await search(nameOfShop(0));
    await openPlace(shop(0));
    await search("");
    await travel(-1, () => $("#search").value === nameOfShop(0));
    assert.deepEqual([card(), idsOf()], [null, [shop(0)]]);
    await go("#/mall?floor=1");
    assert.deepEqual([$("#search").value, floor()], ["", 1]);
});

for (const query of ["?filter=none", "?filter=constructor", "?q="]) {
    test(`an address without a usable search lists all places: ${query}`, async () => {
        await openMap(query);
        assert.match(listTitle(), /places/);
        assert.equal(location.hash, "#/mall?floor=0");
    });
}

test("a link of a floor has what is searched, and that of a place has not", async () => {
    await openMap();
    await search("restroom");
    const linkOf = async (button) => {
        await click(button);
        await until(() => $("#share-link"), "the dialog");
        const link = $("#share-link").value;
        $("dialog").remove();
        return link.slice(link.indexOf("#"));
    };
    assert.equal(await linkOf("[data-tool=share]"), "#/mall?floor=0&q=restroom");
    await openPlace(idsOf()[0]);
    assert.doesNotMatch(await linkOf("[data-action=share]"), /restroom/);
});

test("the search of a kiosk is not in its address, because the next visitor does not continue it", async () => {
    await openMap("?kiosk&floor=0");
    await search("restroom");
    assert.doesNotMatch(location.hash, /restroom/);
});

test("a link that was left before its place is found changes nothing", async () => {
    const { server } = await openMap();
    const answer = held();
    server.routes[history(upstairs)] = () => answer.sent;
    await go(`#/mall?place=${upstairs}`);
    await openPlace(shop(0));
    answer.send();
    await settle();
    assert.deepEqual([card(), floor()], [nameOfShop(0), 0]);
});

/** Opens a link while the test holds what follows the first drawing of the floor, when the map can be used already. */
async function openWhileLoading(query, isFloor) {
    const { VenueMap } = await import("../../Sources/WebConsole/Web/map/venue-map.js");
    const { painted } = VenueMap.prototype;
    const drawing = held();
    VenueMap.prototype.painted = async function () {
        await painted.call(this);
        VenueMap.prototype.painted = painted;
        drawing.isHeld = true;
        await drawing.sent;
    };
    const page = await openMap(query, { isLive: false });
    await until(() => drawing.isHeld);
    if (isFloor) await openFloor(1);
    else await tap(page, shop(0, 3));
    const camera = { ...page.map.camera };
    return { page, camera, release: async () => {
        drawing.send();
        await passUntil(() => $(".live-state.live"));
    } };
}

for (const isFloor of [false, true]) {
    const other = isFloor ? "floor" : "place";
    const isStillOpened = () => assert.deepEqual([card(), floor(), location.hash], isFloor
        ? [null, 1, "#/mall?floor=1"] : [nameOfShop(0, 3), 0, `#/mall?floor=0&place=${shop(0, 3)}`]);

    test(`a link does not replace the ${other} that the user opens while it loads`, async () => {
        const { release } = await openWhileLoading(`?floor=0&place=${shop(0)}`, isFloor);
        isStillOpened();
        await release();
        isStillOpened();
    });

    test(`the pin of a link does not appear after the user has opened another ${other}`, async () => {
        const { page, camera, release } = await openWhileLoading(`?feature=${shop(0)}`, isFloor);
        await release();
        assert.equal($(".map-pin"), null);
        assert.deepEqual(page.map.camera, camera);
        isStillOpened();
    });
}

test("the floor of a link is not shown after the user has opened a place", async () => {
    const page = await openMap();
    const answer = held();
    page.server.routes["GET /venues/mall/sync.*"] = ({ query }) => (query.getAll("level").includes("ordinal:1") ? answer.sent : undefined);
    await go(`#/mall?place=${upstairs}`);
    await until(() => $(".map-note").textContent !== "");
    await tap(page, shop(0, 3));
    assert.equal($(".map-note").textContent, "");
    answer.send();
    await settle();
    assert.deepEqual([card(), floor(), location.hash], [nameOfShop(0, 3), 0, `#/mall?floor=0&place=${shop(0, 3)}`]);
});

test("a link whose place cannot be asked for does not call it missing, and opens the map nevertheless", async () => {
    const { server } = await openMap();
    server.routes[history(upstairs)] = refused;
    await go(`#/mall?place=${upstairs}`);
    await until(() => toasts().length > 0);
    assert.deepEqual([toasts(), Boolean($(".toast.problem"))], [["The server does not respond"], true]);
    await openMap(`/${shortID(upstairs)}`, { server: { routes: { [history(upstairs)]: refused } } });
    assert.deepEqual([floor(), toasts()], [0, ["The server does not respond"]]);
});

test("back from a result on another floor returns to the search", async () => {
    await openMap();
    await search(nameOfShop(1));
    await click(`.place[data-id="${upstairs}"]`);
    await until(() => card() === nameOfShop(1));
    await travel(-1, () => card() === null && floor() === 0);
    assert.deepEqual(idsOf(), [upstairs]);
});

// Facilities of several floors, such as stairs: amenities on no level, with units on several ones.

const stairs = id("amenity stairs 1");
/** The unit of the top floor is the first. */
const named = {
    ordinals: [-1, 0, 1, 2],
    edit: set(stairs, { name: { en: "Tower stairs" }, unit_ids: [id("unit 2 stairs"), id("unit 1 stairs")] }),
};

for (const [query, ordinal] of [
    [`/${shortID(stairs)}`, 2], [`?place=${stairs}`, 2], [`?floor=0&place=${stairs}`, 2], [`?floor=1&place=${stairs}`, 1],
    [`?floor=2&place=${stairs}`, 2],
]) {
    test(`a link to a facility of several floors opens one of them: ${query.replace(stairs, "…")}`, async () => {
        const page = await openMap(query, { server: named });
        assert.deepEqual([card(), floor(), toasts()], ["Tower stairs", ordinal, []]);
        isCentred(page, stairs);
    });
}

test("the pin of a facility of several floors is on one of them", async () => {
    await openMap(`?feature=${stairs}`, { server: named });
    assert.ok($(".map-pin"));
    assert.equal(floor(), 2);
});
