import BenchmarkSupport
import Foundation
import IMDF
import SampleVenue
import SyncModel

/// Edits of a generated venue, each of another feature and with another value.
struct Editing: Sendable {
    enum Kind: String, CaseIterable {
        /// A property of an occupant.
        case property
        case geometry
        /// An occupant disappears.
        case hide
        /// An occupant appears, at a random anchor.
        case add
        /// An occupant moves to an anchor, which may be on another level.
        case reference
        /// The name of a level.
        case level
    }

    private let service: Service
    private let venue: String
    private let sample: SampleVenue
    private let occupants: [SampleFeature]
    /// Occupants that are hidden, and not edited otherwise.
    private let hidden: [SampleFeature]
    private let anchors: [SampleFeature]
    private let levels: [SampleFeature]

    init(of sample: SampleVenue, on service: Service, venue: String = "large") {
        self.service = service
        self.venue = venue
        self.sample = sample
        var random = SplitMix64(seed: 5)
        let occupants = sample.features.filter { $0.type == .occupant }.shuffled(using: &random)
        self.hidden = Array(occupants.prefix(occupants.count / 4))
        self.occupants = Array(occupants.dropFirst(self.hidden.count))
        self.anchors = sample.features.filter { $0.type == .anchor }.shuffled(using: &random)
        self.levels = sample.features.filter { $0.type == .level }
    }

    func prepare() async throws {
        let upload = try await self.service.upload(self.sample.archive(), to: self.venue)
        try await self.service.report(of: upload)
    }

    /// Makes one revision.
    func edit(_ kind: Kind, _ number: Int) async throws {
        let occupant = self.occupants[number % self.occupants.count]
        let anchor = self.anchors[number % self.anchors.count]
        switch kind {
        case .property:
            try await self.patch(occupant, ["properties": ["phone": .string("+8190\(10_000_000 + number)")]])
        case .geometry:
            guard case .array(let position)? = anchor.geometry["coordinates"], let latitude = position.last?.number
            else {
                return
            }
            let moved = JSONValue.array(position.dropLast() + [.number(latitude + 0.000002)])
            try await self.patch(anchor, ["geometry": ["type": "Point", "coordinates": moved]])
        case .hide:
            try await self.send(["hide": .string(self.hidden[number % self.hidden.count].id.description)])
        case .add:
            var added = SampleFeature(id: .random(), type: .occupant, body: occupant.body)
            added["anchor_id"] = .string(anchor.id.description)
            try await self.send(["add": .object(added.body)])
        case .reference:
            try await self.patch(occupant, ["properties": ["anchor_id": .string(anchor.id.description)]])
        case .level:
            let level = self.levels[number % self.levels.count]
            try await self.patch(level, ["properties": ["name": ["en": .string("Level \(number)")]]])
        }
    }

    /// Makes overrides of features, one each and 1,000 at a time.
    ///
    /// - Returns: The number of overrides, which is smaller if there are fewer features.
    func makeOverrides(_ count: Int) async throws -> Int {
        let edits = self.occupants.prefix(count).enumerated().map { number, occupant -> JSONValue in
            [
                "feature": .string(occupant.id.description),
                "patch": ["properties": ["website": .string("https://\(number).example")]],
            ]
        }
        for start in stride(from: 0, to: edits.count, by: 1_000) {
            try await self.post(Array(edits[start..<min(start + 1_000, edits.count)]))
        }
        return edits.count
    }

    private func patch(_ feature: SampleFeature, _ patch: JSONValue) async throws {
        try await self.service.send(
            "PATCH", "/venues/\(self.venue)/features/\(feature.id)", type: "application/merge-patch+json",
            body: CanonicalJSON.data(patch))
    }

    private func send(_ edit: JSONValue) async throws { try await self.post([edit]) }

    private func post(_ edits: [JSONValue]) async throws {
        try await self.service.send(
            "POST", "/venues/\(self.venue)/edits", type: "application/json",
            body: CanonicalJSON.data(["edits": .array(edits)]))
    }
}

/// Uploads to one venue, one after another.
struct Uploads {
    private let venue: String
    private let service: Service

    init(to venue: String, on service: Service) {
        self.venue = venue
        self.service = service
    }

    /// The time from the last byte of an archive to its revision, in seconds. The rules run afterwards and are waited for.
    func seconds(for archive: [UInt8]) async throws -> Double {
        let id = try await self.service.upload(archive, to: self.venue)
        try await self.service.report(of: id)
        let upload = try WireJSON.value(Upload.self, from: Data(try await self.service.send("GET", "/uploads/\(id)")))
        guard upload.state == .published, let end = upload.finishedAt else {
            throw Service.Refused(path: "/uploads/\(id)", status: 0)
        }
        return end.timeIntervalSince(upload.receivedAt)
    }
}
