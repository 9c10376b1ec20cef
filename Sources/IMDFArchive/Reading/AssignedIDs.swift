internal import IMDF

/// The ids of features whose own ids cannot be used: an id that is not a UUID, and a UUID that features of several types have.
///
/// They are UUIDs of version 5 (RFC 9562 §5.5). The namespace is the id of the venue, and the name is the id as it is written, so that the
/// next archive with the same ids has the same UUIDs. Of several types with one id, the first in ``order`` has that UUID, or keeps the
/// id if it is one; the name of every other one is its type, a space and the id.
struct AssignedIDs: Sendable {
    /// An id that is not a UUID, and the type of a feature that has it.
    struct Unusable: Hashable, Sendable {
        /// Without white space at its ends.
        let text: [UInt8]
        let type: FeatureType
    }

    private var ids: [[UInt8]: [(type: FeatureType, id: FeatureID)]] = [:]

    /// The namespace for the id of a venue that is not a UUID: the UUID of version 5 of the URL of IMDF's standard.
    static let venues = FeatureID(
        name: "https://docs.ogc.org/cs/20-094/".utf8,
        namespace: FeatureID(high: 0x6BA7_B811_9DAD_11D1, low: 0x80B4_00C0_4FD4_30C8))

    /// The venue comes first, because its id identifies the venue. The others are in an order in which referents precede what refers to
    /// them: they are more likely to be meant by properties that IMDF does not define.
    private static let order: [FeatureType] = [
        .venue, .address, .building, .footprint, .level, .section, .unit, .anchor, .amenity, .kiosk, .fixture, .detail,
        .opening, .occupant, .geofence, .relationship,
    ]

    /// - Parameters:
    ///   - unusable: the ids that are not UUIDs.
    ///   - shared: the UUIDs that features of several types have.
    ///   - venue: the id of the venue feature; nil if it is not a UUID.
    init(unusable: Set<Unusable>, shared: [FeatureID: Set<FeatureType>], venue: FeatureID?) {
        let venue =
            venue
            ?? FeatureID(
                name: unusable.filter { $0.type == .venue }.map(\.text).min { $0.lexicographicallyPrecedes($1) } ?? [],
                namespace: Self.venues)
        for (text, group) in Dictionary(grouping: unusable, by: \.text) {
            self.assign(text, group.map(\.type), in: venue) { type in
                FeatureID(name: text, namespace: type == .venue ? Self.venues : venue)
            }
        }
        for (id, types) in shared {
            self.assign(Array(id.description.utf8), Array(types), in: venue) { _ in id }
        }
    }

    private mutating func assign(
        _ text: [UInt8], _ types: [FeatureType], in venue: FeatureID, first: (FeatureType) -> FeatureID
    ) {
        let ranked = types.map { type in (Self.order.firstIndex(of: type) ?? Self.order.count, type) }
            .sorted { ($0.0, $0.1.rawValue) < ($1.0, $1.1.rawValue) }
        self.ids[text] = ranked.enumerated().map { number, ranked in
            let type = ranked.1
            let id = number == 0 ? first(type) : FeatureID(name: "\(type.rawValue) ".utf8 + text, namespace: venue)
            return (type, id)
        }
    }

    /// The id of a feature of a type; nil if it keeps its own.
    ///
    /// - Parameter text: its own id; in lower case if it is a UUID.
    func id(for text: [UInt8], of type: FeatureType) -> FeatureID? {
        self.ids[text]?.first { $0.type == type }?.id
    }

    /// The id that a reference to `text` means; nil if `text` is the id of no feature, or of one that keeps its own.
    ///
    /// - Parameter type: the type that the reference requires; nil if it requires none.
    func target(of text: [UInt8], requiring type: FeatureType?) -> FeatureID? {
        guard let candidates = self.ids[text] else { return nil }
        return (candidates.first { $0.type == type } ?? candidates.first)?.id
    }
}
