/// The sentences of instructions, in English and Japanese.
struct Phrases {
    enum Goal {
        /// The destination, by its name if it has one.
        case destination(String?)
        case vertical(RouteAnswer.Mode)
        /// Another floor, by its name if it has one.
        case level(String?)
        /// A building that is entered on the same height.
        case building(String)
        /// Another area on the same height, by its name if it has one.
        case area(String?)
    }

    private let isJapanese: Bool

    init(_ languages: [String]) {
        self.isJapanese = languages.first.map { $0.lowercased() }.map { $0 == "ja" || $0.hasPrefix("ja-") } ?? false
    }

    func walk(decimeters: Int, past landmarks: [String], to goal: Goal) -> String {
        let distance = Self.distance(decimeters)
        if self.isJapanese {
            let past = landmarks.isEmpty ? "" : landmarks.joined(separator: "と") + "を過ぎて、"
            if case .building(let name) = goal { return "\(past)約\(distance)進み、\(name)に入ります。" }
            return "\(past)\(self.name(goal))まで約\(distance)進みます。"
        }
        let past = landmarks.isEmpty ? "" : " past " + landmarks.joined(separator: " and ")
        return Self.sentence("Walk about \(distance)\(past) \(self.toward(goal))")
    }

    func ride(_ mode: RouteAnswer.Mode, beside landmark: String?, to goal: Goal, floors: Int) -> String {
        if self.isJapanese {
            let beside = landmark.map { "\($0)の横の" } ?? ""
            if case .building(let name) = goal { return "\(beside)\(self.name(mode))で\(name)に入ります。" }
            let verb = floors > 0 ? "上がります" : floors < 0 ? "下ります" : "進みます"
            return "\(beside)\(self.name(mode))で\(self.name(goal))へ\(verb)。"
        }
        let verb = mode == .ramp ? "Follow" : "Take"
        let direction = floors > 0 ? " up" : floors < 0 ? " down" : ""
        let beside = landmark.map { " beside \($0)" } ?? ""
        return Self.sentence("\(verb) \(self.name(mode))\(beside)\(direction) \(self.toward(goal))")
    }

    func arrival(at goal: Goal) -> String {
        self.isJapanese ? "\(self.name(goal))に到着です。" : Self.sentence("You are at \(self.name(goal))")
    }

    /// A name at the end of a sentence in English may have its period already, such as “Kinari Records & Co.”.
    private static func sentence(_ text: String) -> String {
        text.utf8.last == UInt8(ascii: ".") ? text : text + "."
    }

    /// In English.
    private func toward(_ goal: Goal) -> String {
        if case .building(let name) = goal { "into \(name)" } else { "to \(self.name(goal))" }
    }

    private func name(_ goal: Goal) -> String {
        switch goal {
        case .destination(let name): name ?? (self.isJapanese ? "目的地" : "your destination")
        case .level(let name): name ?? (self.isJapanese ? "次の階" : "the next floor")
        case .building(let name): name
        case .area(let name): name ?? (self.isJapanese ? "次のエリア" : "the next area")
        case .vertical(let mode): self.name(mode)
        }
    }

    private func name(_ mode: RouteAnswer.Mode) -> String {
        switch mode {
        case .elevator: self.isJapanese ? "エレベーター" : "the lift"
        case .stairs: self.isJapanese ? "階段" : "the stairs"
        case .escalator: self.isJapanese ? "エスカレーター" : "the escalator"
        case .ramp: self.isJapanese ? "スロープ" : "the ramp"
        case .walk: ""
        }
    }

    /// A distance as people say it.
    static func distance(_ decimeters: Int) -> String {
        switch decimeters {
        case ..<200: "\(max(5, (decimeters + 25) / 50 * 5)) m"
        case ..<1_000: "\((decimeters + 50) / 100 * 10) m"
        case ..<9_750: "\((decimeters + 250) / 500 * 50) m"
        default: "\((decimeters + 500) / 1_000 / 10).\((decimeters + 500) / 1_000 % 10) km"
        }
    }
}
