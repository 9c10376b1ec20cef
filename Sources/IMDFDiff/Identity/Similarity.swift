import Foundation
import IMDF

/// How much a feature of the archive is like one of the store, and why it may be the same; nil when it may not.
///
/// A space is where it is: what stands in the same place is the same, under whatever name. A shop is who it is: another name
/// in the same place is another shop, unless its telephone or website say otherwise. A thing that was moved by a few metres
/// has to be the same in everything else.
struct Similarity {
    let stored: FeatureProfile
    let arrived: FeatureProfile
    private let partners: Matching
    private let pair: Matching.Pair
    private let floors: Matching.Floors

    init(stored: FeatureProfile, arrived: FeatureProfile, among partners: Matching) {
        self.stored = stored
        self.arrived = arrived
        self.partners = partners
        self.pair = Matching.Pair(stored: stored.number, arrived: arrived.number)
        self.floors = partners.floors(of: self.pair)
    }

    // Both walk along references, so they are computed only where they decide.

    /// How much there is that both refer to, or that refers to both.
    private var share: Int { self.partners.share(self.pair) }
    /// Whether different things refer to the one and to the other: an anchor of another shop is another anchor.
    private var areHeldApart: Bool { self.partners.areHeldApart(self.pair) }

    /// How far something may have been moved, in metres, when nothing else about it changed.
    private static let reach = 10.0
    /// How far something of the same name may be away.
    private static let nameReach = 25.0

    /// Nil where one of them has no name.
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

    /// For what holds the two together.
    private var bonus: Double { 0.05 * Double(min(self.share, 3)) }
    private var type: FeatureType { self.arrived.type }
    private var isOnSameFloor: Bool { self.floors == .same || self.floors == .unknown }

    var guess: Matcher.NearMatch? {
        guard self.stored.type == self.arrived.type else { return self.asRetyped }
        let isPlaced = self.stored.shape != nil || self.arrived.shape != nil
        guard isPlaced else { return self.withoutPlace }
        guard let shape = self.stored.shape, let other = self.arrived.shape,
            self.isOnSameFloor || self.floors == .other && self.namesAgree == true && self.agreement >= 0.5
        else { return nil }
        if shape.isPoint != other.isPoint { return self.byName(overlap: 0) }
        return shape.isPoint ? self.asPoints(shape, other) : self.asAreas(shape, other)
    }

    private var asRetyped: Matcher.NearMatch? {
        self.isOnSameFloor && self.namesAgree == true && self.contactsAgree ? self.guess(.contact, 0.8) : nil
    }

    /// In metres, between the middles.
    private var distance: Double {
        guard let here = self.stored.center, let there = self.arrived.center else { return .infinity }
        let degree = 111_320.0
        let east = (there.x - here.x) * degree * cos(here.y * .pi / 180)
        let north = (there.y - here.y) * degree
        return (east * east + north * north).squareRoot()
    }

    private func guess(_ reason: Match.Reason, _ score: Double) -> Matcher.NearMatch {
        Matcher.NearMatch(reason: reason, score: min(max(score, 0), 0.99))
    }

    private func byName(overlap: Double) -> Matcher.NearMatch? {
        guard self.namesAgree == true, overlap > 0.1 || self.distance <= Self.nameReach else { return nil }
        guard self.sameCategory || overlap > 0.1 else { return nil }
        return self.guess(.name, 0.85 - 0.2 * min(self.distance / Self.nameReach, 1) + 0.1 * overlap)
    }

    private func asPoints(_ shape: Shape, _ other: Shape) -> Matcher.NearMatch? {
        if GeometryEquality.holds(between: shape, and: other) {
            if self.sameCategory || self.namesAgree == true { return self.guess(.place, 0.88 + 0.1 * self.agreement) }
            return self.namesAgree == false ? nil : self.guess(.place, 0.65 + 0.2 * self.agreement)
        }
        if let guess = self.byName(overlap: 0) { return guess }
        let distance = self.distance
        guard distance <= Self.reach, self.agreement == 1, !self.namesDiffer, self.share > 0, !self.areHeldApart else {
            return nil
        }
        return self.guess(.shifted, 0.7 + self.bonus - 0.2 * distance / Self.reach + 0.1)
    }

    private func asAreas(_ shape: Shape, _ other: Shape) -> Matcher.NearMatch? {
        if GeometryEquality.holds(between: shape, and: other) {
            return self.guess(.place, 0.8 + (self.namesAgree == true ? 0.1 : 0) + 0.08 * self.agreement)
        }
        let overlap = shape.overlap(with: other)
        if self.type == .level, self.stored.ordinal == self.arrived.ordinal, self.share > 0 || overlap > 0.3 {
            return self.guess(.overlap, 0.8 + (self.namesAgree == true ? 0.1 : 0) + 0.08 * overlap)
        }
        if let guess = self.byName(overlap: overlap) { return guess }
        if overlap >= 0.85, self.sameCategory || self.agreement >= 0.5 {
            return self.guess(.overlap, 0.7 + 0.2 * overlap - (self.namesDiffer ? 0.1 : 0))
        }
        if overlap >= 0.5, !self.namesDiffer, self.sameCategory { return self.guess(.overlap, 0.6 + 0.3 * overlap) }
        let distance = self.distance
        guard distance <= Self.reach, self.agreement == 1, !self.namesDiffer, shape.isCongruent(with: other) else {
            return nil
        }
        return self.guess(.shifted, 0.84 - 0.2 * distance / Self.reach)
    }

    /// Shops stand nowhere of themselves, and neither do addresses and buildings.
    private var withoutPlace: Matcher.NearMatch? {
        if self.namesAgree == true {
            guard self.sameCategory || self.share > 0 || self.contactsAgree else { return nil }
            return self.guess(.name, 0.78 + self.bonus + 0.1 * self.agreement)
        }
        guard self.share > 0 else { return nil }
        if self.contactsAgree { return self.guess(.contact, 0.7 + self.bonus + 0.1 * self.agreement) }
        if self.namesDiffer {
            // Another name is another shop, or another building, unless most of its words are the same.
            let likeness = self.stored.nameLikeness(with: self.arrived)
            guard likeness >= 0.5, self.sameCategory, self.agreement >= 0.75 else { return nil }
            return self.guess(.name, 0.55 + self.bonus + 0.2 * likeness)
        }
        guard self.type != .occupant, self.agreement >= 0.5 || self.share >= 2 else { return nil }
        return self.guess(.references, 0.55 + self.bonus + 0.2 * self.agreement)
    }
}
