// Answers queries with a copy of the JavaScript library: lines of JSON on standard input are maps (`features`, `language`) or queries for the
// last map. For each query it prints the answer.
//
//   node library.js FOLDER_OF_SOURCES <queries >answers

import { once } from "node:events";
import { resolve } from "node:path";
import { stdin, stdout } from "node:process";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const { WayfindingMap } = await import(pathToFileURL(resolve(process.argv[2], "wayfinding/wayfinding-map.js")));
let map = null;
for await (const line of createInterface({ input: stdin, crlfDelay: Infinity })) {
    const value = JSON.parse(line);
    if (value.features !== undefined) {
        map = new WayfindingMap(value.features, { language: value.language });
        continue;
    }
    const { from, to, profile, closed, languages } = value;
    const answer = JSON.stringify(map.route({ from, to, profile, closed: new Map(closed), languages }));
    if (!stdout.write(`${answer}\n`)) await once(stdout, "drain");
}
