import ArchiveStore
import Foundation
import TestSupport
import Testing

/// Against an S3 service that checks signatures and permissions: moto, run by the Python that `VENUE_S3_PYTHON` names.
@Suite(.serialized, .enabled(if: ProcessInfo.processInfo.environment["VENUE_S3_PYTHON"] != nil))
final class S3ServerTests {
    private struct NotReady: Error {
        let output: String
    }

    private static let partSize = 5 << 20  // the smallest that S3 accepts
    private let workplace: Workplace
    private let process: ChildProcess
    private let address: String
    private let credentials: S3Credentials

    init() async throws {
        self.workplace = try Workplace()
        let port = try FreePort.find()
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Server/s3_server.py").path
        self.process = try ChildProcess(
            ProcessInfo.processInfo.environment["VENUE_S3_PYTHON"] ?? "", [script, "\(port)"],
            log: self.workplace.folder.appending(path: "s3.log"))
        self.address = "http://127.0.0.1:\(port)"
        let deadline = ContinuousClock.now + .seconds(300)
        while true {
            if let ready = self.process.said.firstMatch(of: /ready (\S+) (\S+)\n/) {
                self.credentials = S3Credentials(accessKey: String(ready.output.1), secretKey: String(ready.output.2))
                return
            }
            guard self.process.isRunning, .now < deadline else { throw NotReady(output: self.process.said) }
            try await Task.sleep(for: .milliseconds(20))
        }
    }

    private func store(
        bucket: String = "archives", prefix: String = "venues/one two", endpoint: String? = nil,
        credentials: S3Credentials? = nil
    ) throws -> S3ArchiveStore {
        S3ArchiveStore(
            bucket: try #require(
                S3Bucket(
                    bucket: bucket, prefix: prefix, endpoint: endpoint ?? self.address, region: "eu-central-1",
                    credentials: credentials ?? self.credentials)),
            largestArchive: 64 << 20, partSize: Self.partSize)
    }

    @Test func `S3: objects of one part and of several are read as they were written`() async throws {
        let store = try self.store()
        for size in [0, 1, Self.partSize, Self.partSize + 1, 2 * Self.partSize, 2 * Self.partSize + 77] {
            try await store.expectRoundTrip(of: size)
        }
        try await self.store(prefix: "").expectRoundTrip(of: 10)
        await self.process.stop()
    }

    @Test func `S3: a deleted object is missing, and a bucket that does not exist is not`() async throws {
        let store = try self.store()
        let name = try await store.stored([1, 2, 3])
        for _ in 0..<2 { try await store.delete(name, isComplete: true) }
        await #expect(throws: ArchiveStoreError.missing(name)) { _ = try await store.content(of: name) }
        let error = await #expect(throws: ArchiveStoreError.self) {
            _ = try await self.store(bucket: "archive").content(of: name)
        }
        #expect(error?.isRetryable == true)
        await self.process.stop()
    }

    @Test func `S3: the service refuses wrong keys, and nothing is stored`() async throws {
        let store = try self.store()
        let wrong = [
            ("SignatureDoesNotMatch", S3Credentials(accessKey: self.credentials.accessKey, secretKey: "another")),
            ("InvalidAccessKeyId", S3Credentials(accessKey: "another", secretKey: self.credentials.secretKey)),
        ]
        for (code, credentials) in wrong {
            let name = ArchiveName.random()
            var writer = try await self.store(credentials: credentials).write(name)
            try await writer.append([1])
            let error = await #expect(throws: ArchiveStoreError.self) { try await writer.finish() }
            #expect(error?.description.contains(code) == true && error?.isRetryable == true)
            await #expect(throws: ArchiveStoreError.missing(name)) { _ = try await store.content(of: name) }
        }
        await self.process.stop()
    }

    @Test func `S3: the parts of an object that was not completed are deleted`() async throws {
        let store = try self.store()
        let name = ArchiveName.random()
        var writer = try await store.write(name)
        try await writer.append(Array(repeating: 7, count: 2 * Self.partSize + 1))
        #expect(try await store.unfinishedUploads(of: name).count == 1)
        try await store.delete(name, isComplete: false)
        #expect(try await store.unfinishedUploads(of: name).isEmpty)
        // A sender that goes on is told, and leaves no object.
        await #expect(throws: ArchiveStoreError.self) { try await writer.finish() }
        await #expect(throws: ArchiveStoreError.missing(name)) { _ = try await store.content(of: name) }
        await self.process.stop()
    }

    @Test func `S3: a service that does not respond is unavailable`() async throws {
        let store = try self.store()
        let name = try await store.stored([1])
        await self.process.kill()
        let error = await #expect(throws: ArchiveStoreError.self) { _ = try await store.content(of: name) }
        #expect(error?.isRetryable == true)
    }
}
