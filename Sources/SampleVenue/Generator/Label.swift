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

    /// A floor as Japan counts them: the ground floor is the first.
    static func floor(_ ordinal: Int) -> Label {
        ordinal < 0
            ? Label("Basement \(-ordinal)", "地下\(-ordinal)階") : Label("Floor \(ordinal + 1)", "\(ordinal + 1)階")
    }

    /// A floor on the floor picker.
    static func shortFloor(_ ordinal: Int) -> Label {
        let text = ordinal < 0 ? "B\(-ordinal)" : "\(ordinal + 1)F"
        return Label(text, text)
    }
}
