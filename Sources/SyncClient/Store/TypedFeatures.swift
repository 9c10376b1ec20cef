public import Foundation
public import IMDF
import SyncModel

/// A feature whose body was parsed: what apps read most, beside ``feature`` with the raw body.
public protocol TypedFeature: Hashable, Sendable, Identifiable {
    static var type: FeatureType { get }
    /// As it is in the file.
    var feature: ReplicaFeature { get }
    /// All properties of IMDF, and those of the producer.
    var properties: JSONObject { get }
    init(feature: ReplicaFeature, properties: JSONObject)
}

extension TypedFeature {
    /// Nil for a feature of another type.
    public init?(_ feature: ReplicaFeature) {
        guard feature.type == Self.type, let properties = feature.properties else { return nil }
        self.init(feature: feature, properties: properties)
    }

    public var id: FeatureID { self.feature.id }

    /// The name in all languages.
    public var name: Labels? { Labels(self.properties["name"]) }

    /// The name in the first of these languages that it has; nil if it has none.
    ///
    /// - Parameter languages: BCP 47 tags. The last one should be the language of the venue, ``ReplicaState/about``.
    public func name(in languages: [String] = Locale.preferredLanguages) -> String? {
        self.name?.text(for: languages)
    }

    public var category: String? { self.properties["category"]?.string }
}

/// A room, a shop's area, a corridor.
public struct UnitFeature: TypedFeature {
    public static let type = FeatureType.unit
    public let feature: ReplicaFeature
    public let properties: JSONObject

    public init(feature: ReplicaFeature, properties: JSONObject) {
        (self.feature, self.properties) = (feature, properties)
    }

    public var level: FeatureID? { self.feature.level }
    /// Such as `wheelchair` or `tactilepaving`.
    public var accessibility: [String] { (self.properties["accessibility"]?.array ?? []).compactMap(\.string) }
}

/// A shop, a restaurant, an office.
public struct OccupantFeature: TypedFeature {
    public static let type = FeatureType.occupant
    public let feature: ReplicaFeature
    public let properties: JSONObject

    public init(feature: ReplicaFeature, properties: JSONObject) {
        (self.feature, self.properties) = (feature, properties)
    }

    public var level: FeatureID? { self.feature.level }
    /// The text of OpenStreetMap's opening hours, for the library `OpeningHours`.
    public var hours: String? { self.properties["hours"]?.string }
    public var phone: String? { self.properties["phone"]?.string }
    public var website: String? { self.properties["website"]?.string }
    /// The anchor, which has the position.
    public var anchor: FeatureID? { self.properties["anchor_id"]?.string.flatMap { FeatureID($0) } }
}

/// A level of a building, or of what is around it. Levels that are not held have one too.
public struct LevelFeature: TypedFeature {
    public static let type = FeatureType.level
    public let feature: ReplicaFeature
    public let properties: JSONObject

    public init(feature: ReplicaFeature, properties: JSONObject) {
        (self.feature, self.properties) = (feature, properties)
    }

    public var shortName: Labels? { Labels(self.properties["short_name"]) }
    public var ordinal: Int? { self.properties["ordinal"]?.number.flatMap { Int(exactly: $0) } }
    public var isOutdoor: Bool { self.properties["outdoor"] == .bool(true) }
}

extension ReplicaFeature {
    /// The member `properties` of the body; nil if there is none.
    public var properties: JSONObject? {
        (try? WireJSON.value(JSONValue.self, from: Data(self.body)))?["properties"]?.object
    }
}
