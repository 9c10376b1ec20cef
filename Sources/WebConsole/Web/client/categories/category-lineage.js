/** The length of the longest category that a table or a setting may have. */
const maximumLength = 100;

/**
 * A category, and the same without its last parts, the longest first; none if it is no text. What is longer than `maximumLength` is left
 * out, so that a category of a hundred thousand parts costs no more than one of ten.
 */
export function lineageOf(category) {
    if (typeof category !== "string") return [];
    const lineage = [];
    let end = category.length > maximumLength ? category.lastIndexOf(".", maximumLength) : category.length;
    for (; end > 0; end = category.lastIndexOf(".", end - 1)) lineage.push(category.slice(0, end));
    return lineage;
}
