// The editor of what a place says: the form, the review, the publication, undo, and conflicts.

import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { EditService, override, phoneFinding, shop, shopID } from "./support/edit-service.js";
import { only, textOf } from "./support/page.js";
import { type } from "./support/browser.js";
import { problem } from "./support/server.js";
import { changeRows, closeDialogs, dialog, dialogError, hasDialog, proceed, publish, title, undo } from "./support/step-dialog.js";
import { until } from "./support/time.js";

const web = "../../Sources/WebConsole/Web";
await import(`${web}/map/editing/messages.js`);
await import(`${web}/desk/messages.js`);
const { editPlace } = await import(`${web}/map/editing/place-editor.js`);

const path = `/venues/mall/features/${shopID}`;
const source = shop().properties;

/** The open form of a shop, with other `properties`. */
async function open({ routes, properties, ...values } = {}) {
    const service = Object.assign(new EditService(), values);
    Object.assign(service.feature.properties, properties);
    service.start(routes);
    editPlace({ venueKey: "mall", id: shopID, name: "Asagao Shoes", languages: ["en", "ja"], timeZone: "Asia/Tokyo" });
    await until(() => document.querySelector(".place-form"));
    return service;
}

const fill = (name, text) => type(only(`#edit-${name}`), text);
afterEach(closeDialogs);

test("edit is reviewed, published with its message, and undone", async () => {
    const service = await open();
    fill("name-en", "Blue Door Books");
    fill("phone", "+81312345678");
    fill("message", "Called the shop: 3+1 phones & a fax");
    await proceed();
    assert.equal(title(), "Publish these changes to Asagao Shoes?");
    assert.deepEqual(changeRows(), [["Name (English)", "Asagao Shoes", "Blue Door Books"], ["Phone", source.phone, "+81312345678"]]);
    assert.match(textOf(dialog()), /1 shop renamed on 1F/);
    assert.deepEqual(service.published, [], "nothing is published before the review was confirmed");
    const query = `message=${encodeURIComponent("Called the shop: 3+1 phones & a fax")}`;
    const body = { properties: { name: { en: "Blue Door Books" }, phone: "+81312345678" } };
    assert.deepEqual(service.sent, [["PATCH", `${path}?${query}&dry_run=true`, body]]);
    await proceed();
    assert.equal(hasDialog(), false);
    assert.deepEqual(service.published, [["PATCH", `${path}?${query}`, body]]);
    assert.ok(service.requests.filter(({ method }) => method === "PATCH").every(({ headers }) => headers.get("If-Match") === 'W/"1"'
        && headers.get("Content-Type") === "application/merge-patch+json" && headers.get("Accept-Language") === "en"));
    assert.equal(await undo(), "Undone with revision 3.");
    assert.deepEqual(service.published[1], ["POST", "/venues/mall/edits", {
        base: 2, message: "Undo revision 2",
        edits: [{ revert: shopID, pointer: "/properties/name/en" }, { revert: shopID, pointer: "/properties/phone" }],
    }]);
});

test("edit undo brings back the former edit with its time, in a revision of its own", async () => {
    const until2199 = "2199-01-01T00:00:00.000Z";
    const phone = "+81300000001";
    const service = await open({ properties: { phone }, overrides: [override("phone", phone, source.phone, { until: until2199 })] });
    fill("phone", "+81300000002");
    fill("website", "");
    await publish();
    assert.deepEqual(service.published[0][2], { properties: { phone: "+81300000002", website: null } });
    await undo();
    const message = "Undo revision 2";
    assert.deepEqual(service.published.slice(1).map(([, , body]) => body), [
        { base: 2, message, edits: [{ revert: shopID, pointer: "/properties/website" }] },
        { base: 3, message, until: until2199, edits: [{ feature: shopID, patch: { properties: { phone: "+81300000001" } } }] },
    ]);
});

test("edit undo leaves what somebody else has changed since", async () => {
    const service = await open();
    fill("phone", "+81300000002");
    await publish();
    service.editElsewhere({ phone: "+81300000003" });
    assert.match(await undo(), /^Not undone/);
    assert.equal(service.published.length, 1);
});

