import IMDF
import NIOHTTP1

extension HTTPRequestHead {
    /// Why the request cannot be passed on; nil if it can. Different readers of ambiguous framing would see different requests.
    var refusal: HTTPResponseStatus? {
        guard self.hasValidHost, !self.hasTooManyMarks else { return .badRequest }
        let codings = self.headers["transfer-encoding"]
        if !codings.isEmpty {
            guard !self.headers.contains(name: "content-length"), self.version >= .http1_1 else { return .badRequest }
            guard codings.count == 1, codings[0].lowercased() == "chunked" else { return .notImplemented }
        }
        let isUnknown = self.headers["expect"].contains { $0.lowercased() != "100-continue" }
        return isUnknown && self.version >= .http1_1 ? .expectationFailed : nil
    }

    /// Whether the address or a field has more combining marks in a row than any text of a language.
    private var hasTooManyMarks: Bool {
        let address = self.uri.utf8
        // A mark takes at least two escapes.
        let mayHaveMarks = address.count > 6 * CombiningMarks.most && address.contains(UInt8(ascii: "%"))
        return mayHaveMarks && CombiningMarks.areTooMany(in: address.unescaped)
            || self.headers.contains { CombiningMarks.areTooMany(in: $0.value.utf8) }
    }

    var expectsPermission: Bool { self.headers.contains(name: "expect") && self.version >= .http1_1 }

    /// Whether there is one valid `Host` field (RFC 9112 §3.2). HTTP/1.0 may leave it out.
    private var hasValidHost: Bool {
        var count = 0
        for (name, value) in self.headers where name.utf8.count == 4 && name.lowercased() == "host" {
            guard value.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && !",/?#@\\\"<>".utf8.contains($0) }) else {
                return false
            }
            count += 1
        }
        return count == 1 || count == 0 && self.version < .http1_1
    }
}

extension String.UTF8View {
    /// The bytes for which percent-encoded bytes stand, also in an address that is malformed elsewhere.
    fileprivate var unescaped: [UInt8] {
        var (bytes, rest) = ([UInt8](), self[...])
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(digits.count)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }
}
