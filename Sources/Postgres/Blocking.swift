internal import CLibpq
internal import Dispatch
internal import Synchronization

/// The two calls of libpq that block: connecting (it looks names up) and cancelling. Dispatch threads make them.
enum Blocking {
    static let queue = DispatchQueue(label: "postgres.blocking", attributes: .concurrent)

    /// A `PGconn` on its way to the actor that will own it.
    struct Handle: @unchecked Sendable {
        let pointer: OpaquePointer
    }

    /// Connects. A cancelled task does not wait for the outcome: the thread closes what it gets.
    static func connect(_ configuration: ConnectionConfiguration) async throws -> Handle {
        typealias Waiting = CheckedContinuation<Handle, any Error>
        enum State {
            case starting
            case waiting(Waiting)
            case over
        }
        let state = Mutex(State.starting)
        let taken: @Sendable () -> Waiting? = {
            state.withLock { state in
                defer { state = .over }
                guard case .waiting(let continuation) = state else { return nil }
                return continuation
            }
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let cancelled = state.withLock { state in
                    if case .over = state { return true }
                    state = .waiting(continuation)
                    return false
                }
                if cancelled { return continuation.resume(throwing: CancellationError()) }
                self.queue.async {
                    let outcome = Swift.Result { try self.connectNow(configuration) }
                    if let continuation = taken() {
                        continuation.resume(with: outcome)
                    } else if case .success(let handle) = outcome {
                        PQfinish(handle.pointer)
                    }
                }
            }
        } onCancel: {
            taken()?.resume(throwing: CancellationError())
        }
    }

    private static func connectNow(_ configuration: ConnectionConfiguration) throws(PostgresError) -> Handle {
        let keywords = configuration.keywords
        guard !keywords.contains(where: { $0.1.utf8.contains(0) }) else {
            throw .misuse("a connection string holds a NUL")
        }
        let names = CStrings(keywords.map(\.0)), values = CStrings(keywords.map(\.1))
        guard let pointer = PQconnectdbParams(names.pointers, values.pointers, 1) else {
            throw PostgresError(.connecting, message: "out of memory")
        }
        guard PQstatus(pointer) == CONNECTION_OK else {
            defer { PQfinish(pointer) }
            throw PostgresError(.connecting, message: String(cString: PQerrorMessage(pointer)))
        }
        // libpq would print notices; they quote values.
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

    /// Asks the server to break off what a connection is doing, and returns when the server has been told. Only after that
    /// may the connection's next statement be sent, or the request could hit it.
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
