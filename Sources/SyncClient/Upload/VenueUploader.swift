public import Foundation
import IMDF
public import SyncModel

/// Uploads IMDF archives.
public struct VenueUploader: Sendable {
    private let exchange: Exchange

    /// - Parameter server: Its key needs the role `publish`.
    public init(
        server: ServerAddress, transport: any SyncTransport = URLSessionTransport(), policy: RetryPolicy = RetryPolicy()
    ) {
        self.exchange = Exchange(server: server, transport: transport, policy: policy)
    }

    /// The options of an upload.
    public struct Options: Sendable {
        /// Creates the venue if it does not exist.
        public var createsVenue = false
        public var publishing = Publishing.now
        /// The message of the revision.
        public var message: String?
        /// What people know the archive by; nil: the name of the file that is sent.
        public var fileName: String?
        /// The revision that the caller assumes to be the newest. If there is a newer one and the archive would now make other
        /// changes, the upload is staged.
        public var base: Int64?
        /// Rejects the archive if the rule book reports an error.
        public var isStrict = false
        /// `repair` or `trust`; nil: the setting of the venue.
        public var identity: String?
        /// Rejects the archive if ids in it cannot be used, instead of repairing them.
        public var requiresValidIDs = false

        public init() {}

        fileprivate func query(for file: URL) -> String {
            let name = self.fileName ?? file.lastPathComponent
            var query = ["create=\(self.createsVenue)", "file_name=\(HTTPAddress.escaped(name))"]
            if let message { query.append("message=\(HTTPAddress.escaped(message))") }
            if self.isStrict { query.append("strict=true") }
            if let identity { query.append("identity=\(HTTPAddress.escaped(identity))") }
            if self.requiresValidIDs { query.append("ids=strict") }
            if self.publishing != .now {
                query.append("publish=\(HTTPAddress.escaped(self.publishing.description))")
            }
            if let base { query.append("base=\(base)") }
            return query.joined(separator: "&")
        }
    }

    /// The progress of an upload.
    public enum Progress: Sendable {
        /// Bytes sent, of all bytes of the archive.
        case sent(Int64, of: Int64)
        /// The server processes the upload.
        case working(Upload)
    }

    /// Sends an archive and waits until the upload is final or staged.
    ///
    /// If the same archive is sent again with the same options before the first upload is final, the server treats both as one upload.
    ///
    /// - Returns: The upload: published, unchanged, staged, rejected, failed or discarded.
    /// - Throws: ``SyncError``, or `CocoaError` if the file cannot be read.
    public func push(
        _ file: URL, to venue: VenueKey, options: Options = Options(),
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Upload {
        let receipt = try await self.send(file, to: venue, options: options, progress: progress)
        return try await self.outcome(of: receipt.id, progress: progress)
    }

    /// Sends an archive while reading it. Returns when the server has stored it.
    public func send(
        _ file: URL, to venue: VenueKey, options: Options = Options(),
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Upload {
        let length = try Self.length(of: file)
        return try await self.upload(
            "/venues/\(venue)/uploads?\(options.query(for: file))", method: "POST", type: "application/zip",
            body: .file(file) { progress(.sent($0, of: length)) })
    }

    private static func length(of file: URL) throws -> Int64 {
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        return Int64(try handle.seekToEnd())
    }

    /// Waits until an upload is final or staged. Failed requests are retried.
    public func outcome(
        of upload: String, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Upload {
        let path = "/uploads/\(HTTPAddress.escaped(upload))?wait=1"
        while true {
            let upload = try await self.exchange.retrying(self.exchange.policy.attempts) {
                try await self.upload(path)
            }
            if upload.state.isFinal || upload.state == .staged { return upload }
            progress(.working(upload))
        }
    }

    private func upload(
        _ path: String, method: String = "GET", type: String? = nil, body: TransportRequest.Body? = nil
    ) async throws -> Upload {
        let response = try await self.exchange.response(path, method: method, type: type, body: body)
        let bytes = try await Exchange.collect(response.body, upTo: Exchange.maximumPageSize)
        guard let upload = try? WireJSON.value(Upload.self, from: Data(bytes)) else {
            throw SyncError.malformed("not an upload")
        }
        return upload
    }
}
