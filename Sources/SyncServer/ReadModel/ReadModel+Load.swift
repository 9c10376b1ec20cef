import Foundation
import RevisionStore
import SyncModel
import Synchronization

/// How the read model is brought up to date: by the changes since, or from scratch whenever those cannot be trusted.
///
/// Change numbers alone do not reveal that a database was restored: afterwards they may be lower, equal or higher, and a refresh
/// in the middle of a restore sees tables that are empty or half full. So changes are applied only if the tables are still the
/// same files, the numbers continue, and checksums over everything agree at every comparison.
extension ReadModel {
    /// Refreshes that compare everything after a restore was detected.
    private static let comparisonsAfterRestore = 30

    func load() async throws {
        if self.state.withLock(\.isSuspended) { throw RevisionStore.unresponsive }
        let start = self.now()
        do {
            do {
                try await self.loadPresentState()
            } catch StoreError.lineageChanged {
                // Nothing of a promoted server is shown under the former epochs.
                try await self.pollStore.checkLineage()
                try await self.loadPresentState()
            }
        } catch {
            if case StoreError.incompleteDatabase = error { self.markIncomplete() }
            throw error
        }
        self.state.withLock { $0.readAt = start }
    }

    private func loadPresentState() async throws {
        if try await self.loadChanges() { return }
        try await self.loadEverything()
    }

    private func markIncomplete() {
        self.state.withLock { state in
            state.isComplete = false
            if state.confirmedUntil != nil { state.confirmedUntil = self.now() }
            state.retryOutageAt = nil
        }
    }

    /// False when the changes do not continue the present state.
    private func loadChanges() async throws -> Bool {
        let (changeNumber, keyChangeNumber, isComplete, isDue) = self.state.withLock { state in
            let isDue =
                state.pendingComparisons > 0
                || state.lastComparison.map { $0 + self.comparisonInterval <= self.now() } ?? true
            return (state.changeNumber, state.keyChangeNumber, state.isComplete, isDue)
        }
        guard isComplete, changeNumber >= 0 else { return false }
        let changes = try await self.pollStore.catalogueChanges(after: changeNumber, withChecksums: isDue)
        let keys = changes.keyChangeNumber > keyChangeNumber ? try await self.pollStore.keysWithChecksum() : nil
        return self.state.withLock { state in
            guard changes.continues(from: changeNumber), changes.tableFiles == state.files else { return false }
            let checksum = changes.venues.reduce(state.checksums.venues) { sum, change in
                sum ^ change.checksum ^ (state.venues[change.venue.key]?.checksum ?? 0)
            }
            if let compared = changes.checksums {
                // Keys that were read after these checksums are compared the next time.
                guard compared.venues == checksum, keys != nil || compared.keys == state.checksums.keys else {
                    return false
                }
                state.lastComparison = self.now()
            }
            state.pendingComparisons = max(0, state.pendingComparisons - 1)
            state.checksums.venues = checksum
            state.apply(changes, keys)
            return true
        }
    }

    private func loadEverything() async throws {
        let (changes, keys) = try await self.pollStore.catalogueSnapshot()
        guard let checksums = changes.checksums else { throw StoreError.incompleteDatabase }
        let isReload = self.state.withLock { $0.changeNumber >= 0 }
        if isReload {
            self.revisionCache.removeAll()
        }
        self.state.withLock { state in
            if isReload {
                (state.venues, state.order) = ([:], [])
                state.catalogue = CatalogueState()
                state.replicaChangeNumber = -1
                state.generation += 1
            }
            state.isComplete = true
            state.files = changes.tableFiles
            state.checksums = checksums
            state.pendingComparisons = Self.comparisonsAfterRestore
            state.lastComparison = self.now()
            state.apply(changes, (keys, checksums.keys))
        }
    }
}

extension ReadModel.State {
    /// - Parameter keys: All keys and their checksum; nil when no key has changed.
    fileprivate mutating func apply(_ changes: CatalogueChanges, _ keys: (keys: [KeyRecord], checksum: Int64)?) {
        if self.lineage != changes.lineage {
            self.lineage = changes.lineage
            self.replicaChangeNumber = -1
        }
        var added: [VenueKey] = []
        for change in changes.venues {
            let key = change.venue.key
            let entry = ReadModel.VenueEntry(change, after: self.venues[key])
            if self.venues.updateValue(entry, forKey: key) == nil { added.append(key) }
        }
        self.order.insert(added)
        if let keys {
            let before = self.keys
            self.keys = Dictionary(uniqueKeysWithValues: keys.keys.map { ($0.id, $0) })
            for (id, key) in before where self.keys[id] != key { self.changedKeys.insert(id) }
            self.nextExpiry = self.keys.values.compactMap(\.expiresAt).min()
            self.checksums.keys = keys.checksum
            self.keyChangeNumber = changes.keyChangeNumber
        }
        self.changeNumber = changes.number
        self.cataloguePosition = changes.position
        self.catalogue.apply(changes)
        self.retryOutageAt = nil
        self.readsReplicaUntil = nil
    }

    /// Notes the keys that have expired since the last call, as if they had been revoked. They are kept, because a clock may be set back.
    mutating func noteExpiredKeys(at date: Date) {
        guard let nextExpiry = self.nextExpiry, nextExpiry <= date else { return }
        for (id, key) in self.keys where key.isExpired(at: date) { self.changedKeys.insert(id) }
        self.nextExpiry = self.keys.values.compactMap(\.expiresAt).filter { $0 > date }.min()
        self.authorizationNumber += 1
    }
}

/// Venue keys in ascending order.
extension [VenueKey] {
    /// The index of the first key after another one.
    func firstIndex(after key: VenueKey) -> Int {
        var (low, high) = (0, self.count)
        while low < high {
            let middle = (low + high) / 2
            if self[middle] <= key { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Inserts keys that are not there yet.
    fileprivate mutating func insert(_ keys: [VenueKey]) {
        // Each insertion moves the keys behind it; many keys are sorted together.
        guard keys.count <= 8 else { return self = (self + keys).sorted() }
        for key in keys { self.insert(key, at: self.firstIndex(after: key)) }
    }
}
