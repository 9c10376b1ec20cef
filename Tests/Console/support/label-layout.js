// Lays out labels of a view in pixels.

import "./open-map.js";

const web = "../../../Sources/WebConsole/Web/map";
const { labelArea } = await import(`${web}/label-fit.js`);
const { layOut } = await import(`${web}/label-layout.js`);
const { LabelImages } = await import(`${web}/label-images.js`);

/** Degrees per pixel, at the equator, so that a unit can be written in pixels. */
export const degree = 1e-6;
export const project = ([x, y]) => ({ x: x / degree, y: -y / degree });
export const colours = { halo: "#fff", label: "#000", selected: "#00f" };

export function areaOf(...points) {
    const ring = [...points, points[0]].map(([x, y]) => [x * degree, -y * degree]);
    return labelArea({ type: "unit", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } });
}

/** A rectangle around a point, turned by degrees clockwise. */
export function rectangle([x, y], width, height, degrees = 0) {
    const angle = (degrees * Math.PI) / 180;
    const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]].map(([u, v]) => [(u * width) / 2, (v * height) / 2]);
    return areaOf(...corners.map(([u, v]) => [x + u * Math.cos(angle) - v * Math.sin(angle), y + u * Math.sin(angle) + v * Math.cos(angle)]));
}

export const shop = (id, name, more = {}) => ({
    id, name, kind: "shop", group: "shop", pictogram: "shop", rank: 0, labelRank: 0, isNamed: true, point: [0, 0], unit: `unit ${id}`, ...more });

export const viewOf = (entries, options) => ({
    places: entries.map(([place]) => place), areas: new Map(entries.filter(([, area]) => area).map(([place, area]) => [place.id, area])), hidden: new Set(), selected: null,
    results: null, visible: new Set(), images: new LabelImages(), colours, project, width: 800, height: 600, ...options });

export function labels(entries, options = {}) {
    const { boxes, dots } = layOut(viewOf(entries, options));
    return { boxes, dots, names: boxes.filter(({ image }) => image.isName).map(({ place }) => place.id) };
}
