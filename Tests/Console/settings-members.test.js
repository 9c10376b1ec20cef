// The settings whose values are objects: appearance, basemap, speeds and lifts. Nobody writes JSON for them.

import { control, enter, open, toasts, visit } from "./support/desk-page.js";
import assert from "node:assert/strict";
import { test } from "node:test";
import { DeskService } from "./support/desk-service.js";
import { settle, until } from "./support/time.js";
import { settings, venue } from "./support/desk-records.js";
import { problem } from "./support/server.js";
import { only, textOf, window } from "./support/page.js";

const save = () => control("Save");
const sent = (service) => service.sent.map(({ body }) => JSON.parse(body));
const row = (index) => document.querySelectorAll(".colour-row")[index];
const errorOf = (field) => (field.getAttribute("aria-invalid") === "true" ? textOf(only(`[id="${field.id}-error"]`)) : null);

async function openSettings(values = {}, { routes = {}, more = {}, language = "en" } = {}) {
    const service = new DeskService({ venue: venue({ settings: settings(values), ...more }) });
    service.start(routes);
    await open("#/mall/desk/settings", { language });
    return service;
}

async function saved(service) {
    save().click();
    await until(() => toasts().length > 0);
    assert.equal(save().disabled, true, "nothing is left to save");
    return sent(service);
}

/** Adds a row with a category and texts for its colours. */
function addColour(category, light, dark = null) {
    control("Add a colour").click();
    const added = [...document.querySelectorAll(".colour-row")].at(-1);
    enter("input[list]", category, added);
    if (dark !== null) only("[type=checkbox]", added).click();
    enter("[id$=-light]", light, added);
    if (dark !== null) enter("[id$=-dark]", dark, added);
    return added;
}

test("no setting is written as JSON", async () => {
    await openSettings();
    assert.ok(!/JSON/.test(textOf(only("#main"))));
    for (const field of document.querySelectorAll("#main textarea")) assert.ok(!field.placeholder.includes("{"), field.id);
});

test("appearance is made of colours, hidden categories, a logo and an accent", async () => {
    const service = await openSettings();
    addColour("shop", "#ffcc00");
    addColour("restaurant", "#FFE0B0", "#604010");
    enter("#set-hidden", "parking\nstorage");
    enter("#set-logo", "/logo.svg");
    enter("#set-accent-light", "#0b57d0");
    assert.deepEqual(await saved(service), [{ appearance: {
        colours: { shop: "#ffcc00", restaurant: { light: "#FFE0B0", dark: "#604010" } }, hidden: ["parking", "storage"], logo: "/logo.svg", accent: "#0b57d0",
    } }]);
    assert.equal(only(".logo-preview img").getAttribute("src"), "/logo.svg");
    assert.equal(textOf(only(".logo-preview")), "The map shows the logo like this.");
});

test("picker and text of a colour follow each other", async () => {
    await openSettings();
    const added = addColour("shop", "#ffcc00");
    const picker = added.querySelector("[type=color]");
    assert.equal(picker.value, "#ffcc00");
    picker.value = "#112233";
    picker.dispatchEvent(new window.Event("input", { bubbles: true }));
    assert.equal(only("[id$=-light]", added).value, "#112233");
});

