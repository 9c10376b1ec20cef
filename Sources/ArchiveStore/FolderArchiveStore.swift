import Dispatch
import Foundation

/// Archives as files of a folder, which all servers and workers share.
package struct FolderArchiveStore: ArchiveStore {
    private let folder: String

    /// - Parameter folder: An absolute path. It has to exist: otherwise a file system that is not mounted would not be noticed.
    package init(folder: String) {
        self.folder = folder
    }

    private static let chunkSize = 1 << 20

    package func write(_ name: ArchiveName) async throws -> any ObjectWriter {
        let path = self.path(of: name)
        let file = try await Self.offSharedThreads {
            try self.makeFolder(for: path)
            return try File(path, O_WRONLY | O_CREAT | O_EXCL)
        }
        return Writer(file: file, folder: Self.parent(of: path))
    }

    package func read(_ name: ArchiveName, _ chunk: ([UInt8]) throws -> Void) async throws {
        let path = self.path(of: name)
        let file = try await Self.offSharedThreads {
            do {
                return try File(path, O_RDONLY)
            } catch let error as File.Failure where error.code == ENOENT && self.exists {
                throw ArchiveStoreError.missing(name)
            }
        }
        while true {
            let bytes = try await Self.offSharedThreads { try file.read(Self.chunkSize) }
            guard !bytes.isEmpty else { return }
            try chunk(bytes)
        }
    }

    package func delete(_ name: ArchiveName, isComplete: Bool) async throws {
        let path = self.path(of: name)
        try await Self.offSharedThreads {
            guard unlink(path) != 0 else { return }
            let failure = File.Failure(path, errno)
            // In a folder that is not mounted, nothing was deleted.
            guard failure.code == ENOENT, self.exists else { throw failure }
        }
    }

    private struct Writer: ObjectWriter {
        let file: File
        let folder: String

        mutating func append(_ bytes: [UInt8]) async throws {
            try await FolderArchiveStore.offSharedThreads { [file] in try file.append(bytes) }
        }

        mutating func finish() async throws {
            try await FolderArchiveStore.offSharedThreads { [file, folder] in
                try file.synchronize()
                // The entry of the file, too.
                try File(folder, O_RDONLY | O_DIRECTORY).synchronize()
            }
        }
    }

    private func path(of name: ArchiveName) -> String { "\(self.folder)/\(name.path)" }

    private static func parent(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])
    }

    private var exists: Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: self.folder, isDirectory: &isFolder) && isFolder.boolValue
    }

    private func makeFolder(for path: String) throws {
        let parent = Self.parent(of: path)
        guard mkdir(parent, 0o700) != 0, errno != EEXIST else {
            return try File(self.folder, O_RDONLY | O_DIRECTORY).synchronize()
        }
        throw File.Failure(parent, errno)
    }

    /// Runs file operations, which may block for as long as a network file system does, outside of the threads of tasks.
    private static func offSharedThreads<Value: Sendable>(
        _ work: @escaping @Sendable () throws -> Value
    ) async throws -> Value {
        do {
            return try await withCheckedThrowingContinuation { continuation in
                DispatchQueue.global().async { continuation.resume(with: Result(catching: work)) }
            }
        } catch let failure as File.Failure {
            throw ArchiveStoreError.unavailable("\(failure)")
        }
    }
}

/// An open file. It is used by one task at a time.
private final class File: Sendable {
    struct Failure: Error, CustomStringConvertible {
        let path: String
        let code: Int32

        init(_ path: String, _ code: Int32) {
            self.path = path
            self.code = code
        }

        var description: String { "“\(self.path)”: \(String(cString: strerror(self.code)))" }
    }

    private let path: String
    private let descriptor: Int32

    init(_ path: String, _ flags: Int32) throws {
        self.path = path
        self.descriptor = open(path, flags | O_CLOEXEC, 0o600)
        guard self.descriptor >= 0 else { throw Failure(path, errno) }
    }

    deinit {
        if self.descriptor >= 0 { close(self.descriptor) }
    }

    func append(_ bytes: [UInt8]) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(self.descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno != EINTR { throw Failure(self.path, errno) }
            rest = rest.dropFirst(max(0, count))
        }
    }

    /// At most `limit` bytes; none at the end of the file.
    func read(_ limit: Int) throws -> [UInt8] {
        while true {
            var failure: Int32 = 0
            let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
                let read = Foundation.read(self.descriptor, buffer.baseAddress, limit)
                failure = read < 0 ? errno : 0
                count = max(0, read)
            }
            if failure == 0 { return bytes }
            if failure != EINTR { throw Failure(self.path, failure) }
        }
    }

    func synchronize() throws {
        guard fsync(self.descriptor) == 0 else { throw Failure(self.path, errno) }
    }
}
