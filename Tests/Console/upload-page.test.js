import { check, control, dialog, hasDialog, open, plain, toasts } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { pass, passUntil, settle, until } from "./support/time.js";
import { DeskService, noResponse } from "./support/desk-service.js";
import { change, firstFloor, id, mallFeatures, summary, upload, venue } from "./support/desk-records.js";
import { only, textOf } from "./support/page.js";

const address = `#/mall/desk/uploads/${id(100)}`;
const tag = () => textOf(only(".upload-header .tag"));
const decision = () => document.querySelector(".decision");
/** What the line at the top says about the upload. */
const facts = () => textOf(only(".upload-facts"));
const confirm = () => dialog().querySelector("footer button:last-child").click();

/** A service with an upload of the number 100. */
const withUpload = (values = {}, options = {}) => new DeskService({ ...options, uploads: [upload(100, values)] });

async function openUpload(service, { routes, ...options } = {}) {
    service.start(routes);
    await open(address, { isLoaded: () => document.querySelector(".upload-header"), ...options });
    return service;
}

/** The ids that are changed, as the summary of an upload counts them: one shop is removed. */
const removedShop = () => change(mallFeatures().get(firstFloor)[2], null, firstFloor);

test("upload page shows every phase with its progress", async () => {
    const steps = [
        ["received", null, 0, "Waiting for a worker", "Queue"], ["processing", "reading", 100, "Reading the archive: 100 of 400", "Read"],
        ["processing", "identifying", 0, "Matching features: 0 of 400", "Match"],
        ["processing", "diffing", 399, "Comparing with the newest revision: 399 of 400", "Compare"],
        ["processing", "publishing", 400, "Publishing: 400 of 400", "Publish"], ["published", "validating", 7, "Validating: 7 of 400", "Validate"],
    ];
    const findings = { complete: false, error: 0, warning: 0, info: 0 };
    const states = steps.map(([state, phase, done]) => upload(100, {
        state, progress: { phase, done, total: phase ? 400 : 0 }, findings, base: null, identity: null, changes: null, revision: state === "published" ? 3 : null }));
    let step = 0;
    await openUpload(withUpload(), { routes: { [`GET /uploads/${id(100)}\\?wait=1`]: () => states[step] } });
    for (const [, , done, description, name] of steps) {
        await passUntil(() => textOf(only(".desk-phases .progress-text")) === description, { minutes: 1 });
        assert.match(textOf(only(".phases [aria-current=step]")), new RegExp(name));
        assert.equal(textOf(only("#live-region")) === "" || description.startsWith(textOf(only("#live-region"))), true);
        const bar = only(".desk-phases progress");
        if (description.includes("of")) assert.equal(bar.value, done / 400);
        else assert.equal(bar.hasAttribute("value"), false, "indeterminate");
        step += 1;
        if (step === steps.length) states.push(upload(100, { state: "published", revision: 3 }));
    }
    await passUntil(() => !document.querySelector(".desk-phases"), { minutes: 1 });
    assert.match(textOf(only(".outcome")), /Revision 3 has been published/);
});

test("upload page is titled with the message, else with the name of the file, else with the id", async () => {
    for (const [values, title, file] of [
        [{ message: "Summer fair", file_name: "mall.zip" }, "Summer fair", "mall.zip"], [{ file_name: "mall.zip" }, "mall.zip", "mall.zip"],
        [{}, `Upload ${id(100).slice(0, 8)}`, undefined],
    ]) {
        await openUpload(withUpload(values));
        assert.equal(textOf(only(".upload-header h2")), title);
        const term = [...document.querySelectorAll(".upload-header dt")].find((each) => textOf(each) === "File");
        assert.equal(term && textOf(term.nextElementSibling), file);
    }
});

