package io.venuesync.client;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

final class FileReplicaStoreTests {
    private static final String SHOP = Pages.named("a1", "unit", "Shop");

    private interface Body {
        void run(Path folder) throws Exception;
    }

    private static void inFolder(Body body) throws Exception {
        Path folder = Files.createTempDirectory("venuesync-java");
        try {
            body.run(folder);
        } finally {
            TestStore.delete(folder);
        }
    }

    private static VenueReplica pulled(FileReplicaStore store) throws Exception {
        VenueReplica replica = new ScriptedTransport(
            Pages.response(null, 1, "one", Pages.snapshot(null), Pages.snapshot(Pages.GROUND, SHOP))).replica(store);
        replica.sync();
        return replica;
    }

    private static List<Path> files(Path folder) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    @Test("A replica in a folder opens without a server")
    void offline() throws Exception {
        inFolder(folder -> {
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                pulled(store);
            }
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                VenueReplica replica = new ScriptedTransport().replica(store);
                Check.same(replica.features(Pages.GROUND).get(0).json(), SHOP, "the feature");
                Check.same(replica.state().cursor(), "one", "the cursor");
                Check.same(replica.state().about().language(), "en", "the language");
                Check.same(replica.damagedLevels(), List.of(), "damage");
            }
        });
    }

    @Test("A damaged level is left out, the rest can be read, and the next synchronization repairs it")
    void damaged() throws Exception {
        inFolder(folder -> {
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                pulled(store);
            }
            Path level = folder.resolve(Pages.digest(SHOP).substring(8) + ".level");
            Files.writeString(level, SHOP.replace("Shop", "Sho") + "\n");
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                Check.that(store.wasDamaged(), "the damage is found");
                Check.same(store.digests().keySet(), java.util.Set.of(""), "what is left");
                Check.same(store.state().cursor(), null, "the cursor");
                pulled(store);
                Check.same(store.feature(Pages.id("a1")).json(), SHOP, "the feature");
            }
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                Check.that(!store.wasDamaged(), "the damage is mended");
            }
        });
    }

    @Test("A damaged replica drops a level that the server no longer has")
    void damagedAndGone() throws Exception {
        inFolder(folder -> {
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                pulled(store);
            }
            Files.delete(folder.resolve(Pages.digest().substring(8) + ".level"));
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                Check.same(store.digests().keySet(), java.util.Set.of(Pages.GROUND), "what is left");
                new ScriptedTransport(Pages.response(null, 2, "two", Pages.snapshot(null))).replica(store).sync();
                Check.same(store.digests().keySet(), java.util.Set.of(""), "what is held then");
                Check.same(store.feature(Pages.id("a1")), null, "the feature");
            }
        });
    }

    @Test("An interrupted commit keeps the previous state, and the next commit deletes its files")
    void interrupted() throws Exception {
        inFolder(folder -> {
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                pulled(store);
                Map<String, String> before = store.digests();
                String other = Pages.named("a1", "unit", "Other");
                ScriptedTransport transport = new ScriptedTransport();
                VenueReplica replica = transport.replica(store);
                ScriptedTransport.PreparedResponse change =
                    Pages.response(1, 2, "two", Pages.block(Pages.GROUND, "changes", Pages.digest(other), List.of(other)));
                // The disk becomes full at any point of the level file and of the state file.
                for (long remainingBytes = 0; ; remainingBytes += 60) {
                    store.remainingBytes = remainingBytes;
                    transport.responses.add(change);
                    try {
                        replica.sync();
                        Check.that(remainingBytes > SHOP.length(), "it was interrupted at all");
                        break;
                    } catch (SyncException error) {
                        Check.same(error.kind(), SyncException.Kind.DISK_FULL, "the error");
                        Check.same(store.digests(), before, "what is held");
                        Check.same(store.state().revision(), 1L, "the revision");
                    }
                }
                store.remainingBytes = Long.MAX_VALUE;
                Check.same(store.feature(Pages.id("a1")).json(), other, "the feature");
            }
            Check.same(files(folder).size(), 4, "two levels, a state and a lock: " + files(folder));
        });
    }

    @Test("A transaction begins only in the expected state")
    void stale() throws Exception {
        inFolder(folder -> {
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                ReplicaState before = store.state();
                pulled(store);
                Check.same(store.begin(before), null, "from the former state");
                try (ReplicaTransaction transaction = store.begin(store.state())) {
                    Check.that(!transaction.isFresh(), "it begins with what is held");
                }
            }
        });
    }

    @Test("A folder can be opened only once")
    void once() throws Exception {
        inFolder(folder -> {
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                Check.fails(SyncException.Kind.STORE, () -> new FileReplicaStore(folder));
                pulled(store);
            }
            new FileReplicaStore(folder).close();
        });
    }

    @Test("A folder with another version, another venue or invalid content is refused")
    void foreign() throws Exception {
        for (String state : List.of("{\"format\":2}", "{\"format\":1}", "[]", "nonsense", "{\"format\":1,\"levels\":{\"\":1}}")) {
            inFolder(folder -> {
                Files.writeString(folder.resolve("state.json"), state);
                Check.raises(SyncException.class, () -> new FileReplicaStore(folder));
            });
        }
        inFolder(folder -> {
            try (FileReplicaStore store = new FileReplicaStore(folder)) {
                pulled(store);
                Check.fails(
                    SyncException.Kind.STORE, () -> new VenueReplica(store, ScriptedTransport.SERVER, "hall", null));
            }
        });
    }
}
