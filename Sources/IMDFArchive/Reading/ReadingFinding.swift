internal import IMDF

/// What the reader notices in a file without minding. There is one finding per file and kind, with a count.
enum ReadingFinding: Int, CaseIterable {
    case byteOrderMark
    case rootIsFeature
    case rootIsNoCollection
    case rootHasNoType
    case absentType
    case absentFeatureType
    case malformedFeatureType
    case absentGeometry
    case absentProperties
    case malformedProperties
    case otherVersion
    case duplicateMembers
    case changedNumbers
    case obsoleteReferenceSystem
}

/// A feature as a finding names it.
struct FeatureName {
    var id: FeatureID?
    var type: FeatureType
    /// Its number in the file; nil when it is the file.
    var element: Int?

    /// An RFC 6901 pointer.
    var pointer: String? { self.element.map { "/features/\($0)" } }
}

/// What was noticed in one file.
struct ReadingFindings {
    private var counts = [Int](repeating: 0, count: ReadingFinding.allCases.count)
    /// The first feature that each was noticed in.
    private var first = [FeatureName?](repeating: nil, count: ReadingFinding.allCases.count)

    mutating func note(_ finding: ReadingFinding, count: Int = 1, in feature: @autoclosure () -> FeatureName? = nil) {
        if self.counts[finding.rawValue] == 0 { self.first[finding.rawValue] = feature() }
        self.counts[finding.rawValue] += count
    }

    /// The findings, in a fixed order. They point at the first feature, and name it when it is the only one.
    func findings(file: String, fileType: String) -> [Finding] {
        ReadingFinding.allCases.compactMap { kind in
            let count = self.counts[kind.rawValue]
            guard count > 0 else { return nil }
            let feature = self.first[kind.rawValue]
            let (rule, severity, message) = kind.text(count: count, fileType: fileType)
            return Finding(
                rule: rule, severity: severity, message: message, featureID: count == 1 ? feature?.id : nil,
                featureType: count == 1 ? feature?.type : nil, file: file, pointer: feature?.pointer)
        }
    }
}

extension ReadingFinding {
    fileprivate func text(count: Int, fileType: String) -> (rule: String, Finding.Severity, message: String) {
        let features = count == 1 ? "1 feature has" : "\(count) features have"
        return switch self {
        case .byteOrderMark: ("ST-06", .warning, "The file begins with a byte order mark, which was skipped.")
        case .rootIsFeature: ("ST-07", .error, "The file is a single feature instead of a FeatureCollection.")
        case .rootIsNoCollection:
            (
                "ST-07", .error,
                "The file is not a FeatureCollection. It stays in the archive, no feature was taken from it."
            )
        case .rootHasNoType: ("ST-07", .error, "The FeatureCollection does not say that it is one: it has no type.")
        case .absentType: ("ST-06", .error, "\(features) no type; “Feature” was filled in.")
        case .absentFeatureType:
            ("ST-11", .error, "\(features) no feature_type; “\(fileType)” was filled in after the file's name.")
        case .malformedFeatureType:
            (
                "ST-11", .error,
                "\(features) a feature_type that is empty or no string; “\(fileType)” was put there after the file's name."
            )
        case .absentGeometry: ("ST-06", .error, "\(features) no geometry; null was filled in.")
        case .absentProperties: ("ST-17", .error, "\(features) no properties; an empty object was filled in.")
        case .malformedProperties: ("ST-17", .error, "\(features) properties that are not an object.")
        case .otherVersion: ("ST-10", .warning, "\(features) an id that is a UUID, but not one of version 4.")
        case .duplicateMembers:
            (
                "ST-17", .warning,
                count == 1
                    ? "A member stands twice in its object; the last one counts."
                    : "\(count) members stand more than once in their objects; the last one counts each time."
            )
        case .obsoleteReferenceSystem:
            ("ST-18", .warning, "The FeatureCollection has a crs, which GeoJSON has no more: it is always WGS 84.")
        case .changedNumbers:
            (
                "ST-06", .info,
                count == 1
                    ? "A number has more digits than a double can hold; the nearest double was taken."
                    : "\(count) numbers have more digits than a double can hold; the nearest doubles were taken."
            )
        }
    }
}