test("upload page publishes after a confirmation, and focuses the outcome", async () => {
    const service = await openUpload(withUpload({ message: "Summer fair", changes: summary([removedShop()]) }));
    assert.equal(tag(), "Staged");
    assert.equal(decision().getAttribute("aria-label"), "Publish this upload?");
    assert.match(facts(), /Bay Mall.*admin.*3 hours ago.*Compared with revision 2\./);
    control("Publish", decision()).click();
    assert.match(textOf(dialog()), /Publish to mall\?.*0 added · 0 changed · 1 removed/);
    assert.deepEqual(service.sent, []);
    assert.equal(dialog().querySelector("footer button:last-child").className, "primary");
    confirm();
    await until(() => tag() === "Published");
    const [{ path, body }] = service.sent;
    assert.equal(path, `/uploads/${id(100)}/publish?wait=30`);
    assert.deepEqual(JSON.parse(body), { base: 2, confirm: [] });
    assert.equal(document.activeElement, only(".outcome"));
    assert.equal(decision(), null);
    assert.deepEqual(toasts(), [{ kind: "done", text: "Revision 3 has been published." }]);
    await until(() => textOf(only("#desk-header-revision")) === "Revision 3");
});

test("upload page reports a revision that was published after the comparison", async () => {
    const service = await openUpload(withUpload());
    assert.equal(document.querySelector(".upload-checks .notice"), null);
    service.publish();
    await until(() => document.querySelector(".upload-checks .notice"));
    assert.match(textOf(only(".upload-checks .notice")), /^Revision 3 was published after the comparison with revision 2\./);
    control("Revision 3 published meanwhile", only(".verdict")).click();
    assert.equal(document.activeElement, only(".upload-checks"), "from the line that stays in view");
    control("Publish", decision()).click();
    confirm();
    await until(() => document.querySelector(".reasons"));
    assert.match(textOf(only(".reasons")), /A new revision was published in the meantime/);
    assert.match(facts(), /Compared with revision 3/);
    assert.equal(service.venue.head, 3);
    // The base says what the user has seen now: no confirmation is needed.
    await until(() => !hasDialog());
    control("Publish", decision()).click();
    assert.equal(dialog().querySelectorAll("input").length, 0);
    confirm();
    await until(() => tag() === "Published");
    assert.deepEqual(service.sent.map(({ body }) => JSON.parse(body).base), [2, 3]);
});

test("upload page closes the dialog and says why if what was confirmed is not what would be published", async () => {
    const service = withUpload();
    await openUpload(service);
    control("Publish", decision()).click();
    service.publish();
    confirm();
    await until(() => !hasDialog());
    await settle();
    assert.deepEqual(toasts().map(({ kind }) => kind), ["problem"]);
    assert.match(toasts()[0].text, /A new revision was published in the meantime\. Nothing was published/);
    assert.ok(decision());
});

test("upload page shows the outcome of an upload that was decided elsewhere", async () => {
    const service = await openUpload(withUpload());
    control("Discard", decision()).click();
    service.uploads = [upload(100, { state: "published", revision: 3 })];
    confirm();
    await until(() => tag() === "Published");
    assert.deepEqual(toasts(), [{ kind: "problem", text: "This upload has already been published or discarded. Its outcome is shown here." }]);
});

test("upload page discards after a confirmation", async () => {
    const service = await openUpload(withUpload());
    control("Discard", decision()).click();
    assert.match(textOf(dialog()), /The published map stays unchanged/);
    confirm();
    await until(() => tag() === "Discarded");
    assert.deepEqual(service.sent.map(({ method, path }) => `${method} ${path}`), [`DELETE /uploads/${id(100)}`]);
    assert.deepEqual(toasts(), [{ kind: "done", text: "The upload has been discarded." }]);
});

test("upload page keeps the dialog open with the message if the request fails otherwise", async () => {
    await openUpload(withUpload(), { routes: { "POST .*/publish.*": noResponse } });
    control("Publish", decision()).click();
    confirm();
    await until(() => textOf(dialog().querySelector(".error-message")) !== "");
    assert.match(textOf(dialog().querySelector(".error-message")), /The server does not respond/);
    assert.equal(dialog().querySelector("footer button:last-child").disabled, false);
});

