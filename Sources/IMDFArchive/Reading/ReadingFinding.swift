internal import IMDF

/// Deviations in a file that the reader accepts. Each file has at most one finding of each kind, with a count.
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

/// Identifies a feature in a finding.
struct FeatureName: Sendable {
    var id: FeatureID?
    var type: FeatureType
    /// Its index in the file; nil if it is the whole file.
    var element: Int?

    /// An RFC 6901 pointer.
    var pointer: String? { self.element.map { "/features/\($0)" } }
}

/// The deviations in one file.
struct ReadingFindings {
    private var counts = [Int](repeating: 0, count: ReadingFinding.allCases.count)
    /// The first feature with each deviation.
    private var first = [FeatureName?](repeating: nil, count: ReadingFinding.allCases.count)

    mutating func note(_ finding: ReadingFinding, count: Int = 1, in feature: @autoclosure () -> FeatureName? = nil) {
        if self.counts[finding.rawValue] == 0 { self.first[finding.rawValue] = feature() }
        self.counts[finding.rawValue] += count
    }

    /// The findings in a fixed order. Each has the path of the first feature, and its id if it is the only one.
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
                "The file is not a FeatureCollection, so no feature was read from it."
            )
        case .rootHasNoType: ("ST-07", .error, "The FeatureCollection has no type.")
        case .absentType: ("ST-06", .error, "\(features) no type; “Feature” was inserted.")
        case .absentFeatureType:
            ("ST-11", .error, "\(features) no feature_type; “\(fileType)” was inserted, from the name of the file.")
        case .malformedFeatureType:
            (
                "ST-11", .error,
                "\(features) a feature_type that is empty or not a string; it was replaced by “\(fileType)”, from the name of the file."
            )
        case .absentGeometry: ("ST-06", .error, "\(features) no geometry; null was inserted.")
        case .absentProperties: ("ST-17", .error, "\(features) no properties; an empty object was inserted.")
        case .malformedProperties: ("ST-17", .error, "\(features) properties that are not an object.")
        case .otherVersion: ("ST-10", .warning, "\(features) an id that is a UUID of another version than 4.")
        case .duplicateMembers:
            (
                "ST-17", .warning,
                count == 1
                    ? "An object has a duplicate member; the last one was used."
                    : "Objects have \(count) duplicate members; the last one of each was used."
            )
        case .obsoleteReferenceSystem:
            (
                "ST-18", .warning,
                "The FeatureCollection has a crs, which RFC 7946 removed: coordinates are always WGS 84."
            )
        case .changedNumbers:
            (
                "ST-06", .info,
                count == 1
                    ? "A number has more digits than a double can represent; the nearest double was used."
                    : "\(count) numbers have more digits than a double can represent; the nearest doubles were used."
            )
        }
    }
}
