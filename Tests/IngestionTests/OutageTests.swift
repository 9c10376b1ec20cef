import Foundation
import HTTPTypes
import IMDF
import Ingestion
import Logging
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing

/// A database that cannot be used for a while, which says nothing about an archive.
@Suite(.server)
struct OutageTests {
    /// Lets the database answer statements with an error.
    private static func refuse(
        _ event: String, when condition: String = "true", with sqlState: String, _ pool: ConnectionPool
    ) async throws {
        _ = try await pool.query(
            """
            CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'refused' USING ERRCODE = '\(raw: sqlState)'; END $$
            """)
        _ = try await pool.query(
            """
            CREATE TRIGGER refuse BEFORE \(raw: event) FOR EACH ROW WHEN (\(raw: condition)) EXECUTE FUNCTION refuse()
            """)
    }

    @Test(arguments: ["53100", "53200", "57P01", "58030", "25006", "08006"])
    func `upload: a condition of the database uses up no attempt, and is shown until the upload continues`(
        sqlState: String
    ) async throws {
        let harness = Harness.current
        let pool = harness.store.pool
        try await Self.refuse("INSERT ON revision", with: sqlState, pool)
        let response = try await harness.send(
            .post, "/venues/mall/uploads", type: "application/zip",
            body: try SampleVenue(.init(levels: 1, unitsPerLevel: 4)).archive())
        let id = try #require(UploadID(try WireJSON.value(Upload.self, from: response.data).id))
        for _ in 0..<5 {
            #expect(try await harness.worker.workOnce())
            let upload = try await harness.store.upload(id)
            #expect(upload.state == .received && upload.attempts == 0)
            #expect(upload.failure?.contains("tried again") == true)
            #expect(upload.failure?.contains("out of disk space") == (sqlState == "53100"))
        }
        _ = try await pool.query("DROP TRIGGER refuse ON revision")
        while try await harness.worker.workOnce() {}
        let upload = try await harness.store.upload(id)
        #expect(upload.state == .published && upload.attempts == 1 && upload.failure == nil)
    }

    @Test(arguments: ["25006", "57P01"])
    func `worker stops computing when its lease cannot be renewed because the primary is lost`(
        sqlState: String
    ) async throws {
        let harness = Harness.current
        // Refuses renewals only: an upload whose computation went on would be published or rejected.
        try await Self.refuse(
            "UPDATE ON upload", when: "OLD.lease = NEW.lease AND OLD.lease_until IS DISTINCT FROM NEW.lease_until",
            with: sqlState, harness.store.pool)
        let response = try await harness.send(
            .post, "/venues/mall/uploads?strict=true", type: "application/zip",
            body: try HostileArchive.crossingCombs.zip())
        let id = try #require(UploadID(try WireJSON.value(Upload.self, from: response.data).id))
        let running = Task { try await harness.worker.run() }
        defer { running.cancel() }
        var upload: Upload?
        try await harness.until {
            let current = try await harness.store.upload(id)
            upload = current
            return [.published, .rejected, .failed].contains(current.state) || current.failure != nil
        }
        running.cancel()
        _ = await running.result
        #expect(upload?.state == .received && upload?.attempts == 0)
        #expect(upload?.failure?.contains("tried again when it can") == true)
    }

    @Test func `worker reports once that the queue cannot be read, and once that it can be again`() async throws {
        let harness = Harness.current
        let lines = LogLines()
        let worker = IngestionWorker(
            store: harness.store, settings: .init(pollInterval: .milliseconds(20)), logger: lines.logger)
        let database = try #require(
            try await harness.store.pool.query("SELECT current_database()::text").decode(String.self).first)
        let running = Task { try await worker.run() }
        try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS false")
        // Again, because a connection that was being opened may not be listed yet.
        try await harness.until {
            let ended = try await TestCluster.shared.endConnections(to: database)
            return ended == 0 && lines.messages.contains("The queue cannot be read")
        }
        try await TestCluster.shared.maintain("ALTER DATABASE \(database) WITH ALLOW_CONNECTIONS true")
        try await harness.until { lines.messages.contains("The queue can be read again") }
        let upload = try await harness.send(
            .post, "/venues/mall/uploads", type: "application/zip",
            body: try SampleVenue(.init(levels: 1, unitsPerLevel: 4)).archive())
        let id = try WireJSON.value(Upload.self, from: upload.data).id
        try await harness.until { try await harness.get(Upload.self, "/uploads/\(id)").state == .published }
        running.cancel()
        try await running.value
        // The worker may have been stopped in the middle of a job.
        let messages = lines.messages.filter { $0.hasPrefix("The queue") }
        #expect(messages == ["The queue cannot be read", "The queue can be read again"])
    }

    @Test func `condition of the database: pauses become longer, up to a limit, and each change is logged once`() {
        let lines = LogLines()
        let condition = DatabaseCondition(("lost", "back"), longestPause: .zero, logger: lines.logger)
        for _ in 0..<10 { condition.failed(PostgresError.unresponsive) }
        #expect(!condition.isPausing && lines.messages == ["lost"])
        for _ in 0..<2 { condition.succeeded() }
        condition.failed(PostgresError.unresponsive)
        #expect(lines.messages == ["lost", "back", "lost"])
    }

    @Test func `condition of the database: an attempt says nothing of what began after it`() {
        let lines = LogLines()
        let condition = DatabaseCondition(("lost", "back"), longestPause: .seconds(3_600), logger: lines.logger)
        let start = ContinuousClock.now
        condition.failed(PostgresError.unresponsive, since: start)
        condition.succeeded(since: start)
        #expect(condition.isPausing && lines.messages == ["lost"])
        condition.succeeded()
        condition.failed(PostgresError.unresponsive, since: start)
        #expect(!condition.isPausing && lines.messages == ["lost", "back"])
    }

    @Test func `condition of the database: there is a pause until an attempt succeeds`() {
        let lines = LogLines()
        let patient = DatabaseCondition(("lost", "back"), longestPause: .seconds(3_600), logger: lines.logger)
        patient.failed(PostgresError.unresponsive)
        #expect(patient.isPausing)
        patient.succeeded()
        #expect(!patient.isPausing)
    }
}

/// The messages of warnings and notices.
private final class LogLines: Sendable {
    private let lines = Mutex<[String]>([])

    var messages: [String] { self.lines.withLock(\.self) }

    var logger: Logger {
        var logger = Logger(label: "test", factory: { _ in Handler(book: self) })
        logger.logLevel = .notice
        return logger
    }

    private struct Handler: LogHandler {
        let book: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { self.metadata[key] }
            set { self.metadata[key] = newValue }
        }

        func log(event: LogEvent) { self.book.lines.withLock { $0.append(event.message.description) } }
    }
}
