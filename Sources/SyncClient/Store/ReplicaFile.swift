import Foundation
import GRDB

/// The SQLite file of a replica or of a catalogue, before it is open.
struct ReplicaFile {
    let url: URL
    let applicationID: Int32
    let migrator: DatabaseMigrator
    /// A part of the schema that no other program has.
    let mark: String

    /// The content is not what this module has written.
    struct Damaged: Error {
        let reason: String
    }

    var path: String { self.url.path }

    var exists: Bool { FileManager.default.fileExists(atPath: self.path) }

    /// Checks that the file is a replica of a known version without changing it, because it may be another program's.
    ///
    /// - Parameter mayBeEmpty: Whether a file without tables is accepted.
    func probe(mayBeEmpty: Bool) throws {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(10)
        let queue = try DatabaseQueue(path: self.path, configuration: configuration)
        defer { try? queue.close() }
        try queue.read { db in try self.probe(db, mayBeEmpty: mayBeEmpty) }
    }

    func probe(_ db: Database, mayBeEmpty: Bool) throws {
        if mayBeEmpty, try Self.isEmpty(db) { return }
        guard try Int32.fetchOne(db, sql: "PRAGMA application_id") == self.applicationID else {
            throw ReplicaFileError.notAReplica(self.path)
        }
        guard try self.migrator.hasBeenSuperseded(db) else { return }
        // Migrations are numbered without gaps.
        let applied = try self.migrator.appliedIdentifiers(db)
        guard applied == Set((1...applied.count).map(String.init)) else { throw Damaged(reason: "unknown migrations") }
        throw ReplicaFileError.newerSchema(self.path)
    }

    /// Whether the file has no content: no tables, or only the one in which GRDB lists migrations, without any. GRDB creates that table in a
    /// transaction of its own, and the first creation of a file may end after it: the app is killed, or the disk is full.
    private static func isEmpty(_ db: Database) throws -> Bool {
        let tables = try String.fetchSet(db, sql: "SELECT DISTINCT tbl_name FROM sqlite_master")
        guard tables == ["grdb_migrations"] else { return tables.isEmpty }
        return try Int.fetchOne(db, sql: "SELECT count(*) FROM grdb_migrations") == 0
    }

    /// - Throws: ``Damaged`` if a definition is not that of a new file, or if SQLite finds a page, an index or a type that is wrong.
    static func checkIntegrity(_ db: Database, _ migrator: DatabaseMigrator) throws {
        let new = try DatabaseQueue()
        try migrator.migrate(new)
        let expected = try new.read { db in try Self.definitions(db) }
        guard try expected.isSubset(of: Self.definitions(db)) else { throw Damaged(reason: "its schema is damaged") }
        let result = try String.fetchOne(db, sql: "PRAGMA integrity_check(1)")
        guard result == "ok" else { throw Damaged(reason: "SQLite finds it damaged") }
    }

    private static func definitions(_ db: Database) throws -> Set<[DatabaseValue]> {
        Set(
            try Row.fetchAll(db, sql: "SELECT type, name, tbl_name, sql FROM sqlite_master").map {
                Array($0.databaseValues)
            })
    }

    /// Opens the file or creates it, and puts a new one in its place if nothing of it can be relied on.
    ///
    /// - Parameters:
    ///   - verify: Checks an open file, and removes what is damaged. It throws ``Damaged`` if a new file is needed.
    ///   - salvage: Reads what a new file begins with, and returns what fills it.
    func open(
        _ verify: (DatabasePool) throws -> Void, replacing salvage: () -> (Database) throws -> Void
    ) throws -> DatabasePool {
        let lock = OpeningLock(folderOf: self.url)
        defer { lock.release() }
        do {
            return try self.translatingErrors { try self.openOnce(verify) }
        } catch is Damaged {
            do {
                return try self.translatingErrors {
                    try self.replace(filling: salvage())
                    return try self.openOnce(verify)
                }
            } catch let damage as Damaged {
                throw ReplicaFileError.damaged(self.path, damage.reason)
            }
        }
    }

