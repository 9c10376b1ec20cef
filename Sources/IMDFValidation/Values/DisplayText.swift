import IMDF

/// Formats values of an archive for messages and pointers: shortened, and without control characters, which could harm a terminal
/// or be refused by a database.
enum DisplayText {
    private static let length = 60

    static func quoted(_ text: String) -> String {
        "“\(self.clean(text))”"
    }

    /// A key as a reference token of an RFC 6901 pointer.
    static func token(_ key: String) -> String {
        JSONPointer.token(self.clean(key))
    }

    static func clean(_ text: String) -> String {
        var shown = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if shown.count == self.length {
                shown.append("…")
                break
            }
            let isControl =
                scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .format
            shown.append(isControl ? "\u{FFFD}" : scalar)
        }
        return String(shown)
    }
}
