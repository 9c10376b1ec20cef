import Foundation
import RevisionStore
import SystemPackage

/// The file of `VENUE_SIGNING_KEYS`, which only its owner may read.
struct SigningKeyFile {
    let path: String

    /// The keys of the file.
    ///
    /// - Throws: ``Failure`` if the file cannot be read, is damaged, or may be read by others.
    func load() throws -> SigningKeys {
        guard let content = FileManager.default.contents(atPath: self.path) else {
            throw Failure(.usage, "the file of signing keys “\(self.path)” cannot be read")
        }
        let attributes = try? FileManager.default.attributesOfItem(atPath: self.path)
        guard let mode = (attributes?[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 == 0 else {
            throw Failure(.usage, "other users may read the file of signing keys “\(self.path)”. Use chmod 600")
        }
        do {
            return try SigningKeys(content)
        } catch let error as SigningKeys.Invalid {
            throw Failure(.usage, "the file of signing keys “\(self.path)” is invalid: \(error)")
        }
    }

    var exists: Bool { FileManager.default.fileExists(atPath: self.path) }

    /// Replaces the file at once. A process that reads it finds the old keys or the new ones.
    func store(_ keys: SigningKeys) throws {
        let temporary = "\(self.path).\(UUID().uuidString)"
        do {
            let file = try FileDescriptor.open(
                FilePath(temporary), .writeOnly, options: [.create, .exclusiveCreate], permissions: .ownerReadWrite)
            try file.closeAfter {
                try file.writeAll(keys.content())
                guard fsync(file.rawValue) == 0 else { throw Errno(rawValue: errno) }
            }
            guard rename(temporary, self.path) == 0 else { throw Errno(rawValue: errno) }
        } catch let error as Errno {
            try? FileManager.default.removeItem(atPath: temporary)
            throw Failure(.failure, "the file of signing keys “\(self.path)” cannot be written: \(error)")
        }
    }
}