test("contrast is said beside a colour, in both modes, and a weak one is named", async () => {
    await openSettings();
    const texts = (added) => [...added.querySelectorAll(".colour-assessment p")].map(textOf);
    const added = addColour("shop", "#ffffff");
    await until(() => texts(added).length === 2);
    // The names are #232b33 in light mode and #f1f5f8 in dark mode.
    assert.match(texts(added)[0], /Light mode: contrast 14\.\d : 1\.$/);
    assert.match(texts(added)[1], /Dark mode: contrast 1\.0 : 1\. Names are hard to read/);
    enter("#set-accent-light", "#ffee00");
    const accent = textOf(document.querySelector("#set-accent-light").closest(".colour-setting").querySelector(".colour-assessment p"));
    assert.match(accent, /Texts would be hard to read; the console uses #[0-9a-f]{6} for them\./);
});

for (const [what, value] of [
    ["appearance", { colours: { shop: { light: "#ffcc00", dark: "#ffcc00" }, room: "#ABCDEF" }, hidden: ["parking"], accent: { light: "#112233", dark: "#ddeeff" } }],
    ["appearance", { colours: {}, hidden: [] }], ["appearance", {}],
    ["basemap", { style: { light: "/light.json", dark: "/dark.json" }, attribution: "© Example" }],
    ["basemap", { tiles: "/{z}/{x}/{y}.png", tile_size: 256, max_zoom: 0 }],
    ["wayfinding", { walk_speed: 1.1, elevator_seconds: 0 }],
]) {
    test(`settings show ${what} ${JSON.stringify(value)} without a change`, async () => {
        const service = await openSettings({ [what]: value });
        enter("#set-time_zone", "Europe/Oslo");
        assert.deepEqual(await saved(service), [{ time_zone: "Europe/Oslo" }]);
    });
}

test("appearance without any member is none", async () => {
    const service = await openSettings({ appearance: { colours: { shop: "#ffcc00" }, hidden: ["parking"] } });
    control("Remove: shop").click();
    enter("#set-hidden", "");
    assert.deepEqual(await saved(service), [{ appearance: null }]);
});

for (const [what, act, field, message] of [
    ["a colour that is none", () => addColour("shop", "red"), () => only("[id$=-light]", row(0)), /#ffcc00/],
    ["a colour without a category", () => addColour("", "#ffcc00"), () => only("input[list]", row(0)), /Enter a category/],
    ["a category with two colours", () => { addColour("shop", "#ffcc00"); addColour("shop", "#ffcc01"); }, () => only("input[list]", row(1)), /already has a colour/],
    ["a logo without https", () => enter("#set-logo", "http://example.com/a.png"), () => only("#set-logo"), /https/],
    ["an accent that is no colour", () => enter("#set-accent-light", "#12"), () => only("#set-accent-light"), /#ffcc00/],
    ["tiles without placeholders", () => { enter("#set-basemap-kind", "tiles"); enter("#set-basemap-address", "/tiles.png"); },
        () => only("#set-basemap-address"), /\{z\}, \{x\} and \{y\}/],
    ["a style with placeholders", () => { enter("#set-basemap-kind", "style"); enter("#set-basemap-address", "/{z}.json"); },
        () => only("#set-basemap-address"), /https/],
]) {
    test(`settings show ${what} at its field, before anything is sent`, async () => {
        const service = await openSettings();
        act();
        save().click();
        assert.match(errorOf(field()), message);
        assert.equal(document.activeElement, field());
        assert.equal(document.querySelectorAll("[aria-invalid=true]").length, 1);
        assert.deepEqual(service.sent, []);
        assert.equal(save().disabled, false);
    });
}

test("a refusal of the server leads to the field of the member", async () => {
    const detail = "“appearance” at “/colours/a~1b/dark”: a colour is written #rrggbb";
    await openSettings({}, { routes: { "PATCH /venues/mall": () => problem(400, "invalid-body", { pointer: "/appearance/colours/a~1b/dark", detail }) } });
    const added = addColour("a/b", "#112233", "#445566");
    save().click();
    const field = only("[id$=-dark]", added);
    await until(() => errorOf(field) !== null);
    assert.equal(errorOf(field), "The server refuses this value. a colour is written #rrggbb");
    assert.equal(textOf(only(".settings-save > .error-message")), "");
});

test("a category that the server refuses is shown at its field", async () => {
    const detail = "“appearance” at “/colours/shop”: a category has 1 to 3 characters of ASCII";
    await openSettings({}, { routes: { "PATCH /venues/mall": () => problem(400, "invalid-body", { pointer: "/appearance/colours/shop", detail }) } });
    const added = addColour("shop", "#112233");
    save().click();
    const field = only("input[list]", added);
    await until(() => errorOf(field) !== null);
    assert.match(errorOf(field), /a category has 1 to 3 characters/);
});

test("basemap is made of an address and its members", async () => {
    const service = await openSettings();
    enter("#set-basemap-kind", "tiles");
    enter("#set-basemap-address", "https://tiles.example.com/{z}/{x}/{y}.png");
    enter("#set-attribution", "© Example");
    enter("#set-tile-size", "512");
    enter("#set-max-zoom", "17");
    // The content security policy permits hosts of saved settings only.
    assert.match(textOf(only("#set-basemap")), /available after you save.*tiles\.example\.com/);
    assert.deepEqual(await saved(service), [{ basemap: {
        tiles: "https://tiles.example.com/{z}/{x}/{y}.png", attribution: "© Example", tile_size: 512, max_zoom: 17,
    } }]);
    enter("#set-basemap-kind", "");
    save().click();
    await until(() => service.sent.length === 2);
    assert.deepEqual(sent(service)[1], { basemap: null });
});

test("a saved basemap of another host is previewed by the page that may load it", async () => {
    const page = "/?venue=mall&basemap=https://tiles.example.com&code=00";
    await openSettings({ basemap: { style: "https://tiles.example.com/style.json" } }, { more: { page } });
    assert.equal(control("Load the preview from tiles.example.com").getAttribute("href"), `${page}#/mall/desk/settings`);
});

test("speeds that are not entered have the standard values", async () => {
    const service = await openSettings({ wayfinding: { walk_speed: 1.1 } });
    assert.equal(only("#set-walk_speed").value, "1.1");
    assert.equal(textOf(only(`#${only("#set-elevator_seconds").getAttribute("aria-describedby")}`)), "Standard: 90");
    enter("#set-elevator_seconds", "0");
    enter("#set-walk_speed", "");
    assert.deepEqual(await saved(service), [{ wayfinding: { elevator_seconds: 0 } }]);
});

test("half of a colour and an address that are not saved are there again after another page", async () => {
    await openSettings();
    addColour("shop", "#ff");
    enter("#set-logo", "https://");
    enter("#set-basemap-kind", "tiles");
    await visit("#/mall/desk/history");
    await visit("#/mall/desk/settings");
    assert.equal(only("input[list]", row(0)).value, "shop");
    assert.equal(only("[id$=-light]", row(0)).value, "#ff");
    assert.equal(only("#set-logo").value, "https://");
    assert.equal(only("#set-basemap-kind").value, "tiles");
    assert.match(textOf(only(".settings > [role=status]")), /not saved yet/);
    control("Discard these changes").click();
    assert.equal(document.querySelectorAll(".colour-row").length, 0);
    assert.equal(save().disabled, true);
});

test("rows of colours without a category, or with the same one, are there again after another page", async () => {
    await openSettings({ appearance: { colours: { shop: "#ffcc00" } } });
    addColour("shop", "#ffcc00");
    control("Add a colour").click();
    assert.equal(save().disabled, false);
    await visit("#/mall/desk/history");
    await visit("#/mall/desk/settings");
    assert.deepEqual([...document.querySelectorAll(".colour-row input[list]")].map(({ value }) => value), ["shop", "shop", ""]);
    enter("input[list]", "food", row(1));
    control("Remove: Category or group").click();
    assert.equal(save().disabled, false);
    enter("input[list]", "shop", row(1));
    save().click();
    assert.match(errorOf(only("input[list]", row(1))), /already has a colour/);
});

test("the focus goes on after a row of colours is removed", async () => {
    await openSettings({ appearance: { colours: { food: "#112233", shop: "#ffcc00" } } });
    control("Remove: food").click();
    assert.equal(document.activeElement, only("input[list]", row(0)));
    control("Remove: shop").click();
    assert.equal(document.activeElement, control("Add a colour"));
});

test("the inputs of a row are named by its category, and only other texts about its colour are announced", async () => {
    await openSettings();
    const added = addColour("shop", "#ffffff");
    assert.equal(only("[role=group]", added).getAttribute("aria-label"), "shop");
    enter("input[list]", "food", added);
    assert.equal(only("[role=group]", added).getAttribute("aria-label"), "food");
    await until(() => added.querySelectorAll(".colour-assessment p").length === 2);
    const lines = [...added.querySelectorAll(".colour-assessment p")];
    enter("[id$=-light]", "#fffffe", added);
    assert.ok(lines.every((line) => added.contains(line)), "the contrast is the same");
    assert.equal(added.querySelector(".colour-sample").style.background, "rgb(255, 255, 254)");
    enter("[id$=-light]", "#112233", added);
    assert.equal(added.contains(lines[0]), false);
});

for (const [field, text, what, message] of [
    ["#set-walk_speed", "fast", { wayfinding: { walk_speed: 1.1 } }, "Enter a number from 0.2 to 3."],
    ["#set-walk_speed", "5", {}, "Enter a number from 0.2 to 3."],
    ["#set-max-zoom", "1.5", { basemap: { tiles: "/{z}/{x}/{y}.png", max_zoom: 3 } }, "Enter a whole number from 0 to 24."],
    ["#set-max-zoom", "?", { basemap: { tiles: "/{z}/{x}/{y}.png" } }, "Enter a whole number from 0 to 24."],
]) {
    test(`“${text}” in ${field} is shown as no number`, async () => {
        const service = await openSettings(what);
        enter(field, text);
        save().click();
        await settle();
        assert.equal(errorOf(only(field)), message);
        assert.deepEqual(service.sent, []);
    });
}

test("members of a newer server are kept", async () => {
    const service = await openSettings({
        appearance: { logo: "/logo.svg", font: "serif" }, basemap: { style: "/style.json", opacity: 0.5 }, wayfinding: { ramp_speed: 1 } });
    assert.equal(save().disabled, true);
    enter("#set-logo", "");
    enter("#set-attribution", "© Example");
    enter("#set-walk_speed", "1.1");
    assert.deepEqual(await saved(service), [{
        appearance: { font: "serif" }, basemap: { style: "/style.json", opacity: 0.5, attribution: "© Example" },
        wayfinding: { ramp_speed: 1, walk_speed: 1.1 } }]);
});

/** What somebody else saves while the page is open, with its own changes. */
for (const [what, base, current, act, expected] of [
    ["a logo while a colour is added", { appearance: { accent: "#112233" } }, { appearance: { accent: "#112233", logo: "/logo.svg" } },
        () => addColour("shop", "#ffcc00"), { appearance: { accent: "#112233", logo: "/logo.svg", colours: { shop: "#ffcc00" } } }],
    ["the first colour while another one is added", {}, { appearance: { colours: { food: "#112233" } } },
        () => addColour("shop", "#ffcc00"), { appearance: { colours: { food: "#112233", shop: "#ffcc00" } } }],
    ["another colour while all are removed", { appearance: { colours: { shop: "#ffcc00" } } }, { appearance: { colours: { shop: "#ffcc00", food: "#112233" } } },
        () => control("Remove: shop").click(), { appearance: { colours: { food: "#112233" } } }],
    ["another address while the attribution is changed", { basemap: { style: "/a.json" } }, { basemap: { tiles: "/{z}/{x}/{y}.png", max_zoom: 3 } },
        () => enter("#set-attribution", "©"), { basemap: { tiles: "/{z}/{x}/{y}.png", max_zoom: 3, attribution: "©" } }],
    ["tiles while another style is entered", { basemap: { style: "/a.json" } }, { basemap: { tiles: "/{z}/{x}/{y}.png", attribution: "©" } },
        () => enter("#set-basemap-address", "/b.json"), { basemap: { style: "/b.json", attribution: "©" } }],
    ["a speed while another one is removed", { wayfinding: { walk_speed: 1 } }, { wayfinding: { walk_speed: 1, step_free_speed: 0.5 } },
        () => enter("#set-walk_speed", ""), { wayfinding: { step_free_speed: 0.5 } }],
]) {
    test(`settings keep what others save meanwhile: ${what}`, async () => {
        const service = await openSettings(base);
        Object.assign(service.venue.settings, current);
        act();
        assert.deepEqual(await saved(service), [expected]);
    });

    test(`a draft keeps what others save meanwhile: ${what}`, async () => {
        const service = await openSettings(base);
        act();
        await visit("#/mall/desk/history");
        Object.assign(service.venue.settings, current);
        await visit("#/mall/desk/settings");
        assert.deepEqual(await saved(service), [expected]);
    });
}

test("what is changed while settings are saved is a change of what was sent", async () => {
    let respond;
    const service = await openSettings({ wayfinding: { walk_speed: 1 } }, { routes: { "PATCH /venues/mall": (request) => new Promise((resolve) => {
        service.venue = { ...service.venue, settings: { ...service.venue.settings, ...JSON.parse(request.body) } };
        respond = () => resolve(service.venue);
    }) } });
    service.venue.settings.wayfinding = { walk_speed: 1, elevator_seconds: 30 };
    enter("#set-walk_speed", "1.1");
    save().click();
    await until(() => respond);
    enter("#set-walk_speed", "1");
    respond();
    await until(() => toasts().length === 1);
    assert.equal(save().disabled, false);
    respond = null;
    save().click();
    await until(() => respond);
    respond();
    await until(() => toasts().length === 2);
    assert.deepEqual(sent(service), [
        { wayfinding: { walk_speed: 1.1, elevator_seconds: 30 } }, { wayfinding: { walk_speed: 1, elevator_seconds: 30 } }]);
});

test("messages about values are in the language of the page", async () => {
    await openSettings({}, { language: "ja" });
    enter("#set-logo", "x");
    control("保存").click();
    assert.match(errorOf(only("#set-logo")), /httpsのアドレス/);
});
