import Foundation
import IMDF

/// The similarity of a stored and an arrived feature: whether they may be the same, why, and with which score.
///
/// A space is identified by its position, whatever its name is. A shop is identified by its name: another name at the same position is
/// another shop, unless the telephone number or the website is equal. A feature that moved by a few meters has to be equal otherwise.
struct Similarity {
    let stored: FeatureProfile
    let arrived: FeatureProfile
    private let pairs: KnownPairs
    private let pair: Matching.Pair
    private let levelRelation: Matching.LevelRelation

    /// The pairs that are known while features are compared. A class, because a copy of ``Matching`` for every comparison takes longer
    /// than the comparison.
    final class KnownPairs {
        fileprivate let matching: Matching

        init(_ matching: Matching) {
            self.matching = matching
        }
    }

    init(stored: FeatureProfile, arrived: FeatureProfile, among pairs: KnownPairs) {
        self.stored = stored
        self.arrived = arrived
        self.pairs = pairs
        self.pair = Matching.Pair(stored: stored.number, arrived: arrived.number)
        self.levelRelation = pairs.matching.levelRelation(of: self.pair)
    }

    // These follow references, so they are computed only when they are needed.

    /// The number of features that both refer to or that refer to both.
    private var share: Int { self.pairs.matching.share(self.pair) }
    /// Whether different features refer to the two: the anchor of another shop is another anchor.
    private var haveDisjointReferrers: Bool { self.pairs.matching.haveDisjointReferrers(self.pair) }

    /// The distance in meters that a feature may have moved if nothing else changed.
    private static let reach = 10.0
    /// The distance in meters that a feature of the same name may have moved.
    private static let nameReach = 25.0

    /// The overlap from which areas without equal names may be the same.
    private static let leastOverlap = 0.5
    /// By how much the overlap of two areas may be estimated too high.
    private static let overlapError = 0.05

    /// Nil if one of them has no name.
    private var namesAgree: Bool? {
        self.stored.names.isEmpty || self.arrived.names.isEmpty
            ? nil : !self.stored.names.isDisjoint(with: self.arrived.names)
    }
    private var namesDiffer: Bool {
        self.namesAgree == false || self.stored.names.isEmpty != self.arrived.names.isEmpty
    }
    private var sameCategory: Bool { self.stored.category == self.arrived.category }
    private var contactsAgree: Bool { !self.stored.contacts.isDisjoint(with: self.arrived.contacts) }
    private var agreement: Double { self.stored.agreement(with: self.arrived) }

    /// The part of the score for common references.
    private var bonus: Double { 0.05 * Double(min(self.share, 3)) }
    private var type: FeatureType { self.arrived.type }
    private var isOnSameLevel: Bool { self.levelRelation == .same || self.levelRelation == .unknown }

    /// Nil if the features are not similar enough to be the same.
    var nearMatch: Matcher.NearMatch? {
        guard self.stored.type == self.arrived.type else { return self.asRetyped }
        let hasGeometry = self.stored.geometry != nil || self.arrived.geometry != nil
        guard hasGeometry else { return self.withoutGeometry }
        guard let geometry = self.stored.geometry, let other = self.arrived.geometry,
            self.isOnSameLevel || self.levelRelation == .other && self.namesAgree == true && self.agreement >= 0.5
        else { return nil }
        if geometry.isPoint != other.isPoint { return self.byName(overlap: 0) }
        return geometry.isPoint ? self.asPoints(geometry, other) : self.asAreas(geometry, other)
    }

    private var asRetyped: Matcher.NearMatch? {
        self.isOnSameLevel && self.namesAgree == true && self.contactsAgree ? self.nearMatch(.contact, 0.8) : nil
    }

    /// The distance between the centers, in meters.
    private var distance: Double {
        guard let here = self.stored.center, let there = self.arrived.center else { return .infinity }
        let degree = 111_320.0
        let east = (there.x - here.x) * degree * cos(here.y * .pi / 180)
        let north = (there.y - here.y) * degree
        return (east * east + north * north).squareRoot()
    }

