import ArchiveStore
import Foundation
import TestSupport
import Testing

struct FolderArchiveStoreTests {
    private let workplace: Workplace
    private let store: FolderArchiveStore

    init() throws {
        self.workplace = try Workplace()
        self.store = FolderArchiveStore(folder: self.workplace.folder.path)
    }

    @Test(arguments: [0, 1, 1 << 20, 3 << 20 + 5])
    func `archive folder: an object is read as it was written`(size: Int) async throws {
        try await self.store.expectRoundTrip(of: size)
    }

    @Test func `archive folder: a deleted object is missing, and deleting it again succeeds`() async throws {
        let name = try await self.store.stored([1, 2, 3])
        for _ in 0..<2 { try await self.store.delete(name, isComplete: true) }
        await #expect(throws: ArchiveStoreError.missing(name)) { _ = try await self.store.content(of: name) }
    }

    @Test func `archive folder: an object is never overwritten`() async throws {
        let name = try await self.store.stored([1])
        await #expect(throws: ArchiveStoreError.self) { _ = try await self.store.write(name) }
        #expect(try await self.store.content(of: name) == [1])
    }

    @Test func `archive folder: objects of a folder that is not mounted are neither missing nor deleted`() async throws
    {
        let name = try await self.store.stored([1])
        let folder = self.workplace.folder.path
        try FileManager.default.moveItem(atPath: folder, toPath: "\(folder)-elsewhere")
        defer { try? FileManager.default.moveItem(atPath: "\(folder)-elsewhere", toPath: folder) }
        for operation in [
            { _ = try await self.store.content(of: name) }, { try await self.store.delete(name, isComplete: true) },
            { _ = try await self.store.write(.random()) },
        ] as [() async throws -> Void] {
            do {
                try await operation()
                Issue.record("it succeeds")
            } catch let error as ArchiveStoreError {
                #expect(error.isRetryable, "\(error)")
            }
        }
    }

    @Test func `archive names are 32 hexadecimal digits, so that none is a path`() {
        let name = ArchiveName.random()
        #expect(ArchiveName(name.description) == name)
        #expect(ArchiveName("../../../../../../../etc/passwd0") == nil && ArchiveName("") == nil)
        #expect(ArchiveName(name.description.uppercased() + "0") == nil)
    }
}

extension ArchiveStore {
    func stored(_ bytes: [UInt8], chunk: Int = 1 << 20) async throws -> ArchiveName {
        let name = ArchiveName.random()
        var writer = try await self.write(name)
        for start in stride(from: 0, to: bytes.count, by: chunk) {
            try await writer.append(Array(bytes[start..<min(start + chunk, bytes.count)]))
        }
        try await writer.finish()
        return name
    }

    func content(of name: ArchiveName) async throws -> [UInt8] {
        var bytes: [UInt8] = []
        try await self.read(name) { chunk in
            #expect(chunk.count <= 1 << 20)
            bytes += chunk
        }
        return bytes
    }

    func expectRoundTrip(of size: Int) async throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
        let name = try await self.stored(bytes)
        #expect(try await self.content(of: name) == bytes)
        try await self.delete(name, isComplete: true)
    }
}
