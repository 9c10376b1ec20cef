import RevisionStore
import Synchronization

/// When keys were last used. A request only adds its key to a set in memory, which is written once in a while.
extension ReadModel {
    static let keyUseInterval = Duration.seconds(300)

    func noteUse(of key: KeyID) { self.usedKeys.withLock { _ = $0.insert(key) } }

    /// Writes which keys were used since the last time, to the primary. If that fails, they are written the next time.
    package func recordKeyUse() async throws {
        let keys = self.usedKeys.withLock { keys in
            defer { keys = [] }
            return keys
        }
        // Requests whose outcome is known do not name their key; each is authorized once more.
        self.state.withLock { $0.authorizationNumber += 1 }
        guard !keys.isEmpty else { return }
        do {
            try await self.store.recordUse(of: keys)
        } catch {
            self.usedKeys.withLock { $0.formUnion(keys) }
            throw error
        }
    }
}
