package import IMDF

/// What the rules need to know of the revision that precedes an archive.
package struct PreviousRevision: Sendable {
    package struct Version: Sendable {
        package let type: FeatureType
        package let level: FeatureID?
        /// The `building_ids`, as ids of the store; empty for types without that property.
        package let buildings: [FeatureID]

        package init(type: FeatureType, level: FeatureID?, buildings: [FeatureID] = []) {
            self.type = type
            self.level = level
            self.buildings = buildings
        }

        /// Types with `building_ids`.
        package static let ofBuildings: Set<FeatureType> = [.footprint, .geofence, .level]
    }

    package let number: Int64
    /// By the ids of the store.
    package let features: [FeatureID: Version]
    package let venueFeature: FeatureID?
    /// Without the members that change with every export.
    package let manifest: JSONObject?
    /// The member `created` of its archive's manifest; nil if that is not known.
    package let created: String?
    /// The ids of the store for those ids of the archive whose features the store has under another id.
    package let matched: [FeatureID: FeatureID]
    /// Features whose bodies were written differently but are equivalent; ids of the archive.
    package let equivalent: Set<FeatureID>
    /// Ids of the archive that an earlier revision had and this one does not.
    package let returning: Set<FeatureID>

    package init(
        number: Int64, features: [FeatureID: Version], venueFeature: FeatureID?, manifest: JSONObject?,
        created: String?, matched: [FeatureID: FeatureID], equivalent: Set<FeatureID>, returning: Set<FeatureID>
    ) {
        self.number = number
        self.features = features
        self.venueFeature = venueFeature
        self.manifest = manifest
        self.created = created
        self.matched = matched
        self.equivalent = equivalent
        self.returning = returning
    }
}
