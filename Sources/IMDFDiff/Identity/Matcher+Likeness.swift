package import IMDF

extension Matcher {
    /// Matches what is left: first within the tolerance of ``Equivalence``, then by resemblance, then in the order of ids what nothing
    /// tells apart.
    ///
    /// - Parameters:
    ///   - bodies: those of ``needBodies``; others are passed over.
    ///   - parse: reads a canonical body; nil for one that cannot be read, which then resembles nothing.
    package mutating func matchByLikeness(_ bodies: [StoredBody], parse: @escaping ([UInt8]) -> JSONValue?) {
        var storedBodies: [Int32: [UInt8]] = [:]
        for body in bodies {
            guard let number = self.partners.stored.number(of: body.id), self.partners.ofStored[Int(number)] < 0
            else { continue }
            storedBodies[number] = body.body
        }
        let sameness = Equivalence { [known] in known.contains($0) }
        var reader = UnmatchedFeatureReader(stored: storedBodies, arrived: self.arrived, parse: parse)
        self.matchWithinTolerance(&reader, sameness)
        var hasJoined = self.matchByResemblance(&reader, sameness)
        let free = self.freeArrived.count
        self.settle(&reader, sameness, across: true)
        hasJoined = hasJoined || self.freeArrived.count < free
        // Where nothing was found nothing more can be found.
        if hasJoined { _ = self.matchByResemblance(&reader, sameness) }
        self.matchRetyped(&reader, sameness)
        self.pairOffEquals(&reader, sameness)
    }

    private mutating func matchWithinTolerance(_ reader: inout UnmatchedFeatureReader, _ sameness: Equivalence) {
        var map = FingerprintGrid()
        var looks = EquivalenceClasses(stored: self.stored.count, arrived: self.arrived.count)
        for number in self.freeStored {
            guard let body = reader.stored(number) else { continue }
            looks.stored[Int(number)] = map.insert(Fingerprint(body, sameness: sameness))
        }
        for number in self.freeArrived {
            guard let body = reader.arrived(number) else { continue }
            looks.arrived[Int(number)] = map.insert(Fingerprint(body, sameness: sameness))
        }
        for number in looks.stored.indices where looks.stored[number] >= 0 {
            looks.stored[number] = map.place(of: looks.stored[number])
        }
        for number in looks.arrived.indices where looks.arrived[number] >= 0 {
            looks.arrived[number] = map.place(of: looks.arrived[number])
        }
        self.likeness = looks
        self.settle(&reader, sameness, across: false)
    }

    /// Joins what is the same, to the letter or within the tolerance, as far as there is only one such.
    mutating func settle(_ reader: inout UnmatchedFeatureReader, _ sameness: Equivalence, across floors: Bool) {
        self.partners.refresh()
        self.settleContents(across: floors)
        self.partners.refresh()
        let isPossible = self.isPossible(across: floors)
        self.partners.settle(self.likeness) { partners, pair in
            isPossible(partners, pair) && reader.areSame(pair, sameness)
        }
    }

    /// What nothing tells apart is taken in the order of ids.
    private mutating func pairOffEquals(_ reader: inout UnmatchedFeatureReader, _ sameness: Equivalence) {
        let (distinctive, isPossible) = (self.distinctive, self.isPossible(across: true))
        self.partners.pairOff(self.contents) { partners, pair in
            distinctive.contains(pair.stored) && isPossible(partners, pair)
        }
        self.partners.pairOff(self.likeness) { partners, pair in
            distinctive.contains(pair.stored) && isPossible(partners, pair) && reader.areSame(pair, sameness)
        }
    }
}

/// Reads bodies that are left over, each time anew: kept as trees they would fill the memory.
struct UnmatchedFeatureReader {
    private let storedBodies: [Int32: [UInt8]]
    private let arrivals: [Feature]
    private let parse: ([UInt8]) -> JSONValue?
    private var verdicts: [Matching.Pair: Bool] = [:]

    init(stored: [Int32: [UInt8]], arrived: [Feature], parse: @escaping ([UInt8]) -> JSONValue?) {
        self.storedBodies = stored
        self.arrivals = arrived
        self.parse = parse
    }

    func stored(_ number: Int32) -> JSONValue? { self.storedBodies[number].flatMap(self.parse) }
    func arrived(_ number: Int32) -> JSONValue? { self.parse(self.arrivals[Int(number)].body) }

    /// Whether two features say the same when nobody looks at their ids and references.
    mutating func areSame(_ pair: Matching.Pair, _ sameness: Equivalence) -> Bool {
        if let verdict = self.verdicts[pair] { return verdict }
        let verdict = self.compare(pair, sameness)
        self.verdicts[pair] = verdict
        return verdict
    }

    private func compare(_ pair: Matching.Pair, _ sameness: Equivalence) -> Bool {
        guard let before = self.stored(pair.stored), var after = self.arrived(pair.arrived)?.object else {
            return false
        }
        after["id"] = before["id"]
        return sameness.classes(from: before, to: .object(after)).subtracting(.reference).isEmpty
    }
}
