import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Collects the response of one URLSession task until it is read.
final class ResponseReceiver: Sendable {
    private struct State {
        var head: Result<HTTPURLResponse, any Error>?
        var headWaiter: CheckedContinuation<HTTPURLResponse, any Error>?
        /// Bytes that arrived and were not read yet.
        var buffer: [UInt8] = []
        var isSuspended = false
        var end: Result<Void, any Error>?
        var reader: CheckedContinuation<[UInt8]?, any Error>?
    }

    /// The task is suspended while more than this waits to be read. Not on Linux, where a resumed task starts its request again.
    #if canImport(FoundationNetworking)
        private static let suspensionThreshold = Int.max
    #else
        private static let suspensionThreshold = 1 << 20
    #endif
    /// The task is cancelled if more than this waits to be read.
    private static let bufferLimit = 256 << 20

    let task: URLSessionTask
    let progress: (@Sendable (Int64) -> Void)?
    private let state = Mutex(State())

    init(_ task: URLSessionTask, progress: (@Sendable (Int64) -> Void)?) {
        self.task = task
        self.progress = progress
    }

    /// Starts the task and waits for the head of its response.
    func head() async throws -> HTTPURLResponse {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let head = self.state.withLock { state in
                    if state.head == nil { state.headWaiter = continuation }
                    return state.head
                }
                if let head { continuation.resume(with: head) }
                self.task.resume()
            }
        } onCancel: {
            self.task.cancel()
        }
    }

    /// The next bytes of the body, or nil at its end. For one reader.
    func next() async throws -> [UInt8]? {
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let outcome: Result<[UInt8]?, any Error>? = self.state.withLock { state in
                    if !state.buffer.isEmpty {
                        defer { state.buffer = [] }
                        if state.isSuspended {
                            state.isSuspended = false
                            self.task.resume()
                        }
                        return .success(state.buffer)
                    }
                    if let end = state.end { return end.map { nil } }
                    state.reader = continuation
                    return nil
                }
                if let outcome { continuation.resume(with: outcome) }
            }
        } onCancel: {
            self.task.cancel()
        }
    }

    func receive(_ response: URLResponse?) {
        let head: Result<HTTPURLResponse, any Error> =
            (response as? HTTPURLResponse).map { .success($0) } ?? .failure(URLError(.badServerResponse))
        let waiter = self.state.withLock { state in
            defer { state.headWaiter = nil }
            state.head = state.head ?? head
            return state.headWaiter
        }
        waiter?.resume(with: head)
    }

    func receive(_ bytes: [UInt8]) {
        let reader = self.state.withLock { state -> CheckedContinuation<[UInt8]?, any Error>? in
            if let reader = state.reader {
                state.reader = nil
                return reader
            }
            guard state.end == nil else { return nil }
            state.buffer += bytes
            if state.buffer.count > Self.bufferLimit {
                state.end = .failure(URLError(.dataLengthExceedsMaximum))
                self.task.cancel()
            } else if state.buffer.count > Self.suspensionThreshold, !state.isSuspended {
                state.isSuspended = true
                self.task.suspend()
            }
            return nil
        }
        reader?.resume(returning: bytes)
    }

    /// - Parameter response: The response of the task, for a task that ends without having reported it.
    func complete(_ error: (any Error)?, response: URLResponse?) {
        if let error {
            let waiter = self.state.withLock { state in
                defer { state.headWaiter = nil }
                state.head = state.head ?? .failure(error)
                return state.headWaiter
            }
            waiter?.resume(throwing: error)
        } else {
            self.receive(response)
        }
        let end: Result<Void, any Error> = error.map { .failure($0) } ?? .success(())
        let reader = self.state.withLock { state in
            defer { state.reader = nil }
            state.end = state.end ?? end
            return state.reader
        }
        reader?.resume(with: end.map { nil })
    }
}

/// The body of a response of ``URLSessionTransport``. The request is cancelled when the body is released.
struct ResponseBody: AsyncSequence, Sendable {
    fileprivate final class Handle: Sendable {
        let receiver: ResponseReceiver

        init(_ receiver: ResponseReceiver) {
            self.receiver = receiver
        }

        deinit { self.receiver.task.cancel() }
    }

    private let handle: Handle

    init(receiver: ResponseReceiver) {
        self.handle = Handle(receiver)
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let handle: Handle

        mutating func next() async throws -> [UInt8]? { try await self.handle.receiver.next() }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(handle: self.handle) }
}
