import IMDF
import IMDFValidation
import SampleVenue

/// A revision that a test archive follows, open to changes.
struct EarlierRevision {
    var features: [FeatureID: PreviousRevision.Version]
    var venueFeature: FeatureID?
    var manifest: JSONObject
    var created: String?
    var matched: [FeatureID: FeatureID] = [:]
    var equivalent: Set<FeatureID> = []
    var returning: Set<FeatureID> = []
}

extension TestArchive {
    /// Sets the previous revision to one equal to the archive except for some changes.
    mutating func follow() {
        self.follow { _ in }
    }

    mutating func follow(_ edit: (inout EarlierRevision) throws -> Void) rethrows {
        var levels: [FeatureID: FeatureID] = [:]
        for feature in self.venue.features {
            levels[feature.id] = feature["level_id"]?.string.flatMap { FeatureID($0) }
        }
        var earlier = EarlierRevision(
            features: Dictionary(
                uniqueKeysWithValues: self.venue.features.map {
                    ($0.id, PreviousRevision.Version(type: $0.type, level: levels[$0.id]))
                }),
            venueFeature: self.venue.features.first { $0.type == .venue }?.id, manifest: self.venue.manifest)
        try edit(&earlier)
        self.previous = PreviousRevision(
            number: 1, features: earlier.features, venueFeature: earlier.venueFeature, manifest: earlier.manifest,
            created: earlier.created, matched: earlier.matched, equivalent: earlier.equivalent,
            returning: earlier.returning
        )
    }
}
