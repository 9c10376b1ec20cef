package import IMDF

/// Describes facts in sentences that an operator would write.
package enum ChangeDescription {
    /// The largest number of sentences; where there would be more, the last one counts the remaining changes.
    private static let limit = 40

    /// The sentences of a revision: in Japanese for `ja` and its regional forms, else in English.
    ///
    /// They are in the order of the facts, but begin with what visitors lose. One sentence covers the same event on several levels.
    /// Levels of which `levelNames` has no name are only counted. Without facts, nothing but formatting changed.
    package static func sentences(
        of facts: [Fact], language: String, levelNames: (FeatureID) -> LevelName?
    ) -> [String] {
        let isJapanese = language.lowercased() == "ja" || language.lowercased().hasPrefix("ja-")
        let language: any DescriptionLanguage = isJapanese ? Japanese() : English()
        guard !facts.isEmpty else { return [language.nothing] }
        let (groups, rest) = Self.groups(of: facts)
        var sentences = groups.map {
            language.sentence($0, LevelPhrase($0.levels, levelNames, qualified: language.level))
        }
        if rest > 0 { sentences.append(language.rest(rest)) }
        return sentences
    }

    /// The levels whose names the sentences need: few, however many facts there are.
    package static func namedLevels(in facts: [Fact]) -> Set<FeatureID> {
        Set(self.groupsOfNamedLevels(in: facts).joined())
    }

    /// The same levels, sentence by sentence: names have to differ within a sentence only.
    package static func groupsOfNamedLevels(in facts: [Fact]) -> [[FeatureID]] {
        self.groups(of: facts).described.map { LevelPhrase.namedLevels(among: $0.levels) }
    }

    /// The groups with a sentence of their own, and the number of the remaining changes.
    private static func groups(of facts: [Fact]) -> (described: [FactGroup], rest: Int) {
        var groups: [FactGroup] = []
        var indices: [[String?]: Int] = [:]
        for fact in facts {
            let key = [fact.fact, fact.typeBefore?.rawValue]
            if let index = indices[key] {
                groups[index].add(fact)
            } else {
                indices[key] = groups.count
                groups.append(FactGroup(fact))
            }
        }
        // Closed shops matter more than added buildings, although buildings are otherwise described before shops.
        let ordered = groups.filter(\.isLoss) + groups.filter { !$0.isLoss }
        let described = ordered.count > Self.limit ? Self.limit - 1 : ordered.count
        return (Array(ordered.prefix(described)), ordered.dropFirst(described).reduce(0) { $0 + $1.count })
    }
}

/// All facts of one name and one earlier type.
struct FactGroup {
    let subject: FeatureType
    /// What the features were before, if that is known of features that turned into another type.
    let typeBefore: FeatureType?
    /// Nil for an event of a later version.
    let event: Event?
    /// Why it is not known what can be reached, if that is the fact.
    let unknownReach: UnknownReach?
    private(set) var count: Int
    private(set) var levels: [FeatureID?]

    init(_ fact: Fact) {
        let name = fact.fact
        let separator = name.lastIndex(of: ".") ?? name.endIndex
        self.subject = FeatureType(rawValue: String(name[..<separator]))
        let event = separator == name.endIndex ? "" : String(name[name.index(after: separator)...])
        self.event = Event(rawValue: event)
        self.unknownReach = self.subject == UnknownReach.subject ? UnknownReach(rawValue: event) : nil
        self.typeBefore = self.event == .retyped ? fact.typeBefore : nil
        self.count = fact.count
        self.levels = [fact.levelID]
    }

    /// Whether visitors no longer find or reach something that they look for.
    var isLoss: Bool {
        switch self.event {
        case .cutOff, .stepFreeLost: true
        case .removed, .closed: Self.typesOfLosses.contains(self.subject)
        default: self.unknownReach != nil
        }
    }

    private static let typesOfLosses: Set<FeatureType> = [
        .venue, .building, .level, .occupant, .unit, .amenity, .kiosk, .section,
    ]

    mutating func add(_ fact: Fact) {
        self.count += fact.count
        self.levels.append(fact.levelID)
    }
}

/// How a sentence mentions the levels on which something happened.
enum LevelPhrase: Hashable {
    case none
    /// Distinct names of some levels: fewer than levels if nothing distinguishes them.
    case names([String], levels: Int)
    case count(Int)

    /// - Parameters:
    ///   - names: the names of the levels that have one.
    ///   - qualified: the name of a level with that of its building.
    init(
        _ levels: [FeatureID?], _ names: (FeatureID) -> LevelName?,
        qualified: (_ name: String, _ building: String) -> String
    ) {
        let ids = levels.compactMap(\.self)
        // A sentence that also covers the venue-wide part mentions no level.
        guard !ids.isEmpty, ids.count == levels.count else {
            self = .none
            return
        }
        let known = Self.namedLevels(among: levels).compactMap(names)
        self =
            if known.count == ids.count {
                .names(LevelName.texts(of: known, qualified: qualified), levels: ids.count)
            } else if ids.count > 1 {
                .count(ids.count)
            } else {
                .none
            }
    }

    /// The levels that a sentence names if it can: none of more than three, and none when it also covers the venue-wide part.
    static func namedLevels(among levels: [FeatureID?]) -> [FeatureID] {
        let ids = levels.compactMap(\.self)
        return ids.count > 3 || ids.count < levels.count ? [] : ids
    }
}

/// A language in which changes are described.
protocol DescriptionLanguage {
    /// The sentence for no facts at all.
    var nothing: String { get }
    /// The sentence for the changes that are not described.
    func rest(_ count: Int) -> String
    /// The name of a level with the name of its building.
    func level(_ name: String, in building: String) -> String
    func sentence(_ group: FactGroup, _ levels: LevelPhrase) -> String
}

extension FeatureType {
    /// The name of a type that IMDF does not declare, without control characters and cut to the length of a word.
    var quotable: String {
        let text = self.rawValue.unicodeScalars.filter {
            !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
        }
        return String(String.UnicodeScalarView(text.prefix(64)))
    }
}
