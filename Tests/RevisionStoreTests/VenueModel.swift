import IMDF
import RevisionStore
import SampleVenue
import SyncModel
import TestSupport

/// A model of a venue: a dictionary.
struct VenueModel: Equatable, Sendable {
    struct Entry: Equatable, Sendable {
        var type: FeatureType
        var level: FeatureID?
        var text: String
        var ordinal: Int?
    }

    var entries: [FeatureID: Entry] = [:]

    var levels: [FeatureID] { self.entries.filter { $0.value.type == .level }.keys.sorted() }

    static func body(of id: FeatureID, _ entry: Entry) -> [UInt8] {
        let properties: JSONValue = [
            "text": .string(entry.text), "ordinal": entry.ordinal.map { .number(Double($0)) } ?? .null,
        ]
        return CanonicalJSON.data(
            [
                "id": .string(id.description), "feature_type": .string(entry.type.rawValue), "type": "Feature",
                "geometry": nil, "properties": properties,
            ])
    }

    /// The content of a client that selects these levels.
    func replica(of levels: Set<FeatureID>?) -> [FeatureID: Replica.Held] {
        self.entries.filter { entry in
            guard let level = entry.value.level, let levels else { return true }
            return levels.contains(level)
        }.reduce(into: [:]) { held, entry in
            held[entry.key] = .init(level: entry.value.level, body: Self.body(of: entry.key, entry.value))
        }
    }

    func digest(of level: FeatureID?) -> Digest { self.state(of: level).digest }

    func state(of level: FeatureID?) -> LevelState {
        var digest = LevelDigest()
        var (count, bytes) = (0, Int64(0))
        for (id, entry) in self.entries.sorted(by: { $0.key < $1.key }) where entry.level == level {
            let body = Self.body(of: id, entry)
            digest.add(body: body)
            count += 1
            bytes += Int64(body.count)
        }
        return LevelState(level: level, digest: digest.finalize(), features: count, bytes: bytes)
    }

    /// The digest of the revision.
    var digest: Digest {
        RevisionDigest.digest(
            venueWide: self.digest(of: nil), levels: self.levels.map { ($0, self.digest(of: $0)) }, manifest: nil)
    }

    /// The publication that leads from another state to this one.
    func publication(over old: VenueModel, of venue: VenueRecord) -> Publication {
        let changed = self.entries.filter { old.entries[$0.key] != $0.value }
        let removed = old.entries.keys.filter { self.entries[$0] == nil }
        var touched = Set(changed.map(\.value.level)).union(removed.map { old.entries[$0]?.level })
        touched.formUnion(changed.keys.compactMap { old.entries[$0].map(\.level) })
        if venue.head == 0 { touched.insert(nil) }
        return Publication(
            venue: venue, base: venue.head,
            versions: changed.sorted { $0.key < $1.key }.map { id, entry in
                let body = Self.body(of: id, entry)
                return .init(
                    feature: id, type: entry.type, placement: Placement(level: entry.level), ordinal: entry.ordinal,
                    digest: Digest(of: body), body: body)
            },
            removed: removed.sorted(), added: changed.keys.filter { old.entries[$0] == nil },
            levelStates: touched.map { self.state(of: $0) }, features: self.entries.count,
            manifest: nil, fileNames: [:], venueFeature: nil, language: "en", country: nil,
            identity: ArchiveIdentity(
                counts: .init(kept: 0, aliased: 0, matched: 0, near: 0, new: 0, gone: 0), matches: []),
            changes: ChangeSummary(added: 0, changed: 0, removed: 0), facts: [])
    }
}

extension VenueModel {
    /// Makes random changes: renames, moves between levels, added and removed features and levels.
    mutating func change(_ count: Int, using random: inout SplitMix64) {
        for _ in 0..<count {
            let ids = self.entries.keys.sorted()
            switch Int.random(in: 0..<10, using: &random) {
            case 0 where self.levels.count < 6, 1 where self.levels.isEmpty:
                self.entries[.random(using: &random)] = Entry(
                    type: .level, text: "level", ordinal: Int.random(in: -1...2, using: &random))
            case 2 where self.levels.count > 1:
                guard let level = self.levels.randomElement(using: &random) else { continue }
                self.entries[level] = nil
                for id in ids where self.entries[id]?.level == level {
                    if Bool.random(using: &random) { self.entries[id] = nil } else { self.entries[id]?.level = nil }
                }
            case 3...5:
                self.entries[.random(using: &random)] = Entry(
                    type: [.unit, .anchor, .occupant, FeatureType(rawValue: "attraction")].randomElement(using: &random)
                        ?? .unit,
                    level: Bool.random(using: &random) ? nil : self.levels.randomElement(using: &random),
                    text: "\(UInt8.random(in: 0...3, using: &random))")
            case 6, 7:
                guard let id = ids.randomElement(using: &random) else { continue }
                self.entries[id]?.text = "\(UInt8.random(in: 0...3, using: &random))"
            case 8:
                guard let id = ids.randomElement(using: &random), self.entries[id]?.type != .level else { continue }
                let level = Bool.random(using: &random) ? nil : self.levels.randomElement(using: &random)
                self.entries[id]?.level = level
            default:
                guard let id = ids.randomElement(using: &random), self.entries[id]?.type != .level else { continue }
                self.entries[id] = nil
            }
        }
    }
}

