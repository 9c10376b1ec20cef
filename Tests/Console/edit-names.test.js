// The field for the names of a feature: the languages that it shows.

import "./support/page.js";
import assert from "node:assert/strict";
import { test } from "node:test";

const web = "../../Sources/WebConsole/Web";
await import(`${web}/map/editing/messages.js`);
const { namesField } = await import(`${web}/map/editing/fields.js`);

for (const [languages, tags, shown] of [
    [["zh-TW"], ["zh-Hans"], ["zh-Hans", "zh-TW"]], [["zh-TW"], ["zh-Hant", "zh-Hans"], ["zh-Hant", "zh-Hans"]],
    [["no"], ["nb"], ["nb"]], [["he"], ["iw"], ["iw"]], [["ja-JP", "en"], ["ja"], ["ja", "en"]], [["nn"], ["nb"], ["nb", "nn"]],
]) {
    test(`a name in ${tags.join(" and ")} of a venue in ${languages.join(" and ")} has inputs for ${shown.join(" and ")}`, () => {
        const name = Object.fromEntries(tags.map((tag) => [tag, "Shoes"]));
        const { element } = namesField({ feature: { properties: { name } }, overrides: [] }, languages);
        assert.deepEqual([...element.querySelectorAll("input")].map(({ lang }) => lang), shown);
    });
}
