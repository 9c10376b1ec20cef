extension String {
    /// Whether nothing of the string is visible: it is empty, or consists of white space and of characters that are not shown, such as
    /// zero-width spaces and joiners.
    package var isBlank: Bool { self.unicodeScalars.allSatisfy(\.isInvisible) }
}

extension Unicode.Scalar {
    fileprivate var isInvisible: Bool {
        switch self.properties.generalCategory {
        case .control, .format: true
        // The empty pattern of braille is a symbol.
        default: self.properties.isWhitespace || self.properties.isDefaultIgnorableCodePoint || self == "\u{2800}"
        }
    }
}