    private func nearMatch(_ reason: IdentityMatch.Reason, _ score: Double) -> Matcher.NearMatch {
        Matcher.NearMatch(reason: reason, score: min(max(score, 0), 0.99))
    }

    private func byName(overlap: Double) -> Matcher.NearMatch? {
        guard self.namesAgree == true, overlap > 0.1 || self.distance <= Self.nameReach else { return nil }
        guard self.sameCategory || overlap > 0.1 else { return nil }
        return self.nearMatch(.name, 0.85 - 0.2 * min(self.distance / Self.nameReach, 1) + 0.1 * overlap)
    }

    private func asPoints(_ geometry: ComparableGeometry, _ other: ComparableGeometry) -> Matcher.NearMatch? {
        if GeometryEquality.holds(between: geometry, and: other) {
            if self.sameCategory || self.namesAgree == true {
                return self.nearMatch(.position, 0.88 + 0.1 * self.agreement)
            }
            return self.namesAgree == false ? nil : self.nearMatch(.position, 0.65 + 0.2 * self.agreement)
        }
        if let nearMatch = self.byName(overlap: 0) { return nearMatch }
        let distance = self.distance
        guard distance <= Self.reach, self.agreement == 1, !self.namesDiffer, self.share > 0,
            !self.haveDisjointReferrers
        else {
            return nil
        }
        return self.nearMatch(.shifted, 0.7 + self.bonus - 0.2 * distance / Self.reach + 0.1)
    }

    private func asAreas(_ geometry: ComparableGeometry, _ other: ComparableGeometry) -> Matcher.NearMatch? {
        if GeometryEquality.holds(between: geometry, and: other) {
            return self.nearMatch(.position, 0.8 + (self.namesAgree == true ? 0.1 : 0) + 0.08 * self.agreement)
        }
        let agreement = self.agreement
        // Without equal names, an overlap of less than a half makes no difference.
        let needsOverlap =
            self.type == .level || self.namesAgree == true
            || self.stored.greatestOverlap(with: self.arrived) >= Self.leastOverlap - Self.overlapError
        let overlap = needsOverlap ? geometry.overlap(with: other) : 0
        if self.type == .level, self.stored.ordinal == self.arrived.ordinal, self.share > 0 || overlap > 0.3 {
            return self.nearMatch(.overlap, 0.8 + (self.namesAgree == true ? 0.1 : 0) + 0.08 * overlap)
        }
        if let nearMatch = self.byName(overlap: overlap) { return nearMatch }
        if overlap >= 0.85, self.sameCategory || agreement >= 0.5 {
            return self.nearMatch(.overlap, 0.7 + 0.2 * overlap - (self.namesDiffer ? 0.1 : 0))
        }
        if overlap >= Self.leastOverlap, !self.namesDiffer, self.sameCategory {
            return self.nearMatch(.overlap, 0.6 + 0.3 * overlap)
        }
        let distance = self.distance
        guard distance <= Self.reach, agreement == 1, !self.namesDiffer, self.stored.isCongruent(with: self.arrived)
        else {
            return nil
        }
        return self.nearMatch(.shifted, 0.84 - 0.2 * distance / Self.reach)
    }

    /// Occupants, addresses and buildings have no geometry.
    private var withoutGeometry: Matcher.NearMatch? {
        if self.namesAgree == true {
            guard self.sameCategory || self.share > 0 || self.contactsAgree else { return nil }
            return self.nearMatch(.name, 0.78 + self.bonus + 0.1 * self.agreement)
        }
        guard self.share > 0 else { return nil }
        if self.contactsAgree { return self.nearMatch(.contact, 0.7 + self.bonus + 0.1 * self.agreement) }
        if self.namesDiffer {
            // Another name is another shop or building, unless most of its words are equal.
            let similarity = self.stored.nameSimilarity(with: self.arrived)
            guard similarity >= 0.5, self.sameCategory, self.agreement >= 0.75 else { return nil }
            return self.nearMatch(.name, 0.55 + self.bonus + 0.2 * similarity)
        }
        guard self.type != .occupant, self.agreement >= 0.5 || self.share >= 2 else { return nil }
        return self.nearMatch(.references, 0.55 + self.bonus + 0.2 * self.agreement)
    }
}
