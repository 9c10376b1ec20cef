import Foundation
import RevisionStore
import SyncModel
import VenueMap
import WebConsole

/// The page of the console for a venue whose map loads something from other hosts:
/// `/?venue=mall&basemap=https://tiles.example.com&code=…`.
///
/// Readers of the venue find its address in `GET /venues/{venue}`. The code authenticates the venue and the origins, and the policy of the
/// page depends on nothing else. So the page reveals neither whether a venue exists nor what it loads, and nobody but an administrator of a
/// venue decides which hosts a page may contact.
struct VenuePage {
    private let venue: String
    private let imageOrigins: Set<String>
    private let basemapOrigins: Set<String>

    init(of venue: VenueRecord) {
        self.venue = venue.key.description
        let logo = venue.settings.appearance.flatMap { try? MapAppearance($0) }?.logo?.origin
        self.imageOrigins = Set([logo].compactMap(\.self))
        self.basemapOrigins = venue.settings.basemap.flatMap { try? Basemap($0) }?.origins ?? []
    }

    /// The page whose address has these parameters; nil if they name no venue, or their code is wrong.
    init?(_ query: QueryValues, sealedBy seal: CursorSeal) throws {
        guard let venue = try query.text("venue"), let code = try query.text("code") else { return nil }
        self.venue = venue
        self.imageOrigins = Set(query.all("image"))
        self.basemapOrigins = Set(query.all("basemap"))
        guard Self.areEqual(code, self.code(sealedBy: seal)) else { return nil }
    }

    /// The path and the query; nil if the logo and the basemap need no other host.
    func address(sealedBy seal: CursorSeal) -> String? {
        guard !self.imageOrigins.isEmpty || !self.basemapOrigins.isEmpty else { return nil }
        let origins =
            self.imageOrigins.sorted().map { "&image=\($0)" } + self.basemapOrigins.sorted().map { "&basemap=\($0)" }
        return "/?venue=\(self.venue)\(origins.joined())&code=\(self.code(sealedBy: seal))"
    }

    func permitOrigins(in policy: inout PagePolicy) {
        policy.imageOrigins.formUnion(self.imageOrigins)
        policy.basemapOrigins.formUnion(self.basemapOrigins)
    }

    /// 128 bits in hexadecimal digits.
    private func code(sealedBy seal: CursorSeal) -> String {
        // Line breaks occur neither in venue keys nor in origins.
        let lines = [self.venue, ""] + self.imageOrigins.sorted() + [""] + self.basemapOrigins.sorted()
        let code = seal.pageCode(of: Array(lines.joined(separator: "\n").utf8))
        return code.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// Takes the same time for all texts of one length.
    private static func areEqual(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && zip(one.utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
