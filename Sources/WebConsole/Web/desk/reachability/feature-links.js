// How the features of a report are called, what its codes say, and their links to the map.

import { h } from "../../ui/element.js";
import { labelText } from "../../map/labels.js";
import { typeName } from "../names.js";
import { localized } from "../../localization/localization.js";

/** The link of a feature, `{feature, type, name}`. */
export const featureLink = (desk, { feature, type, name }) => mapLink(desk, feature, h("bdi", {}, labelText(name) ?? `${typeName(type)} ${feature.slice(0, 8)}`));

export const mapLink = (desk, feature, content) => h("a", { href: `#/${desk.venueKey}?feature=${feature}` }, content);

/** What a code says; a code of a newer server is shown as it is. */
export function codeText(code) {
    const name = `desk.reachability.code.${code}`;
    const text = localized(name);
    return text === name ? code : text;
}
