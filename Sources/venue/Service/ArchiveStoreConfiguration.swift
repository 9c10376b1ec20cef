import ArchiveStore
import Configuration
import Foundation

/// Where archives are stored, by the settings that begin with `VENUE_ARCHIVES`.
enum ArchiveStoreConfiguration: Sendable {
    /// An absolute path.
    case folder(String)
    case bucket(S3Bucket)

    /// The settings that are secret.
    static let secrets: Set<String> = ["VENUE_ARCHIVES_SECRET_KEY", "VENUE_ARCHIVES_SESSION_TOKEN"]

    /// Nil if archives are stored in the database.
    ///
    /// - Throws: ``Failure`` for an invalid value.
    init?(_ reader: ConfigReader) throws {
        guard let text = reader.string(forKey: "archives"), !text.isEmpty else { return nil }
        if text.hasPrefix("file:///") {
            guard let path = URL(string: text)?.path(percentEncoded: false), path.hasPrefix("/") else {
                throw Self.invalid(text)
            }
            self = .folder(path)
            return
        }
        guard text.hasPrefix("s3://") else { throw Self.invalid(text) }
        guard let accessKey = reader.string(forKey: "archives.access.key"), !accessKey.isEmpty,
            let secretKey = reader.string(forKey: "archives.secret.key", isSecret: true), !secretKey.isEmpty
        else {
            throw Failure(.usage, "VENUE_ARCHIVES needs VENUE_ARCHIVES_ACCESS_KEY and VENUE_ARCHIVES_SECRET_KEY")
        }
        let parts = text.dropFirst("s3://".count).split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let endpoint = reader.string(forKey: "archives.endpoint").flatMap { $0.isEmpty ? nil : $0 }
        let region = reader.string(forKey: "archives.region").flatMap { $0.isEmpty ? nil : $0 } ?? "us-east-1"
        let token = reader.string(forKey: "archives.session.token", isSecret: true).flatMap { $0.isEmpty ? nil : $0 }
        let bucket = S3Bucket(
            bucket: String(parts[0]), prefix: parts.count > 1 ? String(parts[1]) : "", endpoint: endpoint,
            region: region,
            credentials: .init(accessKey: accessKey, secretKey: secretKey, sessionToken: token))
        guard let bucket else {
            throw Failure(
                .usage,
                "VENUE_ARCHIVES must name a bucket, as s3://bucket/prefix, VENUE_ARCHIVES_ENDPOINT an address such as "
                    + "https://s3.example.com, and VENUE_ARCHIVES_REGION a region")
        }
        self = .bucket(bucket)
    }

    private static func invalid(_ text: String) -> Failure {
        Failure(.usage, "VENUE_ARCHIVES must be file:///folder or s3://bucket/prefix, not “\(text)”")
    }

    /// - Throws: ``Failure`` for a folder that does not exist or that cannot be written. A bucket is not used before it is needed.
    func store(largestArchive: Int64) throws -> any ArchiveStore {
        switch self {
        case .folder(let path):
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue,
                FileManager.default.isWritableFile(atPath: path)
            else { throw Failure(.usage, "VENUE_ARCHIVES: “\(path)” is not a folder that can be written") }
            return FolderArchiveStore(folder: path)
        case .bucket(let bucket): return S3ArchiveStore(bucket: bucket, largestArchive: largestArchive)
        }
    }
}
