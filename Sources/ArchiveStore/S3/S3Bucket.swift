import Foundation

/// Where objects are stored, and with whose rights.
package struct S3Bucket: Sendable {
    /// `http` or `https`.
    let scheme: String
    /// With the port, unless it is that of the scheme, as in the header field `Host`.
    let host: String
    /// The path of the bucket, percent-encoded, with a slash at its end.
    let path: String
    /// Before the names of all objects; empty, or with a slash at its end.
    let prefix: String
    let region: String
    let credentials: S3Credentials

    /// - Parameters:
    ///   - endpoint: The address of the service, such as `https://minio.example.com:9000`. The bucket is the first part of the path,
    ///     unless the address has `{bucket}` in its host. Nil for Amazon S3.
    /// - Returns: Nil for an address or a name that is not valid.
    package init?(bucket: String, prefix: String, endpoint: String?, region: String, credentials: S3Credentials) {
        guard (3...63).contains(bucket.utf8.count), bucket.utf8.allSatisfy(Self.isAllowed),
            !region.isEmpty, region.utf8.allSatisfy(Self.isAllowed)
        else { return nil }
        let template = endpoint ?? "https://{bucket}.s3.\(region).amazonaws.com"
        let address = template.replacingOccurrences(of: "{bucket}", with: bucket)
        guard let parts = URLComponents(string: address), let scheme = parts.scheme?.lowercased(),
            ["http", "https"].contains(scheme), let host = parts.host, !host.isEmpty, parts.user == nil,
            parts.query == nil, parts.fragment == nil
        else { return nil }
        let port = parts.port.flatMap { $0 == (scheme == "http" ? 80 : 443) ? nil : ":\($0)" } ?? ""
        let path = parts.percentEncodedPath
        let folder = path.hasSuffix("/") ? path : path + "/"
        self.scheme = scheme
        self.host = host.lowercased() + port
        self.path = template.contains("{bucket}") ? folder : "\(folder)\(bucket)/"
        let names = prefix.split(separator: "/").joined(separator: "/")
        self.prefix = names.isEmpty ? "" : names + "/"
        self.region = region
        self.credentials = credentials
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}

package struct S3Credentials: Sendable {
    package let accessKey: String
    package let secretKey: String
    /// Of temporary credentials.
    package let sessionToken: String?

    package init(accessKey: String, secretKey: String, sessionToken: String? = nil) {
        self.accessKey = accessKey
        self.secretKey = secretKey
        self.sessionToken = sessionToken
    }
}

extension S3Credentials: CustomStringConvertible, CustomReflectable {
    /// Never the secrets.
    package var description: String { "access key \(self.accessKey)" }

    package var customMirror: Mirror { Mirror(self, children: ["accessKey": self.accessKey]) }
}
