package io.venuesync.client;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A BCP 47 language tag as texts of labels are chosen by it: aliases are replaced, and a script that the tag leaves out is the likely one, by
 * Unicode CLDR. As there, "_" separates subtags, too. All parts are in lower case, and empty where the tag has none.
 */
record LabelLanguage(String language, String script, String region, String text) {
    private static final Map<String, String> ALIASES = Map.ofEntries(
        Map.entry("iw", "he"), Map.entry("in", "id"), Map.entry("ji", "yi"), Map.entry("jw", "jv"), Map.entry("mo", "ro"),
        Map.entry("no", "nb"), Map.entry("sh", "sr-latn"), Map.entry("scc", "sr"), Map.entry("scr", "hr"), Map.entry("tl", "fil"),
        Map.entry("cmn", "zh"), Map.entry("arb", "ar"), Map.entry("zsm", "ms"), Map.entry("pes", "fa"), Map.entry("prs", "fa"),
        Map.entry("ekk", "et"), Map.entry("lvs", "lv"), Map.entry("swh", "sw"), Map.entry("khk", "mn"));

    /** Languages that most readers of a language understand. */
    private static final Map<String, String> UNDERSTOOD = Map.of("nn", "nb", "nb", "nn", "yue", "zh");

    private static final Set<String> LATIN_AMERICA =
        Set.of("ar bo br bz cl co cr cu do ec gt hn mx ni pa pe pr py sv us uy ve".split(" "));

    /** Of languages that are written in several scripts: language and usual script, then other scripts with the regions where they are. */
    private static final String TABLE = """
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
        """;

    /** By language and region; the region "" has the usual script. */
    private static final Map<String, Map<String, String>> SCRIPTS = scripts();

    private static Map<String, Map<String, String>> scripts() {
        Map<String, Map<String, String>> scripts = new HashMap<>();
        TABLE.lines().forEach(line -> {
            String[] parts = line.split(" ");
            Map<String, String> regions = new HashMap<>(Map.of("", parts[1]));
            for (String part : Arrays.copyOfRange(parts, 2, parts.length)) {
                String[] halves = part.split(":");
                for (String region : halves[1].split(",")) {
                    regions.put(region, halves[0]);
                }
            }
            scripts.put(parts[0], regions);
        });
        return scripts;
    }

    private static String likelyScript(String language, String region) {
        Map<String, String> scripts = SCRIPTS.getOrDefault(language, Map.of());
        return scripts.getOrDefault(region, scripts.getOrDefault("", ""));
    }

    static LabelLanguage of(String tag) {
        List<String> subtags = Arrays.stream(tag.toLowerCase(Locale.ROOT).split("[-_]")).filter(part -> !part.isEmpty()).limit(16).toList();
        // Older tags name the kind of Chinese behind "zh".
        if (subtags.size() > 1 && subtags.get(0).equals("zh") && Set.of("cmn", "yue").contains(subtags.get(1))) {
            subtags = subtags.subList(1, subtags.size());
        }
        String primary = subtags.isEmpty() ? "" : subtags.get(0);
        List<String> others = subtags.isEmpty() ? List.of() : subtags.subList(1, subtags.size());
        String[] alias = ALIASES.getOrDefault(primary, primary).split("-");
        List<String> plain = others.stream().takeWhile(part -> part.length() > 1).toList();
        String region = plain.stream().filter(part -> part.length() == 2 || part.matches("[0-9]{3}")).findFirst().orElse("");
        String script = plain.stream().filter(part -> part.length() == 4 && !part.matches("[0-9]+")).findFirst()
            .orElse(alias.length > 1 ? alias[1] : likelyScript(alias[0], region));
        List<String> text = new ArrayList<>(List.of(alias[0]));
        text.addAll(others);
        return new LabelLanguage(alias[0], script, region, String.join("-", text));
    }

    /**
     * The index of the nearest of some languages; -1 if there is none that readers of this language know. The first of these that exists:
     * the whole tag, and shorter and shorter ones; the same language in the same script and region; in the same script; in any script; a
     * language that most readers understand.
     */
    int nearest(List<LabelLanguage> languages) {
        if (language.isEmpty()) {
            return -1;
        }
        for (String text : fallbacks()) {
            int index = index(languages, each -> each.text.equals(text));
            if (index >= 0) {
                return index;
            }
        }
        Predicate<LabelLanguage> isSame = each -> each.language.equals(language);
        Predicate<LabelLanguage> isNear = isSame.and(each -> each.script.equals(script));
        Predicate<LabelLanguage> isOther = each -> each.language.equals(UNDERSTOOD.get(language));
        List<Predicate<LabelLanguage>> conditions = List.of(
            isNear.and(each -> each.region.equals(region)), isNear, isSame, isOther.and(each -> each.script.equals(script)), isOther);
        for (Predicate<LabelLanguage> condition : conditions) {
            int index = index(languages, condition);
            if (index >= 0) {
                return index;
            }
        }
        return -1;
    }

    private static int index(List<LabelLanguage> languages, Predicate<LabelLanguage> condition) {
        for (int index = 0; index < languages.size(); index += 1) {
            if (condition.test(languages.get(index))) {
                return index;
            }
        }
        return -1;
    }

    /** Tags that are looked for, the best first. */
    private List<String> fallbacks() {
        List<String> texts = new ArrayList<>();
        for (int end = text.length(); end > language.length(); end = text.lastIndexOf('-', end - 1)) {
            texts.add(text.substring(0, end));
        }
        if (language.equals("es") && LATIN_AMERICA.contains(region)) {
            texts.add("es-419");
        }
        if (!script.isEmpty()) {
            texts.add(language + "-" + script);
        }
        String usual = likelyScript(language, "");
        if (usual.isEmpty() || usual.equals(script)) {
            texts.add(language);
        }
        return texts;
    }
}
