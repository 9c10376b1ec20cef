// Changes of the sample venue before it is published: functions of its entries, `{level, feature}`.

/** Applies several edits. */
export const edits = (...all) => (entries) => all.reduce((current, edit) => edit(current) ?? current, entries);

/** Sets properties of the features that pass a test: `properties` is an object, or a function of `(feature, index)` that returns one. */
export const set = (test, properties) => (entries) => {
    for (const [index, { feature }] of entries.filter(testOf(test)).entries()) {
        Object.assign(feature.properties, typeof properties === "function" ? properties(feature, index) : properties);
    }
};

/** Leaves features out. */
export const without = (test) => (entries) => entries.filter((entry) => !testOf(test)(entry));

/** `test` is a type, an id, or a function of `(feature, level)`. */
function testOf(test) {
    if (typeof test === "function") return ({ feature, level }) => test(feature, level);
    return ({ feature }) => feature.feature_type === test || feature.id === test;
}

export const isFacility = (...kinds) => ({ properties: { category } }) => kinds.some((kind) => category?.startsWith(kind));
export const all = (...tests) => (feature, level) => tests.every((test) => test(feature, level));
export const ofType = (type) => (feature) => feature.feature_type === type;
