/// Runs some work and returns its result, or nil after a timeout. The work is cancelled then, but not awaited: some of it cannot be
/// interrupted.
package func withTimeout<Value: Sendable>(
    _ timeout: Duration, _ body: @escaping @Sendable () async -> Value
) async -> Value? {
    let (values, continuation) = AsyncStream.makeStream(of: Value?.self)
    let work = Task { continuation.yield(await body()) }
    let timer = Task {
        try? await Task.sleep(for: timeout)
        continuation.yield(nil)
    }
    defer {
        work.cancel()
        timer.cancel()
    }
    for await value in values { return value }
    return nil
}
