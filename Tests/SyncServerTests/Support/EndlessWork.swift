import SyncServer

extension FairSemaphore {
    /// Starts work that gives way to that of other keys, and does not end before it is cancelled: others of the key wait in the queue.
    func startEndlessWork(for key: Key) async -> Task<Void, any Error> {
        let started = AsyncStream.makeStream(of: Void.self)
        let task = Task {
            try await self.inTurns(for: key, limit: .seconds(1_700)) { shouldStop in
                started.continuation.yield()
                while !shouldStop() {}
            }
        }
        for await _ in started.stream { break }
        return task
    }
}
