internal import IMDF

/// What the reader did about ids and lists of them. The archive has at most one finding of each kind, whatever the number of its files.
struct IDRepairs: Sendable {
    enum Kind: Int, CaseIterable {
        case inProperties
        case whiteSpace
        case assigned
        case toldApart
        case listInText
    }

    /// A feature whose id, or one of whose lists, was repaired.
    struct Example: Sendable {
        let feature: FeatureName
        let file: String
        /// The id or the list as it is written.
        let text: String
    }

    private var counts = [Int](repeating: 0, count: Kind.allCases.count)
    private var first = [Example?](repeating: nil, count: Kind.allCases.count)

    mutating func note(_ kind: Kind, _ example: @autoclosure () -> Example) {
        if self.counts[kind.rawValue] == 0 { self.first[kind.rawValue] = example() }
        self.counts[kind.rawValue] += 1
    }

    /// Adds the repairs in other files of the same archive.
    ///
    /// - Parameter order: The position of each file in the archive.
    mutating func append(_ others: IDRepairs, in order: [String: Int]) {
        for kind in Kind.allCases.map(\.rawValue) {
            self.counts[kind] += others.counts[kind]
            guard let other = others.first[kind] else { continue }
            guard let own = self.first[kind], order[own.file, default: 0] < order[other.file, default: 0] else {
                self.first[kind] = other
                continue
            }
        }
    }

    /// The findings in a fixed order. Each has the path of the first feature, and its id if it is the only one.
    var findings: [Finding] {
        Kind.allCases.compactMap { kind in
            let count = self.counts[kind.rawValue]
            guard count > 0, let first = self.first[kind.rawValue] else { return nil }
            let (rule, message) = kind.text(count, first)
            return Finding(
                rule: rule, severity: .warning, message: message, featureID: count == 1 ? first.feature.id : nil,
                featureType: count == 1 ? first.feature.type : nil, file: first.file, pointer: first.feature.pointer)
        }
    }
}

extension IDRepairs.Kind {
    fileprivate func text(_ count: Int, _ first: IDRepairs.Example) -> (rule: String, message: String) {
        let features = count == 1 ? "1 feature has" : "\(count) features have"
        let id = first.feature.id.map { "\($0)" } ?? ""
        return switch self {
        case .inProperties: ("ST-08", "\(features) no id; the id in the properties was used.")
        case .whiteSpace: ("ST-10", "\(features) an id with white space around it, which was removed.")
        case .assigned where count == 1:
            (
                "ST-10",
                "1 feature has the id “\(first.text)”, which is not a UUID; it was read as \(id), in references too."
            )
        case .assigned:
            (
                "ST-10",
                "\(count) features have ids that are not UUIDs; each got one, in references too, such as \(id) for “\(first.text)”."
            )
        case .toldApart where count == 1:
            (
                "ST-09",
                "1 feature has the id of a feature of another type, \(first.text); it was read as \(id), in references too."
            )
        case .toldApart:
            (
                "ST-09",
                "\(count) features have the ids of features of other types; each got its own, in references too, such as \(id) for \(first.text)."
            )
        case .listInText:
            ("PV-20", "\(features) lists that are written as text, such as “\(first.text)”; they were read as lists.")
        }
    }
}
