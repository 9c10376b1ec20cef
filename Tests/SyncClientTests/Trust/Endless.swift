import Foundation
import Synchronization

/// Pages of a level that never ends, each with another cursor and with other ids.
final class Endless: Sendable {
    private let first: String
    private let served = Mutex(0)

    var count: Int { self.served.withLock { $0 } }

    init(_ first: [UInt8]) {
        self.first = String(decoding: first, as: UTF8.self)
    }

    func next() -> [UInt8] {
        let number = self.served.withLock { count in
            count += 1
            return count
        }
        var page = self.first.replacing(/"cursor":"[^"]*"/, with: "\"cursor\":\"page-\(number)\"")
        // The block continues, so it has no digest yet.
        page.replace(/"digest":(null|"sha-256:[0-9a-f]{64}"),"kind"/, with: "\"digest\":null,\"kind\"")
        guard number > 1 else { return Array(page.utf8) }
        page.replace("{\"digest\":null,\"kind\"", with: "{\"continued\":true,\"digest\":null,\"kind\"")
        let digits = String(number, radix: 16)
        page.replace(/"id":"[0-9a-f]{8}/, with: "\"id\":\"\(String(repeating: "0", count: 8 - digits.count))\(digits)")
        return Array(page.utf8)
    }
}