    private func openOnce(_ verify: (DatabasePool) throws -> Void) throws -> DatabasePool {
        try self.finishReplacement()
        let isNew = !self.exists
        if !isNew {
            try self.restoreHeader()
            try self.probe(mayBeEmpty: true)
        }
        let pool = try DatabasePool(path: self.path, configuration: ReplicaStore.configuration(isNew: isNew))
        do {
            try self.migrator.migrate(pool)
            try verify(pool)
            return pool
        } catch {
            try? pool.close()
            throw error
        }
    }

    /// Throws ``Damaged`` or a ``ReplicaFileError`` for errors of SQLite. Errors of the disk, of permissions and of locks say nothing
    /// about the content.
    func translatingErrors<Answer>(_ work: () throws -> Answer) throws -> Answer {
        do {
            return try work()
        } catch let error as DatabaseError {
            switch error.resultCode {
            case .SQLITE_NOTADB where !self.isOwn && !self.hasLostFirstPage:
                throw ReplicaFileError.notAReplica(self.path)
            case .SQLITE_FULL: throw ReplicaFileError.diskFull(self.path)
            // Of the file with the suffix -shm, whose size SQLite sets by writing.
            case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_SHMSIZE:
                throw ReplicaFileError.diskFull(self.path)
            case .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_IOERR, .SQLITE_CANTOPEN, .SQLITE_PERM,
                .SQLITE_READONLY,
                .SQLITE_NOMEM, .SQLITE_AUTH, .SQLITE_INTERRUPT, .SQLITE_ABORT:
                throw ReplicaFileError.unusable(self.path, error.message ?? "\(error.resultCode)")
            default: throw Damaged(reason: error.message ?? "\(error.resultCode)")
            }
        } catch ReplicaFileError.notAReplica where self.isOwn {
            throw Damaged(reason: "its header is damaged")
        } catch SyncError.file(let reason) {
            throw Damaged(reason: reason)
        } catch is RowDecodingError {
            throw Damaged(reason: "it has a value of another type")
        }
    }
}

// MARK: - The first page

extension ReplicaFile {
    private static let applicationIDOffset = 68
    /// That of a new file in bytes; see ``ReplicaStore/configuration(isNew:)``.
    private static let pageSize = 16_384

    private var bigEndianApplicationID: [UInt8] {
        withUnsafeBytes(of: self.applicationID.bigEndian) { Array($0) }
    }

    /// Whether this module wrote the file, as the first page shows it even if a part of it is damaged.
    private var isOwn: Bool {
        guard let page = self.read(Self.pageSize), page.count > 100 else { return false }
        let id = page[Self.applicationIDOffset..<Self.applicationIDOffset + 4]
        return id.elementsEqual(self.bigEndianApplicationID) || page.firstRange(of: Data(self.mark.utf8)) != nil
    }

    /// Whether the first page has only zeros, so that no program can read the rest, and every other page is empty too or begins like one of
    /// SQLite. A disk image or an incomplete download may begin with zeros, and is not that.
    private var hasLostFirstPage: Bool {
        guard let handle = try? FileHandle(forReadingFrom: self.url) else { return false }
        defer { try? handle.close() }
        guard let size = try? handle.seekToEnd(), size > 0, (try? handle.seek(toOffset: 0)) != nil else { return false }
        let last = size / UInt64(Self.pageSize) + 1
        var isFirst = true
        while let page = try? handle.read(upToCount: Self.pageSize), !page.isEmpty {
            let isEmpty = page.withUnsafeBytes { $0.allSatisfy { $0 == 0 } }
            guard isEmpty || !isFirst && Self.isPage(Array(page.prefix(5)), of: last) else { return false }
            isFirst = false
        }
        return !isFirst
    }

