package import IMDF

/// Matches features of an archive whose ids are new with stored features.
///
/// Many producers generate new ids with every export. Features that are missing from the archive are matched with new ones in three
/// steps, each with the features that the previous one did not match: first by equal content except for ids and references, and by
/// following references; then by equivalent content (``Equivalence``); then by similarity, with a reason and a score. A wrong match is
/// worse than none, so ambiguous features are not matched.
///
/// The stored bodies are in a database, so the caller provides them: first those of ``neededDigests``, then those of
/// ``neededBodies``. The result does not depend on any order, and depends on ids only for indistinguishable features.
package struct Matcher: Sendable {
    let stored: [StoredFeature]
    let arrived: [Feature]
    var matching: Matching
    /// Arrived features whose id was matched with a feature that was deleted since, with the id of that feature.
    private var revived: [Int32: FeatureID] = [:]
    private var aliased: Set<Int32> = []
    /// Classes of features with equal content.
    var contents = EquivalenceClasses(stored: 0, arrived: 0)
    /// Classes of features that may be equivalent.
    var equivalents = EquivalenceClasses(stored: 0, arrived: 0)
    /// Which stored features have distinctive content, and which of them a name.
    var distinctive: [Bool]
    var named: [Bool]
    /// Near matches by the number of the arrived feature.
    var nearMatches: [Int32: NearMatch] = [:]
    /// How many pairs of feature profiles were compared.
    var comparisonCount = 0

    struct NearMatch: Sendable {
        let reason: IdentityMatch.Reason
        let score: Double
    }

    /// Stored features whose content digests are needed, sorted: those without a match, and matched ones with another body. Empty if
    /// there is nothing to match.
    package private(set) var neededDigests: [FeatureID] = []
    /// The arrived features whose content digests are needed.
    private var arrivalsToDigest: [Int] = []

    /// - Parameters:
    ///   - stored: the newest revision, by id.
    ///   - arrived: the archive, by id.
    ///   - levels: the level of each arrived feature, by ids of the archive.
    ///   - digests: the digests of the arrived bodies.
    ///   - aliases: the stored ids that ids of the archive were matched with in earlier uploads.
    package init(
        stored: [StoredFeature], arrived: [Feature], levels: [FeatureID?], digests: [Digest],
        aliases: [FeatureID: FeatureID] = [:]
    ) {
        self.stored = stored
        self.arrived = arrived
        self.matching = Matching(
            stored: NumberedFeatures(ids: stored.map(\.id), levels: stored.map(\.level)),
            arrived: NumberedFeatures(ids: arrived.map(\.id), levels: levels))
        self.distinctive = Array(repeating: false, count: stored.count)
        self.named = self.distinctive
        self.joinEqualIDs()
        self.joinAliases(aliases)
        self.findNeeds(digests)
    }

    /// The ids of both states.
    var known: KnownIDs { KnownIDs(stored: self.matching.stored, arrived: self.matching.arrived) }

    private mutating func joinEqualIDs() {
        var here = 0
        for (there, feature) in self.arrived.enumerated() {
            while here < self.stored.count, self.stored[here].id < feature.id { here += 1 }
            guard here < self.stored.count, self.stored[here].id == feature.id else { continue }
            self.matching.join(.init(stored: Int32(here), arrived: Int32(there)))
        }
    }

    private mutating func joinAliases(_ aliases: [FeatureID: FeatureID]) {
        guard !aliases.isEmpty else { return }
        let present = self.matching.arrived
        var revived: Set<FeatureID> = []
        for (number, feature) in self.arrived.enumerated() where self.matching.ofArrived[number] < 0 {
            guard let target = aliases[feature.id], present.number(of: target) == nil else { continue }
            guard let stored = self.matching.stored.number(of: target) else {
                if revived.insert(target).inserted { self.revived[Int32(number)] = target }
                continue
            }
            let pair = Matching.Pair(stored: stored, arrived: Int32(number))
            guard self.matching.isFree(pair) else { continue }
            self.matching.join(pair)
            self.aliased.insert(pair.arrived)
        }
    }

    private mutating func findNeeds(_ digests: [Digest]) {
        let free = self.freeStored
        guard !free.isEmpty, !self.freeArrived.isEmpty else { return }
        self.neededDigests = self.stored.indices.compactMap { number in
            let arrival = self.matching.ofStored[number]
            let isNeeded = arrival < 0 || self.stored[number].bodyDigest != digests[Int(arrival)]
            if isNeeded, arrival >= 0 { self.arrivalsToDigest.append(Int(arrival)) }
            return isNeeded ? self.stored[number].id : nil
        }
        self.arrivalsToDigest += self.freeArrived.map(Int.init)
    }

    /// Unmatched stored and arrived features, in the order of their ids.
    var freeStored: [Int32] { self.matching.ofStored.indices.filter { self.matching.ofStored[$0] < 0 }.map(Int32.init) }
    var freeArrived: [Int32] {
        self.matching.ofArrived.indices.lazy.map(Int32.init)
            .filter { self.matching.ofArrived[Int($0)] < 0 && self.revived[$0] == nil }
    }

    /// Computes the content digests that are needed.
    package var contentDigester: ContentDigester {
        var needed = self.neededDigests[...]
        return ContentDigester(
            known: self.known,
            arrivals: self.arrivalsToDigest.map { self.arrived[$0] },
            stored: self.stored.filter { feature in  // both are sorted by id
                guard needed.first == feature.id else { return false }
                needed.removeFirst()
                return true
            }, ids: self.neededDigests)
    }

    /// Stored features whose bodies ``matchRemaining(_:parse:)`` needs, after matching by content.
    package var neededBodies: [FeatureID] {
        guard !self.neededDigests.isEmpty else { return [] }
        let free = self.freeStored
        return free.isEmpty || self.freeArrived.isEmpty ? [] : free.map { self.stored[Int($0)].id }
    }

    /// The result.
    package var identities: Identities {
        var matches: [IdentityMatch] = []
        for (number, feature) in self.arrived.enumerated() {
            let arrival = Int32(number)
            if let target = self.revived[arrival] {
                matches.append(
                    IdentityMatch(id: target, archiveID: feature.id, type: feature.type, kind: .alias, reason: .known))
                continue
            }
            let stored = self.matching.ofArrived[number]
            guard stored >= 0, self.stored[Int(stored)].id != feature.id else { continue }
            let nearMatch = self.nearMatches[arrival]
            let isAlias = self.aliased.contains(arrival)
            matches.append(
                IdentityMatch(
                    id: self.stored[Int(stored)].id, archiveID: feature.id, type: feature.type,
                    kind: isAlias ? .alias : nearMatch == nil ? .exact : .near,
                    reason: isAlias ? .known : nearMatch?.reason ?? .content, score: nearMatch?.score ?? 1))
        }
        return Identities(
            matches: matches.sorted { $0.id < $1.id }, comparisonCount: self.comparisonCount)
    }
}

/// Computes the content digests that a ``Matcher`` needs, on any thread.
package struct ContentDigester: Sendable {
    fileprivate let known: KnownIDs
    fileprivate let arrivals: [Feature]
    /// By id.
    fileprivate let stored: [StoredFeature]
    /// Of `stored`.
    fileprivate let ids: [FeatureID]

    package func arrivedDigests() async -> [ContentDigest] {
        await onTwoCores(self.arrivals.count) { half in
            self.arrivals[half].map { self.digest($0.id, $0.type, $0.body) }
        }
    }

    /// The content digests of stored features that are known already, by id.
    package func storedDigests(in contents: KnownContents) -> [ContentDigest] {
        contents.digests(of: self.stored, self.known.contains)
    }

    /// The content digest of a stored body; nil if it is not needed.
    package func digest(_ body: StoredBody) -> ContentDigest? {
        self.ids.sortedIndex(of: body.id).map { self.digest(body.id, self.stored[$0].type, body.body) }
    }

    private func digest(_ id: FeatureID, _ type: FeatureType, _ body: [UInt8]) -> ContentDigest {
        ContentDigest(id: id, type: type, body: body, isKnown: self.known.contains)
    }
}
