import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport
import Testing

/// Two writers and a reader, in the order that breaks cursors based on clocks and sequences: the first writer takes its
/// number and is held, the second commits, the reader reads, the first commits.
@Suite(.database)
struct InterleavingTests {
    @Test(arguments: ["extract(epoch FROM clock_timestamp())", "nextval('stamps')"])
    func `timestamp or sequence cursor always loses the first of two writers`(stamp: String) async throws {
        for _ in 0..<10 {
            let protocolOfStamps = try await StampedNotes(stamp: stamp)
            let outcome = try await interleave(protocolOfStamps)
            #expect(outcome.stored == ["first", "second"] && outcome.held == ["second"])
            await protocolOfStamps.close()
        }
    }

    /// What the reader follows.
    enum Scope: CaseIterable {
        case oneVenue, allVenues
    }

    @Test(arguments: Scope.allCases)
    func `revision cursor loses no writer`(scope: Scope) async throws {
        try await Harness.run { harness in
            for round in 1...5 as ClosedRange<UInt64> {
                let protocolOfRevisions = try await VenueWriters(
                    harness: harness, venue: "mall-\(round)", scope: scope, seed: round)
                let outcome = try await interleave(protocolOfRevisions)
                #expect(outcome.held == outcome.stored)
                // In one venue the second writer's revision comes first, and the first one's is computed again on top
                // of it.
                #expect(await protocolOfRevisions.revisions == (scope == .oneVenue ? [3, 4] : [1, 3]))
                #expect(await protocolOfRevisions.sawSecondAlone)
                await protocolOfRevisions.close()
            }
        }
    }
}

/// A protocol that is run in that order.
private protocol Interleaved {
    /// Writes everything but the commit, and is held there.
    func beginFirst() async throws
    /// Writes and commits.
    func runSecond() async throws
    func finishFirst() async throws
    /// Reads the changes since the cursor.
    func read() async throws
    /// What the reader holds in the end, and what is stored.
    func outcome() async throws -> (held: Set<String>, stored: Set<String>)
}

private func interleave(_ subject: some Interleaved) async throws -> (held: Set<String>, stored: Set<String>) {
    try await subject.read()
    try await subject.beginFirst()
    try await subject.runSecond()
    try await subject.read()
    try await subject.finishFirst()
    // The reader reads again twice.
    try await subject.read()
    try await subject.read()
    return try await subject.outcome()
}

/// A table whose rows are stamped when they are written, read by “everything later than the last stamp”.
private actor StampedNotes: Interleaved {
    private let first: Connection
    private let second: Connection
    private let stamp: String
    private var cursor = 0.0
    private var held: Set<String> = []

    init(stamp: String) async throws {
        self.stamp = stamp
        self.first = try await Connection.open(TestDatabase.current.configuration)
        self.second = try await Connection.open(TestDatabase.current.configuration)
        try await self.second.execute(
            """
            DROP TABLE IF EXISTS note;
            DROP SEQUENCE IF EXISTS stamps;
            CREATE SEQUENCE stamps;
            CREATE TABLE note (name text PRIMARY KEY, stamp double precision NOT NULL);
            """)
    }

    private func write(_ name: String, on connection: Connection) async throws {
        _ = try await connection.query("INSERT INTO note (name, stamp) VALUES (\(name), \(raw: self.stamp))")
    }

    func beginFirst() async throws {
        try await self.first.execute("BEGIN")
        try await self.write("first", on: self.first)
    }

    func runSecond() async throws {
        try await self.write("second", on: self.second)
    }

    func finishFirst() async throws {
        try await self.first.execute("COMMIT")
    }

    func read() async throws {
        let rows = try await self.second.query(
            "SELECT name, stamp FROM note WHERE stamp > \(self.cursor) ORDER BY stamp"
        ).decode((String, Double).self)
        for (name, stamp) in rows {
            self.held.insert(name)
            self.cursor = stamp
        }
    }

    func outcome() async throws -> (held: Set<String>, stored: Set<String>) {
        (self.held, Set(try await self.second.query("SELECT name FROM note").decode(String.self)))
    }

    func close() async {
        await self.first.close()
        await self.second.close()
    }
}

