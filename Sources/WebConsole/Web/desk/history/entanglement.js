// Explains why levels cannot be rolled back separately, and offers the remedies.

import { button } from "../fields.js";
import { formatNumber } from "../formats.js";
import { h, icon } from "../../ui/element.js";
import { isolated, withNames } from "../../ui/names.js";
import { levelName, typeName } from "../names.js";
import { localized } from "../../localization/localization.js";

/** The number of features that are listed for each reason. */
const listLimit = 10;

/**
 * @param problem the problem document of type `levels-entangled`.
 * @param onAdd is called with the levels that must be rolled back as well.
 * @param onAll is called to roll back the whole venue.
 */
export function entanglement(problem, levels, onAdd, onAll) {
    const { counts, crossed, dangling, displaced, add_levels: missing } = problem;
    const names = missing.map((id) => isolated(levelName(id, levels))).join(localized("desk.comma"));
    const moved = ({ level_id: now, level_id_then: then }) =>
        withNames(localized("desk.entangled.move", { now: isolated(levelName(now, levels)), then: isolated(levelName(then, levels)) }));
    const list = (name, items, count, describe) => count > 0 && h(
        "details", { open: items.length <= 3 },
        h("summary", {}, localized(`desk.entangled.${name}`, { n: formatNumber(count) })),
        h("ul", {}, items.slice(0, listLimit).map((item) => h(
            "li", {}, typeName(item.feature_type), " ", h("code", { title: item.id }, item.id.slice(0, 8)), " ", describe(item)))),
        count > listLimit && h("p", { class: "help" }, localized("desk.entangled.more", { n: formatNumber(count - listLimit) })));
    return h(
        "section", { class: "decision is-guarded", role: "alert" },
        h("h3", {}, icon("alert"), localized("desk.entangled.title")),
        h("p", {}, withNames(localized(missing.length > 0 ? "desk.entangled.addHelp" : "desk.entangled.allHelp", { names }))),
        h("p", { class: "desk-actions" },
            missing.length > 0 && button("primary", withNames(localized("desk.entangled.add", { names })), () => onAdd(missing)),
            button(missing.length > 0 ? "quiet" : "primary", localized("desk.entangled.all"), () => onAll())),
        list("crossed", crossed, counts.crossed, moved),
        list("dangling", dangling, counts.dangling, ({ missing: id }) => localized("desk.entangled.missing", { id: id.slice(0, 8) })),
        list("displaced", displaced, counts.displaced, moved));
}
