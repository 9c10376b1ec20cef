import RevisionStore
import SyncModel
import Synchronization

/// How a node brings its memory up to date: by what is new, or from the start whenever that cannot be trusted.
///
/// Numbers alone do not tell that a database was restored: they may be lower than before, equal or higher, and a look in the
/// middle of the restore sees tables that are empty or half full. So what is new is taken in only while the tables are the same
/// ones, the rows do not contradict each other and, now and then, checksums over everything agree with what is known.
extension Node {
    /// Looks that compare everything after a restore was seen.
    private static let wariness = 30

    func read() async throws {
        do {
            if try await self.readNews() { return }
            try await self.readEverything()
        } catch {
            if case StoreError.incompleteDatabase = error { self.distrustMemory() }
            throw error
        }
    }

    private func distrustMemory() {
        self.memory.withLock { memory in
            memory.isWhole = false
            if memory.confirmedUntil != nil { memory.confirmedUntil = .now }
            memory.quietUntil = nil
        }
    }

    /// False when what is new does not continue what is known.
    private func readNews() async throws -> Bool {
        let (known, ofKeys, isWhole, isDue) = self.memory.withLock { memory in
            let isDue = memory.suspicion > 0 || memory.comparedAt.map { $0 + self.comparison <= .now } ?? true
            return (memory.news, memory.newsOfKeys, memory.isWhole, isDue)
        }
        guard isWhole, known >= 0 else { return false }
        let news = try await self.pollStore.catalogueChanges(after: known, withChecksums: isDue)
        let keys = news.keyChangeNumber > ofKeys ? try await self.pollStore.keysWithChecksum() : nil
        return self.memory.withLock { memory in
            guard news.continues(from: known), news.tableFiles == memory.files else { return false }
            let checksum = news.venues.reduce(memory.checksums.venues) { sum, change in
                sum ^ change.checksum ^ (memory.venues[change.venue.key]?.checksum ?? 0)
            }
            if let compared = news.checksums {
                // Keys that were read after this are compared the next time.
                guard compared.venues == checksum, keys != nil || compared.keys == memory.checksums.keys else {
                    return false
                }
                memory.comparedAt = .now
            }
            memory.suspicion = max(0, memory.suspicion - 1)
            memory.checksums.venues = checksum
            memory.take(news, keys)
            return true
        }
    }

    private func readEverything() async throws {
        let (news, keys) = try await self.pollStore.catalogueSnapshot()
        guard let checksums = news.checksums else { throw StoreError.incompleteDatabase }
        let isAnother = self.memory.withLock { $0.news >= 0 }
        if isAnother {
            self.revisionCache.removeAll()
        }
        self.memory.withLock { memory in
            if isAnother {
                memory.venues = [:]
                memory.catalogue = CatalogueState()
                memory.newsOfReplica = -1
                memory.histories += 1
            }
            memory.isWhole = true
            memory.files = news.tableFiles
            memory.checksums = checksums
            memory.suspicion = Self.wariness
            memory.comparedAt = .now
            memory.take(news, (keys, checksums.keys))
        }
    }
}

extension Node.Memory {
    /// - Parameter keys: All keys and their checksum; nil when there is nothing new of them.
    fileprivate mutating func take(_ news: CatalogueChanges, _ keys: (keys: [KeyRecord], checksum: Int64)?) {
        for change in news.venues { self.venues[change.venue.key] = Node.Known(change) }
        if let keys {
            self.keys = Dictionary(uniqueKeysWithValues: keys.keys.map { ($0.id, $0) })
            self.checksums.keys = keys.checksum
            self.newsOfKeys = news.keyChangeNumber
        }
        self.news = news.number
        self.position = news.position
        self.catalogue.apply(news)
        self.quietUntil = nil
    }
}
