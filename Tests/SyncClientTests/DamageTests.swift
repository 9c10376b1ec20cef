import Foundation
import GRDB
import IMDF
import SampleVenue
import SyncClient
import SyncModel
import TestSupport
import Testing

/// A file that a disk, or another program, has damaged.
struct DamageTests {
    /// A replica with two pending edits, as it is on the disk after the app has ended.
    private struct Original {
        /// The file when the log was copied into it.
        let bytes: [UInt8]
        /// The file and its log before that.
        let unmerged: (bytes: [UInt8], log: [UInt8])
        let features: [FeatureID: [UInt8]]
        let edits: [VenueEdit]

        static func server() -> EditingServer {
            let ids = (1...60 as ClosedRange<UInt64>).map { FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 + $0) }
            return EditingServer(
                Dictionary(
                    uniqueKeysWithValues: ids.map { id in
                        let note = String(repeating: "\(id.low % 97) ", count: Int(id.low % 60) * 10)
                        return (id, .place(id, ["name": .string("Shop \(id.low % 1000)"), "note": .string(note)]))
                    }))
        }

        init() async throws {
            let server = Self.server()
            let device = try await EditingDevice(server)
            try await device.replica.select(.levels([.ordinal(0), .ordinal(-1)]))
            let ids = server.features.keys.sorted()
            for (index, name) in ["One", "Two"].enumerated() {
                try await device.editor.edit(ids[index], ["properties": ["name": .string(name)]])
            }
            self.edits = try await device.editor.edits()
            self.features = server.features.mapValues { CanonicalJSON.data($0) }
            let log = URL(filePath: device.folder.file.path + "-wal")
            self.unmerged = (Array(try Data(contentsOf: device.folder.file)), Array(try Data(contentsOf: log)))
            try await device.replica.close()
            self.bytes = try DamageTests.merged(device.folder.file)
        }
    }

    /// What happens to a file. The positions are those of the generator.
    private enum Damage: CaseIterable {
        case flippedBytes, flippedBytesOfFirstPages, lostBlock, lostEnd

        func damage(_ bytes: inout [UInt8], _ random: inout SplitMix64) {
            switch self {
            case .flippedBytes, .flippedBytesOfFirstPages:
                let range = self == .flippedBytes ? bytes.indices : 0..<4 * 16_384
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    bytes[Int.random(in: range, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
                }
            case .lostBlock:
                let start = Int.random(in: 0..<bytes.count / 4096, using: &random) * 4096
                bytes.replaceSubrange(start..<start + 4096, with: [UInt8](repeating: 0, count: 4096))
            case .lostEnd:
                bytes.removeLast(Int.random(in: 1..<bytes.count - 4096, using: &random))
            }
        }
    }

    /// The bytes of a closed file, after its log was copied into it.
    fileprivate static func merged(_ file: URL) throws -> [UInt8] {
        let queue = try DatabaseQueue(path: file.path)
        try queue.writeWithoutTransaction { db in _ = try db.checkpoint(.truncate) }
        try queue.close()
        return Array(try Data(contentsOf: file))
    }

    /// Opens a damaged file with the app, and synchronizes it: nothing wrong is read, sent or kept.
    private static func open(
        _ bytes: [UInt8], log: [UInt8]? = nil, of original: Original, _ comment: Comment
    ) async throws -> [VenueEdit] {
        let folder = try Folder()
        try Data(bytes).write(to: folder.file)
        if let log { try Data(log).write(to: URL(filePath: folder.file.path + "-wal")) }
        let server = Original.server()
        let device = try await EditingDevice(server, in: folder)
        for feature in try await device.replica.store.read({ try $0.features() }) {
            #expect(feature.body == original.features[feature.id] && feature.type.rawValue == "building", comment)
        }
        let edits = try await device.editor.edits()
        for edit in edits where !original.edits.contains(edit) {
            guard case .refused(let refusal) = edit.state else {
                Issue.record("a damaged edit is pending: \(edit), \(comment)")
                continue
            }
            #expect(refusal.title == "The edit was damaged", comment)
        }
        _ = try await device.editor.send()
        try await device.replica.sync()
        let sent = Set(server.requests.compactMap { $0["id"]?.string })
        #expect(
            sent == Set(edits.filter { original.edits.contains($0) }.map(\.id.uuidString.localizedLowercase)), comment)
        #expect(device.replica.status.connection == .current, comment)
        let features = try await device.replica.store.read { try $0.features() }
        #expect(
            features.map(\.body) == server.features.sorted { $0.key < $1.key }.map { CanonicalJSON.data($0.value) },
            comment)
        try await device.replica.close()
        let again = try await ReplicaStore.open(folder.file)
        let (damaged, cursor) = (try await again.damagedLevels(), try await again.state().cursor)
        #expect(damaged.isEmpty && cursor != nil, comment)
        return edits
    }

    @Test(arguments: 0..<12 as Range<UInt64>)
    func `damaged file: what is opened and synchronized equals the server's state`(seed: UInt64) async throws {
        let original = try await Original()
        var random = SplitMix64(seed: seed)
        for round in 0..<6 {
            for damage in Damage.allCases {
                var bytes = original.bytes
                damage.damage(&bytes, &random)
                _ = try await Self.open(bytes, of: original, "\(damage), round \(round)")
            }
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func `damaged log: what was written before the damage is kept`(seed: UInt64) async throws {
        let original = try await Original()
        var random = SplitMix64(seed: seed)
        for round in 0..<6 {
            var (bytes, log) = original.unmerged
            log[Int.random(in: log.indices, using: &random)] ^= UInt8.random(in: 1...255, using: &random)
            let edits = try await Self.open(bytes, log: log, of: original, "round \(round)")
            #expect(edits == Array(original.edits.prefix(edits.count)), "round \(round)")
            // A part of the log was copied into the file before.
            bytes = zip(bytes, original.bytes).enumerated().map {
                $0.offset / 16_384 % 2 == 0 ? $0.element.1 : $0.element.0
            }
            _ = try await Self.open(bytes, log: log, of: original, "round \(round), partly copied")
        }
    }

    @Test func `damaged file: any byte of the header costs nothing`() async throws {
        let original = try await Original()
        for position in 0..<100 {
            var bytes = original.bytes
            bytes[position] ^= 0xA5
            let edits = try await Self.open(bytes, of: original, "byte \(position)")
            #expect(edits == original.edits, "byte \(position)")
        }
    }

    @Test func `damaged file: a lost page of features keeps the edits and the selection`() async throws {
        let original = try await Original()
        let folder = try Folder()
        var bytes = original.bytes
        let text = try #require(bytes.firstRange(of: Array("\"Shop 830\"".utf8)))
        let page = text.lowerBound / 16_384 * 16_384
        bytes.replaceSubrange(page..<page + 16_384, with: [UInt8](repeating: 0xFF, count: 16_384))
        try Data(bytes).write(to: folder.file)
        let device = try await EditingDevice(Original.server(), in: folder)
        #expect(try await device.editor.edits() == original.edits)
        #expect(try await device.replica.store.state().selection == .levels([.ordinal(0), .ordinal(-1)]))
    }

    @Test func `damaged edit: one changed letter is not sent, and the person is told`() async throws {
        let original = try await Original()
        let folder = try Folder()
        var bytes = original.bytes
        let name = try #require(bytes.firstRange(of: Array("\"name\":\"Two\"".utf8)))
        bytes[name.lowerBound + 8] = UInt8(ascii: "M")
        try Data(bytes).write(to: folder.file)
        let server = Original.server()
        let device = try await EditingDevice(server, in: folder)
        let edits = try await device.editor.edits()
        #expect(edits.first == original.edits.first && edits.count == 2)
        #expect(
            edits.last?.state.message(in: "en")
                == "This edit was damaged on this device, and is not sent. Make it again.")
        _ = try await device.editor.send()
        #expect(server.requests.count == 1)
    }

    @Test func `damaged file: opening it for reading only reports it and changes nothing`() async throws {
        let original = try await Original()
        let folder = try Folder()
        var bytes = original.bytes
        let letter = try #require(bytes.firstRange(of: Array("\"Shop 830\"".utf8))).lowerBound + 2
        bytes[letter] = UInt8(ascii: "t")
        try Data(bytes).write(to: folder.file)
        let error = await #expect(throws: ReplicaFileError.self) { try await ReplicaStore.open(folder.file) }
        #expect(error == .damaged(folder.file.path, "the digest of the venue-wide part does not match"))
        #expect(try Data(contentsOf: folder.file) == Data(bytes))
    }

    @Test func `a crash while a damaged file is replaced is made up for`() async throws {
        let original = try await Original()
        let folder = try Folder()
        // The new file is complete; the damaged one, with its log, is still there.
        try Data(original.bytes).write(to: URL(filePath: folder.file.path + "-replacement"))
        try Data("damaged".utf8).write(to: folder.file)
        try Data("damaged".utf8).write(to: URL(filePath: folder.file.path + "-wal"))
        let device = try await EditingDevice(Original.server(), in: folder)
        #expect(try await device.editor.edits() == original.edits)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.url.path).allSatisfy {
                !$0.contains("replacement")
            })
    }
}

