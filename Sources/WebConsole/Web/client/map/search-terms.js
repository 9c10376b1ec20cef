// The searchable texts of a feature: `{member, text, folded, joined, words}`. `member` is the rank of where the text comes from, `joined`
// is the folded text without spaces.

import { categoryLanguages, categoryName, isNamed } from "../categories/category-name.js";
import { foldedText } from "./folded-text.js";

const members = ["name", "alt_name", "short_name"];
const [categoryMember, categoryNameMember] = [members.length, members.length + 1];

/** Features do not change, and an unchanged feature stays the same object in a replica. */
const termsByFeature = new WeakMap();
const namesByCategory = new Map();

/** A feature's names in all languages, and its category. */
export function termsOf(feature) {
    if (!termsByFeature.has(feature)) {
        const names = members.flatMap((name, member) => feature.labels(name).map((text) => termOf(member, text)));
        termsByFeature.set(feature, feature.category === null ? names : [...names, termOf(categoryMember, feature.category)]);
    }
    return termsByFeature.get(feature);
}

/** A feature's names in all languages. */
export function namesOf(feature) {
    return termsOf(feature).filter(({ member }) => member < categoryMember);
}

/** Levels with their buildings. A level has few buildings, so that more are not searched. */
export function withBuildings(levels, featureOf) {
    const ids = levels.flatMap(({ properties }) => (Array.isArray(properties.building_ids) ? properties.building_ids.slice(0, 16) : []));
    const buildings = ids.map((id) => (typeof id === "string" ? featureOf(id.toLowerCase()) : undefined));
    return [...levels, ...buildings.filter((each) => each?.type === "building")];
}

/** The names of a category in all languages that have one; none for null. */
export function categoryTermsOf(category) {
    if (!namesByCategory.has(category)) {
        const texts = new Set(categoryLanguages.map((language) => categoryName(category, language)).filter((text) => text !== null));
        const written = isNamed(category) ? (text) => text : lowered;
        namesByCategory.set(category, [...texts].map((text) => termOf(categoryNameMember, written(text))));
    }
    return namesByCategory.get(category);
}

/** The name of a compound is made of its words, so it begins as they do. */
const lowered = (text) => text.charAt(0).toLowerCase() + text.slice(1);

function termOf(member, text) {
    const folded = foldedText(text);
    return { member, text, folded, joined: folded.replaceAll(" ", ""), words: folded.split(" ") };
}
