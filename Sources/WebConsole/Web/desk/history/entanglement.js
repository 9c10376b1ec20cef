// Why floors do not come apart from the rest, and the one step that mends it.

import { button } from "../fields.js";
import { formatNumber } from "../formats.js";
import { h, icon } from "../../ui/element.js";
import { levelName, typeName } from "../names.js";
import { word } from "../../words/words.js";

const shown = 10;

/**
 * @param problem the document of the 409.
 * @param onAdd is called with the levels that have to go back as well, onAll when the whole venue is to.
 */
export function entanglement(problem, levels, onAdd, onAll) {
    const { counts, crossed, dangling, displaced, add_levels: missing } = problem;
    const names = missing.map((id) => levelName(id, levels)).join(word("desk.comma"));
    const moved = ({ level_id: now, level_id_then: then }) =>
        word("desk.tangle.move", { now: levelName(now, levels), then: levelName(then, levels) });
    const list = (name, items, count, tell) => count > 0 && h(
        "details", { open: items.length <= 3 },
        h("summary", {}, word(`desk.tangle.${name}`, { n: formatNumber(count) })),
        h("ul", {}, items.slice(0, shown).map((item) => h(
            "li", {}, typeName(item.feature_type), " ", h("code", { title: item.id }, item.id.slice(0, 8)), " ", tell(item)))),
        count > shown && h("p", { class: "help" }, word("desk.tangle.more", { n: formatNumber(count - shown) })));
    return h(
        "section", { class: "decision is-stopped", role: "alert" },
        h("h3", {}, icon("alert"), word("desk.tangle.title")),
        h("p", {}, word(missing.length > 0 ? "desk.tangle.addHelp" : "desk.tangle.allHelp", { names })),
        h("p", { class: "desk-actions" },
            missing.length > 0 && button("primary", word("desk.tangle.add", { names }), () => onAdd(missing)),
            button(missing.length > 0 ? "quiet" : "primary", word("desk.tangle.all"), () => onAll())),
        list("crossed", crossed, counts.crossed, moved),
        list("dangling", dangling, counts.dangling, ({ missing: id }) => word("desk.tangle.missing", { id: id.slice(0, 8) })),
        list("displaced", displaced, counts.displaced, moved));
}
