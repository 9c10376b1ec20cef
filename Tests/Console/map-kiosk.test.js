// The map on a kiosk, in the frame of another page, with three-dimensional walls, and the distances from a position of its address.

import {
    $, $$, asked, card, click, floor, idsOf, localization, openFloor, openMap, openPlace, search, texts, toasts,
} from "./support/open-map.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { type } from "./support/browser.js";
import { metres } from "./support/mercator.js";
import { at, id } from "./support/sample-venue.js";
import { pass, setTime, settle, until } from "./support/time.js";

const { mapMode } = await import("../../Sources/WebConsole/Web/map/map-mode.js");
const screen = at(10, 30);
const marker = () => $(".you-are-here");
const openKiosk = (more = "", options = {}) => openMap(`?kiosk&at=${screen}&floor=0${more}`, options);
const walls = () => $("[data-tool=walls]").getAttribute("aria-pressed");

for (const isAsleep of [false, true]) {
    test(`a kiosk returns to its start view when nobody uses it${isAsleep ? ", also after a sleep of the screen" : ""}`, async () => {
        const { map } = await openKiosk("&idle=300");
        assert.equal(marker().getAttribute("aria-label"), "You are here");
        assert.equal(marker().hidden, false);
        const before = { ...map.camera };
        await openFloor(1);
        assert.equal(marker().hidden, true);
        await search("a");
        await openPlace(idsOf()[0]);
        // A change of the language makes the legend again.
        if (!isAsleep) localization.setLanguage("ja", { isRemembered: false });
        await settle();
        $(".legend").open = true;
        await click("[data-tool=walls]");
        await click(".place-card [data-action=share]");
        dispatchEvent(new Event("pointerdown"));
        await until(() => $("dialog[open]"));
        await pass(200_000);
        assert.ok($("dialog[open]"));
        if (isAsleep) {
            setTime(Date.now() + 600_000);
            dispatchEvent(new Event("pageshow"));
        } else await pass(150_000);
        await settle();
        assert.equal($("dialog[open]"), null);
        assert.deepEqual([floor(), $("#search").value, card(), $(".legend").open, walls()], [0, "", null, false, "false"]);
        assert.match($("#search").placeholder, /^Search/);
        assert.deepEqual(["venuesync.3d", "venuesync.language"].map((name) => localStorage.getItem(name)), [null, null]);
        assert.equal(marker().hidden, false);
        assert.deepEqual(map.camera, before);
        assert.match(location.hash, /kiosk.*floor=0|floor=0.*kiosk/);
    });
}

test("a kiosk waits while somebody types on the keyboard of the screen", async () => {
    // Such keyboards need not send events of keys or of pointers to the page.
    await openKiosk("&idle=30");
    dispatchEvent(new Event("pointerdown"));
    await openFloor(1);
    for (const text of ["r", "re", "res"]) {
        await pass(20_000);
        type($("#search"), text);
    }
    await pass(20_000);
    assert.deepEqual([$("#search").value, floor()], ["res", 1]);
    await pass(15_000);
    assert.deepEqual([$("#search").value, floor()], ["", 0]);
});

test("the time after which a kiosk returns is a minute unless the address has a usable one", () => {
    const times = ["", "&idle=30", "&idle=1", "&idle=0", "&idle=-5", "&idle=", "&idle=soon", "&idle=Infinity"]
        .map((text) => mapMode(new URLSearchParams(`kiosk${text}`)).idleTime);
    assert.deepEqual(times, [60, 30, 1, 60, 60, 60, 60, 60]);
});

test("a kiosk after a reload keeps the floor that is shown, and its own", async () => {
    await openKiosk();
    await openFloor(1);
    const { hash } = location;
    await openMap(hash.slice(hash.indexOf("?")));
    assert.equal(floor(), 1);
    assert.equal(marker().hidden, true);
    await openFloor(0);
    assert.equal(marker().hidden, false);
});

test("the start view of a kiosk is its floor if its position is far away, and shows the position if it is near", async () => {
    const cameras = [];
    for (const position of ["", "&at=139.8,35.5", `&at=${at(-15, 30)}`]) cameras.push({ ...(await openMap(`?kiosk&floor=0${position}`)).map.camera });
    assert.deepEqual(cameras[0], cameras[1]);
    assert.notDeepEqual(cameras[0], cameras[2]);
});

test("a kiosk offers nothing that leaves the map, and asks for nothing that only publishers see", async () => {
    const { server } = await openKiosk();
    for (const each of idsOf().slice(0, 3)) {
        await openPlace(each);
        assert.equal($$("main a").length, 0);
        await click(".place-card .back");
    }
    assert.ok($(".map-page").classList.contains("is-kiosk"));
    assert.deepEqual([...asked(server, "/venues/mall/overrides"), ...asked(server, "/uploads")], []);
    // Links in texts, and the menu of a long touch.
    const link = $(".panel-body").appendChild(Object.assign(document.createElement("a"), { href: "#/~/keys" }));
    for (const name of ["contextmenu", "click"]) {
        assert.equal(link.dispatchEvent(new MouseEvent(name, { bubbles: true, cancelable: true })), false, name);
    }
});

