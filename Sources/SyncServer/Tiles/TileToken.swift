import Foundation
import IMDF
import RevisionStore
import SyncModel

/// A token with which tiles of one venue can be read without a key, by clients that cannot send a header field.
///
/// It is `vst_` and, in base64url, the end of its validity in seconds since 1970 (8 bytes), the id of the key that it was made with
/// (16 bytes; zeros for the administrator, ones for anybody) and an authentication code (32 bytes). It is not stored: all nodes of a
/// database with the same administrator's key can check it. It ends with its key, and with the epoch of the venue; one that anybody made, while the venue is private.
struct TileToken: Sendable {
    let expiry: Int64
    /// The key that the token was made with; nil for the administrator's.
    let key: KeyID?
    /// Whether the token was made without a key, for a venue that was public.
    var isAnonymous: Bool { self.key == Self.anyone }
    private let code: [UInt8]

    static let maximumLifetime: Int64 = 30 * 86_400
    private static let prefix = "vst_"
    static let anyone = KeyID(FeatureID(high: .max, low: .max))
    private static let noKey = KeyID(FeatureID(high: 0, low: 0))

    /// - Parameter adminKey: The administrator's key of the server, which a token without a key ends with.
    init(for venue: VenueRecord, key: KeyID?, expiry: Int64, adminKey: KeyHash?, sealedBy seal: CursorSeal) {
        (self.expiry, self.key) = (expiry, key)
        self.code = seal.tileCode(of: Self.content(venue, key, expiry, adminKey))
    }

    /// Nil unless the text is a token of this database for this venue. Its expiry is not checked.
    init?(_ text: String, for venue: VenueRecord, adminKey: KeyHash?, sealedBy seal: CursorSeal) {
        guard text.hasPrefix(Self.prefix), text.utf8.count == Self.prefix.utf8.count + 75 else { return nil }
        let encoded = text.dropFirst(Self.prefix.count).replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(base64Encoded: "\(encoded)="), data.count == 56 else { return nil }
        let bytes = Array(data)
        func word(_ offset: Int) -> UInt64 { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.expiry = Int64(bitPattern: word(0))
        let id = KeyID(FeatureID(high: word(8), low: word(16)))
        self.key = id == Self.noKey ? nil : id
        self.code = Array(bytes[24...])
        let expected = seal.tileCode(of: Self.content(venue, self.key, self.expiry, adminKey))
        // The last character has unused bits, which must be zero: a token has one spelling.
        guard KeyHash(bytes: self.code).matches(KeyHash(bytes: expected)), self.description == text else { return nil }
    }

    func isValid(at date: Date) -> Bool { Double(self.expiry) > date.timeIntervalSince1970 }

    var description: String {
        let bytes = Self.head(self.key, self.expiry) + self.code
        let encoded = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return Self.prefix + encoded.replacing("=", with: "")
    }

    private static func content(
        _ venue: VenueRecord, _ key: KeyID?, _ expiry: Int64, _ adminKey: KeyHash?
    ) -> [UInt8] {
        let own = self.head(key, expiry) + Array("\(venue.epoch) \(venue.key)".utf8)
        return key == nil ? own + [0] + (adminKey?.bytes ?? []) : own
    }

    private static func head(_ key: KeyID?, _ expiry: Int64) -> [UInt8] {
        let id = (key ?? self.noKey).uuid
        return [UInt64(bitPattern: expiry), id.high, id.low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }
}
