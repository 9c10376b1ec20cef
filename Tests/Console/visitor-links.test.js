import { enter, open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { DeskService } from "./support/desk-service.js";
import { only, textOf } from "./support/page.js";

const value = (name) => only(`#link-${name}`).value;

for (const [language, title, floor] of [["en", "Bay Mall", "2F"], ["ja", "ベイモール", "2階"]]) {
    test(`links for visitors have the floor and the position that are chosen (${language})`, async () => {
        new DeskService().start();
        await open("#/mall/desk/links", { language, isLoaded: () => document.querySelector(".poster") });
        const { origin } = location;
        assert.deepEqual([value("map"), value("kiosk")], [`${origin}/#/mall`, `${origin}/#/mall?kiosk`]);
        assert.ok(value("embed").startsWith(`<iframe src="${origin}/embed/mall" title="${title}"`), value("embed"));
        assert.deepEqual([...only("#link-floor").options].map((option) => option.value), ["", "1", "0"]);
        enter("#link-floor", "1");
        enter("#link-at", " 139.6381 , 35.4512");
        enter("#link-idle", "90");
        assert.equal(value("map"), `${origin}/#/mall?at=139.6381,35.4512&floor=1`);
        assert.equal(value("kiosk"), `${origin}/#/mall?kiosk&at=139.6381,35.4512&floor=1&idle=90`);
        assert.ok(value("embed").startsWith(`<iframe src="${origin}/embed/mall?floor=1"`), value("embed"));
        const poster = plain(textOf(only(".poster")));
        for (const text of [title, floor, value("map")]) assert.ok(poster.includes(text), poster);
        // What is no position is left out, and marked.
        enter("#link-at", "35.4512 north");
        assert.equal(only("#link-at").getAttribute("aria-invalid"), "true");
        assert.equal(value("map"), `${origin}/#/mall?floor=1`);
    });
}
