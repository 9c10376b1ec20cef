package import Foundation
import SystemCrypto

/// Signs requests with AWS Signature Version 4.
///
/// - SeeAlso: Amazon S3 API Reference, *Authenticating Requests: Using the Authorization Header*.
package struct S3Signature {
    private let region: String
    private let credentials: S3Credentials
    /// `20130524T000000Z`.
    private let time: String

    package init(region: String, credentials: S3Credentials, date: Date) {
        self.region = region
        self.credentials = credentials
        self.time = date.ISO8601Format(
            Date.ISO8601FormatStyle(
                dateSeparator: .omitted, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt))
    }

    /// The header fields of a request with its signature.
    ///
    /// - Parameters:
    ///   - path: Percent-encoded.
    ///   - headers: Further fields that are signed, with lowercase names.
    ///   - payload: The SHA-256 of the body.
    package func headers(
        _ method: String, host: String, path: String, query: [(name: String, value: String)] = [],
        headers: [String: String] = [:], payload: [UInt8]
    ) -> [String: String] {
        let digest = Self.hexadecimal(payload)
        var fields = headers
        fields["host"] = host
        fields["x-amz-content-sha256"] = digest
        fields["x-amz-date"] = self.time
        fields["x-amz-security-token"] = self.credentials.sessionToken
        let sorted = fields.sorted { $0.key < $1.key }
        let names = sorted.map(\.key).joined(separator: ";")
        let lines = sorted.map { "\($0.key):\($0.value.trimmingCharacters(in: .whitespaces))" }
        let request = [method, path, Self.encoded(query)] + lines + ["", names, digest]
        let day = String(self.time.prefix(8))
        let scope = "\(day)/\(self.region)/s3/aws4_request"
        let text = [
            "AWS4-HMAC-SHA256", self.time, scope,
            Self.hexadecimal(SHA256.hash(of: request.joined(separator: "\n").utf8)),
        ].joined(separator: "\n")
        var key = Array("AWS4\(self.credentials.secretKey)".utf8)
        for part in [day, self.region, "s3", "aws4_request"] {
            key = HMACSHA256.code(of: part.utf8, key: key)
        }
        let signature = Self.hexadecimal(HMACSHA256.code(of: text.utf8, key: key))
        let credential = "\(self.credentials.accessKey)/\(scope)"
        fields["authorization"] =
            "AWS4-HMAC-SHA256 Credential=\(credential),SignedHeaders=\(names),Signature=\(signature)"
        return fields
    }

    /// A query in canonical order, as it is sent.
    static func encoded(_ query: [(name: String, value: String)]) -> String {
        query.map { (Self.encoded($0.name), Self.encoded($0.value)) }
            .sorted { $0 < $1 }
            .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    }

    /// Percent-encodes everything but the unreserved characters of RFC 3986 and some others.
    static func encoded(_ text: String, keeping other: String = "") -> String {
        var encoded = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                encoded.unicodeScalars.append(Unicode.Scalar(byte))
            case _ where "-._~\(other)".utf8.contains(byte): encoded.unicodeScalars.append(Unicode.Scalar(byte))
            default: encoded += "%" + Self.hexadecimal([byte]).uppercased()
            }
        }
        return encoded
    }

    private static func hexadecimal(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
