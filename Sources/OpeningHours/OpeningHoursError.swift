/// Why a text is no opening hours.
public enum OpeningHoursError: Error, Hashable, Sendable {
    /// More than ``OpeningHours/maximumLength`` bytes.
    case tooLong
    /// Nothing that the syntax knows stands at this byte of the text in UTF-8; past the last one, something is missing.
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
