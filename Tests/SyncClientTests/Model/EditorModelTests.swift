import Foundation
import IMDF
import SampleVenue
import SyncClient
import SyncModel
import Testing

/// Random edits of a device whose network comes and goes, and whose app is killed around requests.
struct EditorModelTests {
    @Test(arguments: 0..<16 as Range<UInt64>)
    func `edits are published once and in order, and none is lost, whatever happens`(seed: UInt64) async throws {
        var model = try await EditorModel(seed: seed)
        for _ in 0..<60 { try await model.step() }
        try await model.end()
    }
}

private struct EditorModel {
    private static let features = (1...4).map { FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 + UInt64($0)) }

    private let server: EditingServer
    private var device: EditingDevice
    private var random: SplitMix64
    /// The edits that were made and not withdrawn, in order.
    private var made: [VenueEdit] = []
    private var kills = 0

    init(seed: UInt64) async throws {
        self.random = SplitMix64(seed: seed)
        self.server = EditingServer(
            Dictionary(uniqueKeysWithValues: Self.features.map { ($0, .place($0, ["name": "0"])) }))
        self.device = try await EditingDevice(self.server)
        try await self.device.replica.sync()
    }

    mutating func step() async throws {
        let feature = Self.features.randomElement(using: &self.random) ?? Self.features[0]
        switch Int.random(in: 0..<12, using: &self.random) {
        case 0..<4:
            let isBad = Int.random(in: 0..<6, using: &self.random) == 0
            self.made.append(
                try await self.device.editor.edit(
                    feature, ["properties": isBad ? ["hours": "bad"] : ["name": .string("\(self.made.count)")]]))
        case 4: try await self.withdraw()
        case 5:
            let key = Bool.random(using: &self.random) ? "name" : "phone"
            let patch: JSONObject = JSONObject([.init(key: key, value: .string("other \(self.server.revision)"))])
            self.server.change(feature, ["properties": .object(patch)])
        case 6: _ = try? await self.device.replica.sync()
        case 7: self.server.setOffline(Bool.random(using: &self.random))
        case 8: try await self.send(isKilled: true)
        default: try await self.send(isKilled: false)
        }
        try await self.check()
    }

    private mutating func withdraw() async throws {
        guard let edit = try await self.device.editor.edits().randomElement(using: &self.random) else { return }
        if edit.state == .queued {
            try await self.device.editor.withdraw(edit.id)
            self.made.removeAll { $0.id == edit.id }
            #expect(!self.server.known.contains(edit.id.uuidString.lowercased()))
        } else {
            await #expect(throws: EditingError.alreadySent) { try await self.device.editor.withdraw(edit.id) }
        }
    }

    /// Sends with random faults. A killed app loses its file before or after one of the requests, and is started again.
    private mutating func send(isKilled: Bool) async throws {
        for _ in 0..<Int.random(in: 0..<4, using: &self.random) {
            switch Int.random(in: 0..<4, using: &self.random) {
            case 0: self.server.fail(.lostRequest)
            case 1: self.server.fail(.lostResponse)
            case 2: self.server.fail(.reply(.init(status: 503)))
            default: self.server.fail(.reply(.init(status: 401)))
            }
        }
        if isKilled {
            let (device, isBefore) = (self.device, Bool.random(using: &self.random))
            self.server.around { if $0 == isBefore { try? await device.replica.close() } }
        }
        _ = try? await self.device.editor.send()
        guard isKilled else { return }
        self.server.around(nil)
        try? await self.device.replica.close()
        self.device = try await EditingDevice(self.server, in: self.device.folder)
        self.kills += 1
    }

    private func check() async throws {
        let edits = try await self.device.editor.edits()
        let order = self.made.map(\.id)
        #expect(edits.map(\.id) == order.filter { id in edits.contains { $0.id == id } })
        let ids = self.server.made
        #expect(Set(ids).count == ids.count, "an edit was published twice")
        #expect(ids == order.map { $0.uuidString.lowercased() }.filter(ids.contains))
        for edit in self.made where !edits.contains(where: { $0.id == edit.id }) {
            #expect(self.server.known.contains(edit.id.uuidString.lowercased()), "an edit is lost")
        }
        #expect(try await self.device.replica.store.damagedLevels().isEmpty)
        try await self.checkPendingView(edits)
    }

    /// The verified feature with the names of its edits, one after the other.
    private func checkPendingView(_ edits: [VenueEdit]) async throws {
        for id in Self.features {
            let verified = try #require(try await self.device.replica.store.feature(id))
            var expected = try JSONDecoder().decode(JSONValue.self, from: Data(verified.body))
            for edit in edits where edit.features == [id] {
                switch edit.state {
                case .refused, .overtaken: continue
                case .queued, .sending, .published: break
                }
                guard case .change(_, let patch) = edit.operations.first else { continue }
                expected = MergePatch.apply(.object(patch), to: expected)
            }
            let body = CanonicalJSON.data(expected)
            #expect(try await self.device.editor.feature(id)?.body == body)
        }
    }

    mutating func end() async throws {
        self.server.setOffline(false)
        // Every call ends with at most one of the remaining faults.
        for _ in 0..<200 { _ = try? await self.device.editor.send() }
        let edits = try await self.device.editor.edits()
        #expect(!edits.contains { !$0.state.isFinal })
        for edit in self.made {
            let isMade = self.server.made.contains(edit.id.uuidString.lowercased())
            switch edits.first(where: { $0.id == edit.id })?.state {
            case .refused, .overtaken: #expect(!isMade, "it was published and reported as not")
            case .published, nil: #expect(self.server.known.contains(edit.id.uuidString.lowercased()))
            case .queued, .sending: Issue.record("\(edit)")
            }
        }
        try await self.device.replica.sync()
        for id in Self.features {
            let body = self.server.features[id].map { CanonicalJSON.data($0) }
            #expect(try await self.device.editor.feature(id)?.body == body)
        }
        #expect(try await self.device.editor.pending().isEmpty)
    }
}
