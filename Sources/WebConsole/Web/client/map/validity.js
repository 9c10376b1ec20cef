/** Whether an instant is within a feature's `validity`: from `start` up to, but not including, `end`. */
export function isPresentAt(feature, instant) {
    const { validity } = feature.properties;
    const [start, end] = [validity?.start, validity?.end].map((text) => (typeof text === "string" ? Date.parse(text) : NaN));
    // A bound that cannot be parsed is ignored.
    return !(start > instant.getTime()) && !(end <= instant.getTime());
}
