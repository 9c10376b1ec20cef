import AsyncHTTPClient
import Crypto
import Foundation
import NIOCore
import NIOHTTP1

/// Sends signed requests to a bucket, and repeats those that failed for a moment.
struct S3Client: Sendable {
    let bucket: S3Bucket

    /// Shared by the process, so that connections are reused.
    private static let client: HTTPClient = {
        var configuration = HTTPClient.Configuration()
        configuration.redirectConfiguration = .disallow  // a signature is for one host
        configuration.timeout.connect = .seconds(5)
        configuration.timeout.read = .seconds(60)
        configuration.connectionPool.retryConnectionEstablishment = false
        return HTTPClient(eventLoopGroupProvider: .singleton, configuration: configuration)
    }()

    /// Attempts of each request. Between them are pauses of 200 and 400 ms.
    private static let attempts = 3
    /// For one request with its body, or for the head of a response.
    private static let timeout = TimeAmount.minutes(10)
    /// Bodies other than objects are short.
    private static let maxDocumentBytes = 1 << 20

    struct Request: Sendable {
        var method: HTTPMethod
        /// The name of the object; nil for the bucket itself.
        var object: String?
        var query: [(name: String, value: String)] = []
        var body: [UInt8] = []
    }

    /// The response to a request, whatever its status is below 500.
    ///
    /// - Throws: `ArchiveStoreError.unavailable`.
    func response(to request: Request) async throws -> HTTPClientResponse {
        for attempt in 1... {
            let failure: String
            do {
                let response = try await self.send(request)
                guard response.status.code >= 500 || response.status == .tooManyRequests else { return response }
                failure = try await Self.failure(response)
            } catch let error as ArchiveStoreError {
                throw error
            } catch {
                try Task.checkCancellation()
                failure = "\(self.bucket.host): \(error)"
            }
            guard attempt < Self.attempts else { throw ArchiveStoreError.unavailable(failure) }
            try await Task.sleep(for: .milliseconds(100 << attempt))
        }
        throw CancellationError()  // not reached: the last attempt returns or throws
    }

    /// The body of a response with the status 200, as text.
    func document(of request: Request) async throws -> String {
        let response = try await self.response(to: request)
        guard response.status == .ok else { throw try await Self.unavailable(response) }
        return try await Self.document(response)
    }

    static func unavailable(_ response: HTTPClientResponse) async throws -> ArchiveStoreError {
        .unavailable(try await Self.failure(response))
    }

    /// The status and the error code of the service.
    private static func failure(_ response: HTTPClientResponse) async throws -> String {
        let code = try await S3Document.values(of: "Code", in: Self.document(response)).first
        return "it responds with \(response.status.code)\(code.map { " \($0)" } ?? "")"
    }

    static func document(_ response: HTTPClientResponse) async throws -> String {
        do {
            return String(buffer: try await response.body.collect(upTo: Self.maxDocumentBytes))
        } catch {
            try Task.checkCancellation()
            throw ArchiveStoreError.unavailable("\(error)")
        }
    }

    private func send(_ request: Request) async throws -> HTTPClientResponse {
        let bucket = self.bucket
        let path =
            bucket.path
            + (request.object.map { S3Signature.encoded(bucket.prefix + $0, keeping: "/") } ?? "")
        let fields = S3Signature(region: bucket.region, credentials: bucket.credentials, date: Date()).headers(
            request.method.rawValue, host: bucket.host, path: path, query: request.query,
            payload: SHA256.hash(data: request.body))
        let query = S3Signature.encoded(request.query)
        var message = HTTPClientRequest(
            url: "\(bucket.scheme)://\(bucket.host)\(path)\(query.isEmpty ? "" : "?\(query)")")
        message.method = request.method
        for (name, value) in fields { message.headers.replaceOrAdd(name: name, value: value) }
        if !request.body.isEmpty { message.body = .bytes(request.body) }
        return try await Self.client.execute(message, timeout: Self.timeout)
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
