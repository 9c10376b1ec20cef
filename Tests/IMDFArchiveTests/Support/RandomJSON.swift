import IMDF
import SampleVenue

/// Random values, and random ways to spell them.
struct RandomJSON {
    var random: SplitMix64

    init(seed: UInt64) {
        self.random = SplitMix64(seed: seed)
    }

    mutating func value(depth: Int) -> JSONValue {
        switch Int.random(in: 0..<(depth > 0 ? 10 : 7), using: &self.random) {
        case 0: return .null
        case 1: return .bool(.random(using: &self.random))
        case 2, 3, 4: return .number(self.number())
        case 5, 6: return .string(self.string())
        case 7:
            return .array((0..<Int.random(in: 0...5, using: &self.random)).map { _ in self.value(depth: depth - 1) })
        default: return .object(self.object(depth: depth - 1))
        }
    }

    mutating func object(depth: Int) -> JSONObject {
        let count = self.random.chance(5) ? 40 : Int.random(in: 0...6, using: &self.random)
        return JSONObject((0..<count).map { _ in .init(key: self.string(), value: self.value(depth: depth)) })
    }

    mutating func number() -> Double {
        switch Int.random(in: 0..<6, using: &self.random) {
        case 0: return Double(Int.random(in: -1000...1000, using: &self.random))
        case 1: return Double.random(in: -180...180, using: &self.random)
        case 2: return (Double.random(in: -180...180, using: &self.random) * 1e8).rounded() / 1e8
        case 3: return Double(Int64.random(in: .min ... .max, using: &self.random))
        case 4: return Double.random(in: -1e-5...1e-5, using: &self.random)
        default:
            let number = Double(bitPattern: self.random.next())
            return number.isFinite ? number : 0
        }
    }

    private static let characters: [Character] = [
        "a", "b", "Z", "0", "_", "-", " ", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{7F}", "é", "ß", "モ", "\u{D7FF}",
        "\u{E000}", "\u{FB33}", "\u{FFFD}", "😀", "\u{10FFFF}", "\u{301}",
    ]

    mutating func string() -> String {
        if self.random.chance(40) {
            return ["id", "name", "type", "level_id", "category", "geometry"].randomElement(using: &self.random) ?? ""
        }
        let count = Int.random(in: 0...(self.random.chance(10) ? 60 : 9), using: &self.random)
        return String((0..<count).compactMap { _ in Self.characters.randomElement(using: &self.random) })
    }

    // MARK: - Spelling

    /// JSON for a value, with members in any order, some of them twice, white space and escapes.
    mutating func text(_ value: JSONValue) -> String {
        switch value {
        case .null: return "null"
        case .bool(let value): return value ? "true" : "false"
        case .number(let number): return self.text(number)
        case .string(let string): return self.text(string)
        case .array(let elements):
            return self.space() + "[" + elements.map { self.text($0) }.joined(separator: self.space() + ",") + "]"
        case .object(let object):
            var members: [String] = []
            for member in object.members.shuffled(using: &self.random) {
                let key = self.text(member.key) + self.space() + ":" + self.space()
                if self.random.chance(3) { members.append(key + self.text(self.value(depth: 1))) }
                members.append(key + self.text(member.value))
            }
            return "{" + members.joined(separator: "," + self.space()) + self.space() + "}"
        }
    }

    private mutating func text(_ number: Double) -> String {
        let text = "\(number)"
        guard self.random.chance(30) else { return text }
        if text.contains("e") { return text.uppercased() }
        return text.contains(".") ? text + "00" : text
    }

    private mutating func text(_ string: String) -> String {
        var text = "\""
        for scalar in string.unicodeScalars {
            let mustEscape = scalar.value < 0x20 || scalar == "\"" || scalar == "\\"
            if mustEscape || self.random.chance(4) {
                for unit in String(scalar).utf16 {
                    let digits = String(unit, radix: 16, uppercase: .random(using: &self.random))
                    text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }

    private mutating func space() -> String {
        self.random.chance(20) ? ["  ", "\r\n", "\t", "\n\n "].randomElement(using: &self.random) ?? "" : ""
    }
}
