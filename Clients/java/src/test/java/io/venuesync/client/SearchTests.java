package io.venuesync.client;

import java.util.List;
import java.util.Locale;

final class SearchTests {
    @Test("Folding ignores width, case, accents, punctuation and the kind of kana")
    void folding() {
        Check.same(FoldedText.of("ｶﾌｪ"), FoldedText.of("かふぇ"), "kana");
        Check.same(FoldedText.of("カフェ"), FoldedText.of("かふぇ"), "kana");
        Check.same(FoldedText.of("  Café—L'Œuvre №5 "), "cafe l oeuvre no5", "Latin");
        Check.same(FoldedText.of("STRAẞE Straße"), "strasse strasse", "sharp s");
        Check.same(FoldedText.of("ガ"), FoldedText.of("ｶﾞ"), "voiced kana");
        Check.that(!FoldedText.of("ガ").equals(FoldedText.of("カ")), "voicing stays");
    }

    @Test("Search returns best matches first and each feature once, and finds new names after a change")
    void search() throws Exception {
        String[] bodies = {
            Pages.named("a1", "unit", "Coffee"), Pages.named("a2", "occupant", "Coffee House"), Pages.named("a3", "occupant", "House of Coffee"),
            Pages.named("a4", "occupant", "Decoffeeination"), Pages.feature("a5", "amenity", "\"category\":\"coffee.machine\"")};
        String renamed = Pages.named("a1", "unit", "Tea");
        ScriptedTransport transport = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null, bodies)),
            Pages.response(1, 2, "two", Pages.block(
                null, "changes", Pages.digest(renamed, bodies[1], bodies[2], bodies[3], bodies[4]), List.of(renamed))));
        VenueReplica replica = transport.replica(new MemoryReplicaStore());
        replica.sync();
        List<SearchResult> found = replica.search("ＣＯＦＦＥＥ", 10);
        Check.same(
            found.stream().map(result -> result.feature().id()).toList(),
            List.of(Pages.id("a1"), Pages.id("a2"), Pages.id("a5"), Pages.id("a3"), Pages.id("a4")), "the order");
        Check.same(found.get(0).match(), SearchResult.Match.EXACT, "the first match");
        Check.same(replica.search("coffee", 10, "occupant").size(), 3, "of one type");
        Check.same(replica.search("coffee", 2).size(), 2, "with a limit");
        Check.same(replica.search("", 10).size(), 5, "without a text");
        replica.sync();
        Check.same(replica.search("tea", 10).get(0).text(), "Tea", "a new name");
        Check.same(replica.search("coffee", 10).size(), 4, "without the former name");
    }

    @Test("Search finds a lift by the names of all floors that it touches")
    void touchedLevels() throws Exception {
        String unit = Pages.feature("c1", "unit", "");
        VenueReplica replica = new ScriptedTransport(Pages.response(
            null, 1, "one",
            Pages.snapshot(
                null, Pages.feature("a1", "level", "\"short_name\":{\"en\":\"L1\"}"),
                Pages.feature("a2", "level", "\"short_name\":{\"en\":\"L2\"}"),
                Pages.feature("a3", "level", "\"short_name\":{\"en\":\"L3\"}"),
                Pages.feature("b1", "anchor", "\"unit_id\":\"" + Pages.id("c2").toUpperCase(Locale.ROOT) + "\""),
                Pages.feature("b2", "amenity", "\"anchor_id\":\"" + Pages.id("b1") + "\",\"category\":\"elevator\",\"unit_ids\":[\""
                    + Pages.id("c1") + "\",\"" + Pages.id("99") + "\"]")),
            Pages.snapshot(Pages.id("a1"), unit), Pages.snapshot(Pages.id("a2"), Pages.feature("c2", "unit", ""))))
            .replica(new MemoryReplicaStore());
        replica.sync();
        Check.same(matches(replica, "lift L1"), List.of(SearchResult.Match.RELATED), "on the first floor");
        Check.same(matches(replica, "lift L2"), List.of(SearchResult.Match.RELATED), "on the second floor");
        Check.same(matches(replica, "lift L3"), List.of(), "on the third floor");
    }

    @Test("Search forgives one spelling mistake in a word of four letters or more, and no more")
    void spelling() throws Exception {
        VenueReplica replica = new ScriptedTransport(Pages.response(null, 1, "one", Pages.snapshot(
            null, Pages.feature("a1", "occupant", "\"category\":\"coffee\",\"name\":\"Starbucks Reserve\""))))
            .replica(new MemoryReplicaStore());
        replica.sync();
        for (String text : List.of(
            "starbuks", "strabucks", "starrbucks", "starbocks", "sdarbucks", "stabrucks", "starubcks", "strabuc", "reserve starbuks")) {
            Check.same(matches(replica, text), List.of(SearchResult.Match.MISSPELLED), text);
        }
        for (String text : List.of("starbks", "strabukcs", "sat", "starbuks xyz")) {
            Check.same(matches(replica, text), List.of(), text);
        }
    }

    @Test("A category has the names and the group of the longest known one")
    void categories() {
        Check.same(Categories.names("restroom.robots." + "x.".repeat(100_000)), List.of("Restroom", "トイレ"), "a subcategory");
        Check.same(Categories.names("x.".repeat(100_000) + "carpetstore"), List.of("carpet store"), "a compound");
        for (String category : List.of("robots", "store", "", ".".repeat(100_000))) {
            Check.same(Categories.names(category), List.of(), category);
        }
        Check.that(Categories.isFood("bar." + "x".repeat(100_000)), "a bar");
        for (String category : List.of("barber." + "x".repeat(100_000), "unknown", "")) {
            Check.that(!Categories.isFood(category), category);
        }
    }

    private static List<SearchResult.Match> matches(VenueReplica replica, String text) throws SyncException {
        return replica.searchRelated(text, 10).stream().map(SearchResult::match).toList();
    }
}
