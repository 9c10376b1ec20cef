import Foundation
import HTTPTypes
import IMDF
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// Random edits of a device whose network comes and goes and whose app is killed around requests, with the real server, uploads and edits
/// of others.
@Suite(.database)
struct EditorServerTests {
    @Test(arguments: 0..<2 as Range<UInt64>)
    func `edits reach the server once and in order, and none is lost, whatever happens`(seed: UInt64) async throws {
        try await Harness.run { harness in
            var story = try await EditorStory(harness, seed: seed)
            for _ in 0..<40 { try await story.step() }
            try await story.end()
        }
    }
}

private struct EditorStory {
    private let harness: Harness
    private let transport: HarnessTransport
    private let network: UnsteadyTransport
    private var replica: VenueReplica
    private var editor: VenueEditor
    private var random: SplitMix64
    private var sample: SampleVenue
    private let shops: [FeatureID]
    /// The edits that were made and not withdrawn, in order.
    private var made: [VenueEdit] = []
    /// How many edits were begun, which makes their messages unique.
    private var count = 0

    init(_ harness: Harness, seed: UInt64) async throws {
        self.harness = harness
        self.random = SplitMix64(seed: seed)
        self.sample = SampleVenue(.init(levels: 2, unitsPerLevel: 5, seed: seed))
        self.shops = self.sample.features.filter { $0.type == .occupant }.map(\.id)
        try await harness.push(self.sample.archive())
        self.transport = try HarnessTransport(harness)
        self.network = UnsteadyTransport(self.transport)
        self.replica = try await Self.open(self.transport.folder.file, self.network)
        self.editor = VenueEditor(replica: self.replica)
        try await self.replica.sync()
    }

    private static func open(_ file: URL, _ transport: any SyncTransport) async throws -> VenueReplica {
        let mall = try #require(VenueKey("mall"))
        var policy = RetryPolicy()
        policy.attempts = 1
        policy.sleep = { _ in }
        return VenueReplica(
            store: try await .open(file, for: mall), venue: mall,
            server: try ServerAddress(#require(URL(string: HarnessTransport.address)), key: Harness.adminKey),
            transport: transport, policy: policy)
    }

    mutating func step() async throws {
        let shop = try #require(self.shops.randomElement(using: &self.random))
        switch Int.random(in: 0..<10, using: &self.random) {
        case 0..<4: try await self.edit(shop)
        case 4: try await self.withdraw()
        case 5: try await self.interfere(shop)
        case 6: self.network.setOffline(Bool.random(using: &self.random))
        case 7: try await self.send(isKilled: true)
        default: try await self.send(isKilled: false)
        }
        let ids = try await self.editor.edits().map(\.id)
        #expect(ids == self.made.map(\.id).filter(ids.contains))
    }

    private mutating func edit(_ shop: FeatureID) async throws {
        var properties: JSONObject = ["website": .string("https://\(self.count).example")]
        // The server refuses a reference to a feature that does not exist.
        if Int.random(in: 0..<6, using: &self.random) == 0 {
            properties["anchor_id"] = .string(FeatureID.random(using: &self.random).description)
        }
        let message = "edit \(self.count)"
        self.count += 1
        guard let edit = try? await self.editor.edit(shop, ["properties": .object(properties)], message: message) else {
            return  // a hidden feature, or one that the replica does not have
        }
        self.made.append(edit)
    }

    private mutating func withdraw() async throws {
        guard let edit = try await self.editor.edits().randomElement(using: &self.random), edit.state == .queued else {
            return
        }
        try await self.editor.withdraw(edit.id)
        self.made.removeAll { $0.id == edit.id }
    }

    /// Another person edits the same or another part of a shop, or uploads an archive.
    private mutating func interfere(_ shop: FeatureID) async throws {
        if Int.random(in: 0..<3, using: &self.random) == 0 {
            _ = self.sample.apply(Edit(.rename, 2), using: &self.random)
            try await self.harness.push(self.sample.archive())
            return
        }
        let key = Bool.random(using: &self.random) ? "website" : "phone"
        let value = "https://\(FeatureID.random(using: &self.random)).example"
        let patch = CanonicalJSON.data(["properties": .object([key: .string(value)])])
        let response = try await self.harness.send(
            .patch, "/venues/mall/features/\(shop)?force=true", type: "application/merge-patch+json", body: patch)
        try #require([.ok, .created].contains(response.status), "\(response.text)")
    }

    /// Sends with random faults. A killed app loses its file before or after one of the requests, and is started again.
    private mutating func send(isKilled: Bool) async throws {
        for _ in 0..<Int.random(in: 0..<3, using: &self.random) {
            self.network.fail(Bool.random(using: &self.random) ? .lostRequest : .lostResponse)
        }
        if isKilled {
            let (replica, isLost) = (self.replica, Bool.random(using: &self.random))
            self.network.around { if $0 == isLost { try? await replica.close() } }
        }
        _ = try? await self.editor.send()
        guard isKilled else { return }
        self.network.around(nil)
        try? await self.replica.close()
        self.replica = try await Self.open(self.transport.folder.file, self.network)
        self.editor = VenueEditor(replica: self.replica)
    }

    mutating func end() async throws {
        self.network.setOffline(false)
        // Every call ends with at most one of the remaining faults.
        for _ in 0..<100 {
            _ = try? await self.editor.send()
            if try await self.editor.edits().allSatisfy(\.state.isFinal) { break }
        }
        let edits = try await self.editor.edits()
        let log = try await self.harness.get(Log.self, "/venues/mall/revisions?limit=1000").revisions
        let published = log.filter { $0.kind == .edit }.compactMap(\.message).filter { $0.hasPrefix("edit ") }
        // Each once, in the order in which they were made.
        #expect(published.reversed() == self.made.compactMap(\.message).filter(published.contains))
        for edit in self.made {
            let isInLog = published.contains(try #require(edit.message))
            switch edits.first(where: { $0.id == edit.id })?.state {
            case .refused, .overtaken: #expect(!isInLog)
            case .published, nil: #expect(isInLog, "\(edit)")
            case .queued, .sending: Issue.record("\(edit)")
            }
        }
        try await self.replica.sync()
        let head = try await self.harness.get(Venue.self, "/venues/mall").head
        #expect(try await self.replica.store.state().revision == head)
        #expect(try await self.replica.store.damagedLevels().isEmpty)
        for shop in self.shops {
            let response = try await self.harness.send(.get, "/venues/mall/features/\(shop)")
            #expect(try await self.editor.feature(shop)?.body == Array(response.data))
        }
    }

    private struct Log: Decodable {
        let revisions: [Revision]
    }
}
