package io.venuesync.client;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The searchable texts of features. Features with equal texts share them, so they are compared by identity. */
final class SearchTexts {
    /**
     * @param member the rank of the member that has the text
     * @param spaced the folded text between two spaces
     * @param joined the folded text without spaces
     */
    record Term(int member, String text, String spaced, String joined) {
        static Term of(int member, String text) {
            String folded = FoldedText.of(text);
            return new Term(member, text, " " + folded + " ", folded.replace(" ", ""));
        }

        String folded() {
            return spaced.substring(1, spaced.length() - 1);
        }

        /** Whether one of the words is, or begins with, another one. */
        boolean hasWord(String word, boolean isWhole) {
            return spaced.contains(isWhole ? " " + word + " " : " " + word);
        }
    }

    private static final String[] MEMBERS = {"name", "alt_name", "short_name"};

    /** In all languages. */
    final List<Term> names;
    /** The names and the category. */
    final List<Term> own;
    /** The names of the category in English and Japanese. */
    final List<Term> category;
    final boolean isFood;

    private SearchTexts(List<Term> names, List<Term> own, List<Term> category, boolean isFood) {
        this.names = names;
        this.own = own;
        this.category = category;
        this.isFood = isFood;
    }

    /** The texts of the feature, and then the names of its category. */
    List<Term> all() {
        List<Term> all = new ArrayList<>(own);
        all.addAll(category);
        return all;
    }

    /** Reads the texts of features, which share what is equal. */
    static final class Reader {
        private record Label(int member, String text) {}

        private record Key(List<Label> labels, String category) {}

        private final Map<Key, SearchTexts> known = new HashMap<>();
        private final Map<String, SearchTexts> categories = new HashMap<>();

        SearchTexts read(Map<String, Object> properties) {
            List<Label> labels = new ArrayList<>();
            for (int member = 0; member < MEMBERS.length; member++) {
                for (String text : Feature.labels(properties, MEMBERS[member]).values()) {
                    labels.add(new Label(member, text));
                }
            }
            String category = properties.get("category") instanceof String text ? text : null;
            return known.computeIfAbsent(new Key(labels, category), key -> {
                List<Term> own = new ArrayList<>();
                labels.forEach(label -> own.add(Term.of(label.member, label.text)));
                List<Term> names = List.copyOf(own);
                SearchTexts shared = category == null ? null : categories.computeIfAbsent(category, Reader::of);
                if (shared == null) {
                    return new SearchTexts(names, names, List.of(), false);
                }
                own.addAll(shared.own);
                return new SearchTexts(names, own, shared.category, shared.isFood);
            });
        }

        /** The texts of a feature that has only a category. */
        private static SearchTexts of(String category) {
            List<Term> names = new ArrayList<>();
            Categories.names(category).forEach(name -> names.add(Term.of(MEMBERS.length + 1, name)));
            return new SearchTexts(List.of(), List.of(Term.of(MEMBERS.length, category)), names, Categories.isFood(category));
        }
    }
}
