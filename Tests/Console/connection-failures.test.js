// What pages and dialogs say when requests get no response, or one that stops in the middle.

import { open } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { only, textOf } from "./support/page.js";
import { pass, until } from "./support/time.js";
import { setOnline, type } from "./support/browser.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import { upload } from "./support/desk-records.js";
import { makeAbortable, never } from "./support/abortable.js";

const failure = () => document.querySelector("#main .state.error");

/** A service that does not respond to requests of a path while it `isSilent`. `begun` counts those. */
function silentService(path, response = never) {
    const service = Object.assign(new DeskService({ uploads: [upload(500, { state: "published", revision: 2 })] }), { isSilent: true, begun: 0 });
    service.start();
    const { fetch } = globalThis;
    globalThis.fetch = (address, options) => {
        if (!service.isSilent || !new RegExp(path).test(address)) return fetch(address, options);
        service.begun += 1;
        return response();
    };
    makeAbortable();
    return service;
}

/** A response that stops in the middle. */
const half = () => new Response(new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"')) }));

for (const [what, address, path, response, content] of [
    ["list of venues without a response", "#/", "^/venues\\?", never, ".card"],
    ["overview without a response", "#/mall/desk", "^/venues/mall", never, ".desk-tabs"],
    ["log without a response", "#/mall/desk/history", "^/venues/mall", never, ".desk-tabs"],
    ["overview whose response stops in the middle", "#/mall/desk", "^/venues/mall/uploads\\?limit=15", half, ".desk-row"],
    ["log whose response stops in the middle", "#/mall/desk/history", "^/venues/mall/revisions\\?", half, "#revision-1"],
]) {
    test(`${what} says so after a minute, and can be tried again`, async () => {
        const service = silentService(path, response);
        await open(address, { isLoaded: () => service.begun > 0 });
        await pass(59_999);
        assert.equal(failure(), null, "a weak connection gets more time");
        await pass(1);
        assert.match(textOf(await until(failure)), /The server does not respond/);
        service.isSilent = false;
        only("button", failure()).click();
        await until(() => !failure() && document.querySelector(`#main ${content}`), content);
    });
}

for (const [language, text] of [["en", "There is no network connection"], ["ja", "ネットワークに接続されていません"]]) {
    test(`sign-in without a network says so in the user's language (${language})`, async () => {
        new DeskService().start({ "GET /venues\\?limit=1": noResponse });
        await open("#/", { language, signedIn: null });
        (await until(() => document.querySelector("#main .primary"))).click();
        setOnline(false);
        type(only("#key"), "vsk_any");
        only("dialog footer .primary").click();
        await until(() => textOf(only("dialog .error-message")) !== "");
        assert.equal(textOf(only("dialog .error-message")), text);
    });
}
