import Foundation
import IMDF

/// The address of the service of a venue, from which all links are made.
package struct ServiceAddress: Sendable {
    /// The scheme and the authority that the client used.
    let origin: String
    let venue: String
    /// The revision that the client has named, which links to other resources repeat.
    let revision: Int64?

    package init(origin: String, venue: String, revision: Int64?) {
        (self.origin, self.venue, self.revision) = (origin, venue, revision)
    }

    package typealias Query = [(name: String, value: String)]

    /// The address of a resource of the service.
    ///
    /// - Parameters:
    ///   - path: Below `/ogc/{venue}`; its components are escaped.
    ///   - query: Includes the revision if it is not nil.
    package func address(_ path: [String], query: Query) -> String {
        let components = ["ogc", self.venue] + path
        let text = query.map { "\(Self.escaped($0.name))=\(Self.escaped($0.value))" }.joined(separator: "&")
        return self.origin + components.map { "/\(Self.escaped($0))" }.joined() + (text.isEmpty ? "" : "?\(text)")
    }

    /// The address of a resource at the revision that the client has named.
    func address(_ path: String...) -> String { self.address(path, query: self.pinned) }

    var pinned: Query { self.revision.map { [("revision", "\($0)")] } ?? [] }

    private static func escaped(_ text: String) -> String { HTTPAddress.escaped(text, keeping: ":,") }
}

/// A link by RFC 8288, as it is in documents.
package enum Link {
    package static let json = "application/json"
    package static let geoJSON = "application/geo+json"
    package static let html = "text/html"

    static func value(_ relation: String, _ href: String, _ type: String, _ title: String? = nil) -> JSONValue {
        var link: JSONObject = ["rel": .string(relation), "href": .string(href), "type": .string(type)]
        link["title"] = title.map { .string($0) }
        return .object(link)
    }

    /// `self` and `alternate`: a resource as JSON and as HTML.
    ///
    /// - Parameters:
    ///   - path: Below `/ogc/{venue}`.
    ///   - type: Of the form that is not HTML.
    ///   - isHTML: Whether the links are for the HTML form.
    static func representations(
        of path: [String], query: ServiceAddress.Query, at address: ServiceAddress, type: String, isHTML: Bool
    ) -> [JSONValue] {
        let query = query.filter { $0.name != "f" }
        let json = address.address(path, query: query + [("f", "json")])
        let html = address.address(path, query: query + [("f", "html")])
        return [
            Link.value(isHTML ? "alternate" : "self", json, type, "This document as JSON"),
            Link.value(isHTML ? "self" : "alternate", html, Self.html, "This document as HTML"),
        ]
    }
}