test("edit undo is sent again if another revision is published meanwhile", async () => {
    let refusals = 2;
    const service = await open({ routes: { "POST /venues/mall/edits": () => {
        if (refusals-- > 0) return problem(409, "head-moved", { title: "A newer revision was published" });
        return service.respond();
    } } });
    fill("phone", "+81300000002");
    await publish();
    assert.equal(await undo(), "Undone with revision 3.");
    assert.equal(service.published.length, 4);
});

test("edit asks whose value holds where both changed it, and goes on with what was decided", async () => {
    const service = await open();
    fill("phone", "+81300000002");
    fill("website", "https://mine.example.com/");
    fill("name-en", "Mine");
    service.editElsewhere({ phone: "+81300000003", website: "https://theirs.example.com/", hours: "off" }, "By telephone");
    await proceed();
    assert.equal(title(), "Somebody else changed this place");
    const conflict = only(".conflict");
    assert.match(textOf(conflict), /admin published a change/);
    assert.match(textOf(conflict), /“By telephone”/);
    assert.match(textOf(only("li", conflict)), /Opening hours: Mo-Su 10:00-20:30 → closed every day/);
    const [phone, website] = conflict.querySelectorAll(".conflict-part");
    assert.deepEqual([phone, website].map((part) => textOf(only("legend", part))), ["Phone", "Website"]);
    assert.match(textOf(phone), /Before: \+81455559081/);
    only("input[value=theirs]", phone).click();
    await proceed();
    assert.deepEqual(changeRows().map(([part]) => part), ["Name (English)", "Website"]);
    // The form has what was decided, over what is published now.
    await proceed("Back");
    assert.deepEqual(["phone", "website", "hours"].map((name) => only(`#edit-${name}`).value), ["+81300000003", "https://mine.example.com/", "off"]);
    await publish();
    assert.deepEqual(service.published.map(([, , body]) => body), [{ properties: { name: { en: "Mine" }, website: "https://mine.example.com/" } }]);
});

test("edit between the review and the publication of another one is noticed", async () => {
    const service = await open();
    fill("phone", "+81300000002");
    await proceed();
    service.editElsewhere({ phone: "+81300000003" });
    await proceed();
    assert.match(textOf(only(".conflict-part")), /\+81300000003/);
    assert.equal(service.feature.properties.phone, "+81300000003");
});

test("edit whose response was lost is not a conflict", async () => {
    let isLost = false;
    const service = await open({ routes: { [`PATCH ${path}`]: async () => {
        if (isLost) return service.changed();
        isLost = true;
        service.editElsewhere({ phone: "+81300000002" });
        throw new TypeError("connection reset");
    } } });
    fill("phone", "+81300000002");
    await proceed();
    await proceed();
    assert.match(dialogError(), /^The server does not respond/);
    assert.equal(service.published.length, 1);
    await proceed();
    assert.equal(title(), "This has already been published");
    await proceed();
    assert.deepEqual([hasDialog(), service.head], [false, 2]);
});

test("edit enters the value of the source, and publishes it like any other", async () => {
    const website = "https://ours.example.com/";
    const service = await open({ properties: { website }, overrides: [override("website", website, source.website)] });
    const field = only("#edit-website").closest(".field");
    assert.match(textOf(only(".override-note", field)), /^edited by admin on .* In the source: “https:\/\/www\.example\.com/);
    only("button", field).click();
    assert.equal(only("#edit-website").value, source.website);
    assert.equal(document.activeElement.id, "edit-website");
    await publish();
    assert.deepEqual(service.published[0][2], { properties: { website: source.website } });
});

test("edit shows what the rule book finds in the review, and at the field if the server refuses it", async () => {
    const refusal = () => problem(422, "edit-refused", {
        title: "The edit is refused", detail: phoneFinding().message, pointer: "/properties/phone", rule: "PV-08", dependents: [] });
    let isStrict = false;
    const service = await open({ result: { findings: [phoneFinding()] }, routes: {
        [`PATCH ${path}\\?dry_run=true`]: () => service.respond({ isDryRun: true }),
        [`PATCH ${path}`]: () => (isStrict ? refusal() : service.respond()),
    } });
    fill("phone", "extension 5");
    await proceed();
    assert.match(textOf(only(".plan-findings")), /Phone: “extension 5” is not a number/);
    isStrict = true;
    await proceed();
    const [input, line] = [only("#edit-phone"), only("#edit-phone-problem")];
    assert.equal(document.activeElement, input);
    assert.deepEqual([input.getAttribute("aria-invalid"), input.getAttribute("aria-describedby")], ["true", "edit-phone-problem"]);
    assert.match(textOf(line), /is not a number/);
    fill("phone", "+81300000002");
    assert.deepEqual([textOf(line), input.hasAttribute("aria-invalid")], ["", false]);
});