    /// Whether these are the first bytes of a page of SQLite (https://www.sqlite.org/fileformat.html §1.5 to §1.8): the type of a B-tree page; the
    /// number of the next page; or the type and the parent of a page in the pointer map.
    private static func isPage(_ bytes: [UInt8], of last: UInt64) -> Bool {
        guard bytes.count == 5 else { return false }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }
        return [2, 5, 10, 13].contains(bytes[0]) || number(bytes[..<4]) <= last
            || (1...5).contains(bytes[0]) && number(bytes[1...]) <= last
    }

    private func read(_ count: Int) -> Data? {
        guard let handle = try? FileHandle(forReadingFrom: self.url) else { return nil }
        defer { try? handle.close() }
        return try? handle.read(upToCount: count)
    }

    /// Writes those parts of the header that are the same in all files of this module (https://www.sqlite.org/fileformat.html §1.3), if
    /// they are damaged. Without them SQLite reads nothing.
    func restoreHeader() throws {
        guard self.isOwn, let header = self.read(100), header.count == 100 else { return }
        var bytes = Array(header)
        bytes.replaceSubrange(0..<16, with: Array("SQLite format 3\0".utf8))
        // Large pages, or those of a file that was there before, but empty.
        if !["4000", "1000"].contains(String(Int(bytes[16]) << 8 | Int(bytes[17]), radix: 16)) {
            bytes.replaceSubrange(16..<18, with: [0x40, 0])
        }
        // Only WAL has two versions; space at the end of pages is not reserved, and the fractions are fixed.
        if !(bytes[18] == bytes[19] && (1...2).contains(bytes[18])) { bytes.replaceSubrange(18..<20, with: [2, 2]) }
        bytes.replaceSubrange(20..<24, with: [0, 64, 32, 32])
        bytes.replaceSubrange(44..<48, with: [0, 0, 0, 4])
        bytes.replaceSubrange(56..<60, with: [0, 0, 0, 1])
        bytes.replaceSubrange(
            Self.applicationIDOffset..<Self.applicationIDOffset + 4, with: self.bigEndianApplicationID)
        guard bytes != Array(header) else { return }
        let handle = try FileHandle(forUpdating: self.url)
        defer { try? handle.close() }
        try handle.write(contentsOf: bytes)
    }
}

// MARK: - A new file in place of a damaged one

extension ReplicaFile {
    private var replacement: String { self.path + "-replacement" }

    /// Creates a new file and puts it in place of the damaged one. Whoever has the damaged file open keeps it.
    ///
    /// - Parameter fill: Fills the new file, which has the tables already.
    func replace(filling fill: (Database) throws -> Void) throws {
        let new = self.path + "-new"
        for suffix in ["", "-journal"] { try Self.remove(new + suffix) }
        let queue = try DatabaseQueue(path: new, configuration: ReplicaStore.configuration(isNew: true))
        try self.migrator.migrate(queue)
        try queue.write(fill)
        try queue.close()
        try Self.move(new, to: self.replacement)
        try self.finishReplacement()
    }

    /// Ends a replacement, also one that a crash has interrupted.
    func finishReplacement() throws {
        guard FileManager.default.fileExists(atPath: self.replacement) else { return }
        // SQLite would apply the log of the damaged file to the new one.
        for suffix in ["-wal", "-shm", "-journal"] { try Self.remove(self.path + suffix) }
        try Self.move(self.replacement, to: self.path)
    }

    private static func remove(_ path: String) throws {
        guard FileManager.default.fileExists(atPath: path) else { return }
        try FileManager.default.removeItem(atPath: path)
    }

    /// Replaces what is there, in one step.
    private static func move(_ path: String, to target: String) throws {
        guard rename(path, target) == 0 else {
            throw errno == ENOSPC
                ? ReplicaFileError.diskFull(target) : .unusable(target, String(cString: strerror(errno)))
        }
    }
}
