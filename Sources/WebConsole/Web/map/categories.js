// Maps IMDF categories to what the map distinguishes: groups, each with a colour, and kinds of amenities that can be filtered.

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

/** The groups in the order of the legend. */
export const legendGroups = ["shop", "food", "service", "room", "walkway", "restroom", "vertical", "outdoor", "parking", "private"];

/** The group of a unit. The category of its occupant takes precedence. Unknown categories are rooms. */
export function unitGroup(category, occupantCategory) {
    if (occupantCategory) return occupantGroup(occupantCategory);
    return unitGroups.find(([pattern]) => pattern.test(category ?? ""))?.[1] ?? "room";
}

/** Whether a unit of this category can belong to an occupant. Walkways and shared facilities cannot. */
export function canBeOccupied(category) {
    return ["room", "food", "private"].includes(unitGroup(category));
}

/** The group of an occupant or a kiosk. Unknown categories are shops. */
export function occupantGroup(category) {
    if (food.test(category ?? "")) return "food";
    // On campuses, rooms are occupants.
    if (/^(auditorium|classroom|lab|laboratory|office|administration|conferenceroom|meetingroom|lecture)/.test(category ?? "")) return "room";
    return service.test(category ?? "") ? "service" : "shop";
}

/** The kinds of facilities with a filter, in the order of the filters. Their pictograms have the same names. */
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
