// Maps IMDF categories to what the map distinguishes: the groups of the cartography, each with a colour, and kinds of amenities that can be
// filtered. The server makes cartography.js of the cartography that tiles are drawn with.

import { cartography } from "./cartography.js";

/** The groups in the order of the legend. */
export const legendGroups = ["shop", "food", "service", "room", "walkway", "restroom", "vertical", "outdoor", "parking", "private"];

/** The first group with a prefix of a category; `prefixes` is `units` or `occupants`. */
function groupOf(category, prefixes) {
    return cartography.groups.find((group) => group[prefixes].some((prefix) => category?.startsWith(prefix)))?.id;
}

/** The group of a unit. The category of its occupant takes precedence. Unknown categories are rooms. */
export function unitGroup(category, occupantCategory) {
    return occupantCategory ? occupantGroup(occupantCategory) : groupOf(category, "units") ?? "room";
}

/** Whether a unit of this category can belong to an occupant. Walkways and shared facilities cannot. */
export function canBeOccupied(category) {
    return ["room", "food", "private"].includes(unitGroup(category));
}

/** The group of an occupant or a kiosk. Unknown categories are shops. */
export function occupantGroup(category) {
    return groupOf(category, "occupants") ?? "shop";
}

/** The name of a group in a language; undefined if it is not one of the cartography. */
export function groupName(group, language) {
    const { name } = cartography.groups.find(({ id }) => id === group) ?? {};
    return name?.[language] ?? name?.en;
}

/** The kinds of facilities with a filter, in the order of the filters. */
export const amenityKinds = [
    { kind: "restroom", matches: /^restroom/ },
    { kind: "elevator", matches: /^elevator/ },
    { kind: "escalator", matches: /^escalator|^movingwalkway/ },
    { kind: "stairs", matches: /^stairs|^steps|^ramp/ },
    { kind: "information", matches: /^information|^guestservices|^reception/ },
    { kind: "atm", matches: /^atm|^changemachine/ },
    { kind: "baby", matches: /^mothersroom|^babychanging/ },
    { kind: "locker", matches: /^coinlocker|^baggagestorage/ },
    { kind: "drinks", matches: /^drinkingfountain|^vendingmachine/ },
    { kind: "power", matches: /^powercharging|^phonecharging/ },
    { kind: "wifi", matches: /^wifi/ },
    { kind: "emergency", matches: /^defibrillator|^firstaid|^fireextinguisher|^firealarm|^mobilityrescue/ },
    { kind: "parking", matches: /^parking/ },
    { kind: "transport", matches: /^bus(\.|$)|^taxi|^rail|^rideshare|^shuttle|^groundtransportation|^transit/ },
];

/** The kind of a facility; undefined if there is no filter for its category. */
export function amenityKind(category) {
    return amenityKinds.find(({ matches }) => matches.test(category ?? ""));
}