test("a link on a kiosk is for the phones of others: there is no text to copy, and nothing is copied", async () => {
    const copied = [];
    Object.assign(navigator.clipboard, { writeText: async (text) => { copied.push(text); } });
    await openKiosk();
    await click("[data-tool=share]");
    await until(() => $("dialog .qr-code"));
    assert.equal($("#share-link"), null);
    assert.deepEqual([texts(".toast"), copied], [[], []]);
});

test("a kiosk has a switch of the language, which is not remembered", async () => {
    await openKiosk();
    await click(".map-corner .language");
    assert.equal(marker().getAttribute("aria-label"), "現在地");
    assert.equal(localStorage.getItem("venuesync.language"), null);
});

for (const mode of ["embed", "kiosk"]) {
    test(`a map with the parameter ${mode} adds nothing to the history, and has no bar`, async () => {
        await openMap(`?${mode}`);
        const { length } = history;
        await openPlace(idsOf()[0]);
        await openFloor(1);
        await openPlace(idsOf()[0]);
        assert.equal(history.length, length);
        assert.match(location.hash, new RegExp(`place=.*${mode}`));
        assert.ok($(`.map-page.is-${mode === "embed" ? "embedded" : "kiosk"}`));
        assert.deepEqual($$("main a:not([target=_blank], [href^='tel:'])"), []);
    });
}

test("three-dimensional walls are remembered, tilt the map, and places can still be tapped", async () => {
    const page = await openMap();
    const drawn = () => page.map.layers.filter(({ type: kind, layout }) => kind === "fill-extrusion" && layout.visibility === "visible").length;
    assert.deepEqual([walls(), page.map.camera.pitch, drawn()], ["false", 0, 0]);
    await click("[data-tool=walls]");
    assert.deepEqual([walls(), page.map.camera.pitch, drawn()], ["true", 45, 1]);
    assert.equal(localStorage.getItem("venuesync.3d") !== null, true);
    const box = page.venueMap.labels.find(({ place }) => place.kind === "shop");
    page.map.fire("click", { point: { x: (box.left + box.right) / 2, y: (box.top + box.bottom) / 2 } });
    assert.equal(card(), box.place.name);
    await click("[data-tool=walls]");
    assert.deepEqual([walls(), page.map.camera.pitch, drawn()], ["false", 0, 0]);
    assert.equal(localStorage.getItem("venuesync.3d"), null);
});

test("the compass turns north up, and keeps the tilt of the walls", async () => {
    const { map } = await openMap();
    await click("[data-tool=walls]");
    map.jumpTo({ bearing: 40, pitch: 20 });
    const compass = $("[data-tool=north]");
    assert.equal(compass.hidden, false);
    assert.equal(compass.querySelector(".icon").style.rotate, "-40deg");
    await click(compass);
    assert.deepEqual([map.camera.bearing, map.camera.pitch, compass.hidden], [0, 45, true]);
});

test("a kiosk whose address has a position far from the venue says so, and shows neither a mark nor distances from there", async () => {
    const [longitude, latitude] = at(10, 30);
    await openMap(`?kiosk&at=${longitude},${latitude + 0.25}&floor=0`);
    assert.equal(marker(), null);
    assert.match(toasts().join(), /28 km away.*at/);
    await click("[data-chip=restroom]");
    for (const distance of texts(".distance")) assert.ok(Number.parseInt(distance, 10) < 500, distance);
});

// Distances.

const ground = ["male", "female"].map((each) => id(`amenity 0 restroom ${each}`));
const pointOf = (page, each) => page.venueMap.places.find((place) => place.id === each).point;
const nearestFirst = (page, from) => ground.map((each) => [each, metres(from, pointOf(page, each))])
    .sort(([, one], [, other]) => one - other).map(([each, distance]) => [each, `${Math.round(distance)} m`]);
const listed = () => $$(".place").map((each) => [each.dataset.id, each.querySelector(".distance")?.textContent ?? null]);

for (const kind of ["kiosk&", ""]) {
    test(`distances are measured from the position of the address of a ${kind ? "kiosk" : "pin"}`, async () => {
        for (const from of [at(22, 5), at(30, 55)]) {
            const page = await openMap(`?${kind}at=${from}&floor=0`);
            page.map.jumpTo({ center: at(90, 30), zoom: 21 });
            await click("[data-chip=restroom]");
            assert.deepEqual(listed(), nearestFirst(page, from));
            const expected = nearestFirst(page, from);
            // Upstairs, those of the floor of the position are still the nearest.
            await openFloor(1);
            await until(() => $$(".places-floor").length > 1);
            assert.deepEqual(listed().slice(0, 2), expected);
            assert.deepEqual(new Set(listed().slice(2).map(([, distance]) => distance)), new Set([null]));
        }
    });
}

test("distances are measured from the middle of the map after the pin was removed", async () => {
    const page = await openMap(`?at=${at(22, 5)}&floor=0`);
    await click("[data-chip=restroom]");
    assert.deepEqual(listed(), nearestFirst(page, at(22, 5)));
    await click(".map-pin");
    page.map.jumpTo({ center: at(30, 55), zoom: 21 });
    await click("[data-chip=restroom]");
    await click("[data-chip=restroom]");
    assert.equal(idsOf()[0], id("amenity 0 restroom female"));
});