test("upload page says that publishing a scheduled upload is now", async () => {
    await openUpload(withUpload({ publish_at: "2099-04-01T09:30:00.000Z" }));
    assert.equal(tag(), "Scheduled");
    const time = "Wed, Apr 1, 2099, 05:30 EDT (at the venue: Wed, Apr 1, 2099, 18:30 GMT+9)";
    assert.ok(plain(facts()).includes(`Will be published on ${time}.`), "in the line that stays in view");
    assert.ok(plain(textOf(only(".upload-checks"))).includes(`The upload will be published automatically on ${time}.`), textOf(only(".upload-checks")));
    control("Publish now", decision()).click();
    assert.match(textOf(dialog()), /Publish to mall now\?/);
    assert.ok(plain(textOf(dialog().querySelector(".notice"))).includes(`scheduled for ${time}`));
    assert.equal(textOf(dialog().querySelector("footer button:last-child")), "Publish now");
});

test("upload page has a dangerous button for what guards have staged, and asks to confirm each reason", async () => {
    const service = await openUpload(withUpload({ reasons: ["removal", "head_moved"], changes: summary([removedShop()]) }));
    const button = control("Publish", decision());
    assert.equal(button.className, "danger");
    button.click();
    assert.deepEqual([...dialog().querySelectorAll("input")].map(({ value }) => value), ["removal"]);
    assert.equal(dialog().querySelector("footer button:last-child").className, "danger");
    assert.match(textOf(dialog()), /Yes, remove 1 feature\./);
    confirm();
    await until(() => textOf(dialog().querySelector(".error-message")) === "Confirm every point first.");
    assert.deepEqual(service.sent, []);
    assert.equal(document.activeElement.id, "confirm-removal");
    check("#confirm-removal");
    confirm();
    await until(() => tag() === "Published");
    assert.deepEqual(JSON.parse(service.sent[0].body), { base: 2, confirm: ["removal"] });
});

for (const [language, texts] of [["en", ["2 errors", "2 guards", "1 contested edit"]], ["ja", ["エラー 2件", "要確認 2件", "確認待ちの編集 1件"]]]) {
    test(`upload page counts what speaks against publishing beside the button (${language})`, async () => {
        const overrides = { contested: 1, orphaned: 0, quiet: 0, redundant: 0, yielded: 0 };
        const service = withUpload({ reasons: ["overrides", "key_revoked"], overrides, findings: { complete: true, error: 2, warning: 1, info: 0 } });
        await openUpload(service, { language });
        assert.deepEqual([...only(".verdict").children].map(textOf), texts);
        service.uploads = [upload(100)];
        await openUpload(service, { language });
        assert.deepEqual([...only(".verdict").children].map(textOf), [language === "en" ? "No errors" : "エラーなし"]);
        assert.equal(document.querySelector(".upload-checks"), null);
    });
}

test("upload page has the comparison among the details, and nothing to press while the validation continues", async () => {
    await openUpload(withUpload({ findings: { complete: false, error: 0, warning: 0, info: 0 } }));
    assert.match(textOf(only(".upload-header dl")), /Compared with revision 2\./);
    assert.equal(only(".verdict").children.length, 1);
    assert.equal(only(".verdict .tag").localName, "span");
});

test("upload page of another venue leads to that of its own", async () => {
    const service = withUpload({ venue: "mall" });
    service.others = [venue({ venue: "plaza" })];
    service.start({ "GET /venues/plaza": venue({ venue: "plaza" }) });
    await open(`#/plaza/desk/uploads/${id(100)}`, { isLoaded: () => document.querySelector(".upload-header") });
    assert.equal(location.hash, address);
    assert.equal(textOf(only(".desk-key")), "mall");
});

test("upload page of an id that is none reaches no other path of the API", async () => {
    const requests = new DeskService().start();
    await open("#/mall/desk/uploads/..%2Fkeys%3F", { isLoaded: () => document.querySelector("[role=alert]") });
    assert.match(textOf(only("[role=alert]")), /There is no such upload/);
    assert.deepEqual(requests.filter(({ path }) => path.includes("keys")), []);
});

