// What somebody else has changed while a feature was edited, and the decision where both changed the same.

import { contains, isSame, valueAt } from "./changes.js";
import { formatTime, localized } from "../../localization/localization.js";
import { h } from "../../ui/element.js";
import { newestVersion } from "./requests.js";
import { partName, valueText } from "./value-text.js";

/** The pointers of the parts in which two versions of a feature differ: properties, the languages of labels, the geometry. */
function differingParts(one, other) {
    const pointers = isSame(one.geometry, other.geometry) ? [] : ["/geometry"];
    const names = new Set([...Object.keys(one.properties ?? {}), ...Object.keys(other.properties ?? {})]);
    for (const name of names) {
        const [before, after] = [one.properties?.[name], other.properties?.[name]];
        if (isSame(before, after)) continue;
        const areLabels = ["name", "alt_name", "short_name"].includes(name) && [before, after].every((each) => each && typeof each === "object");
        if (!areLabels) pointers.push(`/properties/${name}`);
        else for (const tag of new Set([...Object.keys(before), ...Object.keys(after)])) {
            if (!isSame(before[tag], after[tag])) pointers.push(`/properties/${name}/${tag}`);
        }
    }
    return pointers;
}

/** `{contested, others}`: my changes of parts that somebody else has changed to another value, and the parts that only they changed. */
export function conflictsOf(before, now, changes) {
    const theirs = differingParts(before, now);
    const touches = (one, other) => contains(one, other) || contains(other, one);
    const contested = changes.filter(({ pointer, value }) =>
        theirs.some((other) => touches(pointer, other)) && !isSame(valueAt(now, pointer), value));
    const others = theirs.filter((pointer) => !changes.some((change) => touches(change.pointer, pointer)))
        .map((pointer) => ({ pointer, before: valueAt(before, pointer), value: valueAt(now, pointer) }));
    return { contested, others };
}

/** `{element, decided(changes)}`: `decided` returns the changes to publish, relative to the feature as it is now. */
export async function conflictStep(venueKey, id, { feature }, { contested, others }) {
    const version = await newestVersion(venueKey, id).catch(() => null);
    const groups = contested.map((change, index) => decision(change, valueAt(feature, change.pointer), index));
    const element = h(
        "div", { class: "conflict" },
        h("p", {}, localized("edit.conflict.help", {
            author: version?.author || localized("edit.somebody"),
            time: version ? formatTime(version.published_at) : "",
        }), version?.message && ` “${version.message}”`),
        groups.map((group) => group.element),
        others.length > 0 && h("div", {},
            h("p", {}, h("strong", {}, localized("edit.conflict.others"))),
            h("ul", {}, others.map(({ pointer, before, value }) => h("li", {},
                partName(pointer), localized("edit.colon"), h("del", {}, valueText(pointer, before)), " → ",
                h("ins", {}, valueText(pointer, value)))))));
    return {
        element,
        decided(changes) {
            const given = new Set(groups.filter((group) => group.takesTheirs()).map((group) => group.pointer));
            return changes.filter(({ pointer }) => !given.has(pointer))
                .map(({ pointer, value }) => ({ pointer, before: valueAt(feature, pointer), value }))
                .filter(({ before, value }) => !isSame(before, value));
        },
    };
}

function decision({ pointer, value, before }, theirs, index) {
    const option = (name, text, isChecked) => {
        const input = h("input", { type: "radio", name: `conflict-${index}`, id: `conflict-${index}-${name}`, value: name, checked: isChecked });
        return h("label", { class: "choice", for: input.id }, input,
            h("span", {}, h("strong", {}, localized(`edit.conflict.${name}`)), h("span", { class: "value" }, text)));
    };
    const element = h("fieldset", { class: "conflict-part" },
        h("legend", {}, partName(pointer)),
        h("p", { class: "help" }, localized("edit.conflict.was", { value: valueText(pointer, before) })),
        option("mine", valueText(pointer, value), true), option("theirs", valueText(pointer, theirs), false));
    return { pointer, element, takesTheirs: () => element.querySelector("input:checked").value === "theirs" };
}
