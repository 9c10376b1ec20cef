import IMDF

/// A name in the two languages of a sample venue.
struct Label: Hashable {
    var english: String
    var japanese: String

    init(_ english: String, _ japanese: String) {
        self.english = english
        self.japanese = japanese
    }

    var value: JSONValue { ["en": .string(self.english), "ja": .string(self.japanese)] }

    /// The name of a floor, counted as in Japan: the ground floor is the first.
    static func floor(_ ordinal: Int) -> Label {
        ordinal < 0
            ? Label("Basement \(-ordinal)", "地下\(-ordinal)階") : Label("Floor \(ordinal + 1)", "\(ordinal + 1)階")
    }

    /// The short name of a floor, for floor pickers.
    static func shortFloor(_ ordinal: Int) -> Label {
        let text = ordinal < 0 ? "B\(-ordinal)" : "\(ordinal + 1)F"
        return Label(text, text)
    }
}