test("upload page of a first upload raises no error when the venue gets its page", async () => {
    const service = withUpload({ base: 0, created_venue: true }, { venue: null });
    const errors = [];
    const onError = (error) => errors.push(error);
    process.on("unhandledRejection", onError);
    let isHeld = false;
    await openUpload(service, { routes: {
        "POST .*/publish.*": () => {
            service.venue = venue({ head: 1 });
            service.uploads = [upload(100, { state: "published", base: 0, revision: 1 })];
            isHeld = true;
            return service.uploads[0];
        },
        // The request of the old page never gets a response.
        [`GET /uploads/${id(100)}`]: () => (isHeld ? new Promise(() => {}) : service.uploads[0]),
    } });
    assert.match(facts(), /This would be the first revision of the venue/);
    control("Publish", decision()).click();
    confirm();
    await until(() => !hasDialog());
    service.publish({});
    await until(() => document.getElementById("desk-header-revision"));
    await until(() => document.querySelector(".upload-header") && tag() === "Published");
    await pass(5_000);
    process.off("unhandledRejection", onError);
    assert.deepEqual(errors, []);
});

for (const [what, state, values, sentences, links] of [
    ["published upload", "published", { revision: 2 }, ["Revision 2 has been published"], ["#/mall", "#/mall/desk/compare?from=1&to=2", "#/mall/desk/restore?to=1"]],
    ["first published upload", "published", { revision: 1, base: 0 }, ["Revision 1 has been published"], ["#/mall"]],
    ["unchanged upload", "unchanged", {}, ["the archive is equal to the published map"], ["#/mall"]],
    ["rejected upload", "rejected", { base: null, changes: null, identity: null }, ["The archive was rejected", "stays unchanged"], ["#/mall/desk"]],
    ["failed upload", "failed", { base: null, changes: null, identity: null, failure: "The disk is full." }, ["The server failed", "The disk is full."], ["#/mall/desk"]],
    ["discarded upload", "discarded", {}, ["Nothing was published"], ["#/mall/desk"]],
]) {
    test(`upload page says what became of a ${what}, and what comes next`, async () => {
        await openUpload(withUpload({ state, ...values }));
        const outcome = only(`.outcome.is-${state}`);
        for (const sentence of sentences) assert.ok(textOf(outcome).includes(sentence), textOf(outcome));
        assert.deepEqual([...outcome.querySelectorAll("a")].map((link) => link.getAttribute("href")), links);
        assert.equal(decision(), null);
        assert.equal(outcome.getAttribute("role"), ["rejected", "failed"].includes(state) ? "alert" : "status");
    });
}

test("upload page shows how many features were matched", async () => {
    await openUpload(withUpload({ state: "published", revision: 2, identity: { kept: 0, aliased: 0, matched: 14, near: 0, new: 0, gone: 0 } }));
    const tiles = [...document.querySelectorAll(".tiles > div")].map(textOf);
    assert.deepEqual(tiles, ["Same id0", "Known alias0", "Same content14", "Similar0", "New0", "Missing0"]);
});

test("upload page continues when a request fails", async () => {
    let isDown = false;
    const service = withUpload({ state: "processing", base: null, changes: null, identity: null });
    await openUpload(service, { routes: { [`GET /uploads/${id(100)}\\?wait=1`]: () => (isDown ? noResponse() : service.uploads[0]) } });
    isDown = true;
    await passUntil(() => document.querySelector(".upload-page [role=status].error-message"), { minutes: 1 });
    assert.match(textOf(only(".upload-page [role=status].error-message")), /The server does not respond/);
    isDown = false;
    service.uploads = [upload(100)];
    await passUntil(() => tag() === "Staged", { minutes: 1 });
    assert.equal(document.querySelector(".upload-page [role=status].error-message"), null);
});
