// Loads files with tests into one process, because starting one takes longer than most tests. Import this module before all others.

import { before } from "node:test";

let begin;
const loaded = new Promise((resolve) => { begin = resolve; });
// What modules set when they are loaded must not change under a test that runs already.
before(() => loaded);

/** Loads `{name}.test.js` of all names. Their tests run one after another, in this order. */
export async function loadTests(names) {
    for (const name of names) await import(`../${name}.test.js`);
    begin();
}
