import Foundation
import HTTPTransport
import SystemCrypto

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends signed requests to a bucket, and repeats those that failed for a moment.
struct S3Client: Sendable {
    let bucket: S3Bucket

    /// Shared by the process, so that connections are reused. It follows no redirect: a signature is for one host.
    private static let transport: URLSessionTransport = {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForResource = 600
        return URLSessionTransport(configuration: configuration)
    }()

    /// Attempts of each request. Between them are pauses of 200 and 400 ms.
    private static let attempts = 3
    /// Bodies other than objects are short.
    private static let maxDocumentBytes = 1 << 20

    struct Request: Sendable {
        var method: String
        /// The name of the object; nil for the bucket itself.
        var object: String?
        var query: [(name: String, value: String)] = []
        /// The bytes of the object that are requested; nil for the whole response.
        var range: Range<Int64>?
        var body: [UInt8] = []
    }

    /// A whole response.
    struct Response: Sendable {
        let status: Int
        /// Values by name in lower case.
        let headers: [String: String]
        let body: [UInt8]

        /// The body as text.
        var document: String { String(decoding: self.body, as: UTF8.self) }
        /// The error code of the service.
        var code: String? { S3Document.values(of: "Code", in: self.document).first }

        /// The size of the object of which this is a range that begins at an offset; nil for any other response.
        func size(ifRangeBeginsAt offset: Int64) -> Int64? {
            guard self.status == 206, let range = self.headers["content-range"], range.hasPrefix("bytes \(offset)-")
            else { return nil }
            return range.split(separator: "/").last.flatMap { Int64($0) }
        }

        var failure: String { "it responds with \(self.status)\(self.code.map { " \($0)" } ?? "")" }
        var unavailable: ArchiveStoreError { .unavailable(self.failure) }
    }

    /// The response to a request, whatever its status is below 500.
    ///
    /// - Throws: `ArchiveStoreError.unavailable`.
    func response(to request: Request) async throws -> Response {
        for attempt in 1... {
            let failure: String
            do {
                let response = try await self.send(request)
                guard response.status >= 500 || response.status == 429 else { return response }
                failure = response.failure
            } catch let error as ArchiveStoreError {
                throw error
            } catch {
                try Task.checkCancellation()
                failure = "\(self.bucket.host): \(error.localizedDescription)"
            }
            guard attempt < Self.attempts else { throw ArchiveStoreError.unavailable(failure) }
            try await Task.sleep(for: .milliseconds(100 << attempt))
        }
        throw CancellationError()  // not reached: the last attempt returns or throws
    }

    /// The body of a response with the status 200, as text.
    func document(of request: Request) async throws -> String {
        let response = try await self.response(to: request)
        guard response.status == 200 else { throw response.unavailable }
        return response.document
    }

    private func send(_ request: Request) async throws -> Response {
        let bucket = self.bucket
        let path =
            bucket.path
            + (request.object.map { S3Signature.encoded(bucket.prefix + $0, keeping: "/") } ?? "")
        var fields = S3Signature(region: bucket.region, credentials: bucket.credentials, date: Date()).headers(
            request.method, host: bucket.host, path: path, query: request.query,
            payload: SHA256.hash(of: request.body))
        fields["host"] = nil  // that of the address
        if let range = request.range { fields["range"] = "bytes=\(range.lowerBound)-\(range.upperBound - 1)" }
        let query = S3Signature.encoded(request.query)
        let hasBody = ["PUT", "POST"].contains(request.method)
        let response = try await Self.transport.send(
            TransportRequest(
                method: request.method,
                url: "\(bucket.scheme)://\(bucket.host)\(path)\(query.isEmpty ? "" : "?\(query)")",
                headers: fields, body: hasBody ? .bytes(request.body) : nil))
        let limit = max(request.range?.count ?? 0, Self.maxDocumentBytes)
        var body: [UInt8] = []
        var blocks = response.body.makeAsyncIterator()
        while let block = try await blocks.next(isolation: nil) {
            guard body.count + block.count <= limit else {
                throw ArchiveStoreError.unavailable("its response has more than \(limit) bytes")
            }
            body += block
        }
        return Response(status: response.status, headers: response.headers, body: body)
    }
}

/// Reads what is needed from the short XML documents of S3.
enum S3Document {
    /// The texts of all elements with a name, in order.
    static func values(of element: String, in document: String) -> [String] {
        var values: [String] = []
        var rest = document[...]
        while let start = rest.range(of: "<\(element)>"),
            let end = rest.range(of: "</\(element)>", range: start.upperBound..<rest.endIndex)
        {
            values.append(Self.unescaped(rest[start.upperBound..<end.lowerBound]))
            rest = rest[end.upperBound...]
        }
        return values
    }

    private static func unescaped(_ text: Substring) -> String {
        [
            ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&#34;", "\""), ("&#39;", "'"),
            ("&amp;", "&"),
        ]
        .reduce(String(text)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
