import HTTPTypes
import Hummingbird
import Logging

extension HTTPField.Name {
    static let requestID = Self("X-Request-ID")!
}

extension AppRequestContext {
    /// Takes over the id that the client has sent; otherwise the request keeps the one that it has.
    mutating func setID(of request: Request) -> String {
        guard let id = request.validID else {
            // A log handler may store no metadata.
            return self.logger[metadataKey: Logger.requestID]?.description ?? RequestID().description
        }
        self.logger[metadataKey: Logger.requestID] = .string(id)
        return id
    }
}

extension Logger {
    /// The metadata that Hummingbird sets.
    static let requestID = "hb.request.id"
}

extension Request {
    /// The id that the client has sent, if it is fit for a log.
    var validID: String? { self.headers[.requestID].flatMap { Self.isValidID($0) ? $0 : nil } }

    private static func isValidID(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
                    true
                default: false
                }
            }
    }
}
