// Pictograms as SVG paths. Those of facilities are those of the cartography, outlines to be filled; those of other places are in a box of 24
// by 24: `fill` is filled, `stroke` is drawn with a width of 2 and round ends. The map, the panel and the legend draw the same ones.

import { cartography } from "./cartography.js";
import { iconOf } from "./categories.js";

const places = {
    shop: { stroke: "M5 8.5h14l1 12H4ZM8.5 8.5V7a3.5 3.5 0 0 1 7 0v1.5" },
    clothing: { stroke: "M9 4 4 6.5 5.5 11 8 10v10h8V10l2.5 1L20 6.5 15 4c-1 2.5-5 2.5-6 0Z" },
    shoes: { stroke: "M4 7v10h16.5c.5-3-1.5-4-4-4.5-3-.6-5-2.5-6-5.5Z" },
    jewelry: { stroke: "M7 5h10l4 5-9 10-9-10ZM3 10h18M9.5 10l2.5 9 2.5-9" },
    beauty: { stroke: "M6.5 15a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM17.5 15a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 15.5 16 3M16 15.5 8 3" },
    books: { stroke: "M12 6.5C9.5 4.5 6.5 4.5 3.5 5v14c3-.5 6-.5 8.5 1.5 2.5-2 5.5-2 8.5-1.5V5c-3-.5-6-.5-8.5 1.5ZM12 6.5v14" },
    electronics: { stroke: "M8 3h8v18H8ZM11 17.5h2" },
    photo: { stroke: "M3.5 8H8l1.5-2.5h5L16 8h4.5v11.5h-17ZM12 10.5a3.2 3.2 0 1 0 0 6.4 3.2 3.2 0 0 0 0-6.4Z" },
    toys: { stroke: "M4 11h7v8.5H4ZM13 11h7v8.5h-7ZM8.5 3h7v8h-7Z" },
    home: { stroke: "M6 12V7a2 2 0 0 1 2-2h8a2 2 0 0 1 2 2v5M4 11h3v4h10v-4h3v7H4ZM6 18v2M18 18v2" },
    music: { stroke: "M9 17.5V5l10-2v12.5", fill: "M6.5 15a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4ZM16.5 13a2.7 2.7 0 1 1 0 5.4 2.7 2.7 0 0 1 0-5.4Z" },
    luggage: { stroke: "M4 8h16v12H4ZM9 8V4.5h6V8M8.5 8v12M15.5 8v12" },
    coffee: { stroke: "M4 9h13v6a5 5 0 0 1-5 5H9a5 5 0 0 1-5-5ZM17 10.5h1.5a2.5 2.5 0 0 1 0 5H17M8 3v2.5M12.5 3v2.5" },
    bar: { stroke: "M4 4h16l-8 9ZM12 13v7.5M8 20.5h8" },
    sweets: { stroke: "M7 11h10l-5 10.5ZM6.5 11a5.5 5.5 0 1 1 11 0" },
    noodles: { stroke: "M3 11h18a9 9 0 0 1-6 8.5V21H9v-1.5A9 9 0 0 1 3 11ZM8 11V4l12-1.5M12 11V3.5" },
    bread: { stroke: "M5 12C2 10 3.5 5.5 7 5.5h10c3.5 0 5 4.5 2 6.5v7.5H5ZM9.5 9.5v2M14.5 9.5v2" },
    health: { stroke: "M9.5 4h5v5.5H20v5h-5.5V20h-5v-5.5H4v-5h5.5Z" },
    bank: { stroke: "M3 9.5 12 4l9 5.5ZM5.5 10v8M10 10v8M14 10v8M18.5 10v8M3.5 20h17" },
    education: { stroke: "M2 9.5 12 5l10 4.5L12 14ZM6.5 12v5c3 2.5 8 2.5 11 0v-5M22 9.5V15" },
    travel: { fill: "M21.5 3.5c-1-1.5-3-1-4.2.2L14 7 5 4.5 3.5 6l7 4.5-3.2 3.3-2.8-.5L3 14.8l4 2.2 2.2 4 1.5-1.5-.5-2.8 3.3-3.2 4.5 7 1.5-1.5L17 10l3.3-3.3c1.2-1.2 2-2.2 1.2-3.2Z" },
    service: { stroke: "M4 18.5h16M5.5 18.5a6.5 6.5 0 0 1 13 0M12 12V9.5M10 9h4" },
    lounge: { stroke: "M5 11V7.5A2.5 2.5 0 0 1 7.5 5h9A2.5 2.5 0 0 1 19 7.5V11M3.5 11.5h3V15h11v-3.5h3V18h-17Z" },
    outdoor: { fill: "M12 2.5c4 0 6.5 3 6.5 6.5 0 4-3 6-5.5 6.2V21.5h-2v-6.3C8.5 15 5.5 13 5.5 9c0-3.5 2.5-6.5 6.5-6.5Z" },
    private: { stroke: "M6 11h12v9H6ZM8.5 11V8a3.5 3.5 0 0 1 7 0v3" },
    room: { stroke: "M6 20.5V4h12v16.5M3.5 20.5h17", fill: "M13.5 11.5h2v2h-2Z" },
    walkway: { fill: "M13 2.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z", stroke: "M11 21l1.5-6-2.5-3 1.5-4.5L8 9.5v3.5M12.5 8l2.5 3 3 .8M12.5 15l3 6" },
    other: { stroke: "M12 21s-7-6.5-7-11.5a7 7 0 0 1 14 0C19 14.5 12 21 12 21Z", fill: "M12 7.2a2.3 2.3 0 1 1 0 4.6 2.3 2.3 0 0 1 0-4.6Z" },
};

