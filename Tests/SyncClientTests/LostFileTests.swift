import Foundation
import IMDF
import SyncClient
import SyncModel
import Testing

/// A file that was overwritten with zeros, or has lost its first page.
struct LostFileTests {
    enum Loss: CaseIterable {
        case everything, allButFewBytes, firstPage

        func apply(to bytes: Data) -> Data {
            switch self {
            case .everything: Data(count: bytes.count)
            case .allButFewBytes: Data(count: 100)
            case .firstPage: Data(count: 16_384) + bytes.dropFirst(16_384)
            }
        }
    }

    static func server() -> EditingServer {
        let ids = (1...300 as ClosedRange<UInt64>).map { FeatureID(high: 0x4000, low: 0x8000_0000_0000_0000 + $0) }
        let note = JSONValue.string(String(repeating: "note ", count: 100))
        return EditingServer(Dictionary(uniqueKeysWithValues: ids.map { ($0, .place($0, ["note": note])) }))
    }

    /// The bodies that a replica has to have.
    static func bodies(of server: EditingServer) -> [[UInt8]] {
        server.features.sorted { $0.key < $1.key }.map { CanonicalJSON.data($0.value) }
    }

    static func bodies(of replica: VenueReplica) async throws -> [[UInt8]] {
        try await replica.store.read { try $0.features().map(\.body) }
    }

    /// The file of a replica after the app has ended.
    private static func closedFile(of server: EditingServer) async throws -> Folder {
        let device = try await EditingDevice(server)
        try await device.replica.sync()
        try await device.replica.close()
        // SQLite deletes it when the last connection ends, unless the system keeps it.
        try? FileManager.default.removeItem(atPath: device.folder.file.path + "-wal")
        return device.folder
    }

    @Test(arguments: Loss.allCases)
    func `lost file: it is downloaded again`(loss: Loss) async throws {
        let server = Self.server()
        let folder = try await Self.closedFile(of: server)
        try loss.apply(to: Data(contentsOf: folder.file)).write(to: folder.file)
        let error = await #expect(throws: ReplicaFileError.self) { try await ReplicaStore.open(folder.file) }
        #expect(error == .damaged(folder.file.path, "file is not a database"))
        let device = try await EditingDevice(server, in: folder)
        #expect(try await Self.bodies(of: device.replica).isEmpty)
        try await device.replica.sync()
        #expect(try await Self.bodies(of: device.replica) == Self.bodies(of: server))
        #expect(try await device.replica.store.damagedLevels().isEmpty)
    }

    @Test func `lost file: the status says that it is to be downloaded again, and why it is not yet`() async throws {
        let server = Self.server()
        let folder = try await Self.closedFile(of: server)
        try Loss.everything.apply(to: Data(contentsOf: folder.file)).write(to: folder.file)
        server.setOffline(true)
        for _ in 0..<2 {
            let device = try await EditingDevice(server, in: folder)
            #expect(device.replica.status == ReplicaStatus(isDamaged: true))
            let error = await #expect(throws: SyncError.self) { try await device.replica.sync() }
            #expect(device.replica.status == ReplicaStatus(connection: .offline(error), isDamaged: true))
            #expect("\(device.replica.status)".contains("the file was damaged and is to be downloaded again"))
            try await device.replica.close()
        }
        server.setOffline(false)
        let device = try await EditingDevice(server, in: folder)
        let report = try await device.replica.sync()
        #expect(report.repaired == [nil] && !report.hasStartedOver)
        #expect(device.replica.status.connection == .current && !device.replica.status.isDamaged)
        #expect(try await device.replica.store.state().isDamaged == false)
    }

    @Test func `lost file: if that happens while it is open, it is downloaded again, and observations go on`()
        async throws
    {
        let server = Self.server()
        let device = try await EditingDevice(server)
        let replica = device.replica
        try await replica.select(.levels([.ordinal(0)]))
        // Runs on the connection that writes, so after the log was copied into the file.
        try await replica.store.limitSize(toPages: nil)
        var changes = try await replica.changes(on: .everything).makeAsyncIterator()
        #expect(try await changes.next()?.changes.count == server.features.count)

        let handle = try FileHandle(forUpdating: device.folder.file)
        let size = try handle.seekToEnd()
        try handle.seek(toOffset: 0)
        try handle.write(contentsOf: Data(count: Int(size)))
        try handle.close()
        // After another commit, readers do not use the pages that they have in memory.
        let id = try #require(server.features.keys.min())
        _ = try? await device.editor.edit(id, ["properties": ["note": "pending"]])

        let lost = try #require(try await changes.next())
        #expect(lost.isSnapshot && lost.changes.isEmpty)
        let state = try await replica.store.state()
        #expect(state.isDamaged && state.selection == .levels([.ordinal(0)]))
        try await replica.sync()
        let update = try #require(try await changes.next())
        #expect(update.changes.map(\.id) == server.features.keys.sorted())
        #expect(try await Self.bodies(of: replica) == Self.bodies(of: server))
        #expect(try await replica.store.damagedLevels().isEmpty)
        #expect(replica.status.connection == .current && !replica.status.isDamaged)
    }

    @Test func `another file that begins with zeros is reported and not changed`() async throws {
        let folder = try Folder()
        let bytes = Data(count: 32_768) + Data("\u{1}CD001\u{1} a disk image".utf8)
        try bytes.write(to: folder.file)
        let mall = try #require(VenueKey("mall"))
        let error = await #expect(throws: ReplicaFileError.self) { try await ReplicaStore.open(folder.file, for: mall) }
        #expect(error == .notAReplica(folder.file.path))
        #expect(try Data(contentsOf: folder.file) == bytes)
        for text in ["\(ReplicaFileError.notAReplica("/a/b"))", ReplicaFileError.notAReplica("/a/b").message(in: "en")]
        {
            #expect(text.contains("/a/b") && text.contains("was not changed") && text.contains("delete the file"))
        }
    }
}
