// Maps IMDF categories to what the map distinguishes: the groups of the cartography, each with a colour, and kinds of amenities that can be
// filtered. The server makes cartography.js of the cartography that tiles are drawn with.

import { lineageOf } from "../client/categories/category-lineage.js";
import { cartography } from "./cartography.js";

/** The groups in the order of the legend. */
export const legendGroups = ["shop", "food", "service", "room", "walkway", "restroom", "vertical", "outdoor", "parking", "private"];

/** Pairs of a prefix and its group, the longest prefix first. */
const prefixesOf = (type) => cartography.groups.flatMap((group) => group[type].map((prefix) => [prefix, group.id]))
    .sort(([one], [other]) => other.length - one.length);

const [unitPrefixes, occupantPrefixes] = ["units", "occupants"].map(prefixesOf);

/** The group with the longest prefix of a category. */
function groupOf(category, prefixes) {
    return prefixes.find(([prefix]) => category?.startsWith(prefix))?.[1];
}

/** The group of a unit. The category of its occupant takes precedence. Unknown categories are rooms. */
export function unitGroup(category, occupantCategory) {
    return occupantCategory ? occupantGroup(occupantCategory) : groupOf(category, unitPrefixes) ?? "room";
}

/** Whether a unit of this category can belong to an occupant. Walkways and shared facilities cannot. */
export function canBeOccupied(category) {
    return ["room", "food", "private"].includes(unitGroup(category));
}

/** The group of an occupant or a kiosk. Unknown categories are shops. */
export function occupantGroup(category) {
    return groupOf(category, occupantPrefixes) ?? "shop";
}

/** The name of a group in a language; undefined if it is not one of the cartography. */
export function groupName(group, language) {
    const { name } = cartography.groups.find(({ id }) => id === group) ?? {};
    return name?.[language] ?? name?.en;
}

/** The kinds of facilities with a filter, in the order of the filters, with their categories. Some of these are not of IMDF, and common. */
export const amenityKinds = [
    { kind: "restroom", categories: ["restroom", "restrooms", "toilet", "toilets", "wc"] },
    { kind: "elevator", categories: ["elevator", "lift"] },
    { kind: "escalator", categories: ["escalator", "movingwalkway"] },
    { kind: "stairs", categories: ["stairs", "staircase", "stairway", "stairwell", "steps", "ramp"] },
    { kind: "information", categories: ["information", "guestservices", "reception"] },
    { kind: "atm", categories: ["atm", "changemachine"] },
    { kind: "baby", categories: ["mothersroom", "nursingroom", "babychanging"] },
    { kind: "shower", categories: ["shower"] },
    { kind: "locker", categories: ["coinlocker", "baggagestorage"] },
    { kind: "drinks", categories: ["drinkingfountain", "vendingmachine"] },
    { kind: "power", categories: ["powercharging", "powerchargingstation", "phonecharging", "phonechargingstation"] },
    { kind: "wifi", categories: ["wifi"] },
    { kind: "smoking", categories: ["smokingarea", "smokingroom"] },
    { kind: "emergency", categories: ["defibrillator", "firstaid", "fireextinguisher", "firealarm", "firealarmpullstation", "mobilityrescue"] },
    { kind: "parking", categories: ["parking", "parkingfacility"] },
    {
        kind: "transport",
        categories: ["bus", "taxi", "taxistand", "rail", "rideshare", "shuttle", "groundtransportation", "transit", "transitstation"],
    },
];

/** The groups of occupants and kiosks with a filter, for visitors who look around. */
export const browsedGroups = ["food", "shop", "service"];

const kindsByCategory = Object.fromEntries(amenityKinds.flatMap((each) => each.categories.map((category) => [category, each])));

/**
 * The value of a category in `values`, which has them by category, or that of the category without its last parts; undefined if there is
 * none.
 */
function valueOf(category, values) {
    const known = lineageOf(category).find((each) => Object.hasOwn(values, each));
    return known === undefined ? undefined : values[known];
}

/** The name of the pictogram of the cartography for a category; undefined if there is none. */
export function iconOf(category) {
    return valueOf(category, cartography.icons);
}

/** Whether maps show units of a category as a pictogram instead of a name. Tiles do the same. */
export function isUnitMarked(category) {
    return valueOf(category, cartography.marksUnits) === true && iconOf(category) !== undefined;
}

/** Whether the name of a unit of a category says something to visitors: a wall with a name is still a wall. Tiles do the same. */
export function isUnitNamed(category) {
    return valueOf(category, cartography.namesUnits) !== false;
}

/** The kind of a facility; undefined if there is no filter for its category. */
export function amenityKind(category) {
    return valueOf(category, kindsByCategory);
}
