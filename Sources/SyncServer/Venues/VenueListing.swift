import Caching
import Foundation
import IMDF
import IMDFArchive
import RevisionStore
import SyncModel

/// The descriptions of venues in lists, encoded and in bounded memory. Those that are missing for a page are read in one statement.
final class VenueListing: Sendable {
    /// A state of a venue: every change of the venue and of its settings has a number of its own.
    private struct Key: Hashable {
        /// In another generation the same number is another change.
        let generation: Int
        let venue: Int64
        let changeNumber: Int64
    }

    /// A venue as JSON.
    struct Entry: Sendable {
        private let venue: JSONObjectWriter
        private let settings: [UInt8]

        fileprivate init(_ venue: Venue, settings: Venue.Settings) throws {
            self.venue = try JSONObjectWriter(venue)
            self.settings = Array(try WireJSON.data(settings))
        }

        fileprivate var bytes: Int { self.venue.text.count + self.settings.count }

        /// - Parameter withSettings: Administrators of the venue see its settings.
        func json(withSettings: Bool) -> [UInt8] {
            var object = self.venue
            if withSettings { object.add("settings", encoded: self.settings) }
            return object.finish()
        }
    }

    private struct Batch {
        var entries: [Key: Entry] = [:]
        /// How many venues were read or found to be gone. Fewer than requested when the page is full.
        var count = 0
    }

    private let readModel: ReadModel
    private let entries = LRUCache<Key, Entry>(cost: 128 << 20)
    private let reads = SingleFlight<[Key], Batch>()

    init(readModel: ReadModel) {
        self.readModel = readModel
    }

    /// The entries of venues that have a revision, in their order, as many as fit on a page. Nil for a venue that was deleted, or
    /// published and pruned, since its record was read.
    func entries(for venues: [VenueRecord]) async throws -> [Entry?] {
        let generation = self.readModel.generation
        let keys = venues.map { Key(generation: generation, venue: $0.id, changeNumber: $0.changeNumber) }
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
            let requested = missing
            let batch = try await self.reads.value(for: requested.map(\.key)) { try await self.read(requested) }
            found.merge(batch.entries) { $1 }
            if batch.count < requested.count { end = keys.firstIndex(of: requested[batch.count].key) ?? end }
        }
        return keys.prefix(end).map { found[$0] }
    }

    private struct PageFull: Error {}

    private func read(_ requested: [(key: Key, venue: VenueRecord)]) async throws -> Batch {
        // A replica that has the newest change has all of them.
        guard let newest = requested.max(by: { $0.venue.changeNumber < $1.venue.changeNumber })?.venue else {
            return Batch()
        }
        return try await self.readModel.read(newest) { store in
            var batch = Batch()
            var (builder, bytes): (VenueBuilder?, Int) = (nil, 0)
            func finishVenue() throws {
                guard let builder, var venue = builder.venue(of: requested[builder.index].venue) else { return }
                let (key, record) = requested[builder.index]
                venue.page = VenuePage(of: record).address(sealedBy: self.readModel.cursorSeal)
                let entry = try Entry(venue, settings: record.settings)
                self.entries.keep(entry, for: key, cost: entry.bytes + 200)
                batch.entries[key] = entry
                bytes += entry.bytes
            }
            do {
                try await store.listedLevels(of: requested.map(\.venue)) { part in
                    if builder?.index != part.index {
                        try finishVenue()
                        batch.count = part.index
                        builder = VenueBuilder(part)
                        if bytes > JSONPage.byteLimit { throw PageFull() }
                    }
                    builder?.add(part)
                }
                try finishVenue()
                batch.count = requested.count
            } catch is PageFull {}
            return batch
        }
    }
}

/// Builds the description of a venue from its levels, which come one by one.
private struct VenueBuilder {
    let index: Int
    private let revision: ListedLevel
    private var name: JSONValue?
    private var levels: [Venue.Level] = []
    private var nameBytes = 0

    /// The maximum length of all level names of a venue, in bytes.
    private static let maxNameBytes = 256 << 10

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
        self.nameBytes += CanonicalJSON.data(name).count
        return self.nameBytes <= Self.maxNameBytes ? name : nil
    }

    /// The venue without its settings; nil if not all of its levels came.
    func venue(of record: VenueRecord) -> Venue? {
        guard self.levels.count == 1 + min(self.revision.levelCount, RevisionStore.maxListedLevels) else { return nil }
        return Venue(
            venue: record.key, id: self.revision.venueFeature, head: record.head, first: record.first,
            digest: self.revision.digest, name: self.name,
            about: .init(
                language: self.revision.language, timeZone: record.settings.timeZone, country: self.revision.country,
                wayfinding: record.settings.wayfinding),
            timeZoneSource: record.timeZoneSource, public: record.settings.public, levels: self.levels,
            levelCount: self.revision.levelCount, appearance: record.settings.appearance,
            basemap: record.settings.basemap, settings: nil)
    }
}