/// An upload, held after its versions are written and before anything is locked, and a rollback of the same venue or an
/// upload to another one.
private actor VenueWriters: Interleaved {
    private static let marker = "Held Back"

    private let harness: Harness
    private let venue: String
    private let scope: InterleavingTests.Scope
    private let blocker: Connection
    private let next: SampleVenue
    private var follower: Follower
    private var catalogue = CatalogueFollower()
    private var work: Task<Bool, any Error>?
    private(set) var revisions: [Int64] = []
    private(set) var sawSecondAlone = false
    private var upload = ""

    init(harness: Harness, venue: String, scope: InterleavingTests.Scope, seed: UInt64) async throws {
        (self.harness, self.venue, self.scope) = (harness, venue, scope)
        self.follower = Follower(venue: venue)
        self.blocker = try await Connection.open(TestDatabase.current.configuration)
        // A statement that writes a version with the marker waits for the advisory lock of `blocker`. The advisory
        // locks of the service have one number, so they do not conflict.
        try await self.blocker.execute(
            """
            CREATE OR REPLACE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN
                IF EXISTS (SELECT FROM added WHERE body LIKE '%\(Self.marker)%') THEN
                    PERFORM pg_advisory_xact_lock_shared(0, 7);
                END IF;
                RETURN NULL;
            END $$;
            CREATE OR REPLACE TRIGGER hold AFTER INSERT ON feature_version
                REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION hold();
            """)
        let second = SampleVenue.tiny.edited(Edit(.hours, 2), seed: seed)
        try await harness.push(SampleVenue.tiny.archive(), to: venue)
        try await harness.push(second.archive(), to: venue)
        var next = second
        // A feature that the second writer does not change: it would wait for the first writer's version of it.
        let before = SampleVenue.tiny.features
        let occupant = try #require(
            next.features.indices.first {
                next.features[$0].type == .occupant && next.features[$0].body == before[$0].body
            })
        next.features[occupant]["name"] = ["en": .string(Self.marker)]
        self.next = next
    }

    func beginFirst() async throws {
        try await self.blocker.execute("SELECT pg_advisory_lock(0, 7)")
        let response = try await self.harness.send(
            .post, "/venues/\(self.venue)/uploads", type: "application/zip", body: self.next.archive())
        self.upload = try WireJSON.value(Upload.self, from: response.data).id
        let worker = self.harness.worker
        self.work = Task { try await worker.workOnce() }
        try await eventually("the first writer is held") {
            let waiting = try await self.blocker.query(
                """
                SELECT count(*) FROM pg_locks JOIN pg_database ON pg_database.oid = database
                WHERE datname = current_database() AND locktype = 'advisory' AND NOT granted
                """
            ).decode(Int64.self)
            return waiting == [1]
        }
    }

    private var otherVenue: String { "\(self.venue).annex" }

    func runSecond() async throws {
        guard self.scope == .oneVenue else {
            let upload = try await self.harness.push(SampleVenue.tiny.archive(), to: self.otherVenue)
            return self.revisions.append(try #require(upload.revision))
        }
        let response = try await self.harness.send(
            .post, "/venues/\(self.venue)/rollback", type: "application/json", body: CanonicalJSON.data(["to": 1]))
        try #require(response.status == .created, "\(response.text)")
        self.revisions.append(try WireJSON.value(Revision.self, from: response.data).number)
    }

    func finishFirst() async throws {
        let seen = self.catalogue.replica.venues.map { ("\($0.key)", $0.value.revision) }
        self.sawSecondAlone =
            self.scope == .oneVenue
            ? self.follower.revision == 3
            : seen.contains { $0 == (self.otherVenue, 1) } && seen.contains { $0 == (self.venue, 2) }
        try await self.blocker.execute("SELECT pg_advisory_unlock(0, 7)")
        #expect(try await self.work?.value == true)
        let upload = try await self.harness.get(Upload.self, "/uploads/\(self.upload)")
        self.revisions.append(try #require(upload.revision))
    }

    func read() async throws {
        var (follower, catalogue) = (self.follower, self.catalogue)
        if self.scope == .oneVenue {
            try await follower.pull { try await self.harness.bytes($0) }
        } else {
            try await catalogue.pull { try await self.harness.bytes($0) }
        }
        (self.follower, self.catalogue) = (follower, catalogue)
    }

    func outcome() async throws -> (held: Set<String>, stored: Set<String>) {
        let path = "/venues/\(self.venue)/sync"
        let snapshot = try ChangeSet(json: await self.harness.bytes(path))
        func texts(_ bodies: some Sequence<[UInt8]>) -> Set<String> {
            Set(bodies.map { String(decoding: $0, as: UTF8.self) })
        }
        let stored = texts(snapshot.blocks.flatMap(\.features))
        #expect(stored.contains { $0.contains(Self.marker) })
        guard self.scope == .allVenues else {
            return (texts(self.follower.replica.features.values.map(\.body)), stored)
        }
        let held = self.catalogue.replica.bodies.first { "\($0.key)" == self.venue }?.value
        return (texts((held ?? [:]).values), stored)
    }

    func close() async {
        await self.blocker.close()
    }
}
