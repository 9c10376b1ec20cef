internal import CLibpq
internal import Dispatch
internal import Synchronization

/// The two calls of libpq that block: connecting (because of name lookups) and cancelling. They run on Dispatch threads.
enum Blocking {
    static let queue = DispatchQueue(label: "postgres.blocking", attributes: .concurrent)

    /// A `PGconn` that is passed to the actor that owns it.
    struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Connects. A cancelled task does not wait for the result; the thread closes the connection then.
    static func connect(_ configuration: ConnectionConfiguration) async throws -> Handle {
        typealias Waiter = CheckedContinuation<Handle, any Error>
        enum State {
            case starting
            case waiting(Waiter)
            case finished
        }
        let state = Mutex(State.starting)
        let takeWaiter: @Sendable () -> Waiter? = {
            state.withLock { state in
                defer { state = .finished }
                guard case .waiting(let continuation) = state else { return nil }
                return continuation
            }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let cancelled = state.withLock { state in
                    if case .finished = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if cancelled { return continuation.resume(throwing: CancellationError()) }
                self.queue.async {
                    let outcome = Swift.Result { try self.connectNow(configuration) }
                    if let continuation = takeWaiter() {
                        continuation.resume(with: outcome)
                    } else if case .success(let handle) = outcome {
                        PQfinish(handle.pointer)
                    }
                }
            }
        } onCancel: {
            takeWaiter()?.resume(throwing: CancellationError())
        }
    }

    private static func connectNow(_ configuration: ConnectionConfiguration) throws(PostgresError) -> Handle {
        let keywords = configuration.keywords
        guard !keywords.contains(where: { $0.1.utf8.contains(0) }) else {
            throw .misuse("a connection string contains a NUL")
        }
        let names = CStrings(keywords.map(\.0)), values = CStrings(keywords.map(\.1))
        guard let pointer = PQconnectdbParams(names.pointers, values.pointers, 1) else {
            throw PostgresError(.connecting, message: "out of memory")
        }
        guard PQstatus(pointer) == CONNECTION_OK else {
            defer { PQfinish(pointer) }
            throw PostgresError(.connecting, message: String(cString: PQerrorMessage(pointer)))
        }
        // By default libpq prints notices, which may quote values.
        PQsetNoticeReceiver(pointer, { _, _ in }, nil)
        let statements = configuration.sessionStatements
        if !statements.isEmpty {
            let result = PQexec(pointer, statements.joined(separator: ";")).map { PGResult($0) }
            guard result?.status == PGRES_COMMAND_OK else {
                PQfinish(pointer)
                throw PostgresError(.connecting, message: "a setting of the session was refused")
            }
        }
        PQsetnonblocking(pointer, 1)
        return Handle(pointer: pointer)
    }

    /// Requests the server to cancel the running statement of a connection, and returns when the request was delivered. The next
    /// statement of the connection must not be sent before, because the request might cancel it.
    static func cancel(_ handle: Handle) async {
        guard let request = PQgetCancel(handle.pointer) else { return }
        let cancel = Handle(pointer: request)
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
            self.queue.async {
                var message = [CChar](repeating: 0, count: 256)
                _ = PQcancel(cancel.pointer, &message, Int32(message.count))
                PQfreeCancel(cancel.pointer)
                continuation.resume()
            }
        }
    }
}

/// A NULL-terminated array of C strings.
private final class CStrings {
    let pointers: [UnsafePointer<CChar>?]

    init(_ texts: [String]) {
        self.pointers =
            texts.map { text in
                let bytes = text.utf8CString
                let copy = UnsafeMutablePointer<CChar>.allocate(capacity: bytes.count)
                for (offset, byte) in bytes.enumerated() { (copy + offset).initialize(to: byte) }
                return UnsafePointer(copy)
            } + [nil]
    }

    deinit {
        for pointer in self.pointers { pointer?.deallocate() }
    }
}