test("edit with errors that can be accepted shows them in the review, and is forced when it is published", async () => {
    const refusal = () => problem(422, "edit-refused", {
        title: "The edit is refused", detail: phoneFinding().message, pointer: "/properties/phone", rule: "PV-08", dependents: [],
        findings: [phoneFinding()], can_be_forced: true });
    const service = await open({ result: { findings: [phoneFinding()] }, routes: {
        [`PATCH ${path}(\\?.*)?`]: ({ path: address }) =>
            (address.includes("force=true") ? service.respond({ isDryRun: address.includes("dry_run=true") }) : refusal()),
    } });
    fill("phone", "extension 5");
    await proceed();
    assert.match(textOf(only(".plan-findings")), /Phone: “extension 5” is not a number/);
    await proceed();
    assert.equal(hasDialog(), false);
    assert.match(service.published.at(-1)[1], /force=true/);
});

test("edit of names changes single languages, also ones that are added", async () => {
    const service = await open();
    fill("name-ja", "青い扉書店");
    const others = only("#edit-name-language");
    assert.equal([...others.options].some(({ value }) => ["en", "ja"].includes(value)), false);
    others.value = "ko";
    others.dispatchEvent(new Event("change"));
    assert.equal(document.activeElement.id, "edit-name-ko");
    type(document.activeElement, "파란 문");
    await publish();
    assert.deepEqual(service.published[0][2], { properties: { name: { ja: "青い扉書店", ko: "파란 문" } } });
    service.feature.properties.name.ko = "파란 문";
    await undo();
    assert.deepEqual(service.published[1][2].edits.map(({ pointer }) => pointer), ["/properties/name/ja", "/properties/name/ko"]);
});

test("edit suggests categories, and names the one that is entered", async () => {
    const service = await open();
    assert.equal(document.querySelectorAll("#edit-categories option[value=sushi]").length, 1);
    fill("category", "cobbler");
    assert.match(textOf(only("#edit-category-name")), /not a common category/);
    fill("category", "shoerepair");
    assert.equal(textOf(only("#edit-category-name")), "Shoe repair");
    await publish();
    assert.deepEqual(service.published[0][2], { properties: { category: "shoerepair" } });
});

test("edit without changes is not sent", async () => {
    const service = await open();
    await proceed();
    assert.notEqual(dialogError(), "");
    assert.deepEqual(service.sent, []);
});

test("the button to cancel asks before it discards what was entered", async () => {
    await open();
    const cancel = () => [...dialog().querySelectorAll("footer button")].find((each) => textOf(each) === "Cancel").click();
    fill("name-en", "By keyboard");
    cancel();
    assert.ok(document.querySelector(".discard-question"));
    only("footer .danger", dialog()).click();
    assert.equal(hasDialog(), false);
    await open();
    cancel();
    assert.equal(hasDialog(), false, "nothing was entered");
});

test("edit asks before it discards what was entered, and keeps it by default", async () => {
    await open();
    const cancel = () => dialog().dispatchEvent(new Event("cancel", { cancelable: true }));
    fill("name-en", "By keyboard");
    cancel();
    assert.ok(document.querySelector(".discard-question"));
    assert.equal(textOf(document.activeElement), "Keep editing");
    await proceed();
    assert.equal(document.querySelector(".discard-question"), null);
    assert.deepEqual([document.activeElement.id, only("#edit-name-en").value], ["edit-name-en", "By keyboard"]);
    cancel();
    only("footer .danger", dialog()).click();
    assert.equal(hasDialog(), false);
    // Without changes, it closes at once.
    await open();
    cancel();
    assert.equal(hasDialog(), false);
});
