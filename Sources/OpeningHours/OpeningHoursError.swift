/// Why a text cannot be read as opening hours.
public enum OpeningHoursError: Error, Hashable, Sendable {
    /// More than ``OpeningHours/maximumLength`` bytes.
    case tooLong
    /// A syntax error at an offset of the text in UTF-8. At the end of the text, something is missing.
    case unexpected(offset: Int)
}

extension OpeningHoursError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooLong: "longer than \(OpeningHours.maximumLength) bytes"
        case .unexpected(let offset): "not in the syntax of opening_hours from byte \(offset) on"
        }
    }
}
