// Resolves the module of the console that the program makes of its cartography (CartographyFiles.swift) from the same files.

import { readFileSync } from "node:fs";
import { register } from "node:module";

const read = (path) => readFileSync(new URL(`../../../Sources/${path}`, import.meta.url), "utf8");
const { groups, categories, labels } = JSON.parse(read("VenueMap/Cartography/cartography.json"));
const ofCategories = (member) =>
    Object.fromEntries(Object.entries(categories).filter(([, each]) => member in each).map(([name, each]) => [name, each[member]]));
const cartography = {
    groups, labels, icons: ofCategories("icon"), marksUnits: ofCategories("marks_units"), namesUnits: ofCategories("names_units"),
    pictograms: Object.fromEntries(
        [...read("FloorTiles/Cartography/pictograms.svg").matchAll(/ id="([^"]*)".*? d="([^"]*)"/g)].map(([, id, path]) => [id, path])),
};
const source = `export const cartography = ${JSON.stringify(cartography)};`;
const hooks = `export const resolve = (specifier, context, next) => specifier.endsWith("/cartography.js")
    ? { url: "data:text/javascript," + ${JSON.stringify(encodeURIComponent(source))}, shortCircuit: true } : next(specifier, context);`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
