package import IMDF

/// Facts as sentences that an operator would write.
package enum ChangeDescription {
    /// How many sentences there may be; the last of them then counts what is left.
    private static let limit = 40

    /// The sentences of a revision, in `ja` or whatever is a kind of Japanese, else in English.
    ///
    /// What happened on several levels is told in one sentence. `levelNames` gives what a level is called in the language;
    /// levels without a name are told by their number. Without facts nothing but formatting changed.
    package static func words(
        of facts: [Fact], language: String, levelNames: (FeatureID) -> String?
    ) -> [String] {
        let isJapanese = language.lowercased() == "ja" || language.lowercased().hasPrefix("ja-")
        let tongue: any DescriptionLanguage = isJapanese ? Japanese() : English()
        guard !facts.isEmpty else { return [tongue.nothing] }
        let (told, rest) = Self.news(of: facts)
        var sentences = told.map { tongue.sentence($0, Place($0.levels, levelNames)) }
        if rest > 0 { sentences.append(tongue.rest(rest)) }
        return sentences
    }

    /// The levels whose names the sentences need: few, however many facts there are.
    package static func namedLevels(in facts: [Fact]) -> Set<FeatureID> {
        Set(self.news(of: facts).told.flatMap { Place.namedLevels(among: $0.levels) })
    }

    /// What gets a sentence of its own, and how many changes are left.
    private static func news(of facts: [Fact]) -> (told: [News], rest: Int) {
        var items: [News] = []
        var indices: [String: Int] = [:]
        for fact in facts {
            if let index = indices[fact.fact] {
                items[index].add(fact)
            } else {
                indices[fact.fact] = items.count
                items.append(News(fact))
            }
        }
        let told = items.count > Self.limit ? Self.limit - 1 : items.count
        return (Array(items.prefix(told)), items.dropFirst(told).reduce(0) { $0 + $1.count })
    }
}

/// All facts of one name.
struct News {
    let subject: FeatureType
    /// Nil for one that a later version wrote.
    let event: Event?
    private(set) var count: Int
    private(set) var levels: [FeatureID?]

    init(_ fact: Fact) {
        let name = fact.fact
        let stop = name.lastIndex(of: ".") ?? name.endIndex
        self.subject = FeatureType(rawValue: String(name[..<stop]))
        self.event = stop == name.endIndex ? nil : Event(rawValue: String(name[name.index(after: stop)...]))
        self.count = fact.count
        self.levels = [fact.levelID]
    }

    mutating func add(_ fact: Fact) {
        self.count += fact.count
        self.levels.append(fact.levelID)
    }
}

/// Where something happened, as far as it is worth saying.
enum Place: Hashable {
    case nowhere
    case named([String])
    case floors(Int)

    init(_ levels: [FeatureID?], _ names: (FeatureID) -> String?) {
        let ids = levels.compactMap(\.self)
        // What is venue-wide is nowhere in particular, and so is a sentence that tells of it too.
        guard !ids.isEmpty, ids.count == levels.count else {
            self = .nowhere
            return
        }
        let known = Self.namedLevels(among: levels).compactMap(names)
        self =
            if known.count == ids.count {
                .named(known)
            } else if ids.count > 1 {
                .floors(ids.count)
            } else {
                .nowhere
            }
    }
}

extension Place {
    /// The levels that a sentence names if it can: none of many, and none where it tells of the venue-wide part too.
    static func namedLevels(among levels: [FeatureID?]) -> [FeatureID] {
        let ids = levels.compactMap(\.self)
        return ids.count > 3 || ids.count < levels.count ? [] : ids
    }
}

/// A language that sentences are made in.
protocol DescriptionLanguage {
    var nothing: String { get }
    func rest(_ count: Int) -> String
    func sentence(_ news: News, _ place: Place) -> String
}

extension FeatureType {
    /// The name of a type that IMDF does not know, fit to stand in a sentence.
    var quotable: String {
        let text = self.rawValue.unicodeScalars.filter {
            !$0.properties.isDefaultIgnorableCodePoint && $0.properties.generalCategory != .control
        }
        return String(String.UnicodeScalarView(text.prefix(64)))
    }
}