/// Damaged levels and venues, with the real server.
@Suite(.database)
struct DamagedLevelTests {
    /// Changes one letter of the body of a feature, as a disk would.
    private static func damage(_ file: URL, _ feature: ReplicaFeature) throws {
        var bytes = try DamageTests.merged(file)
        let body = try #require(bytes.firstRange(of: feature.body))
        bytes[body.lowerBound + feature.body.count / 2] ^= 1
        try Data(bytes).write(to: file)
    }

    private static func open(_ transport: HarnessTransport) async throws -> VenueReplica {
        try await .open(
            transport.folder.file, server: #require(URL(string: HarnessTransport.address)),
            venue: #require(VenueKey("mall")), key: Harness.adminKey, transport: transport)
    }

    @Test func `damaged level: the others are shown, and the next synchronization repairs it`() async throws {
        try await Harness.run { harness in
            try await harness.push(SampleVenue(.init(levels: 3, unitsPerLevel: 5)).archive())
            let transport = try HarnessTransport(harness)
            var replica = try await Self.open(transport)
            try await replica.sync()
            let held = try await replica.store.held()
            let unit = try #require(try await replica.store.read { try $0.features(type: .unit) }.last)
            try await replica.close()
            try Self.damage(transport.folder.file, unit)

            replica = try await Self.open(transport)
            let levels = try await replica.store.levels().map(\.level)
            #expect(!levels.contains(unit.level) && levels.count == held.levels.count - 1)
            #expect(try await replica.store.feature(unit.id) == nil)
            let state = try await replica.store.state()
            #expect(state.revision == 1 && state.cursor == nil)
            var observer = try await RecordingObserver(.everything, on: replica)
            let report = try await replica.sync()
            #expect(report.repaired == [unit.level] && !report.hasStartedOver && report.changes.changed == 0)
            #expect(report.changes.added > 0 && report.changes.removed == 0)
            #expect(try await replica.store.held() == held)
            _ = try await observer.receive(from: replica)
            #expect(observer.held == observer.observed(of: try await ReplicaContent(replica.store)))
            #expect(try await replica.sync().hasCommitted == false)
        }
    }

    @Test func `damaged catalogue: a damaged venue is not read, and the next synchronization fetches it`() async throws
    {
        try await Harness.run { harness in
            let archive = try SampleVenue(.init(levels: 2, unitsPerLevel: 5)).archive()
            try await harness.push(archive, to: "mall")
            try await harness.push(SampleVenue(.init(levels: 1, unitsPerLevel: 4, seed: 7)).archive(), to: "station")
            let transport = try HarnessTransport(harness)
            func open() async throws -> VenueCatalogueReplica {
                try await .open(
                    transport.folder.file, server: #require(URL(string: HarnessTransport.address)),
                    key: Harness.adminKey, transport: transport)
            }
            let mall = try #require(VenueKey("mall"))
            var catalogue = try await open()
            try await catalogue.sync()
            let features = try await catalogue.store.features(of: mall)
            try await catalogue.close()
            try Self.damage(transport.folder.file, #require(features.last))

            catalogue = try await open()
            #expect(try await catalogue.store.venues().map(\.venue.description) == ["station"])
            try await catalogue.sync()
            #expect(try await catalogue.store.features(of: mall) == features)
            try await catalogue.close()

            var bytes = try DamageTests.merged(transport.folder.file)
            bytes.replaceSubrange(4..<40, with: [UInt8](repeating: 7, count: 36))
            bytes.replaceSubrange(16_384 * 3..<16_384 * 5, with: [UInt8](repeating: 7, count: 16_384 * 2))
            try Data(bytes).write(to: transport.folder.file)
            catalogue = try await open()
            try await catalogue.sync()
            #expect(try await catalogue.store.features(of: mall) == features)
        }
    }
}
