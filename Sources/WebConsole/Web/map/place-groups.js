// The groups of places as visitors see them. A category that nothing identifies as a shop is `other`, with a neutral colour.

import { amenityKind, groupName, legendGroups, occupantGroup, unitGroup } from "./categories.js";
import { localization, localized } from "../localization/localization.js";

const shop = /(store|shop|supplies|equipment|market|goods|accessories|appliances|records|mart|boutique|outlet)(\.|$)|^(clothing|apparel|fashion|shoes|footwear|jewelry|watches|luggage|leather|cosmetics|perfume|books|stationery|electronics|computers|mobilephones|cameras|furniture|homedecor|tableware|kitchenware|bedding|lighting|toys|games|videogames|hobby|craft|art|antiques|vintage|secondhand|sports|outdoorgear|bicycles|eyewear|kimonos|lingerie|bridal|uniforms|hats|bags|gifts|souvenirs|flowers|florist|pets|baby|maternity|music|musicalinstruments|vinyl|grocery|candy|wine|liquor|tobacco|newsstand|dutyfree|retail|automotive|fabric|flooring|garden|hardware|religious|japanesesweets|confectionery)/;

/** The group of an occupant or a kiosk. Without a category, it is a shop. */
export function placeGroup(category) {
    const group = occupantGroup(category);
    return group === "shop" && category && !shop.test(category) ? "other" : group;
}

/** The group in which visitors find an occupant or a kiosk when they look around; null without a category, and for facilities. */
export const browsedGroup = (category) => (category && !amenityKind(category) ? placeGroup(category) : null);

/** The group of a unit with an occupant of a category, or without one. */
export function coloursOf(category, occupantCategory) {
    return occupantCategory ? placeGroup(occupantCategory) : unitGroup(category);
}

/** The groups in the order of the legend. */
export const placeGroups = legendGroups.flatMap((group) => (group === "service" ? [group, "other"] : [group]));

/** The name of a group. */
export const placeGroupName = (group) => groupName(group, localization.language) ?? localized("places.other");
