import HTTPTypes
import IMDF

/// What a page of the console may load from other hosts, and who may show it in a frame: by default nothing and nobody.
///
/// The origins have been checked to be origins: they are written into a header as they are.
package struct PagePolicy: Hashable, Sendable {
    /// The origins whose pages may show the page in a frame.
    package var frameAncestors: [String] = []
    /// The origins that pictures are loaded from.
    package var imageOrigins: Set<String> = []
    /// The origins that everything of a basemap is loaded from: styles, tiles, glyphs, sprites.
    package var basemapOrigins: Set<String> = []

    package init() {}

    /// MapLibre starts its workers from `blob:` URLs and reads images from `data:` URLs.
    private var contentSecurityPolicy: String {
        let sources = { (origins: Set<String>) in origins.sorted().map { " \($0)" }.joined() }
        return [
            "default-src 'none'", "script-src 'self'", "style-src 'self'",
            "img-src 'self' data: blob:\(sources(self.imageOrigins.union(self.basemapOrigins)))",
            "connect-src 'self'\(sources(self.basemapOrigins))", "manifest-src 'self'", "worker-src 'self' blob:",
            "base-uri 'none'", "form-action 'none'",
            "frame-ancestors \(self.frameAncestors.isEmpty ? "'none'" : self.frameAncestors.joined(separator: " "))",
        ].joined(separator: "; ")
    }

    /// Differs from that of other policies; empty for the usual one.
    var tag: String {
        self == PagePolicy() ? "" : String(Digest(of: Array(self.contentSecurityPolicy.utf8)).hex.prefix(8))
    }

    func add(to headers: inout HTTPFields) {
        headers[.contentSecurityPolicy] = self.contentSecurityPolicy
        headers[.xContentTypeOptions] = "nosniff"
        // Services of tiles ask which site uses them. They do not learn the path, which has the venue.
        headers[.referrerPolicy] = self.basemapOrigins.isEmpty ? "no-referrer" : "strict-origin"
    }
}

extension HTTPField.Name {
    fileprivate static let referrerPolicy = HTTPField.Name("Referrer-Policy")!
}
