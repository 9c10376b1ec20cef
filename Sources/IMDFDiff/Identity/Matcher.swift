package import IMDF

/// Recognises features that an archive brings under ids which the store does not know.
///
/// Most producers mint new ids on every export. What went and what came is matched in three steps, of which each sees only what
/// the one before left: first by what features say to the letter, ids and references left out, and outward along references;
/// then the same within the tolerance of ``Equivalence``; then by resemblance, with a reason and a score. A wrong match is worse
/// than none, so whatever could as well be another stays alone.
///
/// The stored bodies lie in a database, so the caller hands them in: ``needSketches`` says of what, then ``needBodies``.
/// The answer does not depend on the order of anything, and of ids only among features that nothing tells apart.
package struct Matcher: Sendable {
    let stored: [StoredFeature]
    let arrived: [Feature]
    let known: Set<FeatureID>
    var partners: Matching
    /// Arrivals whose feature was deleted, under the id that it had.
    private var revived: [Int32: FeatureID] = [:]
    private var aliased: Set<Int32> = []
    /// What features say to the letter.
    var contents = EquivalenceClasses(stored: 0, arrived: 0)
    /// What may be the same within the tolerance.
    var likeness = EquivalenceClasses(stored: 0, arrived: 0)
    /// Stored features that say anything to tell them by, and those of them that have a name.
    var distinctive: Set<Int32> = []
    var named: Set<Int32> = []
    /// Of near matches, by the number of the arrival.
    var guesses: [Int32: NearMatch] = [:]

    struct NearMatch: Sendable {
        let reason: Match.Reason
        let score: Double
    }

    /// Stored features whose sketches are needed, in the order of their ids: those that went, and those that stayed and do
    /// not say the same to the letter. Nothing when there is nothing to recognise.
    package private(set) var needSketches: [FeatureID] = []
    /// The arrivals that are needed as well.
    private var arrivalsToSketch: [Int] = []

    /// - Parameters:
    ///   - stored: the newest revision, by id.
    ///   - arrived: the archive, by id.
    ///   - levels: the level that each arrival is on, by the archive's ids.
    ///   - digests: of the arrivals' bodies as they came.
    ///   - aliases: what ids of the archive were matched with before.
    package init(
        stored: [StoredFeature], arrived: [Feature], levels: [FeatureID?], digests: [Digest],
        aliases: [FeatureID: FeatureID] = [:]
    ) {
        self.stored = stored
        self.arrived = arrived
        self.known = Set(stored.lazy.map(\.id)).union(arrived.lazy.map(\.id))
        self.partners = Matching(
            stored: FeatureTable(ids: stored.map(\.id), levels: stored.map(\.level)),
            arrived: FeatureTable(ids: arrived.map(\.id), levels: levels))
        self.joinEqualIDs()
        self.joinAliases(aliases)
        self.findNeeds(digests)
    }

    private mutating func joinEqualIDs() {
        var here = 0
        for (there, feature) in self.arrived.enumerated() {
            while here < self.stored.count, self.stored[here].id < feature.id { here += 1 }
            guard here < self.stored.count, self.stored[here].id == feature.id else { continue }
            self.partners.join(.init(stored: Int32(here), arrived: Int32(there)))
        }
    }

    private mutating func joinAliases(_ aliases: [FeatureID: FeatureID]) {
        guard !aliases.isEmpty else { return }
        let claimed = self.partners.arrived
        var revived: Set<FeatureID> = []
        for (number, feature) in self.arrived.enumerated() where self.partners.ofArrived[number] < 0 {
            guard let target = aliases[feature.id], claimed.number(of: target) == nil else { continue }
            guard let stored = self.partners.stored.number(of: target) else {
                if revived.insert(target).inserted { self.revived[Int32(number)] = target }
                continue
            }
            let pair = Matching.Pair(stored: stored, arrived: Int32(number))
            guard self.partners.isFree(pair) else { continue }
            self.partners.join(pair)
            self.aliased.insert(pair.arrived)
        }
    }

    private mutating func findNeeds(_ digests: [Digest]) {
        let free = self.freeStored
        guard !free.isEmpty, !self.freeArrived.isEmpty else { return }
        self.needSketches = self.stored.indices.compactMap { number in
            let arrival = self.partners.ofStored[number]
            let isNeeded = arrival < 0 || self.stored[number].bodyDigest != digests[Int(arrival)]
            if isNeeded, arrival >= 0 { self.arrivalsToSketch.append(Int(arrival)) }
            return isNeeded ? self.stored[number].id : nil
        }
        self.arrivalsToSketch += self.freeArrived.map(Int.init)
    }

    /// Stored features and arrivals without a partner, in the order of their ids.
    var freeStored: [Int32] { self.partners.ofStored.indices.filter { self.partners.ofStored[$0] < 0 }.map(Int32.init) }
    var freeArrived: [Int32] {
        self.partners.ofArrived.indices.lazy.map(Int32.init)
            .filter { self.partners.ofArrived[Int($0)] < 0 && self.revived[$0] == nil }
    }

    /// What draws the features that are needed.
    package var sketcher: ContentDigester {
        ContentDigester(
            known: self.known, arrivals: self.arrivalsToSketch.map { self.arrived[$0] }, stored: self.needSketches,
            types: self.needSketches.map { id in
                self.partners.stored.number(of: id).map { self.stored[Int($0)].type } ?? .unit
            })
    }

    /// Stored features whose bodies ``matchByLikeness(_:parse:)`` wants to see, once content has been matched.
    package var needBodies: [FeatureID] {
        guard !self.needSketches.isEmpty else { return [] }
        let free = self.freeStored
        return free.isEmpty || self.freeArrived.isEmpty ? [] : free.map { self.stored[Int($0)].id }
    }

    /// What was found out.
    package var identities: Identities {
        var matches: [Match] = []
        for (number, feature) in self.arrived.enumerated() {
            let arrival = Int32(number)
            if let target = self.revived[arrival] {
                matches.append(
                    Match(stored: target, arrived: feature.id, type: feature.type, kind: .alias, reason: .known))
                continue
            }
            let partner = self.partners.ofArrived[number]
            guard partner >= 0, self.stored[Int(partner)].id != feature.id else { continue }
            let guess = self.guesses[arrival]
            let isAlias = self.aliased.contains(arrival)
            matches.append(
                Match(
                    stored: self.stored[Int(partner)].id, arrived: feature.id, type: feature.type,
                    kind: isAlias ? .alias : guess == nil ? .exact : .near,
                    reason: isAlias ? .known : guess?.reason ?? .content, score: guess?.score ?? 1))
        }
        return Identities(matches: matches.sorted { $0.stored < $1.stored })
    }
}

/// Draws sketches of features that a ``Matcher`` needs, on any thread.
package struct ContentDigester: Sendable {
    fileprivate let known: Set<FeatureID>
    fileprivate let arrivals: [Feature]
    fileprivate let stored: [FeatureID]
    fileprivate let types: [FeatureType]

    package func arrivedSketches() -> [ContentDigest] {
        self.arrivals.map { self.sketch($0.id, $0.type, $0.body) }
    }

    /// A sketch of a stored body; nil for one that is not needed.
    package func sketch(_ body: StoredBody) -> ContentDigest? {
        self.stored.place(of: body.id).map { self.sketch(body.id, self.types[$0], body.body) }
    }

    private func sketch(_ id: FeatureID, _ type: FeatureType, _ body: [UInt8]) -> ContentDigest {
        let known = self.known
        return ContentDigest(id: id, type: type, body: body) { known.contains($0) }
    }
}
