/// The answer, or nil when it does not come in time. What takes longer goes on by itself: some of it cannot be cancelled.
package func bounded<Answer: Sendable>(
    by patience: Duration, _ body: @escaping @Sendable () async -> Answer
) async -> Answer? {
    let (answers, continuation) = AsyncStream.makeStream(of: Answer?.self)
    let work = Task { continuation.yield(await body()) }
    let alarm = Task {
        try? await Task.sleep(for: patience)
        continuation.yield(nil)
    }
    defer {
        work.cancel()
        alarm.cancel()
    }
    for await answer in answers { return answer }
    return nil
}
