import { enter, open, plain } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { venue } from "./support/desk-records.js";
import { DeskService } from "./support/desk-service.js";
import { only, textOf } from "./support/page.js";

const error = (name) => textOf(only(`#link-${name}-error`));
const value = (name) => only(`#link-${name}`).value;

for (const [language, title, floor, invalidPosition, invalidIdle, isPrivate] of [
    ["en", "Bay Mall", "2F", /^Enter the longitude/, "Enter a whole number from 5 to 3,600.", /^Visitors cannot open the link/],
    ["ja", "ベイモール", "2階", /^経度と緯度を/, "5～3,600の整数を入力してください。", /^施設を一般公開するまで/],
]) {
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
        assert.match(error("at"), invalidPosition);
        assert.ok(only("#link-at").getAttribute("aria-describedby").split(" ").every((each) => document.getElementById(each)));
        enter("#link-at", "");
        assert.deepEqual([error("at"), only("#link-at").getAttribute("aria-invalid")], ["", "false"]);
        assert.equal(error("idle"), "");
        enter("#link-idle", "2");
        assert.deepEqual([error("idle"), only("#link-idle").getAttribute("aria-invalid")], [invalidIdle, "true"]);
        assert.equal(value("kiosk"), `${origin}/#/mall?kiosk&floor=1`);
        assert.match(textOf(only(".links-poster > .notice")), isPrivate);
        new DeskService({ venue: venue({ public: true }) }).start();
        await open("#/mall/desk/links", { language, isLoaded: () => document.querySelector(".poster") });
        assert.equal(document.querySelector(".links-poster > .notice"), null);
    });
}
