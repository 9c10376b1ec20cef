import Foundation
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel
import Synchronization

/// What lists of venues tell of each, as it is sent. Kept in memory, bounded for each venue and in all: whoever asks again takes
/// no statement, and what is missing of a page is read in one.
final class VenueListing: Sendable {
    /// A state of a venue: every change of it, of its settings too, has a number of its own.
    private struct Key: Hashable {
        /// Of the node's histories: in another one a number is another change.
        let history: Int
        let venue: Int64
        let news: Int64
    }

    /// A venue as JSON.
    struct Entry: Sendable {
        private let venue: [UInt8]
        private let settings: [UInt8]

        fileprivate init(_ venue: Venue, settings: Venue.Settings) throws {
            self.venue = Array(try WireJSON.data(venue))
            self.settings = Array(try WireJSON.data(settings))
        }

        fileprivate var bytes: Int { self.venue.count + self.settings.count }

        /// - Parameter withSettings: for admins.
        func json(withSettings: Bool) -> [UInt8] {
            withSettings ? self.venue.dropLast() + ",\"settings\":".utf8 + self.settings + "}".utf8 : self.venue
        }
    }

    /// What was read of some venues.
    private struct Reading {
        var entries: [Key: Entry] = [:]
        /// How many of them were read, or looked for in vain: less than all when they are more than a page holds.
        var count = 0
    }

    private let node: Node
    private let entries = LRUCache<Key, Entry>(cost: 128 << 20)
    private let flights = SingleFlight<[Key], Reading>()

    init(node: Node) {
        self.node = node
    }

    /// The entries of venues that have a revision, in their order, as many as fit on a page. Nil stands for a venue that was
    /// deleted, or published and pruned, since its record was read.
    func entries(for venues: [VenueRecord]) async throws -> [Entry?] {
        let history = self.node.histories
        let keys = venues.map { Key(history: history, venue: $0.id, news: $0.changeNumber) }
        var found: [Key: Entry] = [:]
        var missing: [(key: Key, venue: VenueRecord)] = []
        var (end, bytes) = (0, 0)
        while end < keys.count, bytes <= JSONPage.byteLimit {
            let entry = self.entries.value(for: keys[end])
            if entry == nil { missing.append((keys[end], venues[end])) }
            found[keys[end]] = entry
            bytes += entry?.bytes ?? 0
            end += 1
        }
        if !missing.isEmpty {
            let wanted = missing
            let reading = try await self.flights.value(for: wanted.map(\.key)) { try await self.read(wanted) }
            found.merge(reading.entries) { $1 }
            if reading.count < wanted.count { end = keys.firstIndex(of: wanted[reading.count].key) ?? end }
        }
        return keys.prefix(end).map { found[$0] }
    }

    private struct PageFull: Error {}

    private func read(_ wanted: [(key: Key, venue: VenueRecord)]) async throws -> Reading {
        // A replica that shows the newest change shows all.
        guard let newest = wanted.max(by: { $0.venue.changeNumber < $1.venue.changeNumber })?.venue else {
            return Reading()
        }
        return try await self.node.read(newest) { store in
            var reading = Reading()
            var (draft, bytes): (VenueDraft?, Int) = (nil, 0)
            func finishVenue() throws {
                guard let draft, let venue = draft.venue(of: wanted[draft.index].venue) else { return }
                let (key, record) = wanted[draft.index]
                let entry = try Entry(venue, settings: record.settings)
                self.entries.keep(entry, for: key, cost: entry.bytes + 200)
                reading.entries[key] = entry
                bytes += entry.bytes
            }
            do {
                try await store.listedLevels(of: wanted.map(\.venue)) { part in
                    if draft?.index != part.index {
                        try finishVenue()
                        reading.count = part.index
                        draft = VenueDraft(part)
                        if bytes > JSONPage.byteLimit { throw PageFull() }
                    }
                    draft?.add(part)
                }
                try finishVenue()
                reading.count = wanted.count
            } catch is PageFull {}
            return reading
        }
    }
}

/// A venue whose levels are being read.
private struct VenueDraft {
    let index: Int
    private let revision: ListedLevel
    private var name: JSONValue?
    private var levels: [Venue.Level] = []
    /// Of names.
    private var bytes = 0

    /// Bytes of all names of a venue.
    private static let nameBytes = 256 << 10

    init(_ part: ListedLevel) {
        self.index = part.index
        self.revision = part
    }

    mutating func add(_ part: ListedLevel) {
        let properties = part.body.flatMap { try? JSONReader.value(of: $0) }?["properties"]
        let isLevel = part.state.level != nil
        if !isLevel { self.name = NameExcerpt.excerpt(of: properties?["name"]) }
        self.levels.append(
            Venue.Level(
                level: part.state.level, ordinal: part.ordinal,
                shortName: isLevel ? self.bounded(NameExcerpt.excerpt(of: properties?["short_name"])) : nil,
                name: isLevel ? self.bounded(NameExcerpt.excerpt(of: properties?["name"])) : nil,
                digest: part.state.digest, features: part.state.features, bytes: part.state.bytes))
    }

    private mutating func bounded(_ name: JSONValue?) -> JSONValue? {
        guard let name else { return nil }
        self.bytes += CanonicalJSON.data(name).count
        return self.bytes <= Self.nameBytes ? name : nil
    }

    /// The venue without its settings; nil when not all of it came.
    func venue(of record: VenueRecord) -> Venue? {
        guard self.levels.count == 1 + min(self.revision.levelCount, RevisionStore.maxListedLevels) else { return nil }
        return Venue(
            venue: record.key, id: self.revision.venueFeature, head: record.head, first: record.first,
            digest: self.revision.digest, name: self.name,
            about: .init(
                language: self.revision.language, timeZone: record.settings.timeZone, country: self.revision.country),
            public: record.settings.public, levels: self.levels, levelCount: self.revision.levelCount, settings: nil)
    }
}

extension Node {
    /// Venues that have a revision, by key: those after `key` that are wanted, at most `limit` of them.
    func venues(
        after key: VenueKey?, limit: Int, where isWanted: (VenueRecord) -> Bool
    ) -> [VenueRecord] {
        let venues = self.memory.withLock { memory in
            memory.venues.values.compactMap { known -> VenueRecord? in
                let venue = known.venue
                guard !known.isDeleted, venue.head > 0, key.map({ $0 < venue.key }) ?? true, isWanted(venue) else {
                    return nil
                }
                return venue
            }
        }
        return Array(venues.sorted { $0.key < $1.key }.prefix(limit))
    }
}
