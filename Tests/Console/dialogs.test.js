import { control, dialog, enter, hasDialog, open, toasts, visit } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { settle, until } from "./support/time.js";
import { DeskService } from "./support/desk-service.js";
import { apiKey, id, summary, upload } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";
const { openDialog } = await import("../../Sources/WebConsole/Web/ui/dialog.js");

const page = `#/mall/desk/uploads/${id(100)}`;
/** The dialogs of the desk in which something is decided: their addresses, and what opens them. */
const dialogs = {
    publish: [page, () => document.querySelectorAll(".decision .desk-actions button")[0].click()],
    discard: [page, () => document.querySelectorAll(".decision .desk-actions button")[1].click()],
    "discard many": ["#/mall/desk/uploads?state=staged", () => {
        document.querySelector(".upload-list input").click();
        document.querySelector(".upload-actions button:last-child").click();
    }],
    restore: ["#/mall/desk/restore?to=1", () => only(".preview .primary").click()],
    keep: ["#/mall/desk/settings", () => {
        enter("#set-keep_revisions", "1");
        only("form.settings .primary").click();
    }],
    prune: ["#/mall/desk/settings", () => {
        enter("#prune-keep", "1");
        only("#prune-keep ~ button").click();
    }],
    delete: ["#/mall/desk/settings", () => only(".danger-zone button").click()],
    key: ["#/~/keys", () => only(".desk-header-line .primary").click()],
    revoke: ["#/~/keys", () => only(".keys tbody button:last-child").click()],
    "sign in": ["#/", () => only(".welcome button.primary").click(), { signedIn: null }],
};

for (const [name, [address, act, options]] of Object.entries(dialogs)) {
    for (const [language, cancel] of [["en", "Cancel"], ["ja", "キャンセル"]]) {
        test(`dialog can be cancelled, and nothing has happened then: ${name} (${language})`, async () => {
            const service = new DeskService({ uploads: [upload(100, { changes: summary([]) })] });
            service.keys = [apiKey(1)];
            const isPreview = ({ body }) => body?.includes('"dry_run":true');
            service.start({
                "POST /venues/mall/prune": { venue: "mall", first: 2, revisions: 1, versions: 3, bytes: 900 },
                "POST /venues/mall/rollback": { venue: "mall", from: 2, restores: 1, levels: null, changes: summary([]) },
            });
            await open(address, { language, ...options });
            await settle(40);
            act();
            await until(hasDialog);
            assert.notEqual(textOf(dialog().querySelector("h2")), "");
            control(cancel, dialog()).click();
            await settle();
            assert.equal(hasDialog(), false);
            assert.equal(location.hash === "" ? "#/" : location.hash, address);
            assert.deepEqual(service.sent.filter((each) => !isPreview(each)), []);
            assert.deepEqual(toasts(), []);
            if (name === "publish" || name === "discard") assert.ok(document.querySelector(".decision"));
        });
    }
}

test("dialog of a page is cancelled when the user goes back, so that it publishes nothing of it any more", async () => {
    const service = new DeskService({ uploads: [upload(100, { changes: summary([]) })] });
    service.start();
    await open(page);
    await settle(40);
    dialogs.publish[1]();
    await until(hasDialog);
    await visit("#/mall/desk/history");
    assert.equal(hasDialog(), false);
    assert.deepEqual(service.sent, []);
});

test("dialog stays until its pending action has ended when the user goes back, because its result may be shown only once", async () => {
    await open("#/", { signedIn: null });
    let resolve;
    const promise = new Promise((resolved) => { resolve = resolved; });
    const done = openDialog({ title: "Go?", body: "It goes.", actions: [{ label: "Go", act: () => promise }] });
    control("Go").click();
    await visit("#/~/keys", () => true);
    assert.equal(hasDialog(), true);
    resolve(7);
    assert.equal(await done, 7);
    assert.equal(hasDialog(), false);
});

test("dialog resolves with the result of its action, and with nothing when it is cancelled", async () => {
    await open("#/", { signedIn: null });
    const ask = () => openDialog({ title: "Go?", body: "It goes.", actions: [{ label: "Go", act: async () => 7 }] });
    const done = ask();
    control("Go").click();
    assert.equal(await done, 7);
    const cancelled = ask();
    control("Close").click();
    assert.equal(await cancelled, undefined);
});

test("dialog stays open when its action fails or returns false, and says why", async () => {
    let outcome = () => { throw Object.assign(new Error("No"), { detail: "Not now." }); };
    const result = openDialog({ title: "Go?", body: "", actions: [{ label: "Go", act: async () => outcome() }] });
    control("Go").click();
    await settle();
    assert.equal(textOf(only("dialog .error-message")), "Not now.");
    outcome = () => false;
    control("Go").click();
    await settle();
    assert.equal(textOf(only("dialog .error-message")), "");
    assert.equal(hasDialog(), true);
    outcome = () => "gone";
    dialog().querySelector("form").requestSubmit();
    assert.equal(await result, "gone");
});

test("dialog without an action has nothing to cancel", async () => {
    openDialog({ title: "So it is", body: "" });
    assert.equal(dialog().querySelector("footer"), null);
    dialog().querySelector("form").requestSubmit();
    await settle();
    control("Close").click();
    assert.equal(hasDialog(), false);
});
