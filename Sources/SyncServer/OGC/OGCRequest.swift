import Foundation
import HTTPTypes
import Hummingbird
import IMDF
import OGCFeatures
import RevisionStore
import SyncModel

/// A request for a resource of the service of a venue.
struct OGCRequest: Sendable {
    let request: Request
    let venue: VenueRecord
    let query: QueryValues
    let isHTML: Bool
    /// The revision that the request names.
    let revision: Int64?
    let address: ServiceAddress
    /// Whether shared caches may keep the response.
    private let isPublic: Bool

    /// - Parameter parameters: Names of parameters besides `f` and `revision`. All others are refused, as the standard demands.
    init(_ request: Request, _ context: ReaderContext, links: LinkOrigin, parameters: Set<String> = []) throws {
        self.request = request
        self.venue = context.venue
        self.isPublic = context.venue.settings.public && links.isFixed
        self.query = QueryValues(request)
        try self.query.refuseEmptyValues()
        if let name = self.query.names.first(where: { !parameters.contains($0) && !["f", "revision"].contains($0) }) {
            throw Problem.parameter(name, "This address does not have such a parameter.")
        }
        switch try self.query.text("f") {
        case nil:
            self.isHTML = request.prefers(
                ["text/html", "application/xhtml+xml"], over: ["application/json", "application/geo+json"])
        case "json": self.isHTML = false
        case "html": self.isHTML = true
        default: throw Problem.parameter("f", "It must be json or html.")
        }
        if try self.query.text("revision") == "head" {
            self.revision = nil
        } else {
            self.revision = try self.query.number("revision", in: 1...Int64.max)
        }
        self.address = ServiceAddress(
            origin: links.origin(of: request), venue: "\(context.venue.key)", revision: self.revision)
    }

    /// The parameters of the request, for links that repeat them.
    var parameters: ServiceAddress.Query {
        self.request.uri.queryParameters.map { (String($0.key), String($0.value)) }
    }

    func items() throws -> ItemsQuery {
        do {
            return try ItemsQuery { try self.query.text($0) }
        } catch let error as InvalidParameter {
            throw Problem.parameter(error.name, error.detail)
        }
    }

    /// `level=`: an ordinal, the id of a level, or `venue` for the venue-wide part. A level that does not exist selects nothing.
    ///
    /// - Parameter revision: Nil for one without levels.
    func levels(in revision: RevisionRecord?) throws -> LevelFilter? {
        guard let text = try self.query.text("level") else { return nil }
        guard let name = Int(text).map({ .ordinal($0) }) ?? LevelSelection.Name(text) else {
            throw Problem.parameter("level", "It must be an ordinal, the id of a level, or venue.")
        }
        let selection = LevelSelection(names: [name])
        let levels = revision?.levels.filter { selection.includes(level: $0.id, ordinal: $0.ordinal) } ?? []
        return LevelFilter(levels: Set(levels.map(\.id)), isVenueWide: name == .venueWide)
    }

    /// `category=`: the value of the property.
    func category() throws -> String? {
        try self.query.text("category").map { text in
            guard !text.utf8.contains(0) else { throw Problem.parameter("category", "It must be a category.") }
            return text
        }
    }

    // MARK: - Responses

    /// The entity tag of what the request returns of a revision; it is known before any work is done.
    ///
    /// - Parameter state: What the response depends on besides.
    func tag(_ revision: RevisionRecord?, _ state: String = "") -> String {
        let parts = [
            "\(ServiceDocuments.edition)", "\(revision?.number ?? 0)", revision?.digest.hex ?? "",
            "\(self.venue.epoch)", revision?.about.language ?? "", self.address.address([], query: []),
            self.request.uri.string, "\(self.isHTML)", state,
        ]
        return EntityTag.of(parts)
    }

    /// The entity tag of a feature, which stays the same when others change. It begins with that of the feature itself, by which edits
    /// recognize it; the rest, after a hyphen, depends on what else the representation is made from.
    ///
    /// - Parameter address: Of the representation.
    static func tag(of feature: FeatureRecord, language: String?, address: String, isHTML: Bool) -> String {
        let parts = [
            "\(ServiceDocuments.edition)", feature.level?.description ?? "", language ?? "", address, "\(isHTML)",
        ]
        let representation = Digest(of: Array(parts.joined(separator: "\n").utf8)).hex.prefix(16)
        return "\(Digest(of: feature.body).hex.prefix(32))-\(representation)"
    }

    /// A response with the header fields that all have. Clients check it with its entity tag, also for a numbered revision: it links to the
    /// next one, and after a restore another revision may have the number.
    func response(type: String, headers: HTTPFields = [:], tag: String, body: ResponseBody = .init()) -> Response {
        var response = Response(status: .ok, headers: headers, body: body)
            .cached("no-cache", isPublic: self.isPublic).varying(by: .accept)
        response.headers[.contentType] = self.isHTML ? "\(Link.html); charset=utf-8" : type
        if self.isHTML {
            response.headers[.contentSecurityPolicy] = HTMLDocument.contentSecurityPolicy
            response.headers[.xContentTypeOptions] = "nosniff"
        }
        return response.taggedStrongly(tag, for: self.request)
    }

    /// A document as JSON or HTML.
    func bytes(_ value: JSONValue, title: String) -> [UInt8] {
        self.isHTML ? HTMLDocument.page(title, value) : CanonicalJSON.data(value)
    }
}

/// Versions of a resource (RFC 5829, RFC 7089).
struct ResourceVersions {
    let address: ServiceAddress
    let path: [String]
    /// The parameters that select features.
    let query: ServiceAddress.Query
    let venue: VenueRecord
    let revision: RevisionRecord

    /// `Link` with the address at the revision before, after and at the newest one; and the time of the revision, if the address names
    /// the revision.
    func headers(isPinned: Bool) -> HTTPFields {
        let query = self.query.filter { !["revision", "datetime", "offset"].contains($0.name) }
        func link(_ relation: String, _ number: Int64?) -> String {
            let query = query + (number.map { [("revision", "\($0)")] } ?? [])
            return "<\(self.address.address(self.path, query: query))>; rel=\"\(relation)\""
        }
        var links = [link("latest-version", nil)]
        let number = self.revision.number
        if number > self.venue.first { links.append(link("predecessor-version", number - 1)) }
        if number < self.venue.head { links.append(link("successor-version", number + 1)) }
        var headers: HTTPFields = [.link: links.joined(separator: ", ")]
        if isPinned { headers[.mementoDatetime] = self.revision.publishedAt.httpText }
        return headers
    }
}

extension HTTPField.Name {
    static let contentCRS = Self("Content-Crs")!
    static let link = Self("Link")!
    static let mementoDatetime = Self("Memento-Datetime")!
}
