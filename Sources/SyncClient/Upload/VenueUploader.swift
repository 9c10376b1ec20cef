public import Foundation
public import SyncModel

/// Uploads archives, for whoever edits a venue.
public struct VenueUploader: Sendable {
    private let exchange: Exchange

    /// - Parameter server: With a key that has the role `publish`.
    public init(
        server: ServerAddress, transport: any SyncTransport = HTTPTransport(), policy: RetryPolicy = RetryPolicy()
    ) {
        self.exchange = Exchange(server: server, transport: transport, policy: policy)
    }

    /// What is asked of the server along with an archive.
    public struct Wishes: Sendable {
        /// When to publish.
        public enum Publishing: Sendable, Hashable {
            case now
            /// Stage it, and wait to be told.
            case hold
            case at(Date)
        }

        /// Makes the venue if there is none.
        public var createsVenue = false
        public var publishing = Publishing.now
        /// What the log will say.
        public var message: String?
        /// The revision that the caller believes to be the newest. If it is not, and the archive would not change exactly the
        /// same now, the upload is held back.
        public var base: Int64?
        /// Reject the archive if a rule of the whole rule book makes an error of it.
        public var isStrict = false
        /// `repair` or `trust`; nil: as the venue is set.
        public var identity: String?

        public init() {}

        fileprivate var query: String {
            var query = ["create=\(self.createsVenue)"]
            if let message { query.append("message=\(ServerAddress.escaped(message))") }
            if self.isStrict { query.append("strict=true") }
            if let identity { query.append("identity=\(ServerAddress.escaped(identity))") }
            switch self.publishing {
            case .now: break
            case .hold: query.append("publish=hold")
            case .at(let date): query.append("publish=\(ServerAddress.escaped(Timestamp.text(of: date)))")
            }
            if let base { query.append("base=\(base)") }
            return query.joined(separator: "&")
        }
    }

    /// How far an upload is.
    public enum Progress: Sendable {
        /// So many bytes of all were handed to the network.
        case sent(Int64, of: Int64)
        /// The server is at work.
        case working(Upload)
    }

    /// Sends an archive as it is read, and waits until nothing more happens to it, or until it is staged.
    ///
    /// Sent twice while the first is unfinished, the same bytes with the same wishes are one upload.
    ///
    /// - Returns: The upload, whatever came of it: published, unchanged, staged, rejected, failed or discarded.
    /// - Throws: ``SyncError``; `CocoaError` for a file that cannot be read.
    public func push(
        _ file: URL, to venue: VenueKey, wishes: Wishes = Wishes(),
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Upload {
        let receipt = try await self.send(file, to: venue, wishes: wishes, progress: progress)
        return try await self.outcome(of: receipt.id, progress: progress)
    }

    /// Sends an archive as it is read; the server has it when this returns.
    public func send(
        _ file: URL, to venue: VenueKey, wishes: Wishes = Wishes(),
        progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Upload {
        let pieces = try FilePieces(file: file) { progress(.sent($0, of: $1)) }
        return try await self.upload(
            "/venues/\(venue)/uploads?\(wishes.query)", method: "POST", type: "application/zip",
            body: .stream(pieces, length: pieces.length))
    }

    /// Waits until nothing more happens to an upload, or until it is staged. Other than sending, asking is tried again when it fails.
    public func outcome(
        of upload: String, progress: @escaping @Sendable (Progress) -> Void = { _ in }
    ) async throws -> Upload {
        let path = "/uploads/\(ServerAddress.escaped(upload))?wait=1"
        while true {
            let upload = try await self.exchange.attempting(self.exchange.policy.attempts) {
                try await self.upload(path)
            }
            if upload.state.isFinal || upload.state == .staged { return upload }
            progress(.working(upload))
        }
    }

    private func upload(
        _ path: String, method: String = "GET", type: String? = nil, body: TransportRequest.Body? = nil
    ) async throws -> Upload {
        let answer = try await self.exchange.answer(path, method: method, type: type, body: body)
        let bytes = try await Exchange.collect(answer.body, most: Exchange.largestPage)
        guard let upload = try? WireJSON.value(Upload.self, from: Data(bytes)) else {
            throw SyncError.malformed("it says nothing of an upload")
        }
        return upload
    }
}

/// A file's bytes, as they are asked for.
private struct FilePieces: AsyncSequence, Sendable {
    let file: URL
    let length: Int64
    let tell: @Sendable (Int64, Int64) -> Void

    private static let piece = 1 << 18

    init(file: URL, tell: @escaping @Sendable (Int64, Int64) -> Void) throws {
        self.file = file
        self.tell = tell
        let handle = try FileHandle(forReadingFrom: file)
        defer { try? handle.close() }
        self.length = Int64(try handle.seekToEnd())
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let pieces: FilePieces
        var handle: FileHandle?
        var sent: Int64 = 0

        mutating func next() async throws -> [UInt8]? {
            let handle = try self.handle ?? FileHandle(forReadingFrom: self.pieces.file)
            self.handle = handle
            guard let data = try handle.read(upToCount: FilePieces.piece), !data.isEmpty else { return nil }
            self.sent += Int64(data.count)
            self.pieces.tell(self.sent, self.pieces.length)
            return Array(data)
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(pieces: self) }
}
