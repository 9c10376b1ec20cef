package io.venuesync.client;

import java.util.List;

final class ReportTests {
    private static final String WIDE = Pages.feature("f0", "level", "\"ordinal\":0,\"name\":{\"en\":\"Ground\"}");
    private static final String SHOP = Pages.named("a1", "unit", "Shop");
    private static final String BAKER = Pages.named("a2", "unit", "Baker");
    private static final String CAFE = Pages.named("a3", "unit", "Cafe");

    private static VenueReplica replica(ReplicaStore store, ScriptedTransport.PreparedResponse... more) throws Exception {
        ScriptedTransport transport = new ScriptedTransport(Pages.response(
            null, 1, "one", Pages.snapshot(null, WIDE), Pages.snapshot(Pages.GROUND, SHOP, BAKER), Pages.snapshot(Pages.FIRST, CAFE)));
        transport.responses.addAll(List.of(more));
        VenueReplica replica = transport.replica(store);
        SyncReport first = replica.sync();
        Check.same(first.levelsAdded().stream().mapToInt(SyncReport.LevelCount::features).sum(), 4, "features that came with levels");
        Check.same(first.added() + first.changed() + first.removed(), 0, "other changes");
        return replica;
    }

    @Test("A report lists added, changed, moved and removed features with their previous versions")
    void changes() throws Exception {
        String renamed = Pages.named("a1", "unit", "Shop & Co");
        String kiosk = Pages.named("a4", "kiosk", "Kiosk");
        SyncReport report = replica(new MemoryReplicaStore(), Pages.response(
            1, 2, "two", Pages.block(Pages.GROUND, "changes", Pages.digest(renamed, kiosk), List.of(renamed, kiosk), Pages.id("a2")),
            Pages.block(Pages.FIRST, "changes", Pages.digest(BAKER), List.of(BAKER), Pages.id("a3")))).sync();
        Check.same(List.of(report.added(), report.changed(), report.removed()), List.of(1, 2, 1), "the counts");
        Check.same(
            report.changes().stream().map(change -> change.kind() + " " + change.feature().name() + " " + change.isMove()).toList(),
            List.of("CHANGED Shop & Co false", "CHANGED Baker true", "REMOVED Cafe false", "ADDED Kiosk false"), "the changes");
        Check.same(report.changes().get(0).before().name(), "Shop", "what it was");
        Check.same(report.changes().get(1).before().level(), Pages.GROUND, "where it was");
        Check.that(report.levelsAdded().isEmpty() && report.levelsDropped().isEmpty(), "no level came or went");
    }

    @Test("Dropping a level is reported, and the selection is stored")
    void dropped() throws Exception {
        MemoryReplicaStore store = new MemoryReplicaStore();
        VenueReplica replica = replica(
            store, Pages.response(1, 1, "two", Pages.block(Pages.GROUND, "gone", null, List.of())), Pages.response(1, 1, "two"));
        SyncReport report = replica.drop(Pages.GROUND);
        Check.same(report.levelsDropped(), List.of(new SyncReport.LevelCount(Pages.GROUND, 2)), "the dropped level");
        Check.same(report.removed(), 0, "removed features");
        Check.that(report.hasChanges(), "it is a change");
        Check.same(store.state().selection(), LevelSelection.of(Pages.FIRST), "the selection");
        Check.that(!replica.sync().hasCommitted(), "nothing is new");
        Check.same(
            replica.levels().stream().map(level -> level.name() + " " + level.isHeld()).toList(),
            List.of("null true", "Ground false", "null true"), "the levels");
    }

    @Test("A report after a repair has the net changes")
    void repaired() throws Exception {
        String kiosk = Pages.named("a4", "kiosk", "Kiosk");
        String ghost = Pages.named("a5", "unit", "Ghost");
        SyncReport report = replica(
            new MemoryReplicaStore(),
            Pages.response(1, 2, "two", Pages.block(Pages.GROUND, "changes", Pages.digest(SHOP, BAKER, kiosk), List.of(kiosk, ghost))),
            ScriptedTransport.PreparedResponse.of(
                "{\"type\":\"FeatureCollection\",\"features\":[\n" + String.join(",\n", SHOP, BAKER, kiosk) + "\n]}\n")).sync();
        Check.same(List.of(report.added(), report.changed(), report.removed()), List.of(1, 0, 0), "the counts");
        Check.same(report.repaired(), List.of(Pages.GROUND), "what was repaired");
        Check.same(report.changes().get(0).feature().name(), "Kiosk", "what was added");
    }

    @Test("An identical snapshot is reported as no change")
    void sameSnapshot() throws Exception {
        SyncReport report = replica(
            new MemoryReplicaStore(), Pages.response(1, 2, "two", Pages.snapshot(Pages.GROUND, SHOP, BAKER))).sync();
        Check.that(!report.hasChanges() && report.hasCommitted(), "nothing changed");
    }
}
