package import IMDF

/// What the rules about revisions have to know of the one that an archive follows.
package struct PreviousRevision: Sendable {
    package struct Version: Sendable {
        package let type: FeatureType
        package let level: FeatureID?
        /// The `building_ids` of what belongs to buildings; ids of the store.
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
    /// Under the ids that the store has.
    package let features: [FeatureID: Version]
    package let venueFeature: FeatureID?
    /// Without what every export writes anew.
    package let manifest: JSONObject?
    /// What the manifest of its archive said; nil when that is not known.
    package let created: String?
    /// Ids of the archive that are new for what the store knows under another id.
    package let recognised: [FeatureID: FeatureID]
    /// Features that are spelt otherwise than before and say the same; ids of the archive.
    package let respelt: Set<FeatureID>
    /// Ids of the archive that an earlier revision had and this one has not.
    package let revived: Set<FeatureID>

    package init(
        number: Int64, features: [FeatureID: Version], venueFeature: FeatureID?, manifest: JSONObject?,
        created: String?, recognised: [FeatureID: FeatureID], respelt: Set<FeatureID>, revived: Set<FeatureID>
    ) {
        self.number = number
        self.features = features
        self.venueFeature = venueFeature
        self.manifest = manifest
        self.created = created
        self.recognised = recognised
        self.respelt = respelt
        self.revived = revived
    }
}
