/// Archives as objects of an S3-compatible service.
package struct S3ArchiveStore: ArchiveStore {
    private let client: S3Client
    private let partSize: Int

    private static let chunkSize = 1 << 20
    /// The service takes this many parts of an object.
    private static let maxParts: Int64 = 10_000

    /// - Parameters:
    ///   - largestArchive: In bytes.
    ///   - partSize: Larger objects are sent and read in parts of this size, each of which is held in memory; at least 5 MiB, and more if the
    ///     largest archive would have too many parts.
    package init(bucket: S3Bucket, largestArchive: Int64, partSize: Int = 8 << 20) {
        self.client = S3Client(bucket: bucket)
        self.partSize = max(partSize, Int((largestArchive + Self.maxParts - 1) / Self.maxParts))
    }

    package func write(_ name: ArchiveName) async throws -> any ObjectWriter {
        S3Writer(client: self.client, object: name.path, partSize: self.partSize)
    }

    package func read(_ name: ArchiveName, _ chunk: ([UInt8]) throws -> Void) async throws {
        var offset: Int64 = 0
        var size = Int64.max
        while offset < size {
            let response = try await self.client.response(
                to: .init(method: "GET", object: name.path, range: offset..<offset + Int64(self.partSize)))
            // No byte of an empty object can be requested.
            if offset == 0, response.status == 416 { return }
            // A service that knows no ranges sends the whole object.
            let isWhole = offset == 0 && response.status == 200
            guard
                let total = isWhole ? Int64(response.body.count) : response.size(ifRangeBeginsAt: offset),
                isWhole || !response.body.isEmpty
            else {
                // A bucket that does not exist is a mistake in the configuration.
                throw response.status == 404 && response.code == "NoSuchKey"
                    ? ArchiveStoreError.missing(name) : response.unavailable
            }
            for start in stride(from: 0, to: response.body.count, by: Self.chunkSize) {
                try chunk(Array(response.body[start..<min(start + Self.chunkSize, response.body.count)]))
            }
            offset += Int64(response.body.count)
            size = total
        }
    }

    package func delete(_ name: ArchiveName, isComplete: Bool) async throws {
        // Parts that were sent of an incomplete object are stored, and paid for, until the upload is aborted.
        for upload in isComplete ? [] : try await self.unfinishedUploads(of: name) {
            try await self.delete(.init(method: "DELETE", object: name.path, query: [("uploadId", upload)]))
        }
        try await self.delete(.init(method: "DELETE", object: name.path))
    }

    private func delete(_ request: S3Client.Request) async throws {
        let response = try await self.client.response(to: request)
        // In a bucket that does not exist, nothing was deleted.
        let isMissing = response.status == 404 && ["NoSuchKey", "NoSuchUpload"].contains(response.code)
        guard isMissing || [200, 204].contains(response.status) else { throw response.unavailable }
    }

    /// The multipart uploads of an object that were neither completed nor aborted.
    package func unfinishedUploads(of name: ArchiveName) async throws -> [String] {
        let list = try await self.client.document(
            of: .init(method: "GET", query: [("uploads", ""), ("prefix", self.client.bucket.prefix + name.path)]))
        return S3Document.values(of: "UploadId", in: list)
    }
}

/// Writes an object in one request, or in parts if it is larger than one part.
private struct S3Writer: ObjectWriter {
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
                to: .init(method: "PUT", object: self.object, body: self.pending))
            guard response.status == 200 else { throw response.unavailable }
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
                method: "PUT", object: self.object,
                query: [("partNumber", "\(self.parts.count + 1)"), ("uploadId", upload)], body: part))
        guard response.status == 200, let tag = response.headers["etag"] else { throw response.unavailable }
        self.parts.append(tag)
    }

    private mutating func begin() async throws -> String {
        if let upload = self.upload { return upload }
        let created = try await self.client.document(
            of: .init(method: "POST", object: self.object, query: [("uploads", "")]))
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
            to: .init(method: "POST", object: self.object, query: [("uploadId", upload)], body: Array(body.utf8)))
        // An attempt whose response was lost may have completed it.
        if response.status == 404, try await self.isStored() { return }
        guard response.status == 200 else { throw response.unavailable }
        // The service sends the status before it has put the parts together, so an error may follow.
        guard response.document.contains("<CompleteMultipartUploadResult") else {
            throw ArchiveStoreError.unavailable("it responds with \(response.code ?? "an unknown document")")
        }
    }

    private func isStored() async throws -> Bool {
        let response = try await self.client.response(to: .init(method: "HEAD", object: self.object))
        return response.status == 200 && response.headers["content-length"] == "\(self.bytes)"
    }
}
