import AsyncHTTPClient
import NIOCore
import NIOHTTP1

/// Archives as objects of an S3-compatible service.
package struct S3ArchiveStore: ArchiveStore {
    private let client: S3Client
    private let partSize: Int

    /// The service takes this many parts of an object.
    private static let maxParts: Int64 = 10_000

    /// - Parameters:
    ///   - largestArchive: In bytes.
    ///   - partSize: Larger objects are sent in parts of this size, each of which is held in memory; at least 5 MiB, and more if the
    ///     largest archive would have too many parts.
    package init(bucket: S3Bucket, largestArchive: Int64, partSize: Int = 8 << 20) {
        self.client = S3Client(bucket: bucket)
        self.partSize = max(partSize, Int((largestArchive + Self.maxParts - 1) / Self.maxParts))
    }

    package func write(_ name: ArchiveName) async throws -> any ArchiveWriter {
        S3Writer(client: self.client, object: name.path, partSize: self.partSize)
    }

    package func read(_ name: ArchiveName, _ chunk: ([UInt8]) throws -> Void) async throws {
        let response = try await self.client.response(to: .init(method: .GET, object: name.path))
        guard response.status == .ok else {
            let error = try await S3Client.unavailable(response)
            // A bucket that does not exist is a mistake in the configuration.
            throw response.status == .notFound && "\(error)".hasSuffix("NoSuchKey")
                ? ArchiveStoreError.missing(name) : error
        }
        var iterator = response.body.makeAsyncIterator()
        while true {
            let buffer: ByteBuffer?
            do {
                buffer = try await iterator.next()
            } catch {
                try Task.checkCancellation()
                throw ArchiveStoreError.unavailable("the connection was lost: \(error)")
            }
            guard let buffer else { return }
            try chunk(Array(buffer.readableBytesView))
        }
    }

    package func delete(_ name: ArchiveName, isComplete: Bool) async throws {
        // Parts that were sent of an incomplete object are stored, and paid for, until the upload is aborted.
        for upload in isComplete ? [] : try await self.unfinishedUploads(of: name) {
            try await self.delete(.init(method: .DELETE, object: name.path, query: [("uploadId", upload)]))
        }
        try await self.delete(.init(method: .DELETE, object: name.path))
    }

    private func delete(_ request: S3Client.Request) async throws {
        let response = try await self.client.response(to: request)
        guard response.status != .notFound else {
            // In a bucket that does not exist, nothing was deleted.
            let code = S3Document.values(of: "Code", in: try await S3Client.document(response)).first
            guard ["NoSuchKey", "NoSuchUpload"].contains(code) else {
                throw ArchiveStoreError.unavailable("it responds with 404\(code.map { " \($0)" } ?? "")")
            }
            return
        }
        guard [.ok, .noContent].contains(response.status) else { throw try await S3Client.unavailable(response) }
        _ = try await S3Client.document(response)
    }

    /// The multipart uploads of an object that were neither completed nor aborted.
    package func unfinishedUploads(of name: ArchiveName) async throws -> [String] {
        let list = try await self.client.document(
            of: .init(method: .GET, query: [("uploads", ""), ("prefix", self.client.bucket.prefix + name.path)]))
        return S3Document.values(of: "UploadId", in: list)
    }
}

/// Writes an object in one request, or in parts if it is larger than one part.
private struct S3Writer: ArchiveWriter {
    private let client: S3Client
    private let object: String
    private let partSize: Int
    /// What was not sent yet.
    private var pending: [UInt8] = []
    private var bytes = 0
    private var upload: String?
    /// The entity tags of the parts that were sent.
    private var parts: [String] = []

    init(client: S3Client, object: String, partSize: Int) {
        self.client = client
        self.object = object
        self.partSize = partSize
    }

    mutating func append(_ bytes: [UInt8]) async throws {
        self.pending += bytes
        self.bytes += bytes.count
        // The last part is sent by `finish`: an object of one part needs no multipart upload.
        while self.pending.count > self.partSize {
            let part = Array(self.pending.prefix(self.partSize))
            self.pending.removeFirst(self.partSize)
            try await self.send(part)
        }
    }

    mutating func finish() async throws {
        guard self.upload != nil else {
            let response = try await self.client.response(
                to: .init(method: .PUT, object: self.object, body: self.pending))
            guard response.status == .ok else { throw try await S3Client.unavailable(response) }
            _ = try await S3Client.document(response)
            return self.pending = []
        }
        try await self.send(self.pending)
        self.pending = []
        try await self.complete()
    }

    private mutating func send(_ part: [UInt8]) async throws {
        let upload = try await self.begin()
        let response = try await self.client.response(
            to: .init(
                method: .PUT, object: self.object,
                query: [("partNumber", "\(self.parts.count + 1)"), ("uploadId", upload)], body: part))
        guard response.status == .ok, let tag = response.headers.first(name: "etag") else {
            throw try await S3Client.unavailable(response)
        }
        _ = try await S3Client.document(response)
        self.parts.append(tag)
    }

    private mutating func begin() async throws -> String {
        if let upload = self.upload { return upload }
        let created = try await self.client.document(
            of: .init(method: .POST, object: self.object, query: [("uploads", "")]))
        guard let upload = S3Document.values(of: "UploadId", in: created).first else {
            throw ArchiveStoreError.unavailable("it does not begin a multipart upload")
        }
        self.upload = upload
        return upload
    }

    private func complete() async throws {
        guard let upload = self.upload else { return }
        let parts = self.parts.enumerated().map { index, tag in
            "<Part><PartNumber>\(index + 1)</PartNumber><ETag>\(tag)</ETag></Part>"
        }
        let body = "<CompleteMultipartUpload>\(parts.joined())</CompleteMultipartUpload>"
        let response = try await self.client.response(
            to: .init(method: .POST, object: self.object, query: [("uploadId", upload)], body: Array(body.utf8)))
        // An attempt whose response was lost may have completed it.
        if response.status == .notFound, try await self.isStored() { return }
        guard response.status == .ok else { throw try await S3Client.unavailable(response) }
        // The service sends the status before it has put the parts together, so an error may follow.
        let document = try await S3Client.document(response)
        guard document.contains("<CompleteMultipartUploadResult") else {
            throw ArchiveStoreError.unavailable(
                "it responds with \(S3Document.values(of: "Code", in: document).first ?? "an unknown document")")
        }
    }

    private func isStored() async throws -> Bool {
        let response = try await self.client.response(to: .init(method: .HEAD, object: self.object))
        return response.status == .ok && response.headers.first(name: "content-length") == "\(self.bytes)"
    }
}
