package io.venuesync.client;

import java.util.List;

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
}
