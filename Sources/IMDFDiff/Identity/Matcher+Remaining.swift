package import IMDF

extension Matcher {
    /// Matches the remaining features: first those that are equivalent, then similar ones, then indistinguishable ones in the order of
    /// their ids.
    ///
    /// - Parameters:
    ///   - bodies: those of ``neededBodies``; others are ignored.
    ///   - parse: reads a canonical body. Returns nil for one that cannot be read, which is then not matched.
    package mutating func matchRemaining(_ bodies: [StoredBody], parse: @escaping ([UInt8]) -> JSONValue?) {
        var storedBodies: [Int32: [UInt8]] = [:]
        for body in bodies {
            guard let number = self.matching.stored.number(of: body.id), self.matching.ofStored[Int(number)] < 0
            else { continue }
            storedBodies[number] = body.body
        }
        let equivalence = Equivalence { [known] in known.contains($0) }
        var reader = UnmatchedFeatureReader(stored: storedBodies, arrived: self.arrived, parse: parse)
        self.matchWithinTolerance(&reader, equivalence)
        var hasJoined = self.matchBySimilarity(&reader, equivalence)
        let free = self.freeArrived.count
        self.joinUnambiguous(&reader, equivalence, acrossLevels: true)
        hasJoined = hasJoined || self.freeArrived.count < free
        // Without new pairs a second pass would find nothing either.
        if hasJoined { _ = self.matchBySimilarity(&reader, equivalence) }
        self.matchRetyped(&reader, equivalence)
        self.joinEqualsInOrder(&reader, equivalence)
    }

    private mutating func matchWithinTolerance(_ reader: inout UnmatchedFeatureReader, _ equivalence: Equivalence) {
        var grid = FingerprintGrid()
        var classes = EquivalenceClasses(stored: self.stored.count, arrived: self.arrived.count)
        for number in self.freeStored {
            guard let body = reader.stored(number) else { continue }
            classes.stored[Int(number)] = grid.insert(Fingerprint(body, equivalence: equivalence))
        }
        for number in self.freeArrived {
            guard let body = reader.arrived(number) else { continue }
            classes.arrived[Int(number)] = grid.insert(Fingerprint(body, equivalence: equivalence))
        }
        for number in classes.stored.indices where classes.stored[number] >= 0 {
            classes.stored[number] = grid.root(of: classes.stored[number])
        }
        for number in classes.arrived.indices where classes.arrived[number] >= 0 {
            classes.arrived[number] = grid.root(of: classes.arrived[number])
        }
        self.equivalents = classes
        self.joinLevels(by: classes)
        self.joinUnambiguous(&reader, equivalence, acrossLevels: false)
    }

    /// Joins features with equal content and equivalent features if there is only one such pair.
    mutating func joinUnambiguous(
        _ reader: inout UnmatchedFeatureReader, _ equivalence: Equivalence, acrossLevels: Bool
    ) {
        self.matching.followAgain()
        self.joinEqualContents(acrossLevels: acrossLevels)
        self.matching.followAgain()
        let isPossible = self.isPossible(acrossLevels: acrossLevels)
        self.matching.joinUnambiguous(self.equivalents) { matching, pair in
            isPossible(matching, pair) && reader.areSame(pair, equivalence)
        }
    }

    /// Joins indistinguishable features in the order of their ids.
    private mutating func joinEqualsInOrder(_ reader: inout UnmatchedFeatureReader, _ equivalence: Equivalence) {
        let (distinctive, isPossible) = (self.distinctive, self.isPossible(acrossLevels: true))
        self.matching.joinInOrder(self.contents) { matching, pair in
            distinctive[Int(pair.stored)] && isPossible(matching, pair)
        }
        self.matching.joinInOrder(self.equivalents) { matching, pair in
            distinctive[Int(pair.stored)] && isPossible(matching, pair) && reader.areSame(pair, equivalence)
        }
    }
}

/// Parses the bodies of unmatched features. All parsed bodies would take too much memory to keep.
struct UnmatchedFeatureReader {
    private let storedBodies: [Int32: [UInt8]]
    private let arrivedFeatures: [Feature]
    private let parse: ([UInt8]) -> JSONValue?
    private var verdicts: [Matching.Pair: Bool] = [:]
    private var recentStored = RecentValues()
    private var recentArrived = RecentValues()

    init(stored: [Int32: [UInt8]], arrived: [Feature], parse: @escaping ([UInt8]) -> JSONValue?) {
        self.storedBodies = stored
        self.arrivedFeatures = arrived
        self.parse = parse
    }

    func stored(_ number: Int32) -> JSONValue? { self.storedBodies[number].flatMap(self.parse) }
    func arrived(_ number: Int32) -> JSONValue? { self.parse(self.arrivedFeatures[Int(number)].body) }

    /// Whether two features are equivalent except for their ids and references.
    mutating func areSame(_ pair: Matching.Pair, _ equivalence: Equivalence) -> Bool {
        if let verdict = self.verdicts[pair] { return verdict }
        let verdict = self.compare(pair, equivalence)
        self.verdicts[pair] = verdict
        return verdict
    }

    private mutating func compare(_ pair: Matching.Pair, _ equivalence: Equivalence) -> Bool {
        let stored = self.recentStored.value(pair.stored, of: self.storedBodies[pair.stored] ?? [], self.parse)
        let arrived = self.recentArrived.value(
            pair.arrived, of: self.arrivedFeatures[Int(pair.arrived)].body, self.parse)
        guard let before = stored, var after = arrived?.object else { return false }
        after["id"] = before["id"]
        return equivalence.classes(from: before, to: .object(after)).subtracting(.reference).isEmpty
    }
}

/// The last parsed bodies: a feature is compared with several others of its class, one after the other.
private struct RecentValues {
    private var values: [Int32: JSONValue] = [:]

    private static let most = 64
    /// Bytes of the longest body that is kept.
    private static let longest = 16 << 10

    mutating func value(_ number: Int32, of body: [UInt8], _ parse: ([UInt8]) -> JSONValue?) -> JSONValue? {
        if let value = self.values[number] { return value }
        guard let value = parse(body) else { return nil }
        guard body.count <= Self.longest else { return value }
        if self.values.count == Self.most { self.values.removeAll(keepingCapacity: true) }
        self.values[number] = value
        return value
    }
}
