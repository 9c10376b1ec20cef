import Foundation
import IMDF
import RevisionStore
import SyncModel

/// A token with which something can be read without a key, by clients that cannot send a header field and by people who have a link.
///
/// It is a prefix and, in base64url, the end of its validity in seconds since 1970 (8 bytes), the id of the key that it was made with
/// (16 bytes; zeros for the administrator, ones for anybody) and an authentication code (32 bytes). It is not stored: all nodes of a
/// database with the same administrator's key can check it. It ends with its key; one that anybody made, while the venue is private.
struct ReadToken: Sendable {
    /// What a token permits to read.
    enum Subject: Sendable {
        /// The tiles of a venue, until its epoch ends.
        case tiles(VenueRecord)
        /// The preview of an upload.
        case preview(UploadID)
    }

    let expiry: Int64
    /// The key that the token was made with; nil for the administrator's.
    let key: KeyID?
    /// Whether the token was made without a key, for a venue that was public.
    var isAnonymous: Bool { self.key == Self.anyone }
    private let prefix: String
    private let code: [UInt8]

    static let anyone = KeyID(FeatureID(high: .max, low: .max))
    private static let noKey = KeyID(FeatureID(high: 0, low: 0))

    /// - Parameter adminKey: The administrator's key of the server, which a token without a key ends with.
    init(for subject: Subject, key: KeyID?, expiry: Int64, adminKey: KeyHash?, sealedBy seal: CursorSeal) {
        (self.expiry, self.key, self.prefix) = (expiry, key, subject.prefix)
        self.code = subject.code(of: Self.content(subject, key, expiry, adminKey), sealedBy: seal)
    }

    /// Nil unless the text is a token of this database for this subject. Its expiry is not checked.
    init?(_ text: String, for subject: Subject, adminKey: KeyHash?, sealedBy seal: CursorSeal) {
        let prefix = subject.prefix
        guard text.hasPrefix(prefix), text.utf8.count == prefix.utf8.count + 75 else { return nil }
        let encoded = text.dropFirst(prefix.count).replacing("-", with: "+").replacing("_", with: "/")
        guard let data = Data(base64Encoded: "\(encoded)="), data.count == 56 else { return nil }
        let bytes = Array(data)
        func word(_ offset: Int) -> UInt64 { bytes[offset..<offset + 8].reduce(0) { $0 << 8 | UInt64($1) } }
        self.expiry = Int64(bitPattern: word(0))
        let id = KeyID(FeatureID(high: word(8), low: word(16)))
        self.key = id == Self.noKey ? nil : id
        self.prefix = prefix
        self.code = Array(bytes[24...])
        let expected = subject.code(of: Self.content(subject, self.key, self.expiry, adminKey), sealedBy: seal)
        // The last character has unused bits, which must be zero: a token has one spelling.
        guard KeyHash(bytes: self.code).matches(KeyHash(bytes: expected)), self.description == text else { return nil }
    }

    func isValid(at date: Date) -> Bool { Double(self.expiry) > date.timeIntervalSince1970 }

    var description: String {
        let bytes = Self.head(self.key, self.expiry) + self.code
        let encoded = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
        return self.prefix + encoded.replacing("=", with: "")
    }

    private static func content(
        _ subject: Subject, _ key: KeyID?, _ expiry: Int64, _ adminKey: KeyHash?
    ) -> [UInt8] {
        let own = self.head(key, expiry) + subject.content
        return key == nil ? own + [0] + (adminKey?.bytes ?? []) : own
    }

    private static func head(_ key: KeyID?, _ expiry: Int64) -> [UInt8] {
        let id = (key ?? self.noKey).uuid
        return [UInt64(bitPattern: expiry), id.high, id.low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
    }
}

extension ReadToken.Subject {
    /// The longest time for which a token is valid, in seconds.
    var maximumLifetime: Int64 {
        switch self {
        case .tiles: 30 * 86_400
        case .preview: 86_400
        }
    }

    /// Of four characters, different for each kind.
    fileprivate var prefix: String {
        switch self {
        case .tiles: "vst_"
        case .preview: "vsp_"
        }
    }

    fileprivate var content: [UInt8] {
        switch self {
        case .tiles(let venue): Array("\(venue.epoch) \(venue.key)".utf8)
        case .preview(let upload): Array(upload.description.utf8)
        }
    }

    /// The secrets of the kinds differ, so that no token is one of another kind.
    fileprivate func code(of content: [UInt8], sealedBy seal: CursorSeal) -> [UInt8] {
        switch self {
        case .tiles: seal.tileCode(of: content)
        case .preview: seal.previewCode(of: content)
        }
    }
}

/// The body of a request for a token.
struct NewToken: Decodable {
    let expires_in: Int64

    /// The end of the validity in seconds since 1970.
    func expiry(for subject: ReadToken.Subject) throws -> Int64 {
        guard (1...subject.maximumLifetime).contains(self.expires_in) else {
            throw Problem.body("“expires_in” must be a number of seconds from 1 to \(subject.maximumLifetime)")
        }
        return Int64(Date().timeIntervalSince1970) + self.expires_in
    }
}

/// The response to such a request.
struct CreatedToken: Encodable {
    let token: String
    let expires_at: Date

    init(_ token: ReadToken) {
        self.token = token.description
        self.expires_at = Date(timeIntervalSince1970: Double(token.expiry))
    }
}
