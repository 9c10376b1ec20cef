public import Foundation

/// When an archive is to be published.
public enum Publishing: Sendable, Hashable {
    case now
    /// On request, after the upload was staged.
    case hold
    /// By the server at this time, unless the upload was published or discarded before.
    case at(Date)
}

extension Publishing: LosslessStringConvertible, Codable {
    /// Reads `now`, `hold` or an RFC 3339 time.
    public init?(_ text: String) {
        switch text {
        case "now": self = .now
        case "hold": self = .hold
        default:
            guard let time = Timestamp.date(of: text) else { return nil }
            self = .at(time)
        }
    }

    public var description: String {
        switch self {
        case .now: "now"
        case .hold: "hold"
        case .at(let time): Timestamp.text(of: time)
        }
    }

    public init(from decoder: any Decoder) throws {
        let text = try decoder.singleValueContainer().decode(String.self)
        guard let publishing = Publishing(text) else {
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "“\(text)” is neither now, hold nor a time"))
        }
        self = publishing
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(self.description)
    }
}