/** The pictograms of the cartography that stand for kinds of facilities and groups. */
const ofFacilities = {
    restroom: "restroom", elevator: "elevator", escalator: "escalator", stairs: "stairs", information: "information", atm: "cash", baby: "baby",
    locker: "locker", drinks: "vending", power: "power", wifi: "wifi", emergency: "first-aid", parking: "parking", transport: "bus",
    vertical: "elevator",
};

const isKnown = (name) => Object.hasOwn(cartography.pictograms, name) || Object.hasOwn(places, name);

/** `{box, fill, stroke}` of a name: the side of the box, and paths. */
export function pictogram(name) {
    const isOfCartography = Object.hasOwn(cartography.pictograms, name);
    return isOfCartography ? { box: 16, fill: cartography.pictograms[name] } : { box: 24, ...(places[name] ?? places.other) };
}

/** The first pattern that matches a category gives its pictogram. */
const byCategory = [
    [/^(coffee|cafe|tea|bubbletea)/, "coffee"], [/^(bar|pub|izakaya|winebar|sakebar|beer|juicebar)/, "bar"],
    [/^(gelato|icecream|desserts|japanesesweets|cakes|candy|confectionery|crepes)/, "sweets"],
    [/^(bakedgoods|bakery|bagels|sandwiches|donuts)/, "bread"], [/^(japanese\.|noodles|ramen|hotpot|soup)/, "noodles"],
    [/^(clothing|apparel|fashion|kimonos|lingerie|uniforms|sportswear|bridal)/, "clothing"], [/^(shoe|footwear)/, "shoes"],
    [/^(jewel|watch)/, "jewelry"], [/^(luggage|leather|bags)/, "luggage"],
    [/^(cosmetic|perfume|hair|barber|beauty|manicur|spa)/, "beauty"], [/^(book|stationery|library)/, "books"],
    [/^(electronic|mobilephone|computer|videogame)/, "electronics"], [/^(photo|camera|eyewear|optic)/, "photo"],
    [/^(sport|gym|fitness|yoga|bicycle)/, "sport"], [/^(toy|hobby|game|baby|childcare|childplay)/, "toys"], [/^pet/, "pets"],
    [/^(furniture|homedecor|tableware|kitchenware|bedding|lighting)/, "home"], [/^(vinyl|music)/, "music"],
    [/^(pharmacy|clinic|dent|health|medical|physician|drugstore)/, "health"], [/^(bank|currency)/, "bank"],
    [/^(languageschool|education|school|classroom|auditorium|lecture|laboratory)/, "education"],
    [/^(travelagent|boardinggate|arrivalgate|aircraftgate|checkin|ticket)/, "travel"], [/^(lounge|seat|waitingroom)/, "lounge"],
];

/** The name of the pictogram of a category, a kind of facility and a group. */
export function pictogramName(category, facility, group) {
    const own = iconOf(category) ?? byCategory.find(([pattern]) => pattern.test(category ?? ""))?.[1] ?? ofFacilities[facility];
    return own ?? groupPictogram(group);
}

/** The name of the pictogram of a group. */
export const groupPictogram = (group) => ofFacilities[group] ?? (isKnown(group) ? group : "other");
