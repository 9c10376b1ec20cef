import Foundation
import HTTPTypes
import IMDF
import IMDFArchive
import Ingestion
import Postgres
import RevisionStore
import SampleVenue
import SyncModel
import Synchronization
import TestSupport
import Testing

extension Harness {
    /// Requests the publication of a staged upload while a worker runs.
    func decide(_ upload: Upload, _ request: JSONValue = [:], key: String? = Self.adminKey) async throws -> TestResponse
    {
        try await self.working { try await self.ask(upload, request, key: key) }
    }

    /// Requests the publication of a staged upload without a worker.
    func ask(
        _ upload: Upload, _ request: JSONValue = [:], wait: Int = 30, key: String? = Self.adminKey
    ) async throws -> TestResponse {
        try await self.send(.post, "/uploads/\(upload.id)/publish?wait=\(wait)", json: request, key: key)
    }

    /// Runs `body` beside workers, which finish their current jobs before this returns.
    func working<Result: Sendable>(
        workers count: Int = 1, _ body: @escaping @Sendable () async throws -> Result
    ) async throws -> Result {
        let isOver = Flag()
        return try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<count {
                group.addTask {
                    while !isOver.isRaised {
                        if try await !self.worker.workOnce() { try await Task.sleep(for: .milliseconds(10)) }
                    }
                }
            }
            defer { isOver.raise() }
            return try await body()
        }
    }

    func upload(_ id: String) async throws -> Upload { try await self.get(Upload.self, "/uploads/\(id)") }

    func uploads(of venue: String = "mall") async throws -> [Upload] {
        let list = try await self.send(.get, "/venues/\(venue)/uploads?limit=1000").json["uploads"]?.array ?? []
        var uploads: [Upload] = []
        for id in list.compactMap({ $0["id"]?.string }) { uploads.append(try await self.upload(id)) }
        return uploads
    }

    /// The changes of an upload, in the form of a diff.
    func changes(of upload: Upload, _ query: String = "") async throws -> RevisionDiff {
        try await self.get(RevisionDiff.self, "/uploads/\(upload.id)/changes?\(query)")
    }

    /// Moves the publication time of an upload into the past.
    func makeDue(_ upload: Upload) async throws {
        _ = try await self.store.pool.query(
            "UPDATE upload SET publish_at = now() - interval '1 second' WHERE id = \(UploadID(upload.id))")
    }

    @discardableResult
    func rollBack(to number: Int64, of venue: String = "mall") async throws -> TestResponse {
        try await self.send(.post, "/venues/\(venue)/rollback", json: ["to": .number(Double(number))])
    }

    func head(of venue: String = "mall") async throws -> Int64 {
        try await self.get(Venue.self, "/venues/\(venue)").head
    }
}

/// A flag that can be raised once.
final class Flag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { self.value.withLock { $0 } }

    func raise() { self.value.withLock { $0 = true } }
}

extension Upload {
    static let tomorrow = Timestamp.text(of: Date(timeIntervalSinceNow: 86_400))
}

/// A venue with an exact number of features: a venue feature, an address, levels and units.
struct PlainVenue {
    /// The number of units on each level.
    var units: [Int]
    var name = "Plain Mall"
    var venue = 1
    var origin: JSONValue?

    var count: Int { 2 + self.units.count + self.units.reduce(0, +) }

    func archive() throws -> [UInt8] {
        var features = [
            Handmade.feature(
                self.venue, .venue,
                [
                    "category": "shoppingcenter", "name": ["en": .string(self.name)],
                    "address_id": Handmade.reference(2),
                ],
                geometry: Handmade.square(0.002 * Double(self.venue))),
            Handmade.feature(2, .address, ["address": "1 Plain Street", "locality": "Tokyo", "country": "JP"]),
        ]
        for (ordinal, units) in self.units.enumerated() {
            let level = 100 + ordinal
            features.append(
                Handmade.feature(
                    level, .level,
                    ["ordinal": .number(Double(ordinal)), "short_name": ["en": .string("F\(ordinal)")]],
                    geometry: Handmade.square()))
            for unit in 0..<units {
                features.append(
                    Handmade.feature(
                        1_000 * level + unit, .unit,
                        [
                            "category": "unspecified", "level_id": Handmade.reference(level),
                            "name": ["en": .string("Unit \(ordinal)-\(unit)")],
                        ]))
            }
        }
        var files = Dictionary(grouping: features) { $0["feature_type"]?.string ?? "" }
            .map { ("\($0.key).geojson", Handmade.collection($0.value)) }
        var manifest = Handmade.manifest.object ?? [:]
        manifest["origin"] = self.origin
        files.append(("manifest.json", CanonicalJSON.data(.object(manifest))))
        return try ArchiveWriter.zip(files.sorted { $0.0 < $1.0 }.map { ArchiveFile(name: $0.0, content: $0.1) })
    }
}
