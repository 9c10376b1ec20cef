// What categories mean on the map: a few groups with a colour each, and the amenities that people look for.

const food = /^(cafe|coffee|tea|bar|pub|restaurant|sushi|pizza|burgers|izakaya|bakedgoods|bakery|gelato|icecream|juicebar|noodles|ramen|fastfood|foodcourt|diner|bistro|desserts|japanese|chinese|italian|korean|indian|french|thai|mexican|sandwiches|donuts|bubbletea|cakes|steak|seafood|barbecue|winebar|sakebar|beer|canteen|cafeteria|kaiseki|hotpot|tapas|salad|soup|crepes|bagels|vegan|vegetarian|eatingdrinking|conveyorsushi)/;
const service = /^(bank|atm|clinic|dent|pharmacy|travelagent|hairstylist|haircuts|barber|beauty|manicurists|postoffice|optic|medical|health|physician|education|school|gym|yoga|laundry|drycleaning|realestate|insurance|currencyexchange|library|hotel|cinema|theater|police|visitorcenter|childcare)/;

const unitGroups = [
    [/^restroom|^shower|^mothersroom/, "restroom"],
    [/^(elevator|escalator|stairs|steps|ramp|movingwalkway)/, "vertical"],
    [/^(walkway|footbridge|lobby|platform|waitingroom|concourse)/, "walkway"],
    [/^(foodservice|kitchen)/, "food"],
    [/^(parking|road)/, "parking"],
    [/^(vegetation|terrace|unenclosedarea|fieldofplay|recreation)/, "outdoor"],
    [/^(nonpublic|structure|column|brick|concrete|drywall|glass|wood|serverroom|mailroom)/, "private"],
    [/^(opentobelow)/, "void"],
    [/^(unspecified|room|office|conferenceroom|storage|lounge|auditorium|classroom|laboratory|library|theater|movietheater|firstaid|fitnessroom|huddleroom|phoneroom|privatelounge|smokingarea)/, "room"],
];

/** Groups as the legend lists them. */
export const legendGroups = ["shop", "food", "service", "room", "walkway", "restroom", "vertical", "outdoor", "parking", "private"];

/** The group of a unit. Whoever occupies it says more than its walls. Categories that nobody listed are rooms. */
export function unitGroup(category, occupantCategory) {
    if (occupantCategory) return occupantGroup(occupantCategory);
    return unitGroups.find(([pattern]) => pattern.test(category ?? ""))?.[1] ?? "room";
}

/** Whether a unit of this category can be somebody's own, and is not a way or a place for all. */
export function canBeOccupied(category) {
    return ["room", "food", "private"].includes(unitGroup(category));
}

export function occupantGroup(category) {
    if (food.test(category ?? "")) return "food";
    // Campuses write their rooms as occupants.
    if (/^(auditorium|classroom|lab|laboratory|office|administration|conferenceroom|meetingroom|lecture)/.test(category ?? "")) return "room";
    return service.test(category ?? "") ? "service" : "shop";
}

/** Kinds of amenities that people look for, in the order in which they are offered. `sign` is what stands on the map. */
export const amenityKinds = [
    { kind: "restroom", sign: "WC", matches: /^restroom/ },
    { kind: "elevator", sign: "↕", matches: /^elevator/ },
    { kind: "escalator", sign: "⤢", matches: /^escalator|^movingwalkway/ },
    { kind: "stairs", sign: "☰", matches: /^stairs|^steps|^ramp/ },
    { kind: "information", sign: "i", matches: /^information|^guestservices|^reception/ },
    { kind: "atm", sign: "¥", matches: /^atm|^changemachine/ },
    { kind: "baby", sign: "◡", matches: /^mothersroom|^babychanging/ },
    { kind: "locker", sign: "▤", matches: /^coinlocker|^baggagestorage/ },
    { kind: "drinks", sign: "◍", matches: /^drinkingfountain|^vendingmachine/ },
    { kind: "power", sign: "ϟ", matches: /^powercharging|^phonecharging/ },
    { kind: "wifi", sign: "≋", matches: /^wifi/ },
    { kind: "emergency", sign: "+", matches: /^defibrillator|^firstaid|^fireextinguisher|^firealarm|^mobilityrescue/ },
    { kind: "parking", sign: "P", matches: /^parking/ },
    { kind: "transport", sign: "T", matches: /^bus|^taxi|^rail|^rideshare|^shuttle|^groundtransportation|^transit/ },
];

/** The kind of an amenity; undefined for what nobody looks for. */
export function amenityKind(category) {
    return amenityKinds.find(({ matches }) => matches.test(category ?? ""));
}

const lastWord = /([a-z])(store|shop|supplies|equipment|goods|services|agent|appliances|market|studio|center|school|records|accessories|bar|food|sushi|gallery|therapy|house|rental|club|park)$/;

/** A category as words, when there are no better ones: `japanese.curry` → "Japanese curry", `furniturestore` → "Furniture store". */
export function categoryText(category) {
    const text = (category ?? "").split(".").map((part) => part.replace(lastWord, "$1 $2")).join(" ");
    return text.charAt(0).toUpperCase() + text.slice(1);
}
