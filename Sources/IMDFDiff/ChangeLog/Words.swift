package import IMDF

/// Facts as sentences that an operator would write.
package enum Words {
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
        let tongue: any Tongue = isJapanese ? Japanese() : English()
        guard !facts.isEmpty else { return [tongue.nothing] }

        var items: [News] = []
        var places: [String: Int] = [:]
        for fact in facts {
            if let place = places[fact.fact] {
                items[place].add(fact)
            } else {
                places[fact.fact] = items.count
                items.append(News(fact))
            }
        }
        let told = items.count > Self.limit ? Self.limit - 1 : items.count
        var sentences = items.prefix(told).map { tongue.sentence($0, Place($0.levels, levelNames)) }
        let rest = items.dropFirst(told).reduce(0) { $0 + $1.count }
        if rest > 0 { sentences.append(tongue.rest(rest)) }
        return sentences
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
        let known = ids.count > 3 ? [] : ids.compactMap(names)
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

/// A language that sentences are made in.
protocol Tongue {
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