extension VenueModel {
    /// Makes rare changes of levels: another ordinal, another id, another type, or a level that is restored.
    ///
    /// - Parameter former: Levels of earlier states.
    mutating func changeOddly(former: [FeatureID], using random: inout SplitMix64) {
        guard let level = self.levels.randomElement(using: &random), var entry = self.entries[level] else { return }
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            self.entries[level]?.ordinal = Bool.random(using: &random) ? nil : Int.random(in: -1...2, using: &random)
        case 1:
            self.entries[level] = nil
            self.move(from: level, to: .random(using: &random), as: entry)
        case 2:
            // The same id, but not a level any more.
            (entry.type, entry.ordinal) = (.building, nil)
            self.entries[level] = entry
            for id in self.entries.keys where self.entries[id]?.level == level { self.entries[id]?.level = nil }
        case 3:
            // Everything on the level, but not the level itself.
            for id in self.entries.keys where self.entries[id]?.level == level { self.entries[id] = nil }
        case 4:
            guard let back = former.filter({ self.entries[$0] == nil }).randomElement(using: &random) else { return }
            self.entries[back] = Entry(type: .level, text: "back", ordinal: Int.random(in: -1...2, using: &random))
            for id in self.entries.keys.sorted() where self.entries[id]?.type != .level {
                if Int.random(in: 0..<3, using: &random) == 0 { self.entries[id]?.level = back }
            }
        default:
            let ids = self.entries.keys.filter { self.entries[$0]?.type != .level }.sorted()
            guard let id = ids.randomElement(using: &random) else { return }
            self.entries[id]?.type = [.unit, .amenity, .fixture].randomElement(using: &random) ?? .unit
        }
    }

    private mutating func move(from level: FeatureID, to other: FeatureID, as entry: Entry) {
        self.entries[other] = entry
        for id in self.entries.keys where self.entries[id]?.level == level { self.entries[id]?.level = other }
    }
}

/// A venue in the store, with helpers for uploads to it.
struct Workshop {
    let store: RevisionStore
    let reader: RevisionReader
    let key: VenueKey

    init(store: RevisionStore, key: VenueKey = VenueKey("mall")!) {
        self.store = store
        self.reader = RevisionReader(store: store)
        self.key = key
    }

    @discardableResult
    func enqueue(
        _ bytes: String, to key: VenueKey? = nil, creates: Bool = true, by author: Authorization = .ops
    ) async throws -> (id: UploadID, isNew: Bool) {
        var archive = try await self.store.beginArchive(by: author)
        try await self.store.append(Array(bytes.utf8), to: &archive)
        return try await self.store.enqueue(
            UploadRequest(
                venue: key ?? self.key, archive: self.store.finish(archive), options: .init(), message: nil,
                createsVenue: creates, known: nil),
            by: author)
    }

    func job(_ bytes: String, lease: Double = 3_600) async throws -> Job? {
        try await self.enqueue(bytes)
        return try await self.store.claim(leaseFor: lease)
    }

    /// Publishes a state on top of another, through the queue.
    func publish(_ new: VenueModel, over old: VenueModel) async throws -> Int64 {
        guard let job = try await self.job("\(UInt64.random(in: .min ... .max))") else {
            throw StoreError.unknownUpload
        }
        let venue = try await self.store.venue(self.key)
        return try await self.store.publish(new.publication(over: old, of: venue), of: job, findings: [])
    }

    func rollBack(to number: Int64) async throws -> Int64 {
        let venue = try await self.store.venue(self.key)
        return try await self.store.publish(
            Restoration(
                venue: venue, base: venue.head, restores: number, message: nil,
                changes: ChangeSummary(added: 0, changed: 0, removed: 0), facts: []), by: .ops)
    }

    /// All pages from a cursor to a revision.
    func pages(
        since: Cursor?, to: Int64?, levels: LevelSelection = .everything, limit: Int = 5_000
    ) async throws -> [ChangeSet] {
        let venue = try await self.store.venue(self.key)
        var pages: [ChangeSet] = []
        var (cursor, target) = (since, to)
        repeat {
            let page = try await self.reader.changeSet(
                for: SyncRequest(venue: venue, since: cursor, to: target, levels: levels, limit: limit))
            pages.append(try ChangeSet(json: page.json()))  // as it is sent
            (cursor, target) = (page.cursor, nil)
        } while pages.last?.isComplete == false
        return pages
    }

    /// Changes of units of the newest revision.
    func staging(of units: [FeatureID]) async throws -> Staging {
        var staging = Staging.empty
        staging.base = try await self.store.venue(self.key).head
        staging.items = units.map {
            .init(
                feature: $0, kind: .changed, type: .unit, levelBefore: nil, levelAfter: nil, classes: [], body: [0x31])
        }
        return staging
    }

    /// The number of changes of an upload whose bodies before are found.
    func stagedBodies(of job: Job) async throws -> Int {
        var bodies = 0
        _ = try await self.store.stagedChanges(
            of: job.upload, showing: self.store.stagedDifference(of: job.upload), levels: nil, after: nil,
            page: .init(limit: 100, bytes: 1 << 20), withBodies: true
        ) { if $0.before != nil { bodies += 1 } }
        return bodies
    }
}
