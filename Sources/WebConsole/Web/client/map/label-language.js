// BCP 47 language tags as texts of labels are chosen by them: aliases are replaced, and a script that a tag leaves out is the likely one, by
// Unicode CLDR. `zh-TW` is Chinese in traditional characters, `iw` is `he`, and `no` is `nb`. As in CLDR, `_` separates subtags, too: exporters
// write `en_US`.

const aliases = new Map(Object.entries({
    iw: "he", in: "id", ji: "yi", jw: "jv", mo: "ro", no: "nb", sh: "sr-latn", scc: "sr", scr: "hr", tl: "fil",
    cmn: "zh", arb: "ar", zsm: "ms", pes: "fa", prs: "fa", ekk: "et", lvs: "lv", swh: "sw", khk: "mn",
}));

/** Languages that most readers of a language understand. */
const understood = new Map([["nn", "nb"], ["nb", "nn"], ["yue", "zh"]]);

const latinAmerica = new Set("ar bo br bz cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve".split(" "));

/** Of languages that are written in several scripts: language and usual script, then other scripts with the regions where they are. */
const scripts = new Map(`
az latn arab:iq,ir cyrl:ru
bs latn
ha latn arab:cm,sd
kk cyrl arab:af,cn,ir,mn
ku latn cyrl:am,az,ge,tm arab:iq,ir,lb
ky cyrl arab:cn latn:tr
mn cyrl mong:cn
ms latn arab:cc
pa guru arab:pk
sd arab deva:in
sr cyrl latn:me,ro,tr
tg cyrl arab:pk
ug arab cyrl:kz,mn
uz latn arab:af cyrl:cn
yue hant hans:cn
zh hans hant:au,bn,gb,gf,hk,id,mo,pa,pf,ph,sr,th,tw,us,vn
`.trim().split("\n").map((line) => {
    const [language, usual, ...others] = line.split(" ");
    const exceptions = others.flatMap((each) => {
        const [script, regions] = each.split(":");
        return regions.split(",").map((region) => [region, script]);
    });
    return [language, { usual, exceptions: new Map(exceptions) }];
}));

const likelyScript = (language, region) => scripts.get(language)?.exceptions.get(region) ?? scripts.get(language)?.usual ?? "";

/** `{language, script, region, text}` of a tag, in lower case; empty where it has none. Any text can be read. */
export function labelLanguage(tag) {
    const subtags = tag.toLowerCase().split(/[-_]/).filter((each) => each !== "").slice(0, 16);
    // Older tags name the kind of Chinese behind `zh`.
    if (subtags[0] === "zh" && ["cmn", "yue"].includes(subtags[1])) subtags.shift();
    const [primary = "", ...others] = subtags;
    const [language, aliasScript] = (aliases.get(primary) ?? primary).split("-");
    const singleton = others.findIndex(({ length }) => length === 1);
    const plain = singleton < 0 ? others : others.slice(0, singleton);
    const script = plain.find((each) => each.length === 4 && !/^[0-9]+$/.test(each));
    const region = plain.find((each) => each.length === 2 || /^[0-9]{3}$/.test(each)) ?? "";
    return { language, script: script ?? aliasScript ?? likelyScript(language, region), region, text: [language, ...others].join("-") };
}

/**
 * The index of the nearest of some languages; -1 if there is none that readers of the language know. The first of these that exists: the
 * whole tag, and shorter and shorter ones (`zh-Hant-TW`, `zh-Hant`); the same language in the same script and region; in the same script; in
 * any script; a language that most readers understand.
 */
export function nearestLanguage(wanted, languages) {
    const { language, script, region } = wanted;
    if (language === "") return -1;
    for (const text of fallbacks(wanted)) {
        const index = languages.findIndex((each) => each.text === text);
        if (index >= 0) return index;
    }
    const other = understood.get(language);
    for (const isNear of [
        (each) => each.language === language && each.script === script && each.region === region,
        (each) => each.language === language && each.script === script,
        (each) => each.language === language,
        (each) => each.language === other && each.script === script,
        (each) => each.language === other,
    ]) {
        const index = languages.findIndex(isNear);
        if (index >= 0) return index;
    }
    return -1;
}

/** Tags that are looked for, the best first. */
function fallbacks({ language, script, region, text }) {
    const subtags = text.split("-");
    const texts = subtags.slice(1).map((_, index) => subtags.slice(0, subtags.length - index).join("-"));
    if (language === "es" && latinAmerica.has(region)) texts.push("es-419");
    if (script !== "") texts.push(`${language}-${script}`);
    const usual = likelyScript(language, "");
    return usual === "" || script === usual ? [...texts, language] : texts;
}
