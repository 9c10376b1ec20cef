import IMDF

/// A text that is searched for, and how it matches the texts of features.
struct SearchQuery {
    let text: FoldedText
    /// Every word once.
    let words: [[UInt8]]

    /// Nil for a text of punctuation only, which finds nothing. A text of white space is empty.
    init?(_ text: String) {
        self.text = FoldedText(text)
        guard !self.text.isEmpty || text.unicodeScalars.allSatisfy(\.properties.isWhitespace) else { return nil }
        var known: Set<[UInt8]> = []
        self.words = self.text.words.filter { known.insert($0).inserted }
    }

    /// A text that matches, and how well.
    struct Hit {
        let match: SearchMatch
        /// Orders hits with the same match, the lower the better.
        let rank: Int
        let term: SearchTerm
    }

    /// The best match of a feature's own texts. An empty text matches every feature that has a text.
    func hit(in texts: SearchTexts) -> Hit? {
        var best: Hit?
        for term in texts.terms {
            guard let match = self.text.isEmpty ? .prefix : term.match(self) else { continue }
            let hit = Hit(match: match, rank: 0, term: term)
            let isBetter = best.map {
                hit.precedes($0) ?? CanonicalJSON.precedes(hit.term.text, $0.term.text)
            }
            if isBetter != false { best = hit }
        }
        return best
    }
}

extension SearchQuery.Hit {
    /// Nil if both have the same text of the same member.
    func precedes(_ other: Self) -> Bool? {
        let left = (self.match.rawValue, self.rank, self.term.member.rawValue)
        let right = (other.match.rawValue, other.rank, other.term.member.rawValue)
        return left == right ? nil : left < right
    }
}

/// A feature that was found; the order of these is the same in all clients.
struct SearchCandidate {
    let hit: SearchQuery.Hit
    let id: FeatureID
    let type: FeatureType

    func precedes(_ other: SearchCandidate) -> Bool {
        if let precedes = self.hit.precedes(other.hit) { return precedes }
        if self.type != other.type {
            return (self.type.searchRank, self.type.rawValue) < (other.type.searchRank, other.type.rawValue)
        }
        // Compares code units, because locale-dependent orders differ between devices.
        let (left, right) = (self.hit.term.text, other.hit.term.text)
        return left == right ? self.id < other.id : CanonicalJSON.precedes(left, right)
    }
}

extension FeatureType {
    /// The types in the order in which a search finds them, the same in all clients.
    private static let searchRanks: [FeatureType: Int] = {
        let types: [FeatureType] = [
            .venue, .address, .building, .footprint, .level, .section, .geofence, .unit, .fixture, .kiosk, .opening,
            .detail, .anchor, .occupant, .amenity, .relationship,
        ]
        return Dictionary(uniqueKeysWithValues: zip(types, 0...))
    }()

    /// All other types come last.
    fileprivate var searchRank: Int { Self.searchRanks[self] ?? Self.searchRanks.count }
}
